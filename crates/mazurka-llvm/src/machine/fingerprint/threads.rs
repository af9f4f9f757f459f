//! What there is of a thread, besides memory.
//!
//! Frames come outermost first, since those change least: when a thread has taken a step, the frames
//! below the ones that it was in are as before.

use mazurka_core::model::Digest;

use super::contents::Contents;
use crate::bytecode::{Code, Pc};
use crate::machine::LlvmMachine;
use crate::machine::frame::frames;
use crate::machine::thread::{Status, Thread};
use crate::memory::Memory;
use crate::memory::address::{HEAPS, address};

/// A frame, or what else a thread is.
#[derive(Default)]
pub(super) struct Root {
    /// Where the frame starts.
    base: u32,
    /// Where it is among the words of its thread.
    at: usize,
    pub(super) contents: Contents,
    /// What it adds to the digest of its section.
    pub(super) value: Digest,
}

/// What there is of a thread.
#[derive(Default)]
pub(super) struct Roots {
    /// The frames, and last the rest. Those from `len` on are left over.
    roots: Vec<Root>,
    len: usize,
    /// All of them in words.
    pub(super) words: Vec<u64>,
    /// Where frames are, and where the thread is in them: innermost first.
    open: Vec<(u32, Pc)>,
}

impl Roots {
    pub(super) fn get(&self) -> &[Root] {
        &self.roots[..self.len]
    }

    pub(super) fn get_mut(&mut self) -> &mut [Root] {
        &mut self.roots[..self.len]
    }

    /// Looks at a thread anew, of which frames that start before `from` are as they were. Returns how
    /// many of the roots are the same as before.
    pub(super) fn renew(
        &mut self,
        machine: &LlvmMachine,
        index: usize,
        thread: &Thread,
        from: u32,
    ) -> usize {
        let (code, memory) = (&machine.code, &machine.memory);
        // The last root is no frame.
        let before = &self.roots[..self.len.saturating_sub(1)];
        let mut kept = before.partition_point(|frame| frame.base < from);
        self.open.clear();
        match thread.state.status {
            Status::Absent | Status::Ended | Status::Gone => kept = 0,
            _ => {
                let last = kept.checked_sub(1).map(|last| self.roots[last].base);
                let frames = frames(code, thread);
                self.open.extend(frames.take_while(|(base, _)| Some(*base) != last));
            }
        }
        self.words.truncate(self.roots.get(kept).map_or(0, |root| root.at));
        self.len = kept;
        while let Some((base, pc)) = self.open.pop() {
            let frame = &thread.stack[base as usize..];
            let mut root = self.new_root(memory, base);
            root.plain(u64::from(pc) | frame[0] << 32);
            root.value(frame[3]);
            code.live_at(pc).iter().for_each(|slot| root.value(frame[*slot as usize]));
        }
        if thread.state.status != Status::Absent {
            self.new_root(memory, 0).rest(code, index, thread);
        }
        kept
    }

    /// One more root, of which there is nothing yet.
    fn new_root<'a>(&'a mut self, memory: &'a Memory, base: u32) -> NewRoot<'a> {
        if self.roots.len() == self.len {
            self.roots.push(Root::default());
        }
        let root = &mut self.roots[self.len];
        self.len += 1;
        (root.base, root.at) = (base, self.words.len());
        root.contents.clear();
        NewRoot { memory, contents: &mut root.contents, words: &mut self.words }
    }
}

/// A root that is being put together.
struct NewRoot<'a> {
    memory: &'a Memory,
    contents: &'a mut Contents,
    words: &'a mut Vec<u64>,
}

impl NewRoot<'_> {
    /// A number that is no address.
    fn plain(&mut self, word: u64) {
        self.contents.digest.add(word);
        self.words.push(word);
    }

    /// A value of the program.
    fn value(&mut self, value: u64) {
        self.words.push(self.contents.add(self.memory, value));
    }

    /// All but the frames of a thread.
    fn rest(&mut self, code: &Code, index: usize, thread: &Thread) {
        let state = &thread.state;
        let (status, what) = match state.status {
            Status::Absent => (0, 0),
            Status::Running | Status::Ready => (1, 0),
            Status::Choosing => (2, 0),
            Status::Joining(other) => (3, u64::from(other)),
            Status::Waiting(at) => (4, at),
            Status::Stopped => (5, 0),
            Status::Ended => (6, state.result),
            Status::Gone => (7, 0),
        };
        let flags = u64::from(thread.claimed) | u64::from(state.detached) << 1;
        self.plain(status | flags << 8 | u64::from(state.children) << 16);
        self.value(what);
        self.value(thread.function);
        if matches!(state.status, Status::Ended | Status::Gone) {
            return;
        }
        self.plain(u64::from(state.pc) | u64::from(state.atomic) << 32);
        self.value(state.phase);
        thread.watch.describe(|word| self.plain(word));
        // What the library and the program keep for the thread alone.
        for number in 0..=code.thread_locals.len() as u32 {
            self.value(address(HEAPS + index, number));
        }
    }
}
