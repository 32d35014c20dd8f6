//! A document as text for a terminal or a pipe.

mod bars;
mod blocks;
mod clean;
mod curves;
mod histogram;
mod page;
mod paint;
mod prose;
mod table;

pub use page::render;
pub use paint::TextStyle;

#[cfg(feature = "html")]
pub(super) use blocks::picture;
