//! Which kernel this is.

use timerscope::machine::Missing;

use super::root::Root;

/// The kernel's name and build.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Release {
    /// `6.1.0-13-amd64`; empty if nothing says it.
    pub(super) name: String,
    /// `#1 SMP PREEMPT_DYNAMIC ...`.
    pub(super) build: Option<String>,
    /// What it was booted with.
    pub(super) command_line: Option<String>,
}

impl Release {
    /// Reads it.
    pub(super) fn read(root: &Root) -> Self {
        let banner = root.line("/proc/version");
        let name = root
            .line("/proc/sys/kernel/osrelease")
            .or_else(|missing| named_in(banner.as_deref(), missing));
        Self {
            name: name.unwrap_or_default(),
            build: root.line("/proc/sys/kernel/version").or(banner).ok(),
            command_line: root.line("/proc/cmdline").ok(),
        }
    }

    /// The system in a person's words.
    pub(super) fn system(&self) -> String {
        format!("Linux {}", self.name).trim_end().to_owned()
    }

    /// The emulator, if these are Linux calls on another kernel: the first
    /// Windows Subsystem for Linux had no Linux in it.
    pub(super) fn emulated_by(&self) -> Option<String> {
        self.name.ends_with("-Microsoft").then(|| "WSL 1".to_owned())
    }

    /// Its name as part of a path, which it must not walk out of.
    pub(super) fn as_file_name(&self) -> &str {
        if self.name.contains('/') { "" } else { &self.name }
    }

    /// Major and minor version.
    pub(super) fn version(&self) -> Option<(u32, u32)> {
        let mut numbers =
            self.name.split(|c: char| !c.is_ascii_digit()).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    }

    /// Whether a boot parameter switched something off (kstrtobool,
    /// lib/kstrtox.c).
    pub(super) fn switched_off(&self, name: &str) -> bool {
        let value = self.parameter(name).map(str::to_ascii_lowercase);
        value.is_some_and(|value| {
            value.starts_with(['n', 'f', '0']) || value.starts_with("of")
        })
    }

    /// The value of a boot parameter, the last one given.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let words = self.command_line.as_deref()?.split_whitespace();
        words
            .filter_map(|word| word.split_once('='))
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value)
            .next_back()
    }
}

/// `Linux version 6.1.0 (somebody@host) ...`.
fn named_in(
    banner: Result<&str, &Missing>,
    missing: Missing,
) -> Result<String, Missing> {
    let name = banner
        .ok()
        .and_then(|banner| banner.strip_prefix("Linux version "))
        .and_then(|rest| rest.split_whitespace().next());
    name.map(str::to_owned).ok_or(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Release {
        Release { name: name.to_owned(), ..Release::default() }
    }

    #[test]
    fn the_version_is_the_first_two_numbers() {
        assert_eq!(named("6.18.44-fc").version(), Some((6, 18)));
        assert_eq!(named("5.10").version(), Some((5, 10)));
        assert_eq!(named("").version(), None);
        assert_eq!(named("99999999999.1").version(), None);
    }

    #[test]
    fn only_the_first_subsystem_was_an_emulator() {
        let emulator = |name| named(name).emulated_by();
        assert_eq!(emulator("4.4.0-19041-Microsoft").as_deref(), Some("WSL 1"));
        assert_eq!(emulator("5.15.90.1-microsoft-standard-WSL2"), None);
    }

    #[test]
    fn the_last_of_two_parameters_counts() {
        let release = Release {
            command_line: Some("quiet nohz=on nohz=off xnohz=on".to_owned()),
            ..Release::default()
        };
        assert_eq!(release.parameter("nohz"), Some("off"));
        assert_eq!(release.parameter("quiet"), None);
        assert!(release.switched_off("nohz"));
        assert!(!release.switched_off("xnohz"));
        assert!(!release.switched_off("highres"));
    }

    #[test]
    fn no_name_leads_out_of_its_folder() {
        assert_eq!(named("../../etc/passwd").as_file_name(), "");
    }
}
