//! A POSIX condition on the steady clock: pthread_cond_timedwait(3).
//!
//! Rust's own `Condvar` waits on a futex instead, so it cannot stand for it.

use std::cell::UnsafeCell;

use crate::linux::clock::timespec;

/// A condition with its mutex, boxed, since neither may move once used.
pub(crate) struct Condition(Box<Parts>);

struct Parts {
    mutex: UnsafeCell<libc::pthread_mutex_t>,
    condition: UnsafeCell<libc::pthread_cond_t>,
}

// SAFETY: POSIX mutexes and conditions are made to be used by many threads.
unsafe impl Send for Parts {}
// SAFETY: as above.
unsafe impl Sync for Parts {}

impl Condition {
    pub(crate) fn new() -> Self {
        let own = Box::new(Parts {
            mutex: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
            condition: UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER),
        });
        // SAFETY: the attribute is initialised before use and destroyed
        // after; the condition is at its final address and not yet used.
        unsafe {
            let mut clock: libc::pthread_condattr_t = std::mem::zeroed();
            libc::pthread_condattr_init(&raw mut clock);
            libc::pthread_condattr_setclock(
                &raw mut clock,
                libc::CLOCK_MONOTONIC,
            );
            libc::pthread_cond_init(own.condition.get(), &raw const clock);
            libc::pthread_condattr_destroy(&raw mut clock);
        }
        Self(own)
    }

    /// Waits until `due_ns` on CLOCK_MONOTONIC; woken before, it gives EINTR.
    pub(crate) fn wait_until(&self, due_ns: u64) -> Result<(), i32> {
        let due = timespec(due_ns);
        // SAFETY: both are initialised and at their final address; this
        // thread locks the mutex around the wait, as the call demands.
        let error = unsafe {
            libc::pthread_mutex_lock(self.0.mutex.get());
            let error = libc::pthread_cond_timedwait(
                self.0.condition.get(),
                self.0.mutex.get(),
                &raw const due,
            );
            libc::pthread_mutex_unlock(self.0.mutex.get());
            error
        };
        match error {
            libc::ETIMEDOUT => Ok(()),
            0 => Err(libc::EINTR),
            error => Err(error),
        }
    }

    /// Wakes whoever waits.
    pub(crate) fn wake(&self) {
        // SAFETY: an initialised condition at its final address.
        unsafe { libc::pthread_cond_broadcast(self.0.condition.get()) };
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        // SAFETY: `&mut self`: nobody waits any more.
        unsafe {
            libc::pthread_cond_destroy(self.condition.get());
            libc::pthread_mutex_destroy(self.mutex.get());
        }
    }
}
