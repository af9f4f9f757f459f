//! The stacks of coroutines.

use std::io;

use corosensei::stack::{DefaultStack, StackPointer};

/// A stack that is one word wherever it is moved: coroutines come and go with every execution, and their
/// stacks stay.
pub(super) struct Stack(Box<Memory>);

struct Memory {
    /// How many bytes were asked for.
    size: usize,
    memory: DefaultStack,
}

impl Stack {
    /// A new one of at least so many bytes.
    pub(super) fn new(size: usize) -> io::Result<Self> {
        Ok(Stack(Box::new(Memory { size, memory: DefaultStack::new(size)? })))
    }

    /// How many bytes it has, at least.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.0.size
    }
}

// SAFETY: this is the memory of another stack, which is this one's alone.
unsafe impl corosensei::stack::Stack for Stack {
    #[inline]
    fn base(&self) -> StackPointer {
        self.0.memory.base()
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.0.memory.limit()
    }

    #[inline]
    #[cfg(windows)]
    fn teb_fields(&self) -> corosensei::stack::StackTebFields {
        self.0.memory.teb_fields()
    }

    #[inline]
    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.0.memory.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}
