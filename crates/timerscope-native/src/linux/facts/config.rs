//! The kernel's build configuration, where it is kept.
//!
//! /proc/config.gz, or the file that distributions put into /boot.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::ControlFlow;

use flate2::read::GzDecoder;
use timerscope::machine::Missing;

use super::root::{Root, lines, or_absent};

/// The options that say something about timers.
const WANTED: [&str; 4] =
    ["CONFIG_HZ", "CONFIG_NO_HZ", "CONFIG_PREEMPT", "CONFIG_HIGH_RES"];
/// Unpacked, a real configuration has 300 KiB.
const UNPACKED: u64 = 2 << 20;
/// A real configuration has a dozen such options.
const OPTIONS: usize = 64;

/// What was built in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Config(BTreeMap<String, String>);

impl Config {
    /// Reads it; `release` is the name under which /boot has it.
    pub(super) fn read(root: &Root, release: &str) -> Result<Self, Missing> {
        let mut config = Self::default();
        let take = |line: &str| {
            config.take(line);
            ControlFlow::Continue(())
        };
        match root.bytes("/proc/config.gz") {
            Ok(bytes) => {
                let text = GzDecoder::new(bytes.as_slice()).take(UNPACKED);
                lines(text, take).map_err(|error| {
                    Missing::failed(format!("config.gz: {error}"))
                })?;
            }
            Err(_) => or_absent(
                root.lines(&format!("/boot/config-{release}"), take),
                "this kernel does not show its build configuration",
            )?,
        }
        Ok(config)
    }

    fn take(&mut self, line: &str) {
        let Some((key, value)) = line.trim().split_once('=') else { return };
        let wanted = WANTED.iter().any(|start| key.starts_with(start));
        if wanted && self.0.len() < OPTIONS {
            self.0.insert(key.to_owned(), value.to_owned());
        }
    }

    /// Whether `option` (without `CONFIG_`) was built in.
    pub(super) fn has(&self, option: &str) -> bool {
        self.0.get(&format!("CONFIG_{option}")).is_some_and(|v| v == "y")
    }

    /// Ticks per second.
    pub(super) fn tick_hz(&self) -> Option<u64> {
        self.0.get("CONFIG_HZ")?.parse().ok().filter(|hz| *hz > 0)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};
    use timerscope::machine::MissingKind;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<Config, Missing> {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("proc")).unwrap();
        fs::write(folder.path().join("proc/config.gz"), bytes).unwrap();
        Config::read(&Root::at(folder.path()), "6.1.0")
    }

    #[test]
    fn what_is_not_set_is_not_built_in() {
        let text = b"CONFIG_HZ=300\nCONFIG_NO_HZ_IDLE=y\n\
                     # CONFIG_NO_HZ_FULL is not set\nCONFIG_PREEMPT=m\n";
        let config = read(&packed(text)).unwrap();
        assert_eq!(config.tick_hz(), Some(300));
        assert!(config.has("NO_HZ_IDLE"));
        assert!(!config.has("NO_HZ_FULL"));
        assert!(!config.has("PREEMPT"));
    }

    #[test]
    fn what_was_not_packed_fails_and_says_so() {
        let missing = read(b"not packed at all").unwrap_err();
        assert_eq!(missing.kind, MissingKind::Failed);
    }

    #[test]
    fn a_tick_of_nought_is_no_tick() {
        let config = read(&packed(b"CONFIG_HZ=0\n")).unwrap();
        assert_eq!(config.tick_hz(), None);
    }

    #[test]
    fn a_bomb_is_cut_off() {
        let mut bomb = vec![b'\n'; 2 << 20];
        bomb.extend(b"CONFIG_HZ=100\n");
        assert_eq!(read(&packed(&bomb)), Ok(Config::default()));
    }
}
