//! The page that `timerscope report` writes, with invented figures.
#![cfg(feature = "html")]

#[path = "../examples/sample_page/invented.rs"]
mod invented;

#[test]
fn the_sample_page() {
    let page = timerscope::report::html::render(&invented::document());
    assert!(page.len() < 100 * 1024, "{} bytes", page.len());
    // The style sheet is the template's, and no figure of anyone.
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    let own = format!("timerscope {}", env!("CARGO_PKG_VERSION"));
    let before = before.replace(&own, "timerscope VERSION");
    insta::assert_snapshot!(format!("{before}<style></style>{after}"));
}
