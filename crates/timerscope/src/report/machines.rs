//! Simulated machines: their rules and constants, for people.
//!
//! This room knows no simulator: whoever asks fills in [`MachineFigures`].

use serde::Serialize;

use super::{Block, Cell, Column, Document, Section, Table};

/// The machines that were asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachinesFigures {
    /// Each with its rules.
    pub machines: Vec<MachineFigures>,
}

/// One machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachineFigures {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub system: String,
    /// The rules in force.
    pub rules: Vec<RuleFigure>,
    /// What they are fed with.
    pub constants: Vec<ConstantFigure>,
    /// Its clocks.
    pub clocks: Vec<ClockFigure>,
}

/// One rule in force.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleFigure {
    /// Its name: in the code its text stands beside this.
    pub id: String,
    /// What the machine does.
    pub says: String,
    /// `fitted`, `predicted`, `measured` or `invented`.
    pub status: String,
    /// Who says so.
    pub source: String,
    /// What would show that it is wrong.
    pub falsified_by: String,
    /// What could be in force instead, as one types it: `rule=h2`.
    pub rivals: Vec<Rival>,
}

/// A rule that could be in force instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rival {
    /// What to type after the machine's name and a comma.
    pub typed: String,
    /// Its id.
    pub id: String,
    /// What the machine would do.
    pub says: String,
}

/// One constant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConstantFigure {
    /// Its name.
    pub name: String,
    /// Its value as TOML has it.
    pub value: String,
    /// How sure it is: a word as for rules; empty where nothing is said, as
    /// of a constant that switches something off.
    pub status: String,
    /// Who says so.
    pub source: String,
}

/// One clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClockFigure {
    /// Its name.
    pub name: String,
    /// When it moves.
    pub moves: String,
    /// What its readings are multiples of, in nanoseconds.
    pub unit_ns: u64,
    /// Cycles of a reading.
    pub cycles: u64,
    /// The same while other CPUs are busy.
    pub loaded_cycles: u64,
    /// How sure those are: a word as for rules.
    pub status: String,
    /// Who says so.
    pub source: String,
}

/// The catalogue, a line each.
#[must_use]
pub fn catalogue(figures: &MachinesFigures) -> Document {
    let count = |machine: &MachineFigures, status: &str| {
        let own = machine.rules.iter().filter(|rule| rule.status == status);
        Cell::Text(own.count().to_string())
    };
    let row = |machine: &MachineFigures| {
        let statuses = STATUSES.map(|status| count(machine, status));
        let names = [&machine.name, &machine.system];
        let names = names.map(|text| Cell::Text(text.clone()));
        names.into_iter().chain(statuses).collect()
    };
    let words = ["machine", "what it stands for"].map(Column::words);
    let table = Table {
        caption: "Rules by how sure they are".to_owned(),
        columns: words
            .into_iter()
            .chain(STATUSES.map(Column::numbers))
            .collect(),
        rows: figures.machines.iter().map(row).collect(),
    };
    let mut section = Section::new("catalogue", "");
    section.push(Block::Table(table));
    section.push(Block::Text(
        "`timerscope machines windows-7` prints a machine's rules and \
         constants, `--toml` the whole of it as a file to edit, and \
         `--on windows-7` asks it instead of this computer. After a comma \
         come changes: `--on windows-10-2004,rule=h2,interval=1ms`."
            .to_owned(),
    ));
    Document {
        title: "Simulated machines".to_owned(),
        sections: vec![section],
        ..Document::default()
    }
}

const STATUSES: [&str; 4] = ["measured", "predicted", "fitted", "invented"];

/// One machine's rules, rivals, constants and clocks.
#[must_use]
pub fn document(machine: &MachineFigures) -> Document {
    Document {
        title: format!("{}: {}", machine.name, machine.system),
        sections: vec![
            rules(machine),
            rivals(machine),
            constants(machine),
            clocks(machine),
        ],
        footnotes: vec![
            "fitted: chosen so that published rows come out; predicted: it \
             follows, and published rows agree; measured: timed, or read in \
             the system's own documents; invented: nobody has published it."
                .to_owned(),
        ],
        ..Document::default()
    }
}

fn rules(machine: &MachineFigures) -> Section {
    let mut section = Section::new("rules", "Rules in force");
    for rule in &machine.rules {
        let title = format!("{} ({})", rule.id, rule.status);
        let facts = vec![
            (title, Cell::Text(rule.says.clone())),
            ("  source".to_owned(), Cell::Text(rule.source.clone())),
            ("  wrong if".to_owned(), Cell::Text(rule.falsified_by.clone())),
        ];
        section.push(Block::Facts(facts));
    }
    section
}

fn rivals(machine: &MachineFigures) -> Section {
    let mut section = Section::new("rivals", "What could be instead");
    let rows = machine.rules.iter().flat_map(|rule| &rule.rivals);
    section.push(Block::Table(Table {
        caption: String::new(),
        columns: ["after a comma", "rule", "what the machine does then"]
            .map(Column::words)
            .into(),
        rows: rows
            .map(|rival| {
                [&rival.typed, &rival.id, &rival.says]
                    .map(|text| Cell::Text(text.clone()))
                    .into()
            })
            .collect(),
    }));
    section
}

fn constants(machine: &MachineFigures) -> Section {
    let mut section = Section::new("constants", "Constants");
    let row = |constant: &ConstantFigure| {
        [&constant.name, &constant.value, &constant.status, &constant.source]
            .map(|text| Cell::Text(text.clone()))
            .into()
    };
    section.push(Block::Table(Table {
        caption: String::new(),
        columns: ["constant", "value", "status", "source"]
            .map(Column::words)
            .into(),
        rows: machine.constants.iter().map(row).collect(),
    }));
    section
}

fn clocks(machine: &MachineFigures) -> Section {
    let mut section = Section::new("clocks", "Clocks");
    let row = |clock: &ClockFigure| {
        vec![
            Cell::Text(clock.name.clone()),
            Cell::Text(clock.moves.clone()),
            Cell::Text(super::words::duration(clock.unit_ns as i64)),
            Cell::Text(clock.cycles.to_string()),
            Cell::Text(clock.loaded_cycles.to_string()),
            Cell::Text(clock.status.clone()),
            Cell::Text(clock.source.clone()),
        ]
    };
    section.push(Block::Table(Table {
        caption: "What a reading costs, in cycles".to_owned(),
        columns: vec![
            Column::words("clock"),
            Column::words("moves"),
            Column::numbers("in units of"),
            Column::numbers("idle"),
            Column::numbers("others busy"),
            Column::words("status"),
            Column::words("source"),
        ],
        rows: machine.clocks.iter().map(row).collect(),
    }));
    section
}

/// The rules for other programs.
#[must_use]
pub fn csv_table(figures: &MachinesFigures) -> Table {
    let names = ["machine", "id", "status", "says", "source", "falsified_by"];
    let rows = figures.machines.iter().flat_map(|machine| {
        machine.rules.iter().map(|rule| {
            [
                &machine.name,
                &rule.id,
                &rule.status,
                &rule.says,
                &rule.source,
                &rule.falsified_by,
            ]
            .map(|text| Cell::Text(text.clone()))
            .into()
        })
    });
    Table {
        caption: String::new(),
        columns: names.map(Column::words).into(),
        rows: rows.collect(),
    }
}
