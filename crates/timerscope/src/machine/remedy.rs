//! What to try when a text does not fit the vocabulary.

use super::name::nearest;

/// What helps against the mistake that a reader of TOML tells in `why`.
///
/// The readers' errors are sentences; the words in them that could have been
/// meant stand in grave accents, or after `available keys:`.
pub(super) fn remedy(why: &str) -> String {
    cure(why).unwrap_or_else(|| {
        "the folder workloads has whole ones; the vocabulary is the \
         documentation of timerscope::machine::Action"
            .to_owned()
    })
}

/// The same, where that mistake has a cure.
pub(crate) fn cure(why: &str) -> Option<String> {
    misspelt(why).or_else(|| known(why))
}

/// The word that was meant by one that is unknown.
fn misspelt(why: &str) -> Option<String> {
    if let Some((_, rest)) = why.split_once("did you mean ") {
        return Some(format!("write {}", rest.trim_end_matches('?')));
    }
    let (wrong, allowed) = unknown(why)?;
    let allowed: Vec<&str> = allowed.collect();
    let near = nearest(wrong, allowed.iter().copied());
    Some(match (near, allowed.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, false) => format!("one of {}", allowed.join(", ")),
        (None, true) => format!("leave `{wrong}` away"),
    })
}

/// The unknown word, and those that would have done.
fn unknown(why: &str) -> Option<(&str, Box<dyn Iterator<Item = &str> + '_>)> {
    let keys = "unexpected keys in table: ";
    if let Some((_, rest)) = why.split_once(keys) {
        let (wrong, allowed) = rest.split_once(", available keys: ")?;
        let wrong = wrong.split(", ").next()?;
        return Some((wrong, Box::new(allowed.split(", "))));
    }
    let kinds = ["unknown field ", "unknown variant "];
    if !kinds.iter().any(|kind| why.contains(kind)) {
        return None;
    }
    let mut words = why.split('`').skip(1).step_by(2);
    Some((words.next()?, Box::new(words)))
}

/// Mistakes that have one cure.
fn known(why: &str) -> Option<String> {
    let cures = [
        ("a span ", "a span such as 250us, 1ms, 15.6ms or 5s"),
        ("span of time", "a span such as 250us, 1ms, 15.6ms or 5s"),
        ("unit of time", "a span such as 250us, 1ms, 15.6ms or 5s"),
        ("ecursion", "put fewer loops and lists inside each other"),
        ("duplicate", "leave one of the two away"),
        ("it is one of", "one of those"),
        ("invalid type", "write what was expected there"),
        ("expected", "write what was expected there"),
    ];
    if let Some((_, rest)) = why.split_once("missing field `") {
        let name = rest.split('`').next()?;
        return Some(format!("add `{name} = ...`"));
    }
    let cure = cures.iter().find(|(sign, _)| why.contains(sign))?;
    Some(cure.1.to_owned())
}
