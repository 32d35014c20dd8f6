//! A timeline as a Perfetto trace, which ui.perfetto.dev opens.

mod messages;
#[cfg(test)]
mod tests;
mod write;

pub use write::write;
