//! Event loops: random programs whose threads have queues, and everything that they can do.
//!
//! * [`Loops`]: a program of threads, some of which handle events once their own code has ended;
//! * [`LoopMachine`]: a machine that runs it;
//! * [`random`]: a random one;
//! * [`Behaviour`]: all that it can do, found by brute force: its Mazurkiewicz traces, and its
//!   classes when the order of posts is no matter;
//! * [`compare`]: whether the explorers agree with that.

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
