//! What all tests together tell.

use super::battery::Battery;
use super::candidate::matters;
use super::fitted::Shown;
use super::judge::{Case, OUT};
use super::next::next_test;
use super::words::{names, range, time};
use super::{
    CandidateFigure, Explained, Predicted, Probe, RuleSaid, Seen, TestFigure,
    Verdict,
};
use crate::machine::{Known, Missing};

/// Everything that was asked, seen and judged.
pub(super) struct Asking<'a> {
    pub(super) cases: Vec<Case<'a>>,
    pub(super) tests: Vec<Probe>,
    pub(super) seen: Vec<Known<Seen>>,
    pub(super) battery: Battery,
    pub(super) shown: Shown,
}

/// An interval finer than this hides which rule is in force: the tests
/// request such ones themselves.
const FINE: u64 = 2_000_000;
/// From this share of the CPU on, others are told of.
const BUSY: f64 = 0.1;
/// Candidates named in one sentence.
const MOST: usize = 4;

/// What all tests together tell.
pub(super) fn told(asking: &Asking<'_>) -> Explained {
    let (rule, verdict) = asking.verdict();
    let next_test =
        match next_test(&asking.cases, &asking.battery, &asking.shown) {
            Some(next) => Known::Value(next),
            None if verdict == Verdict::Certain => {
                Missing::absent("nothing is left to decide").into()
            }
            None => Known::Value(asking.again()),
        };
    let parts = "that is asked of a lateness, not of a machine";
    Explained {
        rule,
        verdict,
        because: asking.because(),
        candidates: asking.candidates(),
        next_test,
        parts: Missing::absent(parts).into(),
        follows: asking.follows(),
        tests: asking.figures(),
        tick_ns: asking.tick_ns(),
        taken_by_others: Known::Value(thousandths(asking.shown.taken)),
        held_before_ns: asking.shown.held_by_another().map_or_else(
            || Missing::absent("nobody held one").into(),
            Known::Value,
        ),
    }
}

impl Asking<'_> {
    fn fitting(&self) -> Vec<&Case<'_>> {
        self.cases.iter().filter(|case| case.fits()).collect()
    }

    /// The best of all: by its fit, then in the order of the catalogue.
    fn sorted(&self) -> Vec<&Case<'_>> {
        let mut cases: Vec<&Case<'_>> = self.cases.iter().collect();
        cases.sort_by(|one, other| {
            let later = other.worst_at.cmp(&one.worst_at);
            one.worst.total_cmp(&other.worst).then(later)
        });
        cases
    }

    fn verdict(&self) -> (Known<String>, Verdict) {
        let fitting = self.fitting();
        let doubtful =
            self.cases.iter().any(|case| !case.fits() && !case.is_out());
        let all_asked = self
            .seen
            .iter()
            .all(|seen| seen.value().is_some_and(|seen| !seen.moved()));
        let mut published = fitting.clone();
        published.retain(|case| case.candidate.rival_of.is_none());
        let found = |case: &Case<'_>, verdict| {
            (Known::Value(case.candidate.rule.clone()), verdict)
        };
        match (&fitting[..], &published[..]) {
            ([only], [_]) if !doubtful && all_asked && self.is_quiet() => {
                found(only, Verdict::Certain)
            }
            ([only], _) | (_, [only]) => found(only, Verdict::Likely),
            ([], _) => {
                let why = "what was seen fits none of the known rules";
                (Missing::unknown(why).into(), Verdict::CannotTell)
            }
            _ => {
                let why = "several rules would have shown what was seen";
                (Missing::unknown(why).into(), Verdict::CannotTell)
            }
        }
    }

    fn because(&self) -> Vec<String> {
        let mut because = Vec::new();
        because.extend(self.held());
        because.extend(self.busy());
        because.extend(self.tick());
        for number in 0..self.tests.len() {
            because.extend(self.ruled_out(number));
            because.extend(self.moved(number));
        }
        because.push(self.left());
        because
    }

    /// Whether nobody held an interval so fine that requests of ours change
    /// little, and nobody else had much of the CPU.
    fn is_quiet(&self) -> bool {
        let held = self.shown.held_by_another();
        held.is_none_or(|held| held >= FINE) && self.shown.taken < BUSY
    }

    /// Who held an interval before we began.
    fn held(&self) -> Option<String> {
        let held = self.shown.held_by_another()?;
        let length = time(held as i64);
        let so = if held < FINE {
            ": below 2 ms, so that requests of ours change little, and rules \
             that differ in whom a request helps may look alike"
        } else {
            ""
        };
        Some(format!(
            "Before the first test somebody else held an interval of \
             {length}{so}."
        ))
    }

    /// Who had the CPU besides.
    fn busy(&self) -> Option<String> {
        let taken = self.shown.taken;
        (taken >= BUSY).then(|| {
            format!(
                "Others had {:.0} % of the CPU meanwhile, so that as many \
                 waits and more may have ended late for that alone: nothing is \
                 certain here that a quiet machine would not show again.",
                taken * 100.0
            )
        })
    }

    fn tick_ns(&self) -> Known<u64> {
        if self.shown.coarsest_ns.is_some()
            && self.battery.anchors.tick.is_none()
        {
            return Missing::absent("the system tells its interval").into();
        }
        let best = self.sorted().into_iter().find(|case| !case.is_out());
        let spec = best.and_then(|case| case.specs.first());
        let why = || Missing::unknown("no rule fits that would say it").into();
        spec.map_or_else(why, |spec| {
            Known::Value(spec.constants.true_tick.ns())
        })
    }

    fn tick(&self) -> Option<String> {
        self.battery.anchors.tick?;
        let ns = *self.tick_ns().value()?;
        let hz = (1e9 / ns.max(1) as f64).round();
        Some(format!(
            "A tick is {}, {hz} a second, as timers of CPU time show.",
            time(ns as i64)
        ))
    }

    /// Which candidates a test ruled out, and what they would have shown.
    fn ruled_out(&self, number: usize) -> Option<String> {
        let seen = self.seen[number].value()?;
        let out = self
            .cases
            .iter()
            .filter(|case| case.is_out() && case.worst_at == Some(number));
        let would = |case: &Case<'_>| {
            let rule = &case.candidate.rule;
            let shown = case.shown[number].as_ref()?;
            let other = shown.interval_ns.zip(seen.interval());
            let other =
                other.filter(|(one, other)| !super::seen::alike(*one, *other));
            Some(match other {
                Some((interval, _)) => {
                    format!("{rule} (with {} in force)", time(interval as i64))
                }
                None => {
                    format!("{rule} ({})", range(shown.from_ns, shown.to_ns))
                }
            })
        };
        let out: Vec<String> = out.filter_map(would).collect();
        if out.is_empty() {
            return None;
        }
        let interval = seen.interval().map_or_else(String::new, |interval| {
            format!(" with an interval of {} in force", time(interval as i64))
        });
        Some(format!(
            "{}: took {}{interval}. Not {}.",
            capital(&self.tests[number].says()),
            range(seen.quantile(0.1), seen.quantile(0.9)),
            names(&out, MOST)
        ))
    }

    fn moved(&self, number: usize) -> Option<String> {
        let seen = self.seen[number].value().filter(|seen| seen.moved())?;
        let (before, after) = seen.interval_ns?;
        Some(format!(
            "{}: does not count, for the interval went from {} to {} \
             meanwhile: somebody else changed it.",
            capital(&self.tests[number].says()),
            time(before as i64),
            time(after as i64)
        ))
    }

    /// What is left, and how well it fits.
    fn left(&self) -> String {
        let fitting = self.fitting();
        if fitting.is_empty() {
            let best = self.sorted();
            let closest = best
                .first()
                .map_or("none", |case| case.candidate.rule.as_str());
            let fit = best.first().map_or(0.0, |case| 1.0 - case.worst);
            return format!(
                "What was seen fits none known. The closest is {closest}, \
                 which would have shown at most {:.0} % of the waits of its \
                 worst test.",
                fit * 100.0
            );
        }
        let worst = fitting.iter().map(|case| case.worst).fold(0.0, f64::max);
        let mut rules: Vec<&str> =
            fitting.iter().map(|case| case.candidate.rule.as_str()).collect();
        rules.truncate(2 * MOST);
        format!(
            "All of it is what {} would have shown, but for chance and {:.0} \
             % of the waits of a test; {:.0} % put a rule out.",
            names(&rules, usize::MAX).replace(" and ", " or "),
            worst * 100.0,
            OUT * 100.0
        )
    }

    /// What helps where no test would.
    fn again(&self) -> String {
        if self.shown.taken >= BUSY {
            let quiet = "once nothing else runs on this machine";
            return format!("`timerscope explain` again, {quiet}");
        }
        let command = if self.battery.anchors.tick.is_some() {
            "timerscope sleep --wait all --sweep 64ms..1us -n 20"
        } else {
            "timerscope sweep"
        };
        format!("`{command}`: the whole curve, of which these tests are points")
    }

    fn candidates(&self) -> Vec<CandidateFigure> {
        let figure = |case: &Case<'_>| CandidateFigure {
            rule: case.candidate.rule.clone(),
            fit: thousandths(1.0 - case.worst),
            fits: case.fits(),
        };
        self.sorted().into_iter().map(figure).collect()
    }

    /// What is certain although several are left: the rules of timers that
    /// they share, where another machine of that kernel has other ones.
    fn follows(&self) -> Vec<RuleSaid> {
        let fitting = self.fitting();
        let Some(first) = fitting.first() else { return Vec::new() };
        let kernel = first.candidate.spec.kernel;
        let others = self.cases.iter().filter(|case| {
            !case.fits() && case.candidate.spec.kernel == kernel
        });
        let others: Vec<_> =
            others.map(|case| case.candidate.timing()).collect();
        let chosen = first.candidate.spec.rules.chosen(kernel).into_iter();
        let tested = chosen.filter(|own| {
            let word = (own.key, own.word);
            let shared = fitting
                .iter()
                .all(|case| case.candidate.timing().contains(&word));
            let differs = |timing: &Vec<(&str, &str)>| {
                timing.iter().any(|(key, _)| *key == own.key)
                    && !timing.contains(&word)
            };
            matters(&first.candidate.spec, own.key)
                && shared
                && others.iter().any(differs)
        });
        tested
            .map(|own| RuleSaid {
                id: own.rule.id.to_owned(),
                says: own.rule.says.to_owned(),
            })
            .collect()
    }

    fn figures(&self) -> Vec<TestFigure> {
        let all = self.tests.iter().zip(&self.seen).enumerate();
        all.map(|(number, (probe, seen))| self.figure(number, probe, seen))
            .collect()
    }

    fn figure(
        &self,
        number: usize,
        probe: &Probe,
        seen: &Known<Seen>,
    ) -> TestFigure {
        let quantile = |q: f64| seen.as_ref().map(|seen| seen.quantile(q));
        let told = || Missing::absent("the system tells none").into();
        let predicted = |case: &Case<'_>| {
            let shown = case.shown.get(number)?.as_ref()?;
            Some(Predicted {
                rule: case.candidate.rule.clone(),
                from_ns: shown.from_ns,
                to_ns: shown.to_ns,
                odd: thousandths(shown.odd),
            })
        };
        let none = "no single command asks this";
        TestFigure {
            test: probe.says(),
            command: probe
                .command()
                .map_or_else(|| Missing::absent(none).into(), Known::Value),
            count: seen.value().map_or(0, |seen| seen.took.len() as u64),
            p10_ns: quantile(0.1),
            p50_ns: quantile(0.5),
            p90_ns: quantile(0.9),
            interval_ns: seen.as_ref().and_then(|seen| {
                seen.interval().map_or_else(told, Known::Value)
            }),
            predicted: self
                .sorted()
                .into_iter()
                .filter_map(predicted)
                .collect(),
        }
    }
}

/// Three decimals are enough for a share of eighty waits.
fn thousandths(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|own| own.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
