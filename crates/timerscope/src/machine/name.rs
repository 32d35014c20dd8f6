//! Words with a fixed spelling: how they are read, and what is said when one
//! is misspelt.

use std::fmt;
use std::str::FromStr;

use serde::{Deserializer, de};

/// A word that is not in a closed list, with the words that are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not {kind}; {}", self.choices())]
pub struct UnknownName {
    /// What was written, cut to a readable length.
    pub given: String,
    /// What was expected, with its article: `a wait`.
    pub kind: &'static str,
    /// The words that would have done.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    pub(crate) fn new(
        given: &str,
        kind: &'static str,
        known: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let given = given.chars().take(40).collect();
        Self { given, kind, known: known.into_iter().collect() }
    }

    fn choices(&self) -> String {
        match self.nearest() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it is one of {}", self.known.join(", ")),
        }
    }

    /// The known name that was probably meant.
    #[must_use]
    pub fn nearest(&self) -> Option<&'static str> {
        nearest(&self.given, self.known.iter().copied())
    }
}

/// The known word within two edits of the one given, the nearest of them.
pub(crate) fn nearest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    known
        .into_iter()
        .map(|word| (edits(word, given), word))
        .filter(|(edits, word)| *edits <= 2 && *edits < word.len())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

/// Levenshtein's distance between two short words.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// Reads and writes a type by the names in its table: it must have `all()` and
/// `name()`.
macro_rules! named {
    ($type:ty, $kind:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::machine::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::all().find(|own| own.name() == text).ok_or_else(|| {
                    let names = Self::all().map(Self::name);
                    $crate::machine::UnknownName::new(text, $kind, names)
                })
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(
                &self,
                to: S,
            ) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(
                from: D,
            ) -> Result<Self, D::Error> {
                $crate::machine::name::parsed(from, $kind)
            }
        }
    };
}

pub(crate) use named;

/// Deserializes any type that is written as one word.
pub(crate) fn parsed<'de, D, T>(
    from: D,
    expecting: &'static str,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: fmt::Display,
{
    struct Visitor<T>(&'static str, std::marker::PhantomData<T>);

    impl<T> de::Visitor<'_> for Visitor<T>
    where
        T: FromStr,
        T::Err: fmt::Display,
    {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }

    from.deserialize_str(Visitor(expecting, std::marker::PhantomData))
}
