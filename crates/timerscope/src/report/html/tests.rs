//! What the page promises, whatever is in it.

use crate::machine::Missing;
use crate::report::{
    Block, Cell, Chart, Column, Curve, Document, Headline, Mark, Section,
    Table, Tone,
};

const HOSTILE: &str = "</title></style><script>alert('1\" x=&amp;')</script>";

fn hostile() -> String {
    HOSTILE.to_owned()
}

/// A document with every kind of block, a hostile name in every field.
fn document() -> Document {
    let missing = Cell::Missing(Missing::failed(HOSTILE).or_try(HOSTILE));
    let table = Table {
        caption: hostile(),
        columns: vec![Column::words(HOSTILE), Column::numbers(HOSTILE)],
        rows: vec![vec![HOSTILE.into(), missing.clone()]],
    };
    let mark = Mark { label: hostile(), at: 5 };
    let curve = Curve { name: hostile(), points: vec![(1, 2), (30, 40)] };
    let charts = [
        Chart::Histogram {
            title: hostile(),
            axis: hostile(),
            values: vec![(1, 1), (9, 3)],
            marks: vec![mark],
        },
        Chart::Curves {
            title: hostile(),
            across: hostile(),
            up: hostile(),
            curves: vec![curve],
        },
        Chart::Bars {
            title: hostile(),
            axis: hostile(),
            bars: vec![(hostile(), 3, Some(4))],
        },
    ];
    let mut blocks = vec![
        Block::Text(hostile()),
        Block::Advice(hostile()),
        Block::Warning(hostile()),
        Block::Facts(vec![(hostile(), missing)]),
        Block::Table(table),
        Block::Verbatim(hostile()),
    ];
    blocks.extend(charts.map(Block::Chart));
    Document {
        banner: Some(hostile()),
        title: hostile(),
        headline: Some(Headline {
            finding: hostile(),
            action: Some(hostile()),
            tone: Tone::Good,
        }),
        sections: vec![Section { id: hostile(), title: hostile(), blocks }],
        footnotes: vec![hostile()],
    }
}

#[test]
fn no_field_can_bring_markup_into_the_page() {
    let page = super::render(&document());
    assert!(!page.contains("<script"));
    assert!(!page.contains("alert('"));
    assert_eq!(page.matches("</title></style>").count(), 0);
    assert_eq!(page.matches("<svg ").count(), 3);
    assert_eq!(page.matches("</svg>").count(), 3);
}

// Who found a page in a mail read the machine's name first, and the finding
// below it.
#[test]
fn the_finding_is_read_first_and_the_page_names_its_maker() {
    let mut document = document();
    document.title = "The machine".to_owned();
    let page = super::render(&document);
    let body = page.split_once("<body>").unwrap().1;
    let first = body.find("<h1>").unwrap();
    assert!(first < body.find("The machine").unwrap());
    assert_eq!(page.matches("<h1>").count(), 1);
    let head = page.split_once("<style>").unwrap().0;
    assert!(head.contains(crate::report::survey::GENERATOR), "{head}");
}

#[test]
fn the_page_asks_for_nothing_from_elsewhere() {
    let page = super::render(&document());
    for outside in ["://", "url(", "@import", " src=", "<link", "xlink"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn every_colour_of_a_chart_is_named_in_the_style_sheet() {
    let page = super::render(&document());
    let (style, rest) = page.split_once("</style>").unwrap();
    assert!(!rest.contains("#FACE"), "a colour was not replaced");
    for piece in rest.split(" class=\"").skip(1) {
        let class = piece.split('"').next().unwrap();
        if class.starts_with("f-") || class.starts_with("l-") {
            assert!(style.contains(&format!(".{class} ")), "{class}");
        }
    }
}

#[test]
fn links_within_the_page_lead_somewhere_and_names_are_unique() {
    let mut document = document();
    document.sections = vec![document.sections[0].clone(); 3];
    let page = super::render(&document);
    let ids: Vec<_> = page.split(" id=\"").skip(1).collect();
    let ids: Vec<_> = ids.iter().map(|it| it.split('"').next()).collect();
    for (index, id) in ids.iter().enumerate() {
        assert!(!ids[..index].contains(id), "{id:?} twice");
    }
    let links = page.split("href=\"#").skip(1);
    let mut count = 0;
    for link in links.map(|it| it.split('"').next()) {
        assert!(ids.contains(&link), "{link:?}");
        count += 1;
    }
    assert_eq!(count, 3 + 3 * 2, "three sections, two missing cells in each");
}

#[test]
fn a_chart_without_values_is_shown_in_words() {
    let chart = Chart::Histogram {
        title: "empty".into(),
        axis: "woke after".into(),
        values: Vec::new(),
        marks: Vec::new(),
    };
    let mut section = Section::new("a", "");
    section.push(Block::Chart(chart));
    let sections = vec![section];
    let page = super::render(&Document { sections, ..Document::default() });
    assert!(page.contains("<pre>no values</pre>"));
    assert!(!page.contains("<svg"));
}

#[test]
fn many_values_make_a_small_picture() {
    let values = (0..100_000).map(|at| (at * at % 77_777, 1)).collect();
    let chart = Chart::Histogram {
        title: "many".into(),
        axis: "woke after".into(),
        values,
        marks: Vec::new(),
    };
    let points = (1..100_000).map(|at| (at, at + 50)).collect();
    let curve = Curve { name: "many".into(), points };
    let curves = Chart::Curves {
        title: "many".into(),
        across: "asked".into(),
        up: "got".into(),
        curves: vec![curve],
    };
    for chart in [chart, curves] {
        let drawn = super::chart::view(&chart).drawn.unwrap();
        let size = drawn.shapes.len();
        assert!(size < 40 * 1024, "{size} bytes");
    }
}
