//! The programs of the catalogue that are written in Rust.
//!
//! `programs/*.toml`, at the root of the repository, say what each explorer must count on them.
//! That only works if a program has no other visible operations than its description says: making
//! objects, creating threads and joining them are not steps, every load and store is one. `Arc` is
//! that of `std`, whose counters nobody sees.

mod counters;
mod events;
mod faulty;
mod fibonacci;
mod litmus;
mod locks;
mod messages;
mod mutual_exclusion;
mod one_variable;
mod tables;

use std::sync::Arc;

use mazurka::Check;
use mazurka::thread::{self, JoinHandle};

/// A program of the catalogue.
pub(crate) struct Program {
    /// Its name, also that of its file of expectations if it has one.
    pub(crate) name: &'static str,
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// What is to be run under the checker.
    pub(crate) body: Body,
    /// Whether it has servers, which wait for a request for ever.
    pub(crate) has_servers: bool,
}

/// The code of a program, by what it takes.
#[derive(Clone, Copy)]
pub(crate) enum Body {
    /// No parameter.
    Plain(fn()),
    /// One, [`PARAMETER`].
    Sized {
        /// The code.
        run: fn(usize),
        /// What the parameter is if nobody says.
        default: usize,
        /// What it is at least.
        least: usize,
    },
}

/// What the one parameter is called.
pub(crate) const PARAMETER: &str = "N";

impl Body {
    /// Runs the program; `n` is ignored if it takes no parameter.
    pub(crate) fn run(self, n: usize) {
        match self {
            Body::Plain(run) => run(),
            Body::Sized { run, .. } => run(n),
        }
    }
}

const fn plain(name: &'static str, about: &'static str, run: fn()) -> Program {
    Program { name, about, body: Body::Plain(run), has_servers: false }
}

const fn sized(name: &'static str, about: &'static str, default: usize, run: fn(usize)) -> Program {
    let body = Body::Sized { run, default, least: 1 };
    Program { name, about, body, has_servers: false }
}

impl Program {
    const fn at_least(self, least: usize) -> Self {
        let Body::Sized { run, default, .. } = self.body else { return self };
        Program { body: Body::Sized { run, default, least }, ..self }
    }

    const fn with_servers(self) -> Self {
        Program { has_servers: true, ..self }
    }

    /// A check with the settings that the program needs.
    pub(crate) fn prepare(&self, check: Check) -> Check {
        check.name(self.name).allow_idle_receivers(self.has_servers)
    }
}

/// All programs.
pub(crate) const ALL: &[Program] = &[
    sized("lastwrite", "N threads store, then main loads", 3, one_variable::lastwrite),
    sized("floating_read", "N threads store, one loads", 3, one_variable::floating_read),
    sized("readers", "one thread stores, N load", 3, one_variable::readers),
    sized("readers_joined", "the same, and main joins them all", 3, one_variable::readers_joined),
    sized("casrot", "thread i swaps i-1 for i", 4, one_variable::casrot),
    sized(
        "n_writes_a_read_two_threads",
        "two threads store N times, then load",
        3,
        one_variable::n_writes_a_read_two_threads,
    ),
    sized(
        "redundant_co",
        "two threads store N times, a third loads twice",
        2,
        one_variable::redundant_co,
    ),
    sized("share_nothing", "N threads with a variable each", 4, one_variable::share_nothing),
    sized("fib_bench", "two sums that grow by each other, N times", 3, fibonacci::joined),
    sized("fib_bench_unjoined", "the same, while main looks on", 3, fibonacci::unjoined),
    sized("lastzero", "a walk down an array that N threads fill", 4, tables::lastzero),
    sized("indexer", "N threads fill a hash table with a lock for each cell", 12, tables::indexer),
    sized("mutex_counter", "N threads increment a counter under a lock", 3, counters::mutex),
    sized("pthread_demo", "two threads do so N times each", 3, counters::pthread_demo),
    sized("n_senders", "N threads send a message, main receives them all", 3, counters::n_senders),
    sized(
        "dining_philosophers",
        "N philosophers take the left fork, then the right one: a deadlock",
        3,
        locks::dining_philosophers,
    )
    .at_least(2),
    sized("lamport", "Lamport's second fast mutex, N threads", 2, mutual_exclusion::lamport),
    sized("opt_lock", "a lock that gives up after N times", 2, mutual_exclusion::opt_lock),
    plain("peterson", "Peterson's mutex, spinning", mutual_exclusion::peterson),
    plain("store_buffering", "each stores, then loads the other's", litmus::store_buffering),
    plain("iriw", "two loaders see two independent stores", litmus::iriw),
    plain("message_passing", "data, then a flag", litmus::message_passing),
    sized("lost_update", "N threads load, then store one more: a bug", 2, faulty::lost_update),
    sized("not_selective", "N actors send, main receives them all", 3, messages::not_selective),
    sized("selective", "the same, one after the other", 3, messages::selective),
    sized("lock", "N workers acquire and release a lock that is an actor", 3, messages::lock)
        .with_servers(),
    sized(
        "n_senders_one_receive",
        "N actors send, main receives one message",
        3,
        messages::n_senders_one_receive,
    ),
    plain("two_senders_blocking", "the same, with two", messages::two_senders_blocking),
    plain(
        "two_senders_polling",
        "the same, and main only looks whether there is a message",
        messages::two_senders_polling,
    ),
    plain("observed_later", "a receive decides if there is another", messages::observed_later),
    plain("events_figure_1", "events that have nothing to do with each other", events::figure_1),
    plain("events_figure_3", "a handler against a thread of another one", events::figure_3),
    plain("events_figure_5", "of three handlers two are in conflict", events::figure_5),
    plain("events_figure_9", "conflicts across three queues", events::figure_9),
    plain("events_figure_13", "a handler writes, others read", events::figure_13),
    plain("events_figure_16", "a thread writes, two handlers read", events::figure_16),
    plain("events_figure_19", "a thread and two handlers take a lock", events::figure_19),
    plain("abba_deadlock", "two locks in two orders: a deadlock", locks::abba_deadlock),
    plain("missed_notification", "waits without looking: a deadlock", locks::missed_notification),
    plain("early_flag", "a flag before its data: a data race", faulty::early_flag),
    plain("endless_spin", "spins on a flag that may not come: a livelock", faulty::endless_spin),
];

/// The program of that name.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    ALL.iter().find(|program| program.name == name)
}

/// Creates a thread that does `f` with one more reference to `shared`.
fn spawn_with<T, R>(shared: &Arc<T>, f: impl FnOnce(&T) -> R + Send + 'static) -> JoinHandle<R>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    let shared = Arc::clone(shared);
    thread::spawn(move || f(&shared))
}

/// Creates a thread with a name, that does `f` with one more reference to `shared`.
fn spawn_named<T, R>(
    name: impl Into<String>,
    shared: &Arc<T>,
    f: impl FnOnce(&T) -> R + Send + 'static,
) -> JoinHandle<R>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    let shared = Arc::clone(shared);
    thread::Builder::new().name(name.into()).spawn(move || f(&shared)).expect("a thread")
}

fn join_all<R>(threads: impl IntoIterator<Item = JoinHandle<R>>) {
    for thread in threads {
        thread.join().unwrap();
    }
}
