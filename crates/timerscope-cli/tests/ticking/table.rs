//! What a booted kernel did, beside what the imagined one does.

use serde_json::Value;

use crate::asked::Answers;
use crate::laws::ticks;

/// Prints both, in ticks.
pub(crate) fn print(what: &str, booted: &Answers, imagined: &Answers) {
    println!("\n{what}: ticks that half of the waits take at most");
    println!(
        "{:<26} {:>9} {:>9} {:>9}",
        "wait", "asked us", "booted", "imagined"
    );
    for (real, model) in booted.beside(imagined) {
        line(real, model);
    }
    println!("explain: booted {}", said(booted));
    println!("explain: imagined {}\n", said(imagined));
}

fn said(answers: &Answers) -> String {
    let said = answers.explained();
    format!("{} {}", said["verdict"], said["rule"])
}

fn line(real: &Value, model: &Value) {
    assert_eq!(real["wait"], model["wait"]);
    assert_eq!(real["span_ns"], model["span_ns"]);
    println!(
        "{:<26} {:>9} {:>9.2} {:>9.2}",
        real["wait"].as_str().unwrap(),
        real["span_ns"].as_u64().unwrap() / 1000,
        ticks(real),
        ticks(model)
    );
}
