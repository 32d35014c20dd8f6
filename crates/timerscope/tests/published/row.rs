//! One row of a table: what a source says, and what a machine shows.

/// How far a machine's figure agrees with a source's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Within the criterion.
    Fits,
    /// Outside it: the rules do not explain this row, and `why` says so.
    Misses { why: &'static str },
}

/// One row of a table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The table and its row, as the source names them.
    pub(crate) what: String,
    /// What the source says.
    pub(crate) published: f64,
    /// What the machine shows.
    pub(crate) model: f64,
    /// Whether the row's criterion is met.
    pub(crate) met: bool,
    /// Whether it should be.
    pub(crate) fit: Fit,
}

impl Row {
    /// A row whose figures should agree within so many percent.
    pub(crate) fn within(
        what: impl Into<String>,
        published: f64,
        model: f64,
        percent: f64,
    ) -> Self {
        let met =
            (model - published).abs() <= published.abs() * percent / 100.0;
        Self { what: what.into(), published, model, met, fit: Fit::Fits }
    }

    /// The same row, known not to be explained.
    pub(crate) fn misses(mut self, why: &'static str) -> Self {
        self.fit = Fit::Misses { why };
        self
    }

    fn as_said(&self) -> bool {
        self.met == (self.fit == Fit::Fits)
    }

    fn line(&self) -> String {
        let Self { what, published, model, .. } = self;
        let off = 100.0 * (model - published) / published;
        let why = match self.fit {
            Fit::Fits => "",
            Fit::Misses { why } => why,
        };
        let mark = if self.met { "fits" } else { "MISS" };
        format!(
            "{what:46} {published:12.3} {model:12.3} {off:+7.2} % {mark} {why}"
        )
    }
}

/// Prints a block and holds each row to what is said of it.
pub(crate) fn hold(block: &str, rows: &[Row]) {
    println!("{block}: published, model");
    for row in rows {
        println!("  {}", row.line());
    }
    let wrong: Vec<String> =
        rows.iter().filter(|row| !row.as_said()).map(Row::line).collect();
    assert!(!rows.is_empty(), "{block} has no rows");
    assert!(wrong.is_empty(), "{block}, not as said:\n{}", wrong.join("\n"));
}
