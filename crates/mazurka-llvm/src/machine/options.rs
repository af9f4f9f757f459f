//! How to run a program.

use super::allowed::Allowed;
use super::property::Property;

/// What `rand` and its kin return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Random {
    /// A sequence that depends on this number, the same in every execution.
    Seed(u64),
    /// Any number below this one: all are tried.
    Choose(u32),
}

/// How to run a program, where that is not the program's to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LlvmOptions {
    /// How many jumps and calls a thread may take between two steps before it counts as one that
    /// runs for ever.
    pub local_steps: u64,
    /// How often a loop may go back to its start. Executions in which one does so more often are cut,
    /// and [`LlvmProgram::cut_loops`](crate::LlvmProgram::cut_loops) names it.
    pub unroll: Option<u32>,
    /// How many words of 8 bytes the frames of a thread may take.
    pub stack_words: usize,
    /// From where to where integers range that `__VERIFIER_nondet_int` and the like choose. There
    /// is no choice without it: a program that asks for one ends with an error.
    pub nondet: Option<(i64, i64)>,
    /// What `rand` and its kin return.
    pub random: Random,
    /// Whether the program is checked under a memory model: fences are steps, and all memory that has
    /// an address is visible to all threads.
    pub memory_orderings: bool,
    /// Whether iterations of loops that change nothing are left out, so that a thread that waits
    /// in a loop waits as it would for a lock. Never under a memory model.
    pub awaits: bool,
    /// Whether waits on condition variables may end without a notification.
    pub spurious_wakeups: bool,
    /// Whether weak compare-exchanges may fail although the value is the expected one.
    pub spurious_failures: bool,
    /// Whether memory that was not freed at the end is a violation.
    pub leaks: bool,
    /// How much memory the program may have, in bytes. More is an error.
    pub memory_limit: u64,
    /// Undefined behaviour that is no violation.
    pub allow: Allowed,
    /// What counts as a violation, if that is not everything.
    pub property: Option<Property>,
    /// What `main` gets besides the program's name.
    pub arguments: Vec<String>,
    /// The program's name, as `main` gets it.
    pub name: String,
}

impl Default for LlvmOptions {
    fn default() -> Self {
        LlvmOptions {
            local_steps: 10_000_000,
            unroll: None,
            stack_words: 1 << 20,
            nondet: None,
            random: Random::Seed(0),
            memory_orderings: false,
            awaits: true,
            spurious_wakeups: false,
            spurious_failures: false,
            leaks: false,
            memory_limit: 1 << 30,
            allow: Allowed::default(),
            property: None,
            arguments: Vec::new(),
            name: "program".to_owned(),
        }
    }
}
