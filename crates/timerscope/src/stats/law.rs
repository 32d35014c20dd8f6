//! Which multiple of the step a span gets.

use std::fmt;

/// How the multiple that a wait ends on follows from the span asked.
///
/// Ceil and floor differ only for spans that are whole steps themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The steps the span needs, and so many more. With 0, the first multiple
    /// at or after the span; with 1, what Linux gives its CPU-time timers.
    CeilPlus(u32),
    /// The whole steps in the span, and so many more. With 1, the first
    /// multiple past the span: a loop in step with a tick.
    FloorPlus(u32),
    /// As `FloorPlus`, where a span below one step counts as a whole one: a
    /// kernel that rounds short timers up before it arms them.
    RaisedPlus(u32),
    /// No such rule holds for all rows.
    Irregular,
}

/// A row as a law sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The span, in steps.
    pub steps: f64,
    /// The multiple that its waits end on.
    pub multiple: f64,
    /// Closer than this to a whole number, `steps` is meant to be whole.
    pub slip: f64,
}

impl Asked {
    /// The span rounded to whole steps, down and up.
    fn floor_and_ceil(self) -> (f64, f64) {
        let whole = self.steps.round();
        if (self.steps - whole).abs() <= self.slip && whole >= 1.0 {
            return (whole, whole);
        }
        (self.steps.floor(), self.steps.ceil())
    }
}

/// The laws that all rows obey; [`Law::Irregular`] alone if there is none.
///
/// The law with an exception for short spans is offered only where the rows
/// refute the two plain ones.
pub(super) fn laws(rows: &[Asked]) -> Vec<Law> {
    let more = |rounded: fn((f64, f64)) -> f64| {
        let mut extra =
            rows.iter().map(|row| row.multiple - rounded(row.floor_and_ceil()));
        let first = extra.next().filter(|first| *first >= 0.0)?;
        // Both are differences of whole numbers.
        extra.all(|other| (other - first).abs() < 0.5).then_some(first as u32)
    };
    let ceil = more(|(_, ceil)| ceil).map(Law::CeilPlus);
    let floor = more(|(floor, _)| floor).map(Law::FloorPlus);
    let plain: Vec<Law> = ceil.into_iter().chain(floor).collect();
    if !plain.is_empty() {
        return plain;
    }
    let raised = more(|(floor, _)| floor.max(1.0)).map(Law::RaisedPlus);
    vec![raised.unwrap_or(Law::Irregular)]
}

impl fmt::Display for Law {
    /// Writes it for JSON: `ceil+1`, `floor+1`, `raised+1`, `irregular`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CeilPlus(more) => write!(f, "ceil+{more}"),
            Self::FloorPlus(more) => write!(f, "floor+{more}"),
            Self::RaisedPlus(more) => write!(f, "raised+{more}"),
            Self::Irregular => f.write_str("irregular"),
        }
    }
}

/// Says the laws in words, to follow "ends on a multiple of 4 ms, ".
pub(super) fn words(laws: &[Law]) -> String {
    match laws {
        // Only spans of whole steps: rounding them changes nothing.
        [Law::CeilPlus(ceil), Law::FloorPlus(floor)] if ceil == floor => {
            let more = match ceil {
                0 => "as many as the span".to_owned(),
                more => format!("{} more than the span", number(*more)),
            };
            format!("{more}, which was whole steps in every row")
        }
        [first, _, ..] => format!(
            "{} (what a span of whole steps gets, these spans do not show)",
            first.words()
        ),
        [law] => law.words(),
        [] => Law::Irregular.words(),
    }
}

impl Law {
    fn words(self) -> String {
        match self {
            Self::CeilPlus(0) => "the first at or after the span".to_owned(),
            Self::CeilPlus(more) => {
                format!("{} more than the span needs", number(more))
            }
            Self::FloorPlus(0) => "the last within the span".to_owned(),
            Self::FloorPlus(1) => "the first past the span".to_owned(),
            Self::FloorPlus(more) => {
                format!("{} past the whole steps of the span", number(more))
            }
            Self::RaisedPlus(more) => format!(
                "{} past the whole steps of the span, where a span below one \
                 step counts as one",
                number(more)
            ),
            Self::Irregular => {
                "by no one rule that holds for every span".to_owned()
            }
        }
    }
}

/// Small numbers as words.
fn number(count: u32) -> String {
    match count {
        1 => "one".to_owned(),
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        _ => count.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(f64, f64)]) -> Vec<Law> {
        let asked = |(steps, multiple): &(f64, f64)| Asked {
            steps: *steps,
            multiple: *multiple,
            slip: 0.01,
        };
        laws(&rows.iter().map(asked).collect::<Vec<_>>())
    }

    #[test]
    fn whole_steps_tell_ceil_from_floor() {
        assert_eq!(of(&[(1.0, 2.0), (1.25, 2.0)]), [Law::FloorPlus(1)]);
        assert_eq!(of(&[(1.0, 1.0), (1.25, 2.0)]), [Law::CeilPlus(0)]);
        assert_eq!(of(&[(25.004, 26.0), (1.56, 3.0)]), [Law::CeilPlus(1)]);
    }

    #[test]
    fn what_cannot_be_told_apart_is_kept() {
        let both = [Law::CeilPlus(0), Law::FloorPlus(1)];
        assert_eq!(of(&[(0.1, 1.0), (1.25, 2.0)]), both);
    }

    #[test]
    fn an_exception_for_short_spans_is_offered_only_when_needed() {
        let rows = [(0.1, 2.0), (1.25, 2.0), (5.0, 6.0)];
        assert_eq!(of(&rows), [Law::RaisedPlus(1)]);
        assert_eq!(of(&rows[1..]), [Law::FloorPlus(1)]);
    }

    #[test]
    fn a_multiple_before_the_span_obeys_no_law() {
        assert_eq!(of(&[(5.5, 3.0)]), [Law::Irregular]);
        assert_eq!(of(&[(1.5, 2.0), (2.5, 9.0)]), [Law::Irregular]);
    }
}
