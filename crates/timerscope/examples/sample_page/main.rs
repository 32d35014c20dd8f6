//! Writes a sample report, its figures invented, as a page or as text.
//!
//! ```text
//! cargo run -p timerscope --example sample_page > page.html
//! cargo run -p timerscope --example sample_page -- text 80
//! ```

use std::io::Write as _;

use timerscope::report::{html, text};

mod invented;

fn main() -> std::io::Result<()> {
    let document = invented::document();
    let mut words = std::env::args().skip(1);
    let page = match words.next().as_deref() {
        Some("text") => {
            let width = words.next().and_then(|width| width.parse().ok());
            let style = text::TextStyle { width, ..Default::default() };
            text::render(&document, style)
        }
        _ => html::render(&document),
    };
    std::io::stdout().write_all(page.as_bytes())
}
