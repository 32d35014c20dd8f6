//! `timerscope` alone: one screen.

use timerscope::lab::sleep::{Sleep, figures, plainest};
use timerscope::machine::{AskError, Span};
use timerscope::report::{Block, Document, ExitCode, Section, info, sleep};

use crate::measure::MeasureArgs;
use crate::output::{BatchArgs, RowArgs};
use crate::progress::Whole;

/// About a quarter of a second.
const WAITS: u64 = 200;

/// What to type next.
const NEXT: &str = "\
timerscope report        one page about all of it, in 20 s at most
timerscope info          every fact
timerscope clocks        what clocks show and cost
timerscope sleep --help  how late waits end, any of them
timerscope --help        the rest";

/// The main facts, a quick look, and what to type next.
pub(crate) fn run(measure: &MeasureArgs) -> Result<ExitCode, AskError> {
    let (rows, batches) = (RowArgs::default(), BatchArgs::default());
    let (mut output, save, mut session) = measure.open(&rows, &batches)?;
    let quick = Sleep {
        count: WAITS,
        ..Sleep::of(plainest(&session.facts), Span::from_ms(1))
    };
    let workload = quick.workload(&session.facts);
    let saved = session.play(workload, Whole::Unknown, &mut output)?;
    save.keep([&saved])?;
    let mut main = Section::new("main", "");
    main.push(info::main_facts(&saved.facts));
    let mut next = Section::new("next", "What to type next");
    next.push(Block::Verbatim(NEXT.to_owned()));
    let title = "A quick look: 200 waits of 1 ms";
    let figures = figures(&saved, None);
    let quick = sleep::section("quick", title, &figures);
    let facts = &saved.facts;
    let document = Document {
        title: format!("The timer of this machine: {}", facts.system),
        sections: vec![main, quick, next],
        ..Document::default()
    };
    let told = session.told("glance", document, &figures)?;
    output.tell(save.tell(told.ended(&saved.ending)))
}
