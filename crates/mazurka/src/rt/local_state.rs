//! Digests of the local state of a process: its stack and the registers that are not on it.
//!
//! A stack also holds values that are not used any more. They are the same whenever the process comes to the
//! same point in the same way, if what Mazurka itself leaves on the stack is the same. So Mazurka wipes the
//! unused part of the stack while digests are taken.

use super::process::Process;

/// So many bytes of an unused stack are wiped: more than Mazurka uses.
const WIPED: usize = 4096;

/// Where a process is suspended: its stack pointer, and the registers that are saved below.
#[derive(Clone, Copy, Default)]
pub(super) struct SuspendedAt {
    words: [usize; 3],
}

impl SuspendedAt {
    /// Notes where the current process is. The function that this is inlined into must suspend it.
    ///
    /// # Safety
    ///
    /// `this` can be written.
    #[inline(always)]
    pub(super) unsafe fn note(this: *mut Self) {
        // SAFETY: as the caller promises; there is room for three words.
        unsafe { target::save(this.cast()) };
    }
}

/// Returns a digest of the local state of a suspended process, unless this machine has other registers.
pub(super) fn digest(at: SuspendedAt, process: &Process) -> Option<u64> {
    // At an operation that may be an await, it has noted all registers that a function preserves.
    let noted = process.await_.noted();
    let words = noted.as_ref().map_or(&at.words[..], |words| &words[..]);
    let from = words[0];
    let to = process.root;
    let is_on_stack = process.stack_limit < from && from < to && from.is_multiple_of(8);
    if !target::IS_SUPPORTED || !is_on_stack {
        return None;
    }
    let mut digest = words.iter().copied().fold(0, mix);
    let mut address = from;
    while address < to {
        // SAFETY: this is the stack of a suspended process, between its stack pointer and where its code began.
        // Nothing else writes there. What is not initialised is not used, and was written once.
        let word = unsafe { std::ptr::with_exposed_provenance::<usize>(address).read_volatile() };
        digest = mix(digest, word);
        address += 8;
    }
    Some(digest)
}

/// Returns a digest of a digest and one more word. `FxHasher` is too weak: equal digests count as equal states.
#[inline]
pub(super) fn mix(digest: u64, word: usize) -> u64 {
    let product = u128::from(digest ^ word as u64 ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
    (product as u64) ^ (product >> 64) as u64
}

/// Wipes the part of the current stack that is not used.
#[inline(never)]
pub(super) fn wipe() {
    std::hint::black_box([0_u8; WIPED]);
}

#[cfg(all(unix, target_arch = "x86_64"))]
mod target {
    use std::arch::asm;

    pub(super) const IS_SUPPORTED: bool = true;

    /// Saves the stack pointer, and the registers that a switch of stacks pushes.
    #[inline(always)]
    pub(super) unsafe fn save(words: *mut usize) {
        // SAFETY: the caller promises that there is room.
        unsafe {
            asm!(
                "mov [{0}], rsp",
                "mov [{0} + 8], rbx",
                "mov [{0} + 16], rbp",
                in(reg) words,
                options(nostack, preserves_flags),
            );
        }
    }
}

#[cfg(all(unix, target_arch = "aarch64"))]
mod target {
    use std::arch::asm;

    pub(super) const IS_SUPPORTED: bool = true;

    /// Saves the stack pointer, and the registers that a switch of stacks pushes.
    #[inline(always)]
    pub(super) unsafe fn save(words: *mut usize) {
        // SAFETY: the caller promises that there is room.
        unsafe {
            asm!(
                "mov {1}, sp",
                "stp {1}, x19, [{0}]",
                "str x29, [{0}, #16]",
                in(reg) words,
                out(reg) _,
                options(nostack, preserves_flags),
            );
        }
    }
}

#[cfg(not(all(unix, any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod target {
    pub(super) const IS_SUPPORTED: bool = false;

    #[inline(always)]
    pub(super) unsafe fn save(_words: *mut usize) {}
}
