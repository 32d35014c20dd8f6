//! Lists of waits in files: our own recordings and answers, and numbers.

use serde_json::Value;

use super::Listed;
use crate::lab::sleep::rows;
use crate::machine::{RecordingError, Saved, Span, SpanError};

/// Why a file is no list of waits.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It is longer than anything that is read.
    #[error("longer than {LONGEST} bytes")]
    TooLong,
    /// It is a recording, but not a sound one.
    #[error("{0}")]
    Recording(#[from] RecordingError),
    /// It is an answer of ours, but holds no waits.
    #[error("{0}")]
    Answer(String),
    /// A line of it is no wait.
    #[error("line {0}: {1}")]
    Line(usize, SpanError),
    /// It is no text, or has none.
    #[error("no numbers in it")]
    Nothing,
}

/// The longest file that is read, in bytes.
const LONGEST: usize = 64 << 20;
/// The most waits of one list: a histogram may tell of more.
const MOST: u64 = 2_000;
/// What our own files begin with.
const RECORDING: &[u8] = b"{\"schema\":\"timerscope-recording/";

impl Listed {
    /// Reads a recording that `--save` wrote, a JSON answer of `sleep` or
    /// `sweep`, or plain numbers: one wait a line, in its last column, with
    /// a unit or in ms.
    ///
    /// Of plain numbers `span` is what was asked.
    ///
    /// # Errors
    ///
    /// When it is none of these.
    pub fn read(text: &[u8], span: Span) -> Result<Vec<Self>, ListError> {
        if text.len() > LONGEST {
            return Err(ListError::TooLong);
        }
        if text.starts_with(RECORDING) {
            let runs = Saved::read_all(text)?;
            return found(runs.iter().flat_map(recorded).collect());
        }
        if text.trim_ascii_start().starts_with(b"{") {
            let answer: Value = serde_json::from_slice(text)
                .map_err(|error| ListError::Answer(error.to_string()))?;
            return answered(&answer);
        }
        let text = String::from_utf8_lossy(text);
        let took = numbers(&text)?;
        let list = Self {
            took,
            how: None,
            span,
            own: None,
            interval_ns: None,
            slack: None,
        };
        Ok(vec![list])
    }
}

fn found(lists: Vec<Listed>) -> Result<Vec<Listed>, ListError> {
    let with_waits = |list: &Listed| !list.took.is_empty();
    let lists: Vec<Listed> = lists.into_iter().filter(with_waits).collect();
    if lists.is_empty() {
        return Err(ListError::Answer("it holds no waits".to_owned()));
    }
    Ok(lists)
}

/// Each row of waits of a recording.
fn recorded(saved: &Saved) -> Vec<Listed> {
    let list = |row: crate::lab::sleep::Row| Listed {
        took: spread(row.counted.pairs()),
        how: Some(row.wait),
        span: Span::from_ns(row.span_ns),
        own: Some(row.conditions.held_ns.value().map(|ns| Span::from_ns(*ns))),
        interval_ns: row.conditions.interval_ns.value().copied(),
        slack: row
            .conditions
            .slack_ns
            .value()
            .filter(|_| row.conditions.slack_applies)
            .map(|ns| Span::from_ns(*ns)),
    };
    rows(saved, None).into_iter().map(list).collect()
}

/// So many waits as pairs of a value and a count tell of; of very many each
/// pair its share.
fn spread(pairs: &[(i64, u64)]) -> Vec<i64> {
    let total: u64 = pairs.iter().map(|pair| pair.1).sum();
    let part = total.div_ceil(MOST).max(1);
    let each = pairs.iter().flat_map(|(value, count)| {
        std::iter::repeat_n(*value, count.div_ceil(part) as usize)
    });
    each.take(2 * MOST as usize).collect()
}

/// The rows of an answer of `sleep` or `sweep`.
fn answered(answer: &Value) -> Result<Vec<Listed>, ListError> {
    let strange = |why: &str| Err(ListError::Answer(why.to_owned()));
    if answer["schema"] != "timerscope/1" {
        return strange("it is JSON, but no answer of timerscope");
    }
    let Some(rows) = answer["result"]["rows"].as_array() else {
        return strange("it has no rows of waits");
    };
    match answer["command"].as_str() {
        Some("sleep") => found(rows.iter().filter_map(slept).collect()),
        _ => strange("only answers of `sleep` hold whole waits"),
    }
}

fn slept(row: &Value) -> Option<Listed> {
    let pair = |pair: &Value| {
        let (value, count) = (pair.get(0)?.as_i64()?, pair.get(1)?.as_u64()?);
        Some((value, count.min(1 << 32)))
    };
    let histogram = row["histogram"].as_array()?;
    let pairs: Vec<(i64, u64)> = histogram.iter().filter_map(pair).collect();
    let ns = |key: &str| row[key].as_u64();
    let held = ns("held_ns").map(Span::from_ns);
    Some(Listed {
        took: spread(&pairs),
        how: row["wait"].as_str()?.parse().ok(),
        span: Span::from_ns(ns("span_ns")?),
        own: Some(held),
        interval_ns: ns("interval_ns"),
        slack: ns("slack_ns").filter(|ns| *ns > 0).map(Span::from_ns),
    })
}

/// The last column of each line, with a unit or in that of the heading, else
/// in ms.
fn numbers(text: &str) -> Result<Vec<i64>, ListError> {
    let mut took = Vec::new();
    let mut unit = "ms";
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let last = line.rsplit([',', ';', '\t', ':']).next().unwrap_or(line);
        let last = last.trim().trim_matches('"');
        match wait(last, unit) {
            Ok(ns) => took.push(ns),
            // Only the first line may be a heading.
            Err(_) if took.is_empty() && number == 1 => unit = heading(last),
            Err(error) => return Err(ListError::Line(number, error)),
        }
    }
    if took.is_empty() { Err(ListError::Nothing) } else { Ok(took) }
}

fn wait(text: &str, unit: &str) -> Result<i64, SpanError> {
    let bare = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let written = if bare { format!("{text}{unit}") } else { text.to_owned() };
    let span: Span = match written.parse() {
        // Others write more digits than nanoseconds have.
        Err(SpanError::TooFine(_)) => cut(text, unit)?,
        other => other?,
    };
    Ok(i64::try_from(span.ns()).unwrap_or(i64::MAX))
}

/// A bare number with too many decimals, without those that are too many.
fn cut(text: &str, unit: &str) -> Result<Span, SpanError> {
    let decimals = match unit {
        "ns" => 0,
        "us" => 3,
        "ms" => 6,
        _ => 9,
    };
    let point = text.find('.').unwrap_or(text.len());
    let end = text.len().min(point + 1 + decimals);
    let short = text.get(..end).unwrap_or(text).trim_end_matches('.');
    format!("{short}{unit}").parse()
}

/// The unit that a heading names: `took_us`, `elapsed (ns)`.
fn heading(text: &str) -> &'static str {
    let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
    let last = words.rfind(|word| !word.is_empty());
    let units = ["ns", "us", "ms", "s"];
    let named = units.into_iter().find(|unit| Some(*unit) == last);
    named.unwrap_or("ms")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn took(text: &str) -> Vec<i64> {
        numbers(text).unwrap()
    }

    #[test]
    fn numbers_are_ms_unless_a_unit_stands_by_them() {
        assert_eq!(took("15.6\n1\n"), [15_600_000, 1_000_000]);
        assert_eq!(took("1,2 ms\n2,500us\n"), [2_000_000, 500_000]);
        assert_eq!(took("n;took_us\n1;250\n"), [250_000]);
        assert_eq!(took("399: 31.99ms\n"), [31_990_000]);
        assert_eq!(took("# a note\n1.99876543219\n"), [1_998_765]);
    }

    #[test]
    fn a_line_that_is_no_wait_is_told_with_its_number() {
        let error = numbers("1\n2\nthree\n").unwrap_err();
        assert!(error.to_string().starts_with("line 3: "), "{error}");
        assert!(matches!(numbers(""), Err(ListError::Nothing)));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Listed::read(&text, Span::from_ms(1));
        }

        #[test]
        fn no_answer_panics(text in "[0-9a-z:,.{}\\[\\]\"]{0,60}") {
            let text = format!("{{\"schema\":\"timerscope/1\",\"command\":\"sleep\",\"result\":{text}}}");
            let _ = Listed::read(text.as_bytes(), Span::from_ms(1));
        }
    }
}
