//! Pointers: what their bits mean.
//!
//! An address says which object it belongs to, so that no search is needed, and arithmetic within
//! an object works as everywhere:
//!
//! | bits | meaning |
//! |---|---|
//! | 63 | 0 |
//! | 62, 61 | the kind of object: none, global, heap, stack |
//! | 60 … 50 | whose: the thread that allocated it |
//! | 49 … 28 | the thread's how many-eth object; for the stack, how deep (16 bits) and a tag (6 bits) |
//! | 27 … 0 | the byte in the object, counted from [`BIAS`] |
//!
//! So an address depends only on what its thread has done, not on how threads took turns.
//! Objects on the heap never get an address that was in use before. Those on the stack do, so
//! that a thread that calls functions for ever does not get into ever new states; the tag, by the
//! place in the program that allocates, then still tells most pointers to what is gone.

/// Where an object starts: some way in, so that a pointer that runs out of it at either end is
/// still told to belong to it.
pub(crate) const BIAS: u64 = 1 << 16;
/// How large an object may be.
pub(crate) const MAX_SIZE: u64 = (1 << 28) - 2 * BIAS;
/// What memory is filled with that nobody has written.
pub(crate) const NEVER_WRITTEN: u64 = 0xC5C5_C5C5_C5C5_C5C5;

const OFFSET_BITS: u32 = 28;
const ID_BITS: u32 = 22;
const THREAD_BITS: u32 = 11;
const TABLE_SHIFT: u32 = OFFSET_BITS + ID_BITS;
/// How many threads there can be.
pub(crate) const MAX_THREADS: usize = 1 << THREAD_BITS;
/// How many heap objects a thread can have.
pub(crate) const MAX_HEAP: usize = 1 << ID_BITS;
/// How many stack objects a thread can have at once.
pub(crate) const MAX_STACK: usize = 1 << 16;

/// Which table of objects an address belongs to.
pub(crate) const GLOBALS: usize = 1 << THREAD_BITS;
/// The table behind the globals: functions, which are no memory.
pub(crate) const FUNCTIONS: usize = GLOBALS + 1;
/// The heap of thread 0; those of the others follow.
pub(crate) const HEAPS: usize = 2 << THREAD_BITS;
/// The stack of thread 0; those of the others follow.
pub(crate) const STACKS: usize = 3 << THREAD_BITS;
/// How many tables there can be.
pub(crate) const TABLES: usize = 4 << THREAD_BITS;

/// The address of the first byte of an object.
#[inline]
pub(crate) const fn address(table: usize, id: u32) -> u64 {
    (table as u64) << TABLE_SHIFT | (id as u64) << OFFSET_BITS | BIAS
}

/// The table of an address; out of range for numbers that are no addresses.
#[inline]
pub(crate) const fn table_of(address: u64) -> usize {
    (address >> TABLE_SHIFT) as usize
}

/// The object's number within its table, with the tag if it is on the stack.
#[inline]
pub(crate) const fn id_of(address: u64) -> u32 {
    (address >> OFFSET_BITS) as u32 & ((1 << ID_BITS) - 1)
}

/// The byte within the object; huge if the address is below the object.
#[inline]
pub(crate) const fn offset_of(address: u64) -> u32 {
    ((address & ((1 << OFFSET_BITS) - 1)) as u32).wrapping_sub(BIAS as u32)
}

/// What is the same for all addresses of an object.
#[inline]
pub(crate) const fn name_of(address: u64) -> u64 {
    address >> OFFSET_BITS
}

/// Whether a number is an address on the heap or on a stack.
#[inline]
pub(crate) const fn leads_to_object(word: u64) -> bool {
    let table = table_of(word);
    HEAPS <= table && table < TABLES
}

/// An address on the heap or on a stack without the object, so that only the byte in it is left. It
/// cannot be mistaken for a number that is no such address.
#[inline]
pub(crate) const fn without_object(address: u64) -> u64 {
    (HEAPS as u64) << TABLE_SHIFT | address & ((1 << OFFSET_BITS) - 1)
}

/// The first address of what a name is that of.
#[inline]
pub(crate) const fn address_of_name(name: u64) -> u64 {
    name << OFFSET_BITS | BIAS
}

/// A stack object's number: how deep it is, and a tag.
#[inline]
pub(crate) const fn stack_id(depth: usize, tag: u8) -> u32 {
    depth as u32 | (tag as u32 & 63) << 16
}

/// The address of a function.
#[inline]
pub(crate) const fn function_address(function: u32) -> u64 {
    (FUNCTIONS as u64) << TABLE_SHIFT | (function as u64) << 4
}

/// The function at an address.
#[inline]
pub(crate) const fn function_at(address: u64) -> Option<u32> {
    match table_of(address) == FUNCTIONS && address & 15 == 0 {
        true => Some(((address & ((1 << TABLE_SHIFT) - 1)) >> 4) as u32),
        false => None,
    }
}
