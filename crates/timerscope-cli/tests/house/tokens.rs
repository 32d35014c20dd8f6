//! The words and signs of Rust code.

/// A name, a number, `::`, or one other sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) line: usize,
}

/// Splits code that is free of comments and literals.
pub(crate) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = vec![];
    for (index, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let (text, left) = rest.split_at(length(rest));
            found.push(Token { text, line: index + 1 });
            rest = left.trim_start();
        }
    }
    found
}

fn length(text: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = text.find(|c| !is_word(c)).unwrap_or(text.len());
    if word > 0 {
        word
    } else if text.starts_with("::") {
        2
    } else {
        text.chars().next().map_or(0, char::len_utf8)
    }
}

#[test]
fn words_and_signs_come_apart() {
    let texts: Vec<&str> =
        tokens("use a::{b_1,\n c}").iter().map(|token| token.text).collect();
    assert_eq!(texts, ["use", "a", "::", "{", "b_1", ",", "c", "}"]);
}
