//! Checks of Mazurka on many machines, through NATS JetStream.
//!
//! A *coordinator* publishes a job: a program, its options, and one [`Part`](mazurka_core::explore::Part)
//! of its search, the whole. *Workers* take parts from a queue, explore each for about a second, and
//! publish what they found and what is left. The coordinator adds up the results, and puts what is left
//! into the queue. Any number of workers may come and go, on any machine.
//!
//! | in JetStream | what |
//! |---|---|
//! | work queue `MAZURKA_PARTS` | the parts to explore, of all jobs of `mazurka check`; acknowledged explicitly |
//! | work queue `MAZURKA_PARTS_<job>` | the parts of a job of a test binary |
//! | stream `MAZURKA_RESULTS_<job>` | one message for each explored part |
//! | key-value bucket `mazurka-jobs` | what a job is, and how far it has come |
//! | object store `mazurka-programs` | the files of programs |
//!
//! # Every execution counts once
//!
//! The stream of results is the truth, and everything else follows from it. [`Fold`] reads it from its
//! start, message by message. It knows the set of *open* parts: those that belong to the search and have
//! no result yet. In the beginning, the whole search is the only one. A result counts if and only if its
//! part is open. Then its counts are added, its part is closed, and the parts that it leaves become open.
//! They are named after the sequence number of the result in the stream, so a name is never used twice. The
//! search is complete when no part is open. For `optimal`, the fold also has a
//! [`Division`](mazurka_core::explore::Division): which branches the parts have at the prefixes that they
//! share. It depends on nothing but the results that counted, in their order.
//!
//! 1. *Nothing is counted twice, and nothing is missed.* A result is all or nothing: one message has the
//!    counts, the violations and the rest of its part. By the contract of
//!    [`explore_part`](mazurka_core::explore::explore_part), the executions of a part are those that were
//!    counted and those of the rest, each once. (For `optimal`, the rest includes the branches that the part
//!    has found for prefixes above it, unless other parts cover them.) So the executions that were counted and those of the open
//!    parts are at any time, together, those of the whole search, each once. This is an invariant of the
//!    fold, for any sequence of messages.
//! 2. *Duplicates do not matter.* If a worker was thought dead, then two workers explore a part, and both
//!    publish a result. They may have divided the rest differently. The first result in the stream closes
//!    the part. The second one finds it closed, and is ignored, with all that it leaves.
//! 3. *Crashes do not matter.* A worker acknowledges a part after the server has stored its result. If the
//!    worker dies before, the queue delivers the part again. A coordinator has no state of its own: one that
//!    starts anew reads the stream from its start, and comes to the same open parts, division, counts and
//!    names. Putting an open part into the queue once more is harmless, by 2.
//! 4. *The search ends.* If the queue has no part of a job, all results have been read, and some part is
//!    open, then the coordinator puts all open parts into the queue again. The order matters: it looks at
//!    the queue first. A part that was acknowledged by then has a result in the stream by then.
//!
//! JetStream drops messages with the same id within two minutes. Results have the name of their part as
//! id, which saves some space. The argument does not rely on it.
//!
//! If a machine [learns](mazurka_core::model::Lesson) something that it needs from the start, the result
//! says so. It closes all open parts, resets the counts, and leaves the whole search as the only part. Its
//! name is new, so results of the search before are ignored.
//!
//! The example `cluster_protocol` of the crate `mazurka` is a model of this protocol. Mazurka checks it
//! with and without 4. It finds that executions count twice if duplicates count, and that without 4 a
//! part is lost if a worker acknowledges it before it publishes the result.
//! The example `cluster_ledger` is a model of the division: the branches of a fork, with late results and a
//! coordinator that dies.
//!
//! # Who coordinates
//!
//! The status of a job names its coordinator, which writes the status every second. A process that finds
//! another name there stops coordinating. `mazurka check` and `mazurka jobs resume` coordinate when they
//! start. The processes of a test binary are all alike: the process that publishes the job coordinates it,
//! and another one takes over if the status does not change for five seconds. There may be two
//! coordinators for a second. That is harmless, by 3.
//!
//! # Messages are input like any other
//!
//! A client that can write to the streams can add false results, so a cluster needs the authentication of NATS
//! if others can reach the server. But no message makes a worker or a coordinator panic, use much memory,
//! or write outside of a temporary directory of its own. Malformed messages are ignored.

mod connection;
mod coordinator;
mod fold;
mod job;
mod join;
mod message;
mod queue;
mod worker;

pub use connection::{Address, Cluster};
pub use coordinator::{Ended, Flow, Progress};
pub use fold::Fold;
pub use job::{Crew, File, Job, NewJob, State, Status, VERSION};
pub use join::{Joined, join};
pub use message::{Malformed, PartName, PartResult};
pub use worker::{Directory, Explore, Explorers, answer_to_hunger};

use std::fmt;

/// Why something could not be done on a cluster, in a sentence or a few that say what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    message: String,
    /// Whether another process has ended the job, or coordinates it now.
    is_elsewhere: bool,
}

impl Error {
    /// Creates an error with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), is_elsewhere: false }
    }

    /// Returns an error of this action for a reason.
    fn of(action: &str, reason: impl fmt::Display) -> Self {
        Error::new(format!("{action}: {reason}"))
    }

    /// Returns the error of a coordinator whose job another process has ended or coordinates now.
    fn elsewhere(message: String) -> Self {
        Error { message, is_elsewhere: true }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
