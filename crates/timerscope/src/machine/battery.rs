//! What batteries give to a machine, as their own gauges tell it.

use serde::{Deserialize, Serialize};

use super::{Known, Missing};

/// What the batteries of a machine give to it, all together.
///
/// A gauge says something new every few seconds, or every minute: of shorter
/// times its figures say little.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battery {
    /// The power that they gave at that moment, in millionths of a watt.
    pub power_uw: Known<u64>,
    /// The energy that they gave since they were full, in millionths of a
    /// joule.
    pub given_uj: Known<u64>,
}

/// What a recording says that was made before batteries were looked at.
pub(super) fn untold() -> Known<Battery> {
    Missing::unknown("the recording is older than this meter").into()
}
