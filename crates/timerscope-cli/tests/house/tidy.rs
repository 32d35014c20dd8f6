//! What a file may look like.

use crate::finding::Finding;
use crate::source::Source;
use crate::tokens::{Token, tokens};

/// The most lines of a Rust file.
const MOST_LINES: usize = 500;
/// How far above `unsafe` its reason may begin.
const REASON_WITHIN: usize = 6;
/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] =
    &["common", "helper", "helpers", "manager", "misc", "util", "utils"];
/// The tops of folders that one machine has and another does not.
const MACHINE_FOLDERS: &[&str] =
    &["home", "root", "tmp", "work", "workspace", "Users"];

/// Finds every untidiness of one file.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = white_space(source);
    findings.extend(machine_paths(source));
    if source.is_rust() {
        let tokens = tokens(&source.views.code);
        findings.extend(not_ascii(source));
        findings.extend(too_long(source));
        findings.extend(empty_name(source));
        findings.extend(unfinished(source, &tokens));
        findings.extend(silenced(source, &tokens));
        findings.extend(unsafety(source, &tokens));
        findings.extend(logic_in_mod(source, &tokens));
    }
    findings
}

/// Recorded output of other programs keeps its tabs; what we write has none.
fn white_space(source: &Source) -> Vec<Finding> {
    let name = source.path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, it)| it);
    let ours = source.path.starts_with(".ci/")
        || matches!(extension, "rs" | "toml" | "md" | "yml" | "sh");
    if !ours {
        return vec![];
    }
    let lines = source.text.split('\n').enumerate();
    lines
        .filter_map(|(index, line)| {
            let (what, cure) = if line.contains('\t') {
                ("a tab", "indent with spaces; in a literal write `\\t`")
            } else if line.ends_with(char::is_whitespace) {
                ("white space at the end of a line", "delete it")
            } else {
                return None;
            };
            Some(source.finding(index + 1, what, cure))
        })
        .collect()
}

fn machine_paths(source: &Source) -> Vec<Finding> {
    let lines = source.text.lines().enumerate();
    lines
        .filter_map(|(index, line)| {
            let folder = MACHINE_FOLDERS.iter().find(|it| names(line, it))?;
            let what = format!("a path below `/{folder}`");
            let cure = "write it relative to the workspace, or ask \
                        `std::env::temp_dir` or `tempfile`";
            Some(source.finding(index + 1, what, cure))
        })
        .collect()
}

/// Whether `line` has an absolute path that begins with `folder`.
fn names(line: &str, folder: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || "/._-~*)]}>".contains(c);
    line.match_indices(&format!("/{folder}/"))
        .any(|(at, _)| !line[..at].ends_with(inside))
}

fn not_ascii(source: &Source) -> Vec<Finding> {
    let lines = source.text.lines().enumerate();
    lines
        .filter_map(|(index, line)| {
            let c = line.chars().find(|c| !c.is_ascii())?;
            let what = format!("`{}` is not ASCII", c.escape_unicode());
            let cure = "write it in ASCII, or as an escape in a literal";
            Some(source.finding(index + 1, what, cure))
        })
        .collect()
}

fn too_long(source: &Source) -> Option<Finding> {
    let lines = source.text.lines().count();
    (lines > MOST_LINES).then(|| {
        let what = format!("{lines} lines, and {MOST_LINES} are the most");
        let cure = "split it where a reader would stop for breath: one file \
                    per idea";
        source.finding(MOST_LINES + 1, what, cure)
    })
}

fn empty_name(source: &Source) -> Option<Finding> {
    let stem = source.path.strip_suffix(".rs")?;
    let name = stem.split('/').find(|part| EMPTY_NAMES.contains(part))?;
    let what = format!("`{name}` says nothing about what is inside");
    let cure = "name it for the one thing it does, or move its lines to \
                where they are used";
    Some(source.finding(1, what, cure))
}

fn unfinished(source: &Source, tokens: &[Token<'_>]) -> Vec<Finding> {
    let macros = tokens.windows(2).filter(|pair| {
        matches!(pair[0].text, "todo" | "unimplemented") && pair[1].text == "!"
    });
    let notes = crate::tokens::tokens(&source.views.comments)
        .into_iter()
        .filter(|word| matches!(word.text, "TODO" | "FIXME" | "XXX"));
    macros
        .map(|pair| pair[0])
        .chain(notes)
        .map(|token| {
            let what = format!("`{}`: unfinished", token.text);
            let cure = "finish it, or leave it out and say so in an issue";
            source.finding(token.line, what, cure)
        })
        .collect()
}

fn silenced(source: &Source, tokens: &[Token<'_>]) -> Vec<Finding> {
    let allows = tokens.windows(3).filter(|three| {
        [three[0].text, three[1].text, three[2].text] == ["[", "allow", "("]
    });
    allows
        .map(|three| {
            let cure = "cure the cause, or write `#[expect(lint, reason = \
                        \"..\")]`, which tells when it is no longer needed";
            source.finding(three[0].line, "a lint silenced for good", cure)
        })
        .collect()
}

fn unsafety(source: &Source, tokens: &[Token<'_>]) -> Vec<Finding> {
    let words = tokens.iter().filter(|token| token.text == "unsafe");
    if source.below("crates/timerscope-native").is_none() {
        let cure = "move it to `timerscope-native`, behind a safe function";
        return words
            .map(|it| source.finding(it.line, "unsafe code outside", cure))
            .collect();
    }
    let comments: Vec<&str> = source.views.comments.lines().collect();
    words
        .filter(|token| !has_reason(&comments, token.line))
        .map(|token| {
            let what = "`unsafe` without its reason";
            let cure = "say above it, after `SAFETY:`, why what the callee \
                        asks for holds here";
            source.finding(token.line, what, cure)
        })
        .collect()
}

fn has_reason(comments: &[&str], line: usize) -> bool {
    let above = line.saturating_sub(REASON_WITHIN + 1);
    comments[above..line.min(comments.len())]
        .iter()
        .any(|line| line.contains("SAFETY:") || line.contains("# Safety"))
}

fn logic_in_mod(source: &Source, tokens: &[Token<'_>]) -> Vec<Finding> {
    if !source.path.ends_with("/mod.rs") {
        return vec![];
    }
    tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| token.text == "fn" && has_body(&tokens[*at..]))
        .map(|(_, token)| {
            let cure = "give it a file of its own: mod.rs is the table of \
                        contents";
            source.finding(token.line, "logic in mod.rs", cure)
        })
        .collect()
}

/// Whether the function that `tokens` begin with is more than a promise.
fn has_body(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0_i32;
    for token in tokens {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "{" if depth == 0 => return true,
            ";" if depth == 0 => return false,
            // The end of what holds a function's type: `a: fn(u8) -> u8,`.
            "}" | "," | "=" if depth <= 0 => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "crates/timerscope/src/stats/modes.rs";
    const NATIVE: &str = "crates/timerscope-native/src/linux/clock.rs";
    const MOD: &str = "crates/timerscope/src/stats/mod.rs";

    /// The lines with findings.
    fn lines(path: &str, text: &str) -> Vec<usize> {
        let findings = check(&Source::new(path, text));
        findings.into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn tabs_and_trailing_white_space_are_found_in_what_we_write() {
        for path in [LIBRARY, "Cargo.toml", "README.md", ".ci/run"] {
            assert_eq!(lines(path, "a\n\tb\nc \nd\r\n e\n"), [2, 3, 4]);
        }
        assert_eq!(lines("tests/machines/proc/stat", "cpu\t1 \n"), []);
    }

    #[test]
    fn a_path_of_one_machine_is_found_in_any_file() {
        for folder in MACHINE_FOLDERS {
            let text = format!("see\n`/{folder}/a/b`\n");
            assert_eq!(lines("README.md", &text), [2], "{folder}");
        }
    }

    #[test]
    fn a_folder_of_that_name_further_down_is_fine() {
        for folder in MACHINE_FOLDERS {
            let text = format!("fixtures/{folder}/a and {{base}}/{folder}/b\n");
            assert_eq!(lines("README.md", &text), [], "{folder}");
        }
    }

    #[test]
    fn what_is_not_ascii_is_found_in_rust_only() {
        assert_eq!(lines(LIBRARY, "// a\n// \u{b5}s\n"), [2]);
        assert_eq!(lines("README.md", "\u{b5}s\n"), []);
    }

    #[test]
    fn a_file_may_be_as_long_as_the_limit_and_no_longer() {
        assert_eq!(lines(LIBRARY, &"\n".repeat(MOST_LINES)), []);
        let longer = "\n".repeat(MOST_LINES + 1);
        assert_eq!(lines(LIBRARY, &longer), [MOST_LINES + 1]);
    }

    #[test]
    fn an_empty_name_is_found_for_a_file_and_for_a_folder() {
        for name in EMPTY_NAMES {
            let file = format!("crates/timerscope/src/stats/{name}.rs");
            let folder = format!("crates/timerscope/src/{name}/modes.rs");
            assert_eq!(lines(&file, ""), [1]);
            assert_eq!(lines(&folder, ""), [1]);
        }
    }

    #[test]
    fn what_is_unfinished_is_found() {
        for line in ["todo!()", "unimplemented!()", "// TODO", "/// FIXME: a"] {
            assert_eq!(lines(LIBRARY, &format!("\n{line}\n")), [2], "{line}");
        }
        let text = "fn todo() -> &'static str { \"TODO\" }\n";
        assert_eq!(lines(LIBRARY, text), []);
    }

    #[test]
    fn a_silenced_lint_is_found_and_an_expected_one_is_not() {
        assert_eq!(lines(LIBRARY, "#[allow(dead_code)]\n"), [1]);
        assert_eq!(lines(LIBRARY, "\n#![allow(dead_code)]\n"), [2]);
        let text = "#[expect(dead_code, reason = \"b\")]\n";
        assert_eq!(lines(LIBRARY, text), []);
    }

    #[test]
    fn unsafe_code_outside_native_is_found_with_and_without_reason() {
        let text = "// SAFETY: none.\nunsafe { f() }\n";
        assert_eq!(lines(LIBRARY, text), [2]);
        assert_eq!(lines(LIBRARY, "#![forbid(unsafe_code)]\n"), []);
    }

    #[test]
    fn unsafe_code_in_native_needs_its_reason_near_above() {
        assert_eq!(lines(NATIVE, "unsafe { f() }\n"), [1]);
        assert_eq!(lines(NATIVE, "// SAFETY: so.\nunsafe { f() }\n"), []);
        let near = format!("// SAFETY: so.{}unsafe {{}}", "\n".repeat(6));
        assert_eq!(lines(NATIVE, &near), []);
        let far = format!("// SAFETY: so.{}unsafe {{}}", "\n".repeat(7));
        assert_eq!(lines(NATIVE, &far), [8]);
        let below = "unsafe { f() }\n// SAFETY: so.\n";
        assert_eq!(lines(NATIVE, below), [1]);
        let promise = "/// # Safety\n///\n/// So.\nunsafe fn f();\n";
        assert_eq!(lines(NATIVE, promise), []);
    }

    #[test]
    fn a_function_with_a_body_is_found_in_mod_rs_only() {
        let text = "fn f(a: [u8; 2]) -> u8 {\n    1\n}\n";
        assert_eq!(lines(MOD, text), [1]);
        assert_eq!(lines(LIBRARY, text), []);
    }

    #[test]
    fn a_promise_and_a_functions_type_are_no_logic() {
        for text in [
            "trait A {\n    fn f(&self, a: [u8; 2]) -> u8;\n}\n",
            "struct A {\n    f: fn(u8) -> u8,\n}\nstruct B {}\n",
            "type A = fn(u8);\nstruct B {}\n",
            "struct A(fn(u8));\nstruct B {}\n",
        ] {
            assert_eq!(lines(MOD, text), [], "{text}");
        }
    }
}
