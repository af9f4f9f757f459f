//! Pointers: what their bits mean.
//!
//! An address contains the object that it belongs to, so that no search is needed, and arithmetic
//! within an object works as everywhere:
//!
//! | bits | meaning |
//! |---|---|
//! | 63 … 47 | 0, so that programs can keep tags there |
//! | 46 … 35 | the table of objects: globals, functions, the heap of a thread, the stack of a thread |
//! | 34 … 15 | the index in that table; for stacks, the index (15 bits) and a tag (5 bits) |
//! | 14 … 0 | the byte in the object, counted from [`BIAS`] |
//!
//! An object that does not fit into 2¹⁵ bytes takes several indices. Its first index is the object, and
//! the others are [continuations](super::object::CONTINUES) of it.
//!
//! So an address depends only on the past of its thread, not on the schedule. Objects on the heap
//! never get an address that was in use before. Objects on the stack do, so that a thread that calls
//! functions for ever does not get into ever new states. Their tag depends on the instruction that
//! allocates, and identifies most pointers to locals that have ended.

/// Where an object starts. It is greater than zero, so that a pointer that runs out of the object at
/// either end still belongs to it.
pub(crate) const BIAS: u64 = 1 << 12;
/// How many bytes behind an object belong to it.
const BEHIND: u64 = 64;
/// How large an object may be.
pub(crate) const MAX_SIZE: u64 = (1 << 28) - 2 * BIAS;
/// What memory is filled with that was never written.
pub(crate) const NEVER_WRITTEN: u64 = 0xC5C5_C5C5_C5C5_C5C5;

const OFFSET_BITS: u32 = 15;
const ID_BITS: u32 = 20;
const DEPTH_BITS: u32 = 15;
const TAG_BITS: u32 = ID_BITS - DEPTH_BITS;
const TABLE_BITS: u32 = 12;
const TABLE_SHIFT: u32 = OFFSET_BITS + ID_BITS;
/// How many threads there can be.
pub(crate) const MAX_THREADS: usize = 2046;
/// How many indices the heap of a thread has.
pub(crate) const MAX_HEAP: usize = 1 << ID_BITS;
/// How many indices the stack of a thread has.
pub(crate) const MAX_STACK: usize = 1 << DEPTH_BITS;

/// The table of the globals.
pub(crate) const GLOBALS: usize = 1;
/// The table behind the globals: functions, which are no memory.
pub(crate) const FUNCTIONS: usize = 2;
/// The heap of thread 0; those of the others follow.
pub(crate) const HEAPS: usize = 3;
/// The stack of thread 0; those of the others follow.
pub(crate) const STACKS: usize = HEAPS + MAX_THREADS;
/// How many tables there can be.
pub(crate) const TABLES: usize = STACKS + MAX_THREADS;
const _: () = assert!(TABLES <= 1 << TABLE_BITS);

/// Returns how many indices an object takes.
#[inline]
pub(crate) const fn indices(size: u64) -> usize {
    ((BIAS + size + BEHIND) >> OFFSET_BITS) as usize + 1
}

/// Returns the thread that owns a table of the heaps and stacks.
#[inline]
pub(crate) const fn owner_of(table: usize) -> usize {
    if table >= STACKS { table - STACKS } else { table - HEAPS }
}

/// Returns the bytes between the first address of an object and the same place in its `index`th
/// continuation.
#[inline]
pub(crate) const fn continuation(index: u32) -> u32 {
    index << OFFSET_BITS
}

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

/// The byte counted from the start of the object, if the address does not belong to a continuation; huge if
/// the address is below the object.
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

/// Returns a word without a tag in its upper 16 bits.
#[inline]
pub(crate) const fn without_tag(word: u64) -> u64 {
    word & ((1 << 48) - 1)
}

/// An address on the heap or on a stack without the object, so that only the byte in it is left. It
/// cannot be mistaken for a number that is no such address.
#[inline]
pub(crate) const fn without_object(offset: u32) -> u64 {
    (HEAPS as u64) << TABLE_SHIFT | offset as u64
}

/// The first address of what a name is that of.
#[inline]
pub(crate) const fn address_of_name(name: u64) -> u64 {
    name << OFFSET_BITS | BIAS
}

/// A stack object's number: how deep it is, and a tag.
#[inline]
pub(crate) const fn stack_id(depth: usize, tag: u8) -> u32 {
    depth as u32 | (tag as u32) << DEPTH_BITS
}

/// Returns the tag of a local that the instruction at `site` allocates.
#[inline]
pub(crate) const fn tag_of(site: u32) -> u8 {
    (site as u8).wrapping_mul(37) & ((1 << TAG_BITS) - 1)
}

/// Returns the index and the tag in the number of a stack object.
#[inline]
pub(crate) const fn depth_and_tag(id: u32) -> (u32, u8) {
    (id & (MAX_STACK as u32 - 1), (id >> DEPTH_BITS) as u8)
}

/// The address of a function.
#[inline]
pub(crate) const fn function_address(function: u32) -> u64 {
    (FUNCTIONS as u64) << TABLE_SHIFT | (function as u64) << 4
}

/// The address of the block with this number among the blocks of all functions, for `goto *`. It is in the
/// table of the functions, but is the address of none of them.
#[inline]
pub(crate) const fn label_address(block: u32) -> u64 {
    (FUNCTIONS as u64) << TABLE_SHIFT | 1 << (TABLE_SHIFT - 1) | (block as u64 & 0x3FFF_FFFF) << 4
}

/// The function at an address.
#[inline]
pub(crate) const fn function_at(address: u64) -> Option<u32> {
    match table_of(address) == FUNCTIONS && address & 15 == 0 {
        true => Some(((address & ((1 << TABLE_SHIFT) - 1)) >> 4) as u32),
        false => None,
    }
}
