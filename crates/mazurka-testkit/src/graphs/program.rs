//! The language.

use std::fmt;
use std::ops::Range;

use mazurka_core::model::MemoryOrdering;

/// All values are less than this.
pub const VALUES: u64 = 3;

/// How many registers a thread has.
pub const REGISTERS: usize = 3;

/// The location that each thread has for itself.
pub const OWN: u32 = 8;

/// The location that counts the arrivals at the barrier.
pub const BARRIER: u32 = 3;

/// Returns the location that a number stands for in a thread.
pub fn place(number: u32, thread: usize) -> u32 {
    match number {
        OWN => OWN + thread as u32,
        number => number,
    }
}

/// What an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number.
    Number(u64),
    /// What a register holds, and one.
    Next(usize),
}

impl Value {
    /// Returns the value, given what the registers hold.
    pub fn of(self, registers: &[u64; REGISTERS]) -> u64 {
        match self {
            Value::Number(number) => number % VALUES,
            Value::Next(register) => (registers[register] + 1) % VALUES,
        }
    }
}

/// One instruction of a thread. An access without an ordering is plain.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// Loads into a register.
    Load { from: u32, ordering: Option<MemoryOrdering>, register: usize },
    /// Stores a value.
    Store { to: u32, ordering: Option<MemoryOrdering>, value: Value },
    /// Adds to a location, and loads what was there into a register.
    Add { to: u32, ordering: MemoryOrdering, amount: u64, register: usize },
    /// Compares and exchanges, and loads what was there into a register.
    Exchange {
        at: u32,
        expected: u64,
        new: u64,
        success: MemoryOrdering,
        failure: MemoryOrdering,
        register: usize,
    },
    /// A fence.
    Fence(MemoryOrdering),
    /// Skips so many instructions if a register does not hold a value.
    Unless { register: usize, holds: u64, skip: usize },
    /// Waits until a location holds 0, and makes it 1.
    Lock(u32),
    /// Makes a location 0.
    Unlock(u32),
    /// Loads in a loop until the location holds a value. The machine says that the thread spins, as if it
    /// read several locations.
    Await { from: u32, ordering: MemoryOrdering, value: u64 },
    /// Compares and exchanges in a loop until that succeeds. The machine says that the thread spins on this
    /// location.
    AwaitExchange {
        at: u32,
        expected: u64,
        new: u64,
        success: MemoryOrdering,
        failure: MemoryOrdering,
    },
    /// Waits, as a loop does, until a location holds a value.
    Wait { from: u32, ordering: MemoryOrdering, value: u64 },
    /// Compares and exchanges in a loop that ends if that succeeds, or fails at another value. A register
    /// has what was there.
    WaitExchange {
        at: u32,
        expected: u64,
        other: u64,
        new: u64,
        success: MemoryOrdering,
        failure: MemoryOrdering,
        register: usize,
    },
    /// Loads from two locations in a loop until they hold the same value, which a register has then.
    Agree { first: u32, second: u32, ordering: MemoryOrdering, register: usize },
    /// Loads, and exchanges what was there by its successor, in a loop until that succeeds.
    Increment { at: u32, success: MemoryOrdering, failure: MemoryOrdering, register: usize },
    /// Waits until a thread has ended.
    Join(usize),
    /// Waits at the barrier for all threads that use it. If there is a register, it says whether the thread was
    /// the last one.
    Barrier(Option<usize>),
}

/// A program: its threads all exist from the start. All locations are 0 at the start.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Litmus {
    /// The threads.
    pub threads: Vec<Vec<Instruction>>,
}

impl Litmus {
    /// Returns whether a thread uses the barrier.
    pub fn uses_barrier(&self, thread: usize) -> bool {
        self.threads[thread].iter().any(|it| matches!(it, Instruction::Barrier(_)))
    }

    /// Returns how many threads use the barrier: it waits for all of them.
    pub fn barrier_size(&self) -> u64 {
        (0..self.threads.len()).filter(|thread| self.uses_barrier(*thread)).count() as u64
    }

    /// Returns the groups of threads that are interchangeable: neighbours with the same instructions. They
    /// are told apart if one of them is joined.
    pub fn twins(&self) -> Vec<Range<usize>> {
        let is_joined = |thread: usize| {
            self.threads
                .iter()
                .flatten()
                .any(|instruction| *instruction == Instruction::Join(thread))
        };
        let mut groups: Vec<Range<usize>> = Vec::new();
        for thread in 0..self.threads.len() {
            match groups.last_mut() {
                Some(group)
                    if self.threads[group.start] == self.threads[thread]
                        && !is_joined(group.start)
                        && !is_joined(thread) =>
                {
                    group.end = thread + 1;
                }
                _ => groups.push(thread..thread + 1),
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

impl fmt::Display for Litmus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, thread) in self.threads.iter().enumerate() {
            writeln!(f, "thread {number}:")?;
            for instruction in thread {
                writeln!(f, "  {instruction:?}")?;
            }
        }
        Ok(())
    }
}
