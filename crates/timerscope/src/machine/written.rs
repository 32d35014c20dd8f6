//! Workloads as TOML, with errors that point at the line.

use std::fmt;
use std::fmt::Write as _;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::remedy::remedy;
use super::{AskError, Fault, Workload};

/// The version of the vocabulary that this library reads and writes.
pub const WORKLOAD_SCHEMA: &str = "timerscope-workload/1";

/// The longest workload text that is read, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// Why a text is not a workload that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkloadError {
    /// Each fault with the line it is on.
    problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Problem {
    /// Line number from 1, and the line itself.
    line: Option<(usize, String)>,
    why: String,
    hint: String,
}

impl Workload {
    /// Reads a workload from TOML and checks it.
    ///
    /// # Errors
    ///
    /// When the text is no TOML, does not fit the vocabulary, or has
    /// [`Workload::faults`]; the error names the lines and what is allowed.
    pub fn from_toml(text: &str) -> Result<Self, WorkloadError> {
        if text.len() > LONGEST_TEXT {
            let why = "it is longer than 1 MiB".to_owned();
            let hint = "`repeat` and `copies` instead of writing it out";
            let hint = hint.to_owned();
            let problems = vec![Problem { line: None, why, hint }];
            return Err(WorkloadError { problems });
        }
        let workload: Self = toml::from_str(text)
            .map_err(|error| WorkloadError::syntax(text, &error))?;
        let faults = workload.faults();
        if faults.is_empty() {
            return Ok(workload);
        }
        Err(WorkloadError::meaning(text, &faults))
    }

    /// Writes it as TOML that reads back as the same workload.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_else(|error| {
            unreachable!("every workload can be written: {error}")
        })
    }
}

impl WorkloadError {
    fn syntax(text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map(|span| line_at(text, &span));
        let why = error.message().trim_end().replace('\n', "; ");
        let hint = remedy(&why);
        Self { problems: vec![Problem { line, why, hint }] }
    }

    fn meaning(text: &str, faults: &[Fault]) -> Self {
        let table = DeTable::parse(text).ok();
        let problem = |fault: &Fault| {
            let span = table.as_ref().and_then(|table| find(table, fault));
            Problem {
                line: span.map(|span| line_at(text, &span)),
                why: fault.to_string(),
                hint: fault.hint.clone(),
            }
        };
        Self { problems: faults.iter().map(problem).collect() }
    }

    /// The same as a machine's answer to a wrong question: the first fault
    /// with its remedy, and a line for each where there are several.
    #[must_use]
    pub fn ask_error(&self, what: impl Into<String>) -> AskError {
        let Some(first) = self.problems.first() else {
            return AskError::wrong(what, "it has faults");
        };
        let (count, several) = (self.problems.len(), self.problems.len() > 1);
        let why = first.to_string();
        let why = if several { format!("{count} faults: {why}") } else { why };
        let lines = self.problems.iter().flat_map(|problem| {
            let named =
                several.then(|| format!("{problem} ({})", problem.hint));
            named.into_iter().chain(problem.source())
        });
        AskError::wrong(what, why)
            .with_lines(lines.collect())
            .or_try(first.hint.clone())
    }
}

impl Problem {
    /// The line it is on.
    fn source(&self) -> Option<String> {
        let (number, line) = self.line.as_ref()?;
        Some(format!("{number:>4} | {line}"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((number, _)) = &self.line {
            write!(f, "line {number}: ")?;
        }
        f.write_str(&self.why)
    }
}

impl fmt::Display for WorkloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
            if self.problems.len() > 1 {
                write!(f, " ({})", problem.hint)?;
            }
            if let Some(source) = problem.source() {
                write!(f, "\n  {source}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for WorkloadError {}

/// The number of the line where `span` begins, from 1, and its text.
pub(crate) fn line_at(text: &str, span: &Range<usize>) -> (usize, String) {
    let start = text.floor_char_boundary(span.start);
    let number = text[..start].matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    let mut shown = String::new();
    for c in line.trim_end().chars().take(120) {
        let c = if c.is_control() && c != '\t' { '?' } else { c };
        let _ = shown.write_char(c);
    }
    (number, shown)
}

/// Where in the text the value at the fault's path stands, or the nearest
/// enclosing value that is there.
fn find(table: &Spanned<DeTable<'_>>, fault: &Fault) -> Option<Range<usize>> {
    find_path(table, &fault.path)
}

/// The same for the keys and indices that lead there.
pub(crate) fn find_path(
    table: &Spanned<DeTable<'_>>,
    path: &[String],
) -> Option<Range<usize>> {
    let mut span = None;
    let mut path = path.iter();
    let mut value = {
        let (key, value) = entry(table.get_ref(), path.next()?)?;
        span = Some(narrower(span, key, value));
        value
    };
    for part in path {
        let next = match value.get_ref() {
            DeValue::Table(table) => {
                let Some((key, value)) = entry(table, part) else { break };
                span = Some(narrower(span, key, value));
                value
            }
            DeValue::Array(array) => {
                let index = part.parse::<usize>().ok();
                let Some(item) = index.and_then(|index| array.get(index))
                else {
                    break;
                };
                span = Some(item.span());
                item
            }
            _ => break,
        };
        value = next;
    }
    span
}

/// The span of a key: a table's own span may be that of its whole text.
fn narrower(
    _outer: Option<Range<usize>>,
    key: Range<usize>,
    value: &Spanned<DeValue<'_>>,
) -> Range<usize> {
    match value.get_ref() {
        DeValue::Table(_) | DeValue::Array(_) => key,
        _ => value.span(),
    }
}

fn entry<'t, 'i>(
    table: &'t DeTable<'i>,
    key: &str,
) -> Option<(Range<usize>, &'t Spanned<DeValue<'i>>)> {
    let (own, value) =
        table.iter().find(|(own, _)| own.get_ref().as_ref() == key)?;
    Some((own.span(), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Action, Span, WaitKind};

    const SLEEPER: &str = r#"
schema = "timerscope-workload/1"

[[process]]
name = "app"

[[process.task]]
name = "sleeper"
cpus = [0]
slack = "50us"
actions = [
    { repeat = { until = { count = 100 }, body = [
        { wait = { how = "nanosleep", span = "1ms" } },
    ] } },
]
"#;

    fn error(text: &str) -> String {
        Workload::from_toml(text).unwrap_err().to_string()
    }

    #[test]
    fn a_workload_is_read_as_it_is_meant() {
        let workload = Workload::from_toml(SLEEPER).unwrap();
        let task = &workload.processes[0].tasks[0];
        let sleep = Action::wait(WaitKind::Nanosleep, Span::from_ms(1));
        assert_eq!(task.actions, [Action::repeat(100, vec![sleep])]);
        assert_eq!(task.slack, Some(Span::from_us(50)));
    }

    #[test]
    fn what_is_written_reads_back() {
        let workload = Workload::from_toml(SLEEPER).unwrap();
        let again = Workload::from_toml(&workload.to_toml());
        assert_eq!(again, Ok(workload));
    }

    // Each of these was once accepted, misread, or told without its line.
    #[test]
    fn errors_point_at_the_line_and_say_what_is_allowed() {
        let cases = [
            ("span = \"1ms\"", "span = \"-1ms\"", "negative"),
            ("span = \"1ms\"", "spam = \"1ms\"", "available keys: how, span"),
            ("\"nanosleep\"", "\"nanoslep\"", "did you mean `nanosleep`?"),
            ("count = 100", "count = 1000000000000", "too many"),
            ("cpus = [0]", "cpu = [0]", "expected one of `name`, "),
            ("{ wait =", "{ sleep =", "expected one of `wait`, "),
        ];
        for (good, bad, said) in cases {
            let text = SLEEPER.replace(good, bad);
            let number = text
                .lines()
                .position(|line| line.contains(bad))
                .map(|index| format!("line {}: ", index + 1))
                .unwrap();
            let error = error(&text);
            assert!(error.starts_with(&number), "{bad}: {error}");
            assert!(error.contains(said), "{bad}: {error}");
        }
    }

    // A typo was told with the list of all keys and no word about which was
    // meant; with several faults, or too much nesting, nothing was to try.
    #[test]
    fn every_mistake_says_what_to_try() {
        let deep = format!("x = {}{}", "[".repeat(400), "]".repeat(400));
        let cases = [
            ("actions =", "action =", "did you mean `actions`?"),
            ("span = \"1ms\"", "spam = \"1ms\"", "did you mean `span`?"),
            ("{ wait =", "{ wiat =", "did you mean `wait`?"),
            ("\"nanosleep\"", "\"nanoslep\"", "write `nanosleep`"),
            ("{ wait =", "{ slumber =", "one of wait, "),
            ("span = \"1ms\"", "span = \"-1ms\"", "a span such as"),
            ("span = \"1ms\"", "span = 1", "a span such as"),
            ("name = \"sleeper\"\n", "", "add `name = ...`"),
            ("cpus = [0]", &deep, "fewer loops"),
            ("cpus = [0]", "cpus = [0", "expected"),
            ("count = 100", "count = 1000000000000", ""),
            ("[[process]]", "seed = -1\n[[process]]", ""),
        ];
        for (good, bad, tried) in cases {
            let text = SLEEPER.replace(good, bad);
            let error = Workload::from_toml(&text).unwrap_err();
            let error = error.ask_error("cannot play it");
            let hint = error.hint.unwrap();
            assert!(hint.contains(tried), "{bad}: {}; {hint}", error.why);
            assert!(!hint.is_empty() && !error.why.contains('\n'), "{bad}");
        }
    }

    #[test]
    fn a_missing_task_is_named() {
        let text = SLEEPER.split("[[process.task]]").next().unwrap();
        let error = error(text);
        assert!(error.contains("process `app` has no task"), "{error}");
        assert!(error.starts_with("line 4: "), "{error}");
    }

    #[test]
    fn two_tasks_on_one_interval_timer_are_refused() {
        let text = SLEEPER
            .replace("\"nanosleep\"", "\"itimer-real\"")
            .replace("cpus = [0]", "copies = 2");
        let error = error(&text);
        assert!(error.contains("the process's one itimer-real"), "{error}");
    }

    #[test]
    fn every_fault_is_told_at_once() {
        let text = SLEEPER
            .replace("count = 100", "count = 1000000000000")
            .replace("name = \"sleeper\"", "name = \"\"");
        let error = Workload::from_toml(&text).unwrap_err();
        assert_eq!(error.problems.len(), 2, "{error}");
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in ".{0,200}") {
            let _ = Workload::from_toml(&text);
        }

        #[test]
        fn no_mangled_workload_panics(at in 0..380_usize, with in "[ -~]{0,6}") {
            let mut text = SLEEPER.to_owned();
            let end = (at + with.len()).min(text.len());
            text.replace_range(at.min(end)..end, &with);
            let _ = Workload::from_toml(&text);
        }
    }
}
