//! Event loops: random programs whose threads have queues, and their behaviour.
//!
//! * [`Loops`]: a program of threads, some of which handle events after their own code has ended;
//! * [`LoopMachine`]: a machine that runs it;
//! * [`random`]: generates a random one;
//! * [`Behaviour`]: its whole behaviour, found by brute force: its Mazurkiewicz traces, and its
//!   classes if the order of posts does not matter;
//! * [`compare`]: compares the explorers with that.

mod behaviour;
mod class;
mod compare;
mod machine;
mod random;
mod smaller;
mod syntax;

pub use behaviour::{Behaviour, enumerate};
pub use class::{ClassKey, TaskTrace};
pub use compare::{Compared, compare, report};
pub use machine::{LoopMachine, LoopProgram};
pub use random::{random, random_with_events};
pub use smaller::shrink;
pub use syntax::{Block, Loops, Statement, Thread};
