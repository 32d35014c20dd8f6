//! One file for each command.

pub(crate) mod articles;
pub(crate) mod clocks;
pub(crate) mod cost;
mod count;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod frames;
pub(crate) mod glance;
pub(crate) mod info;
pub(crate) mod machines;
mod place;
pub(crate) mod quantum;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod shell;
pub(crate) mod sleep;
pub(crate) mod sweep;
pub(crate) mod switch;
pub(crate) mod timeline;
pub(crate) mod wake;
