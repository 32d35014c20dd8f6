//! A Rust text with its code told from its comments.
//!
//! A rule about code must not trip over a comment that explains it, nor over
//! the tests of that very rule, whose examples stand in string literals.

/// The same text twice, each time with the other parts blanked out, so that
/// lines and columns stay what they are.
#[derive(Debug)]
pub(crate) struct Views {
    pub(crate) code: String,
    pub(crate) comments: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

impl Views {
    pub(crate) fn of(text: &str) -> Self {
        let mut views = Self { code: String::new(), comments: String::new() };
        let mut rest = text;
        while !rest.is_empty() {
            let (kind, length) = piece(rest);
            let (taken, left) = rest.split_at(length);
            views.code.push_str(&kept(taken, kind == Kind::Code));
            views.comments.push_str(&kept(taken, kind == Kind::Comment));
            rest = left;
        }
        views
    }
}

fn kept(text: &str, keep: bool) -> String {
    let blank = |c| if keep || c == '\n' { c } else { ' ' };
    text.chars().map(blank).collect()
}

/// The kind and the length in bytes of what `text` begins with.
fn piece(text: &str) -> (Kind, usize) {
    if text.starts_with("//") {
        (Kind::Comment, text.find('\n').unwrap_or(text.len()))
    } else if text.starts_with("/*") {
        (Kind::Comment, block_comment(text))
    } else if let Some(length) = raw_string(text) {
        (Kind::Literal, length)
    } else if text.starts_with('"') {
        (Kind::Literal, quoted(text, '"'))
    } else if begins_with_char(text) {
        (Kind::Literal, quoted(text, '\''))
    } else {
        (Kind::Code, text.chars().next().map_or(0, char::len_utf8))
    }
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let step = match text.as_bytes()[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(1 + hashes + 1 + length)
}

/// Whether a character literal begins here, rather than a lifetime.
fn begins_with_char(text: &str) -> bool {
    let mut chars = text.chars();
    let (first, second, third) = (chars.next(), chars.next(), chars.next());
    first == Some('\'') && (second == Some('\\') || third == Some('\''))
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + quote.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[test]
fn comments_and_literals_are_no_code() {
    for (text, code) in [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ d */ e", "a                   e"),
        (r#"f("b \" c", d)"#, "f(        , d)"),
        ("r#\"b \" c\"# d", "           d"),
        ("br\"b\\\" d", "b      d"),
        ("'b' 'c", "    'c"),
        (r"'\'' c", "     c"),
        ("'\"' c", "    c"),
        ("r#type", "r#type"),
    ] {
        assert_eq!(Views::of(text).code, code, "{text}");
    }
}

#[test]
fn comments_stay_where_they_were() {
    let views = Views::of("let a = \"// b\"; // c\n/// d\n");
    assert_eq!(views.comments, "                // c\n/// d\n");
}
