//! A document as one page that needs nothing else.
//!
//! The page holds its style and its charts and asks for nothing from
//! elsewhere: it can be read offline, printed and sent on. Every text is
//! escaped, as names of processes come from whoever chose them.

mod axis;
mod bars;
mod chart;
mod curves;
mod histogram;
mod ink;
mod labels;
mod page;
mod runs;
mod svg;
mod ticks;
mod view;

pub use page::render;

#[cfg(test)]
mod tests;
