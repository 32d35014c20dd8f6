//! Prose with commands in it.

/// A piece of prose, or of what one types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    /// Whether it stood between backticks.
    pub(super) code: bool,
}

/// Splits prose at its backticks; one without its fellow is a letter.
pub(super) fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some((before, code, after)) = next_code(rest) {
        runs.extend([run(before, false), run(code, true)]);
        rest = after;
    }
    runs.push(run(rest, false));
    runs.retain(|run| !run.text.is_empty());
    runs
}

fn run(text: &str, code: bool) -> Run {
    Run { text: text.to_owned(), code }
}

fn next_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, after) = text.split_once('`')?;
    let (code, rest) = after.split_once('`')?;
    Some((before, code, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_prose() {
        assert_eq!(
            runs("try `sudo a` or `b"),
            [run("try ", false), run("sudo a", true), run(" or `b", false)]
        );
        assert_eq!(runs(""), []);
    }
}
