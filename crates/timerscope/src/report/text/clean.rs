//! Text from elsewhere, made harmless for a terminal.
//!
//! Names of processes and modules come from whoever chose them. An escape
//! code in a name would colour, move or retitle the reader's terminal, and a
//! character that turns the writing direction would show another name.

/// Shown in place of what must not reach a terminal.
const REPLACEMENT: char = '\u{fffd}';

/// Makes `text` one harmless line.
pub(super) fn line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
            c if unsafe_to_show(c) => REPLACEMENT,
            c => c,
        })
        .collect()
}

/// Makes `text` harmless lines, ending them where it does.
pub(super) fn lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|text| line(&text.replace('\t', "    ")))
}

/// Whether a character steers the terminal or the direction of writing.
fn unsafe_to_show(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200e}'
                | '\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
        )
}

/// Replaces every character that is not ASCII by one that is.
pub(super) fn ascii(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            c if c.is_ascii() => c,
            super::super::words::GROUP => ' ',
            '\u{b5}' | '\u{3bc}' => 'u',
            _ => '?',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(
            line("\u{1b}[31mred\n\u{202e}cba"),
            "\u{fffd}[31mred \u{fffd}cba"
        );
        assert_eq!(lines("a\tb\nc").collect::<Vec<_>>(), ["a    b", "c"]);
    }

    proptest! {
        #[test]
        fn nothing_that_is_cleaned_has_a_control(text in any::<String>()) {
            prop_assert!(!line(&text).chars().any(char::is_control));
            prop_assert!(ascii(&text).is_ascii());
        }
    }
}
