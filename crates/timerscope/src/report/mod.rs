//! One model of an answer, several renderers.
//!
//! A command gives two things: a [`Document`] for people, which is rendered
//! as [`text`] for a terminal or as a page ([`html`]), and a `result` for
//! programs, which [`answer`] wraps as the contract says. A [`Table`] alone
//! also becomes [`csv`], and a timeline a `perfetto` trace. Figures and findings come in; nothing here asks a
//! machine. [`words`] says how a value is written, the same everywhere.

pub mod answer;
pub mod articles;
mod bars;
mod bins;
mod cells;
pub mod clocks;
pub mod cost;
pub mod csv;
pub mod diff;
mod diff_headline;
pub mod document;
pub mod drift;
pub mod explain;
pub mod frames;
#[cfg(feature = "html")]
pub mod html;
pub mod info;
#[cfg(test)]
mod laws;
mod long_ones;
pub mod machines;
mod meaning;
mod missing;
mod notes;
#[cfg(feature = "perfetto")]
pub mod perfetto;
mod power;
pub mod quantum;
mod rows_table;
pub mod run;
pub mod sleep;
mod spread;
pub mod survey;
pub mod sweep;
pub mod switch;
pub mod text;
mod ticks;
pub mod wake;
pub mod words;

pub use answer::{Answer, ExitCode};
pub use document::{
    Align, Block, Cell, Chart, Column, Curve, Document, Headline, Mark,
    Section, Table, Tone,
};
