//! Objects: how they come and go.

use super::address::{self, GLOBALS, HEAPS, MAX_HEAP, MAX_SIZE, MAX_STACK, NEVER_WRITTEN, STACKS};
use super::undo::Change;
use super::{Fault, Memory};

/// The object can be used.
pub(crate) const LIVE: u8 = 1;
/// Other threads can reach it.
pub(crate) const VISIBLE: u8 = 2;
/// It may not be written.
pub(crate) const CONSTANT: u8 = 4;
/// It is to be freed by `free`.
pub(crate) const HEAP: u8 = 8;
/// It is no object, but continues one that needs several indices: `word` says how far before it is.
pub(crate) const CONTINUES: u8 = 16;
/// It was allocated by `new`.
pub(crate) const NEW: u8 = 32;
/// It was allocated by `new[]`.
pub(crate) const NEW_ARRAY: u8 = 64;
/// It belongs to the library, and no other thread can reach it.
pub(crate) const OWN: u8 = 128;

/// A block of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    /// Where its bytes are.
    pub(crate) word: u32,
    /// How many it has.
    pub(crate) size: u32,
    /// Its name to the explorers, once it is visible.
    pub(crate) name: u32,
    /// Which instruction has allocated it.
    pub(crate) site: u32,
    /// Which has freed it, or `u32::MAX`.
    pub(crate) freed: u32,
    pub(crate) flags: u8,
    /// Tells objects on the stack apart that have the same address at different times.
    pub(crate) tag: u8,
}

impl Object {
    /// Returns what stands at the `behind`th index behind an object.
    fn continuation(behind: u32, tag: u8) -> Self {
        let none = u32::MAX;
        let (size, flags) = (0, CONTINUES);
        Object { word: behind, size, name: none, site: none, freed: none, flags, tag }
    }

    /// How many words it takes.
    #[inline]
    pub(crate) fn words(&self) -> u32 {
        self.size.div_ceil(8)
    }
}

/// Where the stack objects of a thread are put.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct StackSpace {
    /// The first word that is free.
    pub(crate) next: u32,
    /// The first word that is not the thread's any more.
    pub(crate) end: u32,
}

impl Memory {
    /// Adds a global; its bytes are all zero.
    pub(crate) fn add_global(&mut self, size: u64, constant: bool) -> u64 {
        let index = self.tables[GLOBALS].len();
        let address = address::address(GLOBALS, index as u32);
        let word = self.words.len() as u32;
        self.words.resize(self.words.len() + size.div_ceil(8) as usize, 0);
        let flags = LIVE | if constant { CONSTANT } else { 0 };
        self.named.push(address);
        self.tables[GLOBALS].push(Object {
            word,
            size: size as u32,
            name: index as u32,
            site: u32::MAX,
            freed: u32::MAX,
            flags,
            tag: 0,
        });
        for behind in 1..address::indices(size) {
            self.tables[GLOBALS].push(Object::continuation(behind as u32, 0));
            self.named.push(address);
        }
        address
    }

    /// Adds the further indices of the object that was added last to a table.
    fn continue_object(&mut self, table: usize, size: u64, tag: u8) {
        for behind in 1..address::indices(size) {
            let index = self.tables[table].len();
            let id = if table >= STACKS { address::stack_id(index, tag) } else { index as u32 };
            self.tables[table].push(Object::continuation(behind as u32, tag));
            self.log.objects.push(Change::Pushed(table as u32, id));
        }
    }

    /// Allocates an object on the heap of a thread, filled with `fill`. Returns its address, or
    /// `None` if there is no room.
    pub(crate) fn allocate(
        &mut self,
        thread: usize,
        size: u64,
        fill: u64,
        flags: u8,
        site: u32,
    ) -> Option<u64> {
        let table = HEAPS + thread;
        let index = self.tables[table].len();
        let word = self.words.len();
        if size > MAX_SIZE || index + address::indices(size) > MAX_HEAP || word > (1 << 31) {
            return None;
        }
        self.words.resize(word + size.div_ceil(8) as usize, fill);
        let (word, size) = (word as u32, size as u32);
        let flags = flags | LIVE;
        let (name, freed) = (u32::MAX, u32::MAX);
        self.tables[table].push(Object { word, size, name, site, freed, flags, tag: 0 });
        self.log.objects.push(Change::Pushed(table as u32, index as u32));
        self.continue_object(table, u64::from(size), 0);
        let address = address::address(table, index as u32);
        if self.shares_all && index > 0 && flags & (CONSTANT | OWN) == 0 {
            self.publish(address);
        }
        Some(address)
    }

    /// Whether there is an object on the heap that starts at an address.
    pub(crate) fn can_free(&self, address: u64) -> Result<(), Fault> {
        let Some(object) = self.object_at(address) else {
            return Err(match self.explain(address, 1) {
                fault @ (Fault::NeverWritten | Fault::Returned) => fault,
                _ => Fault::NotOnHeap,
            });
        };
        if object.flags & HEAP == 0 {
            return Err(Fault::NotOnHeap);
        }
        if object.flags & LIVE == 0 {
            return Err(Fault::FreedTwice);
        }
        match self.offset_of(address) {
            0 => Ok(()),
            offset => Err(Fault::NotAtStart { offset: i64::from(offset as i32) }),
        }
    }

    /// Frees an object on the heap, at the instruction `site`.
    pub(crate) fn free(&mut self, address: u64, site: u32) -> Result<(), Fault> {
        self.can_free(address)?;
        let (table, index) = (address::table_of(address), address::id_of(address));
        let object = &mut self.tables[table][index as usize];
        self.log.objects.push(Change::Altered(table as u32, index, *object));
        object.flags &= !LIVE;
        object.freed = site;
        Ok(())
    }

    /// Allocates a local of a thread. Returns its address, or `None` if there are too many.
    pub(crate) fn push_local(
        &mut self,
        thread: usize,
        space: &mut StackSpace,
        size: u64,
        site: u32,
    ) -> Option<u64> {
        let table = STACKS + thread;
        let depth = self.tables[table].len();
        if size > MAX_SIZE || depth + address::indices(size) > MAX_STACK {
            return None;
        }
        let words = size.div_ceil(8) as u32;
        if space.end - space.next < words {
            let wanted = (words as usize).max((space.end as usize / 4).clamp(32, 4096));
            space.next = self.words.len() as u32;
            self.words.resize(self.words.len() + wanted, NEVER_WRITTEN);
            space.end = self.words.len() as u32;
        }
        let word = space.next;
        space.next += words;
        self.written.forget(word as usize..(word + words) as usize);
        // What a function that has returned left behind.
        for at in word as usize..(word + words) as usize {
            if self.words[at] != NEVER_WRITTEN {
                if at < self.fresh_from {
                    self.log.words.push((at as u32, self.words[at]));
                }
                self.words[at] = NEVER_WRITTEN;
            }
        }
        let tag = address::tag_of(site);
        let size = size as u32;
        let (name, freed, flags) = (u32::MAX, u32::MAX, LIVE);
        self.tables[table].push(Object { word, size, name, site, freed, flags, tag });
        let id = address::stack_id(depth, tag);
        self.log.objects.push(Change::Pushed(table as u32, id));
        self.continue_object(table, u64::from(size), tag);
        let address = address::address(table, id);
        if self.shares_all && !self.private_locals.contains(&site) {
            self.publish(address);
        }
        Some(address)
    }

    /// Makes the global at an address constant: it may not be written any more, and reading it is no
    /// action.
    pub(crate) fn freeze(&mut self, address: u64) {
        let (table, Some(index)) = (address::table_of(address), self.index_of(address)) else {
            return;
        };
        let object = &mut self.tables[table][index];
        self.log.objects.push(Change::Altered(table as u32, index as u32, *object));
        object.flags |= CONSTANT;
    }

    /// Begins or ends the life of a local, at the instruction `site`. What is in it stays, so that a loop
    /// that waits finds it in every iteration.
    pub(crate) fn set_live(&mut self, address: u64, is_live: bool, site: u32) {
        let (table, Some(index)) = (address::table_of(address), self.index_of(address)) else {
            return;
        };
        let object = &mut self.tables[table][index];
        self.log.objects.push(Change::Altered(table as u32, index as u32, *object));
        match is_live {
            true => object.flags |= LIVE,
            false => object.flags &= !LIVE,
        }
        object.freed = if is_live { u32::MAX } else { site };
    }

    /// Ends the locals of a thread from the `depth`-th on.
    pub(crate) fn pop_locals(&mut self, thread: usize, depth: usize) {
        let table = STACKS + thread;
        while self.tables[table].len() > depth {
            let object = self.tables[table].pop().expect("there are more than depth");
            let index = self.tables[table].len() as u32;
            self.log.objects.push(Change::Popped(table as u32, index, object));
        }
    }

    /// How many locals a thread has.
    pub(crate) fn locals(&self, thread: usize) -> usize {
        self.tables[STACKS + thread].len()
    }
}
