//! Memory: objects with bounds and lifetimes, and a log by which every change is undone.
//!
//! All bytes live in one row of words. Objects are appended to it, so that going back to an
//! earlier state cuts it off again; only writes to words that were there before the current step
//! are logged.
//!
//! # What threads can see
//!
//! An object is *visible* if another thread than its owner can reach it. Accesses to what is not
//! visible are no actions. Globals are visible from the moment at which there is a second thread.
//! Anything else becomes visible when its address comes to stand in visible memory, or is handed
//! to another thread as an argument or a result; and with it all that can be reached from it.
//!
//! Until then only the owner has the address, so only the owner's own steps make an object visible
//! to it: whether an access is an action depends on nothing but the past of its thread. And
//! whatever the owner did before happens before whatever others do to the object, since they got
//! the address from it, by an action that is dependent on the one that gave it away. So nothing
//! that could be reordered is lost.
//!
//! Addresses are recognised by their value in every aligned word that is written, however it is
//! put together. An address that is hidden (xor-ed with something, say) is not. If a thread comes
//! by one all the same, and uses it, what was explored so far is worthless: the check starts anew,
//! and takes everything for visible.
//!
//! Under a memory model an address may come to another thread without synchronisation, so that whatever the
//! owner did before matters, too. Then everything is visible from the start, but for the locals whose
//! addresses never leave their thread, which the lowering of the code finds.

pub(crate) mod address;
mod fault;
mod ids;
mod object;
mod undo;
mod written;

pub(crate) use address::{NEVER_WRITTEN, function_address, function_at, label_address};
pub(crate) use fault::Fault;
pub(crate) use object::{
    CONSTANT, CONTINUES, HEAP, LIVE, NEW, NEW_ARRAY, OWN, Object, StackSpace, VISIBLE,
};
pub(crate) use undo::{LogMark, Mark};

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use address::{
    HEAPS, STACKS, TABLES, continuation, depth_and_tag, id_of, leads_to_object, name_of, offset_of,
    table_of, without_tag,
};
use mazurka_core::model::{Location, ObjectId};
use undo::{Histories, Log};
use written::{Written, has_filling};

pub(crate) use ids::CommonIds;

#[cfg(target_endian = "big")]
compile_error!("the memory of programs is kept in the order of bytes of a little-endian machine");

/// Part of an object: what an address and a length refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// The first byte, counted from the start of all memory.
    pub(crate) byte: usize,
    /// The byte within the object.
    pub(crate) offset: u32,
    /// The object's name to the explorers, if it is visible.
    pub(crate) object: u32,
    pub(crate) flags: u8,
}

impl Spot {
    #[inline]
    pub(crate) fn is_visible(&self) -> bool {
        self.flags & VISIBLE != 0
    }

    /// Where it is, to the explorers.
    #[inline]
    pub(crate) fn location(&self, len: u32) -> Location {
        Location { object: ObjectId(self.object), start: self.offset, len }
    }

    /// The life of its object, to the explorers.
    pub(crate) fn life(&self) -> Location {
        Location::life(ObjectId(self.object))
    }
}

/// The memory of a program.
pub(crate) struct Memory {
    words: Vec<u64>,
    tables: Vec<Vec<Object>>,
    log: Log,
    histories: Histories,
    written: Written,
    /// The words from here on are new in this step.
    fresh_from: usize,
    /// Whether there is, or has been, a second thread.
    shared: bool,
    /// Whether every object is visible from then on: addresses come to other threads by ways that
    /// cannot be followed.
    pub(crate) shares_all: bool,
    /// The instructions that make locals which are never visible, whatever `shares_all` says.
    pub(crate) private_locals: Arc<HashSet<u32>>,
    /// The names of objects other than globals, by what their addresses have in common. It only
    /// grows, so that a name means the same in every execution.
    names: HashMap<u64, u32>,
    /// What each name is, for reports; globals first.
    named: Vec<u64>,
    /// Where the locals were made that others have been able to see, by their names.
    local_sites: HashMap<u32, u32>,
    /// The names that all machines share, if there are several.
    common: Option<CommonIds>,
    /// Objects whose contents are yet to be looked through for addresses.
    to_publish: Vec<(u32, u32)>,
    /// How often an address has been looked up.
    finds: Cell<u64>,
}

impl Memory {
    pub(crate) fn new(common: Option<CommonIds>) -> Self {
        let mut tables = Vec::new();
        tables.resize_with(TABLES, Vec::new);
        Memory {
            words: Vec::new(),
            tables,
            log: Log::default(),
            histories: Histories::default(),
            written: Written::default(),
            fresh_from: 0,
            shared: false,
            shares_all: false,
            private_locals: Arc::default(),
            names: HashMap::new(),
            named: Vec::new(),
            local_sites: HashMap::new(),
            common,
            to_publish: Vec::new(),
            finds: Cell::new(0),
        }
    }

    /// Finds what an access refers to.
    #[inline]
    pub(crate) fn find(&self, thread: usize, address: u64, len: u32) -> Result<Spot, Fault> {
        self.finds.set(self.finds.get() + 1);
        let table = table_of(address);
        let Some(objects) = self.tables.get(table) else { return Err(self.explain(address, len)) };
        let mut index = id_of(address);
        let mut tag = 0;
        if table >= STACKS {
            (index, tag) = depth_and_tag(index);
        }
        let Some(mut object) = objects.get(index as usize) else {
            return Err(self.explain(address, len));
        };
        let mut offset = offset_of(address);
        if object.flags & CONTINUES != 0 {
            offset = offset.wrapping_add(continuation(object.word));
            object = &objects[(index - object.word) as usize];
        }
        if u64::from(offset) + u64::from(len) > u64::from(object.size)
            || object.flags & LIVE == 0
            || object.tag != tag
        {
            return Err(self.explain(address, len));
        }
        if self.shared
            && object.flags & (VISIBLE | CONSTANT) == 0
            && table != HEAPS + thread
            && table != STACKS + thread
        {
            return Err(Fault::Hidden);
        }
        Ok(Spot {
            byte: object.word as usize * 8 + offset as usize,
            offset,
            object: object.name,
            flags: object.flags,
        })
    }

    /// Returns how often an address has been looked up so far.
    #[inline]
    pub(crate) fn finds(&self) -> u64 {
        self.finds.get()
    }

    /// Returns one of the words that Mazurka keeps for a thread, in its first object on the heap.
    #[inline]
    pub(crate) fn own_word(&self, thread: usize, number: u32) -> Option<u64> {
        let object = self.tables.get(HEAPS + thread)?.first()?;
        let is_there = object.flags & LIVE != 0 && number < object.words();
        is_there.then(|| self.words[(object.word + number) as usize])
    }

    /// Reads up to eight bytes.
    #[inline]
    pub(crate) fn read(&self, byte: usize, len: u32) -> u64 {
        debug_assert!(byte + len as usize <= self.words.len() * 8);
        let bytes = self.words.as_ptr().cast::<u8>();
        // SAFETY: a spot is within an object, and objects are within `words`; any bytes are a
        // valid integer, and the reads need no alignment.
        unsafe {
            let at = bytes.add(byte);
            match len {
                4 => u64::from(at.cast::<u32>().read_unaligned()),
                8 => at.cast::<u64>().read_unaligned(),
                1 => u64::from(at.read()),
                2 => u64::from(at.cast::<u16>().read_unaligned()),
                _ => {
                    let mut value = [0; 8];
                    std::ptr::copy_nonoverlapping(at, value.as_mut_ptr(), len.min(8) as usize);
                    u64::from_le_bytes(value)
                }
            }
        }
    }

    /// Writes up to eight bytes; what was there is logged.
    #[inline]
    pub(crate) fn write(&mut self, spot: Spot, len: u32, value: u64) {
        let byte = spot.byte;
        debug_assert!(byte + len as usize <= self.words.len() * 8);
        let (first, last) = (byte / 8, (byte + len as usize - 1) / 8);
        if first < self.fresh_from {
            self.log.words.push((first as u32, self.words[first]));
            if last != first {
                self.log.words.push((last as u32, self.words[last]));
            }
        }
        let bytes = self.words.as_mut_ptr().cast::<u8>();
        // SAFETY: as for `read`.
        unsafe {
            let at = bytes.add(byte);
            match len {
                4 => at.cast::<u32>().write_unaligned(value as u32),
                8 => at.cast::<u64>().write_unaligned(value),
                1 => at.write(value as u8),
                2 => at.cast::<u16>().write_unaligned(value as u16),
                _ => {
                    let value = value.to_le_bytes();
                    std::ptr::copy_nonoverlapping(value.as_ptr(), at, len.min(8) as usize);
                }
            }
        }
        if has_filling(value) {
            self.note_filling(byte, len, value);
        }
        if spot.is_visible() {
            self.publish_words(value, len, first, last);
        }
    }

    /// Makes visible what has just been given an address to in visible memory.
    #[inline]
    fn publish_words(&mut self, value: u64, len: u32, first: usize, last: usize) {
        for word in first..=last {
            let word = without_tag(self.words[word]);
            if leads_to_object(word) {
                self.publish(word);
            }
        }
        let value = without_tag(value);
        if len == 8 && leads_to_object(value) {
            self.publish(value);
        }
    }

    /// Copies bytes out.
    pub(crate) fn read_bytes(&self, spot: Spot, bytes: &mut [u8]) {
        for (i, chunk) in bytes.chunks_mut(8).enumerate() {
            let value = self.read(spot.byte + i * 8, chunk.len() as u32);
            chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
        }
    }

    /// Returns whether these bytes are there.
    pub(crate) fn holds(&self, spot: Spot, bytes: &[u8]) -> bool {
        bytes.chunks(8).enumerate().all(|(i, chunk)| {
            let value = self.read(spot.byte + i * 8, chunk.len() as u32);
            value.to_le_bytes()[..chunk.len()] == *chunk
        })
    }

    /// Copies bytes in.
    pub(crate) fn write_bytes(&mut self, spot: Spot, bytes: &[u8]) {
        for (i, chunk) in bytes.chunks(8).enumerate() {
            let mut value = [0; 8];
            value[..chunk.len()].copy_from_slice(chunk);
            let spot = Spot { byte: spot.byte + i * 8, ..spot };
            self.write(spot, chunk.len() as u32, u64::from_le_bytes(value));
        }
    }

    /// Gives an address away to other threads: the object becomes visible, and so does all that
    /// can be reached from it.
    pub(crate) fn publish(&mut self, address: u64) {
        if !self.shared || !leads_to_object(address) {
            return;
        }
        self.publish_object(address);
        self.publish_contents();
    }

    /// Makes visible what can be reached from the objects that have just become visible.
    fn publish_contents(&mut self) {
        while let Some((word, words)) = self.to_publish.pop() {
            for word in word..word + words {
                let value = without_tag(self.words[word as usize]);
                if leads_to_object(value) {
                    self.publish_object(value);
                }
            }
        }
    }

    /// Makes the object visible that an address [leads to](leads_to_object).
    fn publish_object(&mut self, address: u64) {
        let table = table_of(address);
        let Some(index) = self.index_of(address) else { return };
        let object = self.tables[table][index];
        if object.flags & (VISIBLE | LIVE) != LIVE {
            return;
        }
        debug_assert!(
            table < STACKS || !self.shares_all || !self.private_locals.contains(&object.site),
            "the address of a private local becomes visible"
        );
        self.log.objects.push(undo::Change::Altered(table as u32, index as u32, object));
        let name = self.name(address);
        let object = &mut self.tables[table][index];
        object.flags |= VISIBLE;
        object.name = name;
        if table >= STACKS {
            self.local_sites.insert(name, object.site);
        }
        self.to_publish.push((object.word, object.words()));
    }

    /// There is a second thread from now on: globals become visible.
    pub(crate) fn share(&mut self) {
        if std::mem::replace(&mut self.shared, true) {
            return;
        }
        self.log.objects.push(undo::Change::Shared);
        let globals = self.tables[address::GLOBALS].len();
        for index in 0..globals {
            let object = self.tables[address::GLOBALS][index];
            if object.flags & (CONSTANT | LIVE) != LIVE {
                continue;
            }
            let change = undo::Change::Altered(address::GLOBALS as u32, index as u32, object);
            self.log.objects.push(change);
            self.tables[address::GLOBALS][index].flags |= VISIBLE;
            self.to_publish.push((object.word, object.words()));
        }
        if self.shares_all {
            // The first object on the heap is the library's own.
            for (table, first) in [(HEAPS, 1), (STACKS, 0)] {
                for index in first..self.tables[table].len() {
                    let Object { flags, site, .. } = self.tables[table][index];
                    let is_private = table == STACKS && self.private_locals.contains(&site);
                    if flags & OWN != 0 || is_private {
                        continue;
                    }
                    let tag = self.tables[table][index].tag;
                    let id =
                        if table == STACKS { address::stack_id(index, tag) } else { index as u32 };
                    self.publish_object(address::address(table, id));
                }
            }
        }
        self.publish_contents();
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.shared
    }

    /// The name of an object to the explorers.
    pub(crate) fn name(&mut self, address: u64) -> u32 {
        let start = self.start_of(address);
        if table_of(start) == address::GLOBALS {
            return id_of(start);
        }
        match self.names.get(&name_of(start)) {
            Some(name) => *name,
            None => self.add_name(start),
        }
    }

    /// Names an object that has not been met before, by its first address.
    #[cold]
    fn add_name(&mut self, address: u64) -> u32 {
        let new = match &self.common {
            Some(common) => common.add_object(&self.named, address),
            None => vec![address],
        };
        for address in new {
            self.names.insert(name_of(address), self.named.len() as u32);
            self.named.push(address);
        }
        self.names[&name_of(address)]
    }

    /// The name of the object that an address belongs, or has belonged, to, if others have ever
    /// been able to see it.
    pub(crate) fn known_name(&self, address: u64) -> Option<u32> {
        let start = self.start_of(address);
        match table_of(start) == address::GLOBALS {
            true => Some(id_of(start)),
            false => self.names.get(&name_of(start)).copied(),
        }
    }

    /// Where the local was made that an address belongs, or has belonged, to, if others have ever been able
    /// to see it.
    pub(crate) fn site_of_shared_local(&self, address: u64) -> Option<u32> {
        self.local_sites.get(&self.known_name(address)?).copied()
    }

    /// The first address of the object with a name.
    pub(crate) fn address_of(&self, object: ObjectId) -> u64 {
        self.named[object.0 as usize]
    }

    /// The object that an address belongs to, if it is there.
    pub(crate) fn object_at(&self, address: u64) -> Option<&Object> {
        let index = self.index_of(address)?;
        self.tables.get(table_of(address))?.get(index)
    }

    /// Returns where the object of an address is in its table.
    fn index_of(&self, address: u64) -> Option<usize> {
        let table = table_of(address);
        let (mut index, mut tag) = (id_of(address), 0);
        if table >= STACKS {
            (index, tag) = depth_and_tag(index);
        }
        let object = self.tables.get(table)?.get(index as usize)?;
        if object.tag != tag {
            return None;
        }
        Some(if object.flags & CONTINUES != 0 { index - object.word } else { index } as usize)
    }

    /// Returns the first address of the object that an address belongs to.
    pub(crate) fn start_of(&self, address: u64) -> u64 {
        self.split(address).0
    }

    /// Returns the byte in its object that an address belongs to; huge if it is below the object.
    pub(crate) fn offset_of(&self, address: u64) -> u32 {
        self.split(address).1
    }

    /// Splits an address into the first address of its object and the byte in it.
    #[inline]
    pub(crate) fn split(&self, address: u64) -> (u64, u32) {
        let (table, id, offset) = (table_of(address), id_of(address), offset_of(address));
        let index = if table >= STACKS { depth_and_tag(id).0 } else { id };
        let object = self.tables.get(table).and_then(|objects| objects.get(index as usize));
        let behind = match object {
            Some(object) if object.flags & CONTINUES != 0 => object.word,
            _ => 0,
        };
        (address::address(table, id - behind), offset.wrapping_add(continuation(behind)))
    }

    /// The objects of a table.
    pub(crate) fn objects(&self, table: usize) -> &[Object] {
        &self.tables[table]
    }

    /// The contents of an object, as words.
    pub(crate) fn contents(&self, object: &Object) -> &[u64] {
        self.words_at(object.word, object.words())
    }

    /// So many words from one on.
    pub(crate) fn words_at(&self, first: u32, count: u32) -> &[u64] {
        &self.words[first as usize..(first + count) as usize]
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }
}
