//! Memory that is never freed and that no pointer leads to, at the end of an execution.

use std::collections::HashSet;

use mazurka_core::verdict::{Violation, ViolationKind};

use super::LlvmMachine;
use super::property::Property;
use super::thread::Status;
use crate::memory::address::{
    GLOBALS, HEAPS, STACKS, address, leads_to_object, name_of, without_tag,
};
use crate::memory::{HEAP, LIVE};

impl LlvmMachine {
    /// Returns a leak, if the user wants to know of leaks and there is one.
    ///
    /// A block is no leak if a pointer in a global variable, in a thread-local variable of the main
    /// thread, or in a thread that has not ended leads to it: the program could still free it.
    pub(super) fn leak(&self) -> Option<Box<Violation>> {
        let property = self.options.property.as_ref();
        if !self.options.leaks && !property.is_some_and(Property::has_leaks) {
            return None;
        }
        let must_free_all = property.is_some_and(Property::must_free_all);
        let reached = if must_free_all { HashSet::new() } else { self.reachable() };
        for thread in 0..self.threads.len() {
            for (index, object) in self.memory.objects(HEAPS + thread).iter().enumerate() {
                let address = address(HEAPS + thread, index as u32);
                if object.flags & (HEAP | LIVE) == HEAP | LIVE
                    && !reached.contains(&name_of(address))
                {
                    let name = self.describe_object(address);
                    let why = if must_free_all { "" } else { ", and no pointer leads to it" };
                    let message = format!("{name} ({} bytes) is never freed{why}", object.size);
                    return Some(Box::new(Violation::new(ViolationKind::Leak, message)));
                }
            }
        }
        None
    }

    /// Returns the names of all blocks that the program could still get at.
    fn reachable(&self) -> HashSet<u64> {
        let exits = self.exit_code_given().is_some();
        let mut reached = HashSet::new();
        let mut found: Vec<u64> = Vec::new();
        let contents = |table: usize, flags: u8| {
            let objects = self.memory.objects(table).iter();
            objects.filter(move |object| object.flags & (LIVE | HEAP) == LIVE | flags)
        };
        let mut look = |words: &[u64], found: &mut Vec<u64>| {
            let words = words.iter().map(|word| without_tag(*word));
            for word in words.filter(|word| leads_to_object(*word)) {
                let start = self.memory.start_of(word);
                if reached.insert(name_of(start)) {
                    found.push(start);
                }
            }
        };
        for object in contents(GLOBALS, 0) {
            look(self.memory.contents(object), &mut found);
        }
        for (index, thread) in self.threads.iter().enumerate() {
            // The functions of a thread that has called `exit` have not returned.
            let is_over = match thread.state.status {
                Status::Absent => true,
                Status::Ended => index > 0 || !exits,
                Status::Gone => !exits,
                _ => false,
            };
            if !is_over {
                look(&thread.stack[..thread.state.top as usize], &mut found);
                for object in contents(STACKS + index, 0) {
                    look(self.memory.contents(object), &mut found);
                }
            }
            // Its thread-local variables, and what the library keeps for it.
            if !is_over || index == 0 {
                for object in contents(HEAPS + index, 0) {
                    look(self.memory.contents(object), &mut found);
                }
            }
        }
        while let Some(address) = found.pop() {
            if let Some(object) = self.memory.object_at(address).filter(|o| o.flags & LIVE != 0) {
                look(self.memory.contents(object), &mut found);
            }
        }
        reached
    }
}
