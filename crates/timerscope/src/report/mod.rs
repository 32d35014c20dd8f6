//! One model of an answer, several renderers.
//!
//! A command gives two things: a [`Document`] for people, which is rendered
//! as text for a terminal or as a page, and a `result` for programs, which
//! [`answer`] wraps as the contract says. Figures and findings come in;
//! nothing here asks a machine.

pub mod answer;
pub mod document;
mod missing;

pub use answer::{Answer, ExitCode};
pub use document::{
    Align, Block, Cell, Chart, Column, Curve, Document, Headline, Mark,
    Section, Table, Tone,
};
