//! Memory shared between the coordinator and its players: memfd_create(2).

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicU64};

/// 32-bit words at the front of the memory, for those a thread waits on.
pub(crate) const SMALL_WORDS: usize = 1024;
const SMALL_BYTES: usize = SMALL_WORDS * 4;

/// Words shared between processes. All access is atomic, so that whatever the
/// other side does to them, each word has a value and no reader is undefined.
#[derive(Debug)]
pub(crate) struct SharedMemory {
    address: *mut libc::c_void,
    words: usize,
    file: File,
}

// SAFETY: the memory is reached through atomics only, and stays mapped until
// the last owner is dropped.
unsafe impl Send for SharedMemory {}
// SAFETY: as above.
unsafe impl Sync for SharedMemory {}

impl SharedMemory {
    /// New memory of zeros with room for `words` 64-bit words.
    pub(crate) fn create(words: usize) -> io::Result<Self> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a C string; the call touches no other memory.
        let fd = unsafe { libc::memfd_create(c"timerscope".as_ptr(), flags) };
        let fd = owned(fd)?;
        let file = File::from(fd);
        file.set_len((SMALL_BYTES + words * 8) as u64)?;
        // Without seals a player could cut the file and kill us by SIGBUS.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: fcntl(2) on a descriptor we own; no memory is passed.
        let sealed =
            unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) };
        if sealed < 0 {
            return Err(io::Error::last_os_error());
        }
        Self::map(file, words)
    }

    /// Maps memory that was created elsewhere with this many words.
    pub(crate) fn map(file: File, words: usize) -> io::Result<Self> {
        let length = SMALL_BYTES + words * 8;
        if file.metadata()?.len() != length as u64 {
            let why = "the shared memory has another size than agreed";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        // SAFETY: a fresh mapping at an address the kernel picks; the length
        // is that of the file, which is sealed against shrinking.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { address, words, file })
    }

    /// A descriptor of it for a player.
    pub(crate) fn descriptor(&self) -> io::Result<OwnedFd> {
        self.file.as_fd().try_clone_to_owned()
    }

    /// The words that threads wait on.
    pub(crate) fn small(&self) -> &[AtomicU32] {
        // SAFETY: page-aligned, inside the mapping, valid for any bits; the
        // 64-bit words below begin where these end.
        unsafe { std::slice::from_raw_parts(self.address.cast(), SMALL_WORDS) }
    }

    /// All other words.
    pub(crate) fn large(&self) -> &[AtomicU64] {
        // SAFETY: SMALL_BYTES keeps the alignment of a page; the length was
        // mapped by `map`; any bits are a valid u64.
        unsafe {
            let start = self.address.byte_add(SMALL_BYTES);
            std::slice::from_raw_parts(start.cast(), self.words)
        }
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        let length = SMALL_BYTES + self.words * 8;
        // SAFETY: exactly what `map` mapped; no reference outlives `self`.
        unsafe { libc::munmap(self.address, length) };
    }
}

/// Takes the descriptor a system call returned, or its error.
pub(crate) fn owned(fd: libc::c_int) -> io::Result<OwnedFd> {
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call that made it has just given it to us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
