//! Why a thing could not be had, out of what the system said.

use std::io;

use timerscope::machine::Missing;

/// Sorts an error of looking at `what` into absent, refused or failed.
pub(super) fn reason(what: &str, error: &io::Error) -> Missing {
    use io::ErrorKind as E;
    match error.kind() {
        E::NotFound | E::NotADirectory => {
            Missing::absent(format!("there is no {what}"))
        }
        // Some drivers answer so for a file they made but cannot fill.
        _ if error.raw_os_error() == Some(libc::ENODEV) => {
            Missing::absent(format!("there is no device behind {what}"))
        }
        E::PermissionDenied => refused(format!("{what} may not be read")),
        _ => Missing::failed(format!("{what} could not be read: {error}")),
    }
}

/// It may not be looked at, and who may.
pub(super) fn refused(why: String) -> Missing {
    let missing = Missing::refused(why);
    if superuser() {
        missing.or_try(
            "look from outside of this container, or with the kernel's \
             lockdown off",
        )
    } else {
        missing.or_try("run as root")
    }
}

/// A recorded tree cannot answer what only a system call can.
pub(super) fn recorded(what: &str) -> Missing {
    Missing::unknown(format!(
        "{what} is told by a system call, and this was read from a recorded \
         tree"
    ))
}

/// Whether we are root already, so that advising it would be silly.
fn superuser() -> bool {
    // SAFETY: geteuid(2) takes nothing, touches no memory, cannot fail.
    unsafe { libc::geteuid() == 0 }
}

#[cfg(test)]
mod tests {
    use timerscope::machine::MissingKind;

    use super::*;

    fn kind(errno: i32) -> MissingKind {
        reason("it", &io::Error::from_raw_os_error(errno)).kind
    }

    #[test]
    fn each_error_is_one_of_the_four_answers() {
        assert_eq!(kind(libc::ENOENT), MissingKind::Absent);
        assert_eq!(kind(libc::ENODEV), MissingKind::Absent);
        assert_eq!(kind(libc::ENOTDIR), MissingKind::Absent);
        assert_eq!(kind(libc::EACCES), MissingKind::Refused);
        assert_eq!(kind(libc::EPERM), MissingKind::Refused);
        assert_eq!(kind(libc::EIO), MissingKind::Failed);
    }

    #[test]
    fn a_refusal_says_what_to_try() {
        let error = io::Error::from_raw_os_error(libc::EACCES);
        assert!(reason("it", &error).hint.is_some());
    }
}
