//! Kernels that tick, imagined and booted: one body of laws for both.
//!
//! `.ci/ticks` boots Debian's kernel in an emulator for these tests; without
//! it the booted half says that it is skipped. There a microsecond is so many
//! instructions, so the laws speak of whole ticks and of names.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod asked;
mod laws;
mod table;

use asked::{Answers, booted, imagined};

/// `highres=off nohz=off`: every wait ends at a tick.
const COARSE: &str = "highres=off nohz=off";
/// As it comes: high-resolution timers.
const FINE: &str = "";

fn coarse(answers: &Answers) {
    laws::tells_its_tick(answers, false);
    laws::waits_end_at_ticks(answers);
    laws::cpu_timers_end_one_tick_past_their_span(answers);
    laws::no_wait_is_early(answers);
    laws::explains_itself(answers, "linux-lowres");
}

fn fine(answers: &Answers) {
    laws::tells_its_tick(answers, true);
    laws::short_waits_end_between_ticks(answers);
    laws::cpu_timers_end_one_tick_past_their_span(answers);
    laws::slack_lasts_until_a_tick(answers);
    laws::no_wait_is_early(answers);
    laws::explains_itself(answers, "linux-6");
}

#[test]
fn the_imagined_coarse_kernel_ticks() {
    coarse(&imagined("linux-lowres"));
}

#[test]
fn the_imagined_fine_kernel_ticks() {
    fine(&imagined("linux-6"));
}

#[test]
fn the_booted_coarse_kernel_ticks() {
    let Some(answers) = booted(COARSE) else { return };
    let model = imagined("linux-lowres");
    table::print(COARSE, &answers, &model);
    laws::takes_the_same(&answers, &model);
    coarse(&answers);
}

#[test]
fn the_booted_fine_kernel_ticks() {
    let Some(answers) = booted(FINE) else { return };
    let model = imagined("linux-6");
    table::print("as it comes", &answers, &model);
    laws::takes_the_same(&answers, &model);
    fine(&answers);
}

#[test]
fn a_booted_kernel_counts_by_the_hpet() {
    let Some(answers) = booted("clocksource=hpet") else { return };
    laws::counts_by(&answers, "hpet", 100_000_000);
    fine(&answers);
}

#[test]
fn a_booted_kernel_counts_by_the_acpi_timer() {
    let Some(answers) = booted("clocksource=acpi_pm") else { return };
    laws::counts_by(&answers, "acpi_pm", 3_579_545);
    fine(&answers);
}
