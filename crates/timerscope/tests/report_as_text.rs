//! What a person reads in a terminal, in a narrow one, and through a pipe.

#[path = "../examples/sample_page/invented.rs"]
mod invented;

use timerscope::report::text::{TextStyle, render};

fn sample(style: TextStyle) -> String {
    render(&invented::document(), style)
}

#[test]
fn a_terminal_of_eighty_columns() {
    let style = TextStyle { width: Some(80), ..TextStyle::default() };
    insta::assert_snapshot!(sample(style));
}

#[test]
fn a_narrow_terminal_without_utf8() {
    let style =
        TextStyle { width: Some(60), ascii: true, ..TextStyle::default() };
    let text = sample(style);
    assert!(text.is_ascii());
    insta::assert_snapshot!(text);
}

#[test]
fn a_pipe() {
    insta::assert_snapshot!(sample(TextStyle::default()));
}

#[test]
fn colour_adds_escape_codes_and_nothing_else() {
    let plain = TextStyle { width: Some(80), ..TextStyle::default() };
    let coloured = sample(TextStyle { colour: true, ..plain });
    let mut bare = String::new();
    let mut pieces = coloured.split('\u{1b}');
    bare.push_str(pieces.next().unwrap());
    for piece in pieces {
        bare.push_str(piece.split_once('m').unwrap().1);
    }
    assert_ne!(coloured, bare);
    let trimmed: Vec<_> = bare.lines().map(str::trim_end).collect();
    assert_eq!(trimmed, sample(plain).lines().collect::<Vec<_>>());
}

#[test]
fn no_line_of_the_sample_is_wider_than_the_terminal() {
    for width in [60, 72, 80, 100, 140] {
        let style = TextStyle { width: Some(width), ..TextStyle::default() };
        for line in sample(style).lines() {
            let wide = line.chars().count();
            // What is shown as it is keeps its line, however long.
            let verbatim = line.starts_with("$ ");
            assert!(wide <= width || verbatim, "{wide} > {width}: {line}");
        }
    }
}
