//! How an access to memory orders others, and what a step may see of memory.

/// The memory ordering of an atomic access or a fence, as in C11, C++20 and Rust.
///
/// `consume` counts as [`Acquire`](MemoryOrdering::Acquire).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryOrdering {
    /// Atomic, and nothing else.
    Relaxed,
    /// A read synchronises with the release write that it reads from.
    Acquire,
    /// A write synchronises with the acquire reads that read from it.
    Release,
    /// Both.
    AcqRel,
    /// Both, and all of these are in one total order.
    SeqCst,
}

impl MemoryOrdering {
    /// Returns whether a read, or a fence behind it, acquires.
    pub const fn is_acquire(self) -> bool {
        matches!(self, MemoryOrdering::Acquire | MemoryOrdering::AcqRel | MemoryOrdering::SeqCst)
    }

    /// Returns whether a write, or a fence before it, releases.
    pub const fn is_release(self) -> bool {
        matches!(self, MemoryOrdering::Release | MemoryOrdering::AcqRel | MemoryOrdering::SeqCst)
    }

    /// Returns whether it orders less than [`SeqCst`](MemoryOrdering::SeqCst).
    pub const fn is_weak(self) -> bool {
        !self.is_seq_cst()
    }

    /// Returns whether it is [`SeqCst`](MemoryOrdering::SeqCst).
    pub const fn is_seq_cst(self) -> bool {
        matches!(self, MemoryOrdering::SeqCst)
    }
}

/// What a step sees of memory, and leaves behind, where a memory model allows more than the value that
/// memory holds.
///
/// Memory holds the value of the last write in coherence order. A read may see the value of an earlier
/// one, and a write may come before others in that order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct View {
    /// The value that the location of the step's action has for this step, if it is not the value
    /// that memory holds.
    pub sees: Option<u64>,
    /// The value that memory holds at that location after the step, if it is not the value that the
    /// step wrote.
    pub leaves: Option<u64>,
    /// Which of the writes with the seen value is read: the number of these that come later in coherence
    /// order. 0 if `sees` is `None`.
    pub older: u32,
    /// How many writes stand between the step's write and the last one in coherence order. 0 if `leaves`
    /// is `None`.
    pub between: u32,
}

impl View {
    /// The view of a step that sees memory as it is.
    pub const PRESENT: View = View { sees: None, leaves: None, older: 0, between: 0 };
}
