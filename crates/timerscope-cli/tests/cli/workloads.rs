//! Every workload that comes with timerscope is one that can be played.

use std::fs;
use std::path::Path;

use timerscope::machine::Workload;

#[test]
fn every_workload_of_the_folders_is_sound_and_titled() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../workloads");
    let mut seen = 0;
    let folders = [folder.join("articles"), folder];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    for path in files.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let workload = Workload::from_toml(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!workload.title.is_empty(), "{}", path.display());
        assert!(text.starts_with("# "), "{} says why", path.display());
        seen += 1;
    }
    assert!(seen >= 40, "only {seen} workloads were found");
}
