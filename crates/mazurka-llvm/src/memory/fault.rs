//! What can be wrong with an address.

use super::Memory;
use super::address::{FUNCTIONS, HEAPS, STACKS, TABLES, table_of};
use super::object::LIVE;

/// Why memory cannot be accessed, or freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The address is null, or close to it.
    Null,
    /// There is nothing at the address.
    NoObject,
    /// It was read from memory that was never written.
    NeverWritten,
    /// The access goes over an end of the object: its size, and where the access starts.
    OutOfBounds { size: u32, offset: i64 },
    /// The object has been freed.
    Freed,
    /// The function whose local it was has returned.
    Returned,
    /// The block whose variable it was has ended.
    BlockEnded,
    /// The object may not be written.
    Constant,
    /// It is a function.
    Function,
    /// An atomic access is not aligned.
    Misaligned,
    /// The address has come from another thread by a way that cannot be followed.
    Hidden,
    /// What is to be freed is not on the heap.
    NotOnHeap,
    /// What is to be freed is not the start of an object.
    NotAtStart { offset: i64 },
    /// What is to be freed has been freed.
    FreedTwice,
}

impl Memory {
    /// Why an access is not possible.
    #[cold]
    #[inline(never)]
    pub(super) fn explain(&self, address: u64, _len: u32) -> Fault {
        let near_garbage = |garbage: u64| address.wrapping_sub(garbage) < 1 << 20;
        let near_null = 1 << 16;
        if address.wrapping_add(near_null) < 2 * near_null {
            return Fault::Null;
        }
        if near_garbage(super::NEVER_WRITTEN) {
            return Fault::NeverWritten;
        }
        let table = table_of(address);
        if table == FUNCTIONS {
            return Fault::Function;
        }
        if table >= TABLES {
            return Fault::NoObject;
        }
        let Some(index) = self.index_of(address) else {
            let was_there = (STACKS..TABLES).contains(&table);
            return if was_there { Fault::Returned } else { Fault::NoObject };
        };
        let object = &self.tables[table][index];
        if object.flags & LIVE == 0 {
            return match table {
                ..HEAPS => Fault::NoObject,
                HEAPS..STACKS => Fault::Freed,
                _ => Fault::BlockEnded,
            };
        }
        Fault::OutOfBounds { size: object.size, offset: i64::from(self.offset_of(address) as i32) }
    }
}
