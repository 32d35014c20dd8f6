//! Actions and endings in a few words, for tables and sentences.

use std::fmt;

use super::{Action, Cut, Point, PointBase, Span, Until};

impl fmt::Display for Action {
    /// Writes what it does, without what is kept and without its body:
    /// `wait nanosleep 1 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Wait { how, span, .. } => write!(f, " {how} {span}"),
            Self::Ring { how, span, again, times, .. } => {
                write!(f, " {how} {span}, again {again} x{times}")
            }
            Self::WaitUntil { how, point, .. } => write!(f, " {how} {point}"),
            Self::Every { period, .. } => write!(f, " {period}"),
            Self::Repeat { until, .. }
            | Self::Spin { until, .. }
            | Self::Runs { until, .. } => write!(f, " {until}"),
            Self::Work { iterations, .. } => write!(f, " x{iterations}"),
            Self::Set(event) => write!(f, " {event}"),
            Self::Await { event, timeout, .. } => {
                write!(f, " {event}")?;
                at_most(f, *timeout)
            }
            Self::SetAwait { set, awaited, timeout, .. } => {
                write!(f, " {set}, {awaited}")?;
                at_most(f, *timeout)
            }
            Self::Read { clock, times, .. } => write!(f, " {clock} x{times}"),
            Self::Steps { clock, changes, .. } => {
                write!(f, " {clock} x{changes}")
            }
            Self::Request(span) | Self::Withdraw(span) => write!(f, " {span}"),
            Self::AskInterval { .. } | Self::Yield | Self::End => Ok(()),
        }
    }
}

fn at_most(f: &mut fmt::Formatter<'_>, timeout: Option<Span>) -> fmt::Result {
    timeout.map_or(Ok(()), |timeout| write!(f, " at most {timeout}"))
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forever => f.write_str("for ever"),
            Self::Count(count) => write!(f, "x{count}"),
            Self::Span(span) => write!(f, "for {span}"),
            Self::Point(point) => write!(f, "until {point}"),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.at {
            PointBase::Now => "this point",
            PointBase::Next => "the next point",
        })?;
        if self.less > Span::ZERO {
            write!(f, " less {}", self.less)?;
        }
        Ok(())
    }
}

impl fmt::Display for Cut {
    /// Says it so that it follows "cut short, because".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listener => f.write_str("it was told to stop"),
            Self::Limit => f.write_str("its limit was reached"),
            Self::Player { process, how, .. } => {
                write!(f, "process `{process}` died, {how}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::WaitKind;

    #[test]
    fn an_action_says_what_it_does() {
        let wait = Action::wait(WaitKind::Poll, Span::from_us(1_500));
        assert_eq!(wait.to_string(), "wait poll 1.5 ms");
        let many = Action::repeat(3, vec![wait]);
        assert_eq!(many.to_string(), "repeat x3");
        let less = Span::from_ms(2);
        let until = Until::Point(Point { at: PointBase::Next, less });
        let keep = crate::machine::Keep::Nothing;
        let spin = Action::Spin { until, keep };
        assert_eq!(spin.to_string(), "spin until the next point less 2 ms");
    }
}
