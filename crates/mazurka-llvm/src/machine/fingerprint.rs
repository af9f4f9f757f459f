//! What tells states apart.
//!
//! The digest covers all that decides what the program can do from now on: every thread's frames,
//! as far as their slots still matter where the thread is, the globals, and whatever memory can be
//! reached from these. It does not cover what the program has printed, nor memory that nobody can
//! reach.
//!
//! Objects on the heap count by the order in which they are found from the threads and globals on,
//! not by their addresses: a program that frees a block and allocates another is in the same state
//! as before, and it does not matter who has allocated what first. (A program that compares the
//! addresses of different objects, or computes with them, may tell such states apart all the same.)
//!
//! What is in large objects is digested in chunks, which are digested again only after something in them
//! has changed; see [`Chunks`].

use std::cell::RefCell;
use std::collections::HashMap;

use super::LlvmMachine;
use super::thread::Status;
use crate::bytecode::Op;
use crate::memory::address::{
    GLOBALS, HEAPS, STACKS, TABLES, address, name_of, offset_of, table_of,
};
use crate::memory::{CHUNK, CONSTANT, Chunks, LIVE, Object};

/// Two digests of 64 bits at once, and what they are digests of, if that is to be written down.
struct Digest<'a> {
    low: u64,
    high: u64,
    words: Option<&'a mut Vec<u64>>,
}

impl Digest<'_> {
    #[inline]
    fn add(&mut self, word: u64) {
        self.low = (self.low ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.low ^= self.low >> 29;
        self.high = (self.high.rotate_left(23) ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.high ^= self.high >> 32;
        if let Some(words) = &mut self.words {
            words.push(word);
        }
    }

    /// Adds the digest of some words.
    fn add_digested(&mut self, [low, high]: [u64; 2], digested: &[u64]) {
        let words = self.words.take();
        self.add(low);
        self.add(high);
        self.words = words;
        if let Some(words) = &mut self.words {
            words.extend_from_slice(digested);
        }
    }

    /// The digest of some words by themselves, unless there are addresses among them that count by
    /// what they lead to.
    fn of(words: &[u64]) -> Option<[u64; 2]> {
        let mut digest = Digest { low: 3, high: 4, words: None };
        words.iter().for_each(|word| digest.add(*word));
        let is_plain = !words.iter().any(|word| leads_to_object(*word));
        is_plain.then_some([digest.low, digest.high])
    }
}

/// Whether a value is an address on the heap or on a stack.
#[inline]
fn leads_to_object(value: u64) -> bool {
    (HEAPS..TABLES).contains(&table_of(value))
}

/// Objects that were found, and are to be looked through. Kept from one time to the next.
#[derive(Default)]
pub(super) struct Found {
    numbers: HashMap<u64, u64>,
    queue: Vec<u64>,
}

/// A digest that is being put together.
struct Survey<'a> {
    machine: &'a LlvmMachine,
    digest: Digest<'a>,
    found: &'a mut Found,
    chunks: &'a mut Chunks,
}

impl Survey<'_> {
    /// Adds a value. If it is an address on the heap or on a stack, it counts by when its object was
    /// found, and that is looked through later.
    #[inline]
    fn value(&mut self, value: u64) {
        match leads_to_object(value) {
            true => self.address(value),
            false => self.digest.add(value),
        }
    }

    fn address(&mut self, value: u64) {
        let next = self.found.numbers.len() as u64;
        let number = *self.found.numbers.entry(name_of(value)).or_insert(next);
        if number == next {
            self.found.queue.push(value);
        }
        self.digest.add(u64::MAX - number);
        self.digest.add(u64::from(offset_of(value)));
    }

    /// Adds what has been found.
    fn objects(&mut self) {
        let mut next = 0;
        while let Some(value) = self.found.queue.get(next).copied() {
            next += 1;
            // Who owns it decides who sees it.
            self.digest.add(table_of(value) as u64);
            match self.machine.memory.object_at(value) {
                Some(object) if object.flags & LIVE != 0 => {
                    self.digest.add(u64::from(object.size) << 8 | u64::from(object.flags));
                    self.contents(object);
                }
                _ => self.digest.add(u64::MAX),
            }
        }
    }

    /// Adds what is in an object.
    fn contents(&mut self, object: &Object) {
        let (chunks, rest) = self.machine.memory.contents(object).as_chunks::<CHUNK>();
        for (index, chunk) in chunks.iter().enumerate() {
            let start = object.word as usize + index * CHUNK;
            match self.chunks.digest(start, || Digest::of(chunk)) {
                Some(digest) => self.digest.add_digested(digest, chunk),
                None => chunk.iter().for_each(|word| self.value(*word)),
            }
        }
        rest.iter().for_each(|word| self.value(*word));
    }

    fn thread(&mut self, index: usize) {
        let thread = &self.machine.threads[index];
        let state = &thread.state;
        let (status, what) = match state.status {
            Status::Absent => return self.digest.add(0),
            Status::Running | Status::Ready => (1, 0),
            Status::Choosing => (2, 0),
            Status::Joining(other) => (3, u64::from(other)),
            Status::Waiting(at) => (4, at),
            Status::Stopped => (5, 0),
            Status::Ended => (6, state.result),
            Status::Gone => (7, 0),
        };
        let flags = u64::from(thread.claimed) | u64::from(state.detached) << 1;
        self.digest.add(status | flags << 8 | u64::from(state.children) << 16);
        self.value(what);
        self.value(thread.function);
        if matches!(state.status, Status::Ended | Status::Gone) {
            return;
        }
        self.digest.add(u64::from(state.pc) | u64::from(state.atomic) << 32);
        self.value(state.phase);
        self.frames(index);
        thread.watch.describe(|word| self.digest.add(word));
        // What the library and the program keep for the thread alone.
        for number in 0..=self.machine.code.thread_locals.len() as u32 {
            self.value(address(HEAPS + index, number));
        }
    }

    /// Adds the frames of a thread, from the innermost one on.
    fn frames(&mut self, index: usize) {
        let thread = &self.machine.threads[index];
        let (mut pc, mut base) = (thread.state.pc, thread.state.base);
        loop {
            for slot in self.machine.code.live_at(pc) {
                self.value(thread.stack[(base + slot) as usize]);
            }
            if base == 0 {
                return;
            }
            let header = &thread.stack[base as usize..];
            let back = header[0] as u32;
            self.digest.add(u64::from(back));
            self.value(header[3]);
            base = (header[0] >> 32) as u32;
            // Who has called is at the instruction before the one to go on with, unless it is a
            // library function that is to be called again.
            let called_again = (header[1] >> 32) as u32 == super::frame::AGAIN;
            let is_library = matches!(
                self.machine.code.ops[back as usize],
                Op::CallLibrary { .. } | Op::CallPointer { .. }
            );
            pc = if called_again && is_library { back } else { back - 1 };
        }
    }
}

impl LlvmMachine {
    /// A digest of all that decides what the program can do from now on, which is written down, too,
    /// if there is something to write it to.
    pub(super) fn digest(&self, words: Option<&mut Vec<u64>>) -> u128 {
        let mut chunks = self.memory.chunks.borrow_mut();
        self.memory.update(&mut chunks);
        let digest = self.survey(&mut chunks, words);
        debug_assert_eq!(digest, self.digest_anew(), "a digest that was kept is out of date");
        digest
    }

    /// The same, with nothing known from before.
    fn digest_anew(&self) -> u128 {
        let mut chunks = Chunks::default();
        self.memory.update(&mut chunks);
        self.survey(&mut chunks, None)
    }

    fn survey(&self, chunks: &mut Chunks, words: Option<&mut Vec<u64>>) -> u128 {
        let mut found = self.found.borrow_mut();
        found.numbers.clear();
        found.queue.clear();
        let digest = Digest { low: 1, high: 2, words };
        let mut survey = Survey { machine: self, digest, found: &mut found, chunks };
        let ending = &self.ending_state;
        let flags = u64::from(ending.assumption_failed) | u64::from(ending.failed) << 1;
        survey.digest.add(flags | u64::from(ending.unjoined) << 8);
        survey.digest.add(ending.exit_code.map_or(u64::MAX, |code| u64::from(code as u32)));
        for index in 0..self.threads.len() {
            survey.thread(index);
        }
        for object in self.memory.objects(GLOBALS) {
            if object.flags & CONSTANT == 0 {
                survey.contents(object);
            }
        }
        survey.objects();
        u128::from(survey.digest.high) << 64 | u128::from(survey.digest.low)
    }
}

/// What is found is kept between surveys, so that they allocate nothing.
pub(super) type FoundCell = RefCell<Found>;

/// The tables of stacks come right behind those of heaps.
const _: () = assert!(HEAPS < STACKS && STACKS < TABLES);
