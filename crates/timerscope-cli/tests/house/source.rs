//! The files of the workspace.

use std::fs;
use std::path::Path;

use crate::finding::Finding;
use crate::views::Views;

/// One text file.
pub(crate) struct Source {
    /// Below the workspace's root, with `/` on every system.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The text as Rust sees it; of use for Rust files only.
    pub(crate) views: Views,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let views = Views::of(text);
        Self { path: path.to_owned(), text: text.to_owned(), views }
    }

    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|it| it == "rs")
    }

    /// Its place below `folder`, if it is there.
    pub(crate) fn below(&self, folder: &str) -> Option<&str> {
        self.path.strip_prefix(folder)?.strip_prefix('/')
    }

    pub(crate) fn finding(
        &self,
        line: usize,
        what: impl Into<String>,
        cure: impl Into<String>,
    ) -> Finding {
        let (what, cure) = (what.into(), cure.into());
        Finding { path: self.path.clone(), line, what, cure }
    }
}

/// Reads every text file of the workspace, in the order of their paths.
pub(crate) fn workspace() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = vec![];
    collect(&root, "", &mut sources);
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn collect(folder: &Path, prefix: &str, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let entry = entry.expect("an entry of the workspace");
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == ".git" || name == "target" {
            continue;
        }
        let kind = entry.file_type().expect("the kind of an entry");
        let path = format!("{prefix}{name}");
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), sources);
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            sources.push(Source::new(&path, &text));
        }
    }
}
