//! `timerscope machines`: the simulated machines and their rules.

use clap::Args;
use timerscope::machine::AskError;
use timerscope::report::ExitCode;
use timerscope::report::machines::{
    ClockFigure, ConstantFigure, MachineFigures, MachinesFigures, Rival,
    RuleFigure, catalogue, csv_table, document,
};
use timerscope::sim::catalogue::CATALOGUE;
use timerscope::sim::rules::Rule;
use timerscope::sim::spec::{Clock, Spec};

use crate::machine::{MachineArgs, simulated};
use crate::output::{BatchArgs, OutputArgs, RowArgs, to_stdout};
use crate::target::Target;
use crate::told::Told;

/// Lists the simulated machines, or says what one of them follows
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Machines {
    /// One machine, by name or file, with changes after commas
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Prints the whole machine as TOML, to edit and to use with --on FILE
    #[arg(long, requires = "name", conflicts_with_all = ["json", "csv"])]
    toml: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    rows: RowArgs,
}

const EXAMPLES: &str = "\
Examples:
  timerscope machines
  timerscope machines windows-10-2004,rule=h2
  timerscope machines windows-7 --toml -o mine.toml";

impl Machines {
    pub(crate) fn run(&self) -> Result<ExitCode, AskError> {
        let specs = match &self.name {
            Some(name) => vec![simulated(name)?],
            None => CATALOGUE
                .iter()
                .map(|(name, _)| simulated(name))
                .collect::<Result<_, _>>()?,
        };
        if self.toml {
            return self.write_toml(&specs);
        }
        let output = self.output.open(&self.rows, &BatchArgs::default())?;
        let machines = specs.iter().map(figures).collect();
        let figures = MachinesFigures { machines };
        let document = match (&self.name, figures.machines.first()) {
            (Some(_), Some(only)) => document(only),
            _ => catalogue(&figures),
        };
        let facts = MachineArgs::default().open()?.as_mut().facts()?;
        let told = Told::new("machines", &facts, document, &figures)?;
        output.tell(told.with_table(csv_table(&figures)))
    }
}

impl Machines {
    /// The machine itself, to the terminal or into a file.
    fn write_toml(&self, specs: &[Spec]) -> Result<ExitCode, AskError> {
        let text: String = specs.iter().map(Spec::written).collect();
        match self.output.path() {
            Some(path) => {
                let target = Target::new(path)?;
                target.write(|to| to.write_all(text.as_bytes()))?;
            }
            None => to_stdout(&text)?,
        }
        Ok(ExitCode::Done)
    }
}

fn figures(spec: &Spec) -> MachineFigures {
    let chosen = spec.rules.chosen(spec.kernel);
    let rivals = |rule: &Rule| {
        let own = chosen.iter().find(|chosen| chosen.rule.id == rule.id);
        let Some(own) = own else { return Vec::new() };
        let key = match own.key {
            "looks" => "rule".to_owned(),
            key => key.replace('_', "-"),
        };
        let rival = |(word, rule): &(&str, Rule)| Rival {
            typed: format!("{key}={word}"),
            id: rule.id.to_owned(),
            says: rule.says.to_owned(),
        };
        own.rivals.iter().map(rival).collect()
    };
    let rule = |rule: Rule| RuleFigure {
        id: rule.id.to_owned(),
        says: rule.says.to_owned(),
        status: rule.status.name().to_owned(),
        source: rule.source.to_owned(),
        falsified_by: rule.falsified_by.to_owned(),
        rivals: rivals(&rule),
    };
    MachineFigures {
        name: spec.name.clone(),
        system: spec.system.clone(),
        rules: spec.rules_in_force().into_iter().map(rule).collect(),
        constants: spec.constants_told().into_iter().map(constant).collect(),
        clocks: spec.clocks.iter().map(|own| clock(spec, own)).collect(),
    }
}

fn constant((name, value, said): (String, String, String)) -> ConstantFigure {
    let (status, source) = parted(&said);
    ConstantFigure { name, value, status, source }
}

/// How sure, and who says so.
fn parted(said: &str) -> (String, String) {
    let (status, source) = said.split_once(": ").unwrap_or((said, ""));
    (status.to_owned(), source.to_owned())
}

fn clock(spec: &Spec, clock: &Clock) -> ClockFigure {
    let (status, source) = parted(spec.clock_source(clock));
    ClockFigure {
        status,
        source,
        name: clock.name.to_string(),
        moves: clock.moves.words().to_owned(),
        unit_ns: clock.unit.ns(),
        cycles: clock.cycles,
        loaded_cycles: clock.loaded_cycles,
    }
}
