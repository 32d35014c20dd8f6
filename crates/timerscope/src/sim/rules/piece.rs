//! What a rule says, how sure it is, and who says so.

use serde::Serialize;

/// One rule of a machine, as a person reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Its name in tables and in the code: `W-T6`.
    pub id: &'static str,
    /// What the machine does.
    pub says: &'static str,
    /// How sure it is.
    pub status: Status,
    /// Who says so.
    pub source: &'static str,
    /// What would show that it is wrong.
    pub falsified_by: &'static str,
}

/// How sure a rule or a constant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was chosen so that the published rows come out.
    Fitted,
    /// It follows from others, and the published rows agree.
    Predicted,
    /// It was measured, or read in the system's own documents or source.
    Measured,
    /// Nobody has published it: a guess, said to be one.
    Invented,
}

impl Status {
    /// Every status with the word for it.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Fitted, "fitted"),
        (Self::Predicted, "predicted"),
        (Self::Measured, "measured"),
        (Self::Invented, "invented"),
    ];

    /// The status that a source begins with: `fitted: by what`.
    #[must_use]
    pub fn of(source: &str) -> Option<Self> {
        let word = source.split(':').next().unwrap_or_default();
        Self::ALL.iter().find(|own| own.1 == word).map(|own| own.0)
    }

    /// Its name for people and programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Declares a choice: an enum each of whose variants is a rule.
macro_rules! choice {
    (
        $(#[$doc:meta])*
        $name:ident {
            $(
                $variant:ident = $word:literal, $id:literal, $status:ident,
                $says:literal, $source:literal, $falsified:literal;
            )+
        }
    ) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq,
            serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $(
                #[doc = $says]
                #[serde(rename = $word)]
                $variant,
            )+
        }

        impl $name {
            /// Every variant, with the word for it.
            pub const ALL: &'static [(Self, &'static str)] =
                &[$((Self::$variant, $word)),+];

            /// The rule that this choice is.
            #[must_use]
            pub fn rule(self) -> &'static $crate::sim::rules::Rule {
                use $crate::sim::rules::{Rule, Status};
                match self {
                    $(Self::$variant => &Rule {
                        id: $id,
                        says: $says,
                        status: Status::$status,
                        source: $source,
                        falsified_by: $falsified,
                    },)+
                }
            }
        }
    };
}

pub(crate) use choice;
