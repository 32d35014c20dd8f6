//! A time-out as an io_uring operation: IORING_OP_TIMEOUT of
//! io_uring_enter(2).

use io_uring::{IoUring, opcode, types};

use super::call::Call;
use super::polls::code;

/// A ring of one's own for one operation at a time.
pub(super) struct Uring(IoUring);

impl Uring {
    pub(super) fn new() -> Result<Self, i32> {
        IoUring::new(2).map(Self).map_err(|error| code(&error))
    }
}

impl Call for Uring {
    fn relative(&mut self, span_ns: u64) -> Result<(), i32> {
        let span = types::Timespec::new()
            .sec(span_ns / 1_000_000_000)
            .nsec((span_ns % 1_000_000_000) as u32);
        let entry = opcode::Timeout::new(&raw const span).build();
        // SAFETY: the kernel copies the time-out while it takes the entry,
        // which is done before `submit_and_wait` returns.
        if unsafe { self.0.submission().push(&entry) }.is_err() {
            return Err(libc::EBUSY);
        }
        let waited = self.0.submit_and_wait(1);
        let done = self.0.completion().next().map(|done| done.result());
        match (waited, done) {
            (Ok(_), Some(result)) if result == -libc::ETIME => Ok(()),
            (Ok(_), Some(result)) => Err(-result),
            (Ok(_), None) => Err(libc::EINTR),
            (Err(error), _) => {
                // The operation is still under way: a new ring leaves it
                // behind, so that it cannot end the next wait.
                self.0 = IoUring::new(2).map_err(|error| code(&error))?;
                Err(code(&error))
            }
        }
    }
}
