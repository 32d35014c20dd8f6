//! Which room of the library may lean on which.
//!
//! A room is a folder below `crates/timerscope/src`. The crate
//! `timerscope-native` counts as one more room, outside.

use crate::finding::Finding;
use crate::source::Source;
use crate::tokens::{Token, tokens};

/// Each room and the rooms it may lean on.
const ROOMS: &[(&str, &[&str])] = &[
    ("machine", &[]),
    ("stats", &["machine"]),
    ("trace", &["machine"]),
    ("sim", &["machine", "trace"]),
    ("lab", &["machine", "stats"]),
    ("blame", &["machine", "trace", "stats"]),
    ("explain", &["machine", "stats", "lab", "sim"]),
    ("articles", &["machine", "stats", "trace", "lab", "sim"]),
    (
        "report",
        &["machine", "stats", "trace", "lab", "blame", "explain", "articles"],
    ),
];

const NATIVE: (&str, &[&str]) = ("timerscope-native", &["machine", "trace"]);

/// Finds what leans where it may not.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    if !source.is_rust() {
        return vec![];
    }
    if let Some(place) = source.below("crates/timerscope/src") {
        check_room(source, place)
    } else if source.below("crates/timerscope-native/src").is_some() {
        let tokens = tokens(&source.views.code);
        judge(source, NATIVE, &after_root(&tokens, "timerscope"))
    } else {
        vec![]
    }
}

fn check_room(source: &Source, place: &str) -> Vec<Finding> {
    if place == "lib.rs" {
        return vec![];
    }
    let name = place.split('/').next().unwrap_or(place);
    let name = name.strip_suffix(".rs").unwrap_or(name);
    let Some(room) = ROOMS.iter().find(|(room, _)| *room == name) else {
        let what = format!("`{name}` is no room of the library");
        return vec![source.finding(1, what, new_room())];
    };
    let tokens = tokens(&source.views.code);
    let mut named = after_root(&tokens, "crate");
    named.extend(after_climb(&tokens, depth(place)));
    judge(source, *room, &named)
}

fn judge(
    source: &Source,
    (room, may): (&str, &[&str]),
    named: &[Token<'_>],
) -> Vec<Finding> {
    let fine = |name: &str| name == room || may.contains(&name);
    named
        .iter()
        .filter(|token| !fine(token.text))
        .map(|token| {
            let name = token.text;
            if ROOMS.iter().any(|(other, _)| *other == name) {
                let what = format!("{room} -> {name}: no such arrow");
                source.finding(token.line, what, other_way(room, may))
            } else {
                let what = format!("`{name}` is named as a room but is none");
                source.finding(token.line, what, new_room())
            }
        })
        .collect()
}

fn other_way(room: &str, may: &[&str]) -> String {
    let may = if may.is_empty() { "nothing".into() } else { may.join(", ") };
    format!(
        "{room} may lean on {may}; take the value as an argument, or move \
         the line to a room that may know both"
    )
}

fn new_room() -> String {
    "name the room a word lives in; a new room gets its row, with the rooms \
     it may lean on, in tests/house/rooms.rs"
        .into()
}

/// How many modules deep the file at `place` is.
fn depth(place: &str) -> usize {
    let steps = place.split('/').count();
    if place.ends_with("/mod.rs") { steps - 1 } else { steps }
}

/// The names that follow `root::`, also those in `root::{a, b}`.
fn after_root<'a>(tokens: &[Token<'a>], root: &str) -> Vec<Token<'a>> {
    (0..tokens.len())
        .filter(|&at| tokens[at].text == root)
        .flat_map(|at| heads(&tokens[at + 1..]))
        .collect()
}

/// The names that follow as many `super::` as lead to the crate's root.
fn after_climb<'a>(tokens: &[Token<'a>], depth: usize) -> Vec<Token<'a>> {
    let (mut found, mut braces, mut inline) = (vec![], 0_usize, vec![]);
    for at in 0..tokens.len() {
        match tokens[at].text {
            "{" => {
                braces += 1;
                if at >= 2 && tokens[at - 2].text == "mod" {
                    inline.push(braces);
                }
            }
            "}" => {
                inline.pop_if(|opened| *opened == braces);
                braces = braces.saturating_sub(1);
            }
            "super" if at < 2 || tokens[at - 2].text != "super" => {
                let climbed = climb(&tokens[at..]);
                if climbed == depth + inline.len() {
                    found.extend(heads(&tokens[at + 2 * climbed - 1..]));
                }
            }
            _ => {}
        }
    }
    found
}

/// How many `super` there are in a row.
fn climb(tokens: &[Token<'_>]) -> usize {
    let supers = tokens.iter().step_by(2);
    supers.take_while(|token| token.text == "super").count()
}

/// The first names of a path's remainder: of `::a::b`, `a`; of `::{a::b, c}`,
/// `a` and `c`.
fn heads<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    match tokens {
        [colons, open, ..] if colons.text == "::" && open.text == "{" => {
            heads_of_group(&tokens[1..])
        }
        [colons, name, ..] if colons.text == "::" => vec![*name],
        _ => vec![],
    }
}

fn heads_of_group<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let (mut found, mut level) = (vec![], 0_usize);
    for pair in tokens.windows(2) {
        match pair[0].text {
            "{" => level += 1,
            "}" => level -= 1,
            _ => {}
        }
        if level == 0 {
            break;
        }
        let begins = level == 1 && matches!(pair[0].text, "{" | ",");
        if begins && pair[1].text != "}" {
            found.push(pair[1]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines with findings, and what they say.
    fn said(path: &str, text: &str) -> Vec<(usize, String)> {
        let findings = check(&Source::new(path, text));
        findings.into_iter().map(|it| (it.line, it.what)).collect()
    }

    fn arrow(line: usize, from: &str, to: &str) -> Vec<(usize, String)> {
        vec![(line, format!("{from} -> {to}: no such arrow"))]
    }

    const STATS: &str = "crates/timerscope/src/stats/modes.rs";

    #[test]
    fn an_arrow_of_the_table_is_fine() {
        let text = "use crate::machine::Span;\nuse crate::stats::Modes;\n";
        assert_eq!(said(STATS, text), []);
    }

    #[test]
    fn an_arrow_against_the_table_is_found_with_its_line() {
        let text = "//! Why.\n\nuse crate::lab::Row;\n";
        assert_eq!(said(STATS, text), arrow(3, "stats", "lab"));
    }

    #[test]
    fn a_path_within_code_is_an_arrow_too() {
        let text = "fn f() -> usize {\n    crate::lab::rows()\n}\n";
        assert_eq!(said(STATS, text), arrow(2, "stats", "lab"));
    }

    #[test]
    fn every_head_of_a_group_counts_and_nothing_deeper() {
        let text =
            "use crate::{\n    machine::{Span, lab},\n    sim::Sim,\n};\n";
        assert_eq!(said(STATS, text), arrow(3, "stats", "sim"));
    }

    #[test]
    fn climbing_out_of_the_room_is_an_arrow() {
        let text = "use super::super::lab::Row;\n";
        assert_eq!(said(STATS, text), arrow(1, "stats", "lab"));
        let text = "use super::lab::Row;\n";
        let path = "crates/timerscope/src/stats/mod.rs";
        assert_eq!(said(path, text), arrow(1, "stats", "lab"));
    }

    #[test]
    fn climbing_within_the_room_is_none() {
        assert_eq!(said(STATS, "use super::lab;\n"), []);
        let text = "mod tests {\n    use super::super::lab;\n}\n";
        assert_eq!(said(STATS, text), []);
    }

    #[test]
    fn an_inline_module_is_one_floor_more() {
        let text = "mod tests {\n    use super::super::super::lab::Row;\n}\n";
        assert_eq!(said(STATS, text), arrow(2, "stats", "lab"));
    }

    #[test]
    fn a_link_in_a_comment_is_no_arrow() {
        assert_eq!(said(STATS, "/// See [`crate::lab::Row`].\n"), []);
    }

    #[test]
    fn machine_leans_on_nothing_and_report_never_on_sim() {
        let path = "crates/timerscope/src/machine/span.rs";
        let text = "use crate::stats::Modes;\n";
        assert_eq!(said(path, text), arrow(1, "machine", "stats"));
        let path = "crates/timerscope/src/report/json.rs";
        let text = "use crate::{blame::Finding, sim::Sim};\n";
        assert_eq!(said(path, text), arrow(1, "report", "sim"));
    }

    #[test]
    fn a_room_that_is_not_in_the_table_is_found() {
        let said = said("crates/timerscope/src/attic/box.rs", "");
        assert_eq!(said, [(1, "`attic` is no room of the library".into())]);
    }

    #[test]
    fn a_word_taken_past_its_room_is_found() {
        let what = "`Span` is named as a room but is none".to_owned();
        assert_eq!(said(STATS, "use crate::Span;\n"), [(1, what)]);
    }

    #[test]
    fn native_knows_the_seam_and_the_decoders_only() {
        let path = "crates/timerscope-native/src/linux/clock.rs";
        let text = "use timerscope::machine::Span;\n\
                    use timerscope::{report::Page, trace::Event};\n";
        let from = "timerscope-native";
        assert_eq!(said(path, text), arrow(2, from, "report"));
        let text = "use ::timerscope::lab::Row;\n";
        assert_eq!(said(path, text), arrow(1, from, "lab"));
    }

    #[test]
    fn every_arrow_leads_to_a_room() {
        let all = ROOMS.iter().chain([&NATIVE]);
        for (room, may) in all {
            for other in *may {
                assert!(ROOMS.iter().any(|(it, _)| it == other), "{room}");
            }
        }
    }
}
