//! Which slot of a frame holds what.
//!
//! A value that is used in its own block only gives its slot back after its last use, so that
//! frames stay small: they are copied in every step.

use std::collections::HashMap;

use crate::bytecode::{FRAME_HEADER, Slot};

/// The slots of a frame that is being laid out.
pub(super) struct Frame {
    next: Slot,
    /// Slots that are free again, by how many there are in a row.
    free: HashMap<u32, Vec<Slot>>,
    constants: HashMap<Vec<u64>, Slot>,
    /// What is put into slots when the function is called.
    pub(super) initial: Vec<(Slot, u64)>,
}

impl Frame {
    pub(super) fn new() -> Self {
        Frame {
            next: FRAME_HEADER,
            free: HashMap::new(),
            constants: HashMap::new(),
            initial: Vec::new(),
        }
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> u32 {
        self.next
    }

    /// Slots in a row that no other value gets.
    pub(super) fn own(&mut self, count: u32) -> Slot {
        let slot = self.next;
        self.next += count;
        slot
    }

    /// Slots in a row that are to be [given back](Frame::give_back).
    pub(super) fn borrow(&mut self, count: u32) -> Slot {
        match self.free.get_mut(&count).and_then(Vec::pop) {
            Some(slot) => slot,
            None => self.own(count),
        }
    }

    pub(super) fn give_back(&mut self, slot: Slot, count: u32) {
        self.free.entry(count).or_default().push(slot);
    }

    /// The slots of a constant.
    pub(super) fn constant(&mut self, value: Vec<u64>) -> Slot {
        if let Some(slot) = self.constants.get(&value) {
            return *slot;
        }
        let slot = self.own(value.len() as u32);
        self.initial.extend((slot..).zip(value.iter().copied()));
        self.constants.insert(value, slot);
        slot
    }
}
