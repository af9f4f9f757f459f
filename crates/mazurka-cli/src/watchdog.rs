//! Limits that hold wherever the time and the memory go.
//!
//! Explorers look at the time limit and at interrupts between steps. Some work takes longer than that:
//! reading a huge file, one endless step of a program, the planning of a search. A thread of its own
//! watches the clock and the memory of this process. It asks the explorer to stop, and ends the command
//! if that takes longer than [`GRACE`].

use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use crate::{Outcome, interrupt, json, resources};

/// How long the explorer may take to stop.
const GRACE: Duration = Duration::from_millis(800);
/// How often the thread looks.
const PERIOD: Duration = Duration::from_millis(20);

/// The part of the machine's memory that a check may use by default, in percent.
const DEFAULT_SHARE: u64 = 75;
/// The limit if the system does not tell how much memory there is.
const DEFAULT_LIMIT: u64 = 4 << 30;

/// How much memory a checked program may allocate if the user sets no limit.
const DEFAULT_PROGRAM_MEMORY: u64 = 1 << 30;

/// How much memory the program of a job may allocate, or 0 if this is no worker of a cluster.
static JOB_MEMORY: AtomicU64 = AtomicU64::new(0);
static MEMORY_LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static IS_OVER_MEMORY: AtomicBool = AtomicBool::new(false);
/// Who prints the verdict: [`OPEN`], [`COMMAND`] or [`WATCHDOG`].
static DECIDED_BY: AtomicU8 = AtomicU8::new(OPEN);
const OPEN: u8 = 0;
const COMMAND: u8 = 1;
const WATCHDOG: u8 = 2;
static WATCH: OnceLock<Watch> = OnceLock::new();
/// When the command began to be watched.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// What to watch.
pub(crate) struct Watch {
    pub(crate) time_limit: Option<Duration>,
    /// How much memory this process may use, in bytes.
    pub(crate) memory_limit: Option<u64>,
    /// The program, as it is named in verdicts.
    pub(crate) name: String,
    pub(crate) json: bool,
    /// Whether the search is saved when it stops, which must not be cut short.
    pub(crate) saves: bool,
}

/// Returns how much memory the check may use, in bytes.
pub(crate) fn memory_limit() -> u64 {
    MEMORY_LIMIT.load(SeqCst)
}

/// Returns how much memory a checked program may allocate, in bytes: half of the limit that the user has set.
/// The other half is for the explorer.
pub(crate) fn program_memory() -> u64 {
    let of_job = JOB_MEMORY.load(SeqCst);
    if of_job != 0 {
        return of_job;
    }
    let given = WATCH.get().and_then(|watch| watch.memory_limit);
    given.map_or(DEFAULT_PROGRAM_MEMORY, |limit| limit / 2)
}

/// Sets how much memory the program of a job may allocate: the same on all machines.
pub(crate) fn set_job_memory(bytes: u64) {
    JOB_MEMORY.store(bytes, SeqCst);
}

/// Returns whether the check was stopped because it used too much memory.
pub(crate) fn is_over_memory() -> bool {
    IS_OVER_MEMORY.load(SeqCst)
}

/// The command prints its verdict now. If the watchdog does so already, this does not return.
pub(crate) fn decide() {
    while DECIDED_BY.compare_exchange(OPEN, COMMAND, SeqCst, SeqCst) == Err(WATCHDOG) {
        sleep(PERIOD);
    }
}

/// Returns how much of a time limit is left to the search. Compiling and reading the program count, too: the
/// explorer must stop by itself, before the watchdog ends the command.
pub(crate) fn time_left(limit: Duration) -> Duration {
    match (WATCH.get(), STARTED.get()) {
        (Some(Watch { time_limit: Some(_), .. }), Some(started)) => {
            limit.saturating_sub(started.elapsed())
        }
        _ => limit,
    }
}

/// Starts to watch.
pub(crate) fn start(watch: Watch) {
    STARTED.get_or_init(Instant::now);
    let default =
        || resources::machine_memory().map_or(DEFAULT_LIMIT, |all| all / 100 * DEFAULT_SHARE);
    MEMORY_LIMIT.store(watch.memory_limit.unwrap_or_else(default), SeqCst);
    if WATCH.set(watch).is_ok() {
        spawn(run);
    }
}

fn run() {
    let Some(watch) = WATCH.get() else { return };
    let start = *STARTED.get_or_init(Instant::now);
    let mut stopping = None;
    loop {
        sleep(PERIOD);
        if resources::memory().is_some_and(|used| used > memory_limit()) {
            IS_OVER_MEMORY.store(true, SeqCst);
            interrupt::flag().store(true, SeqCst);
        }
        let is_late = watch.time_limit.is_some_and(|limit| start.elapsed() > limit);
        if !is_late && !interrupt::was_pressed() {
            continue;
        }
        if !watch.saves && stopping.get_or_insert_with(Instant::now).elapsed() > GRACE {
            if DECIDED_BY.compare_exchange(OPEN, WATCHDOG, SeqCst, SeqCst).is_err() {
                return;
            }
            end(watch, start.elapsed(), is_late);
        }
    }
}

/// Ends the command without the explorer.
fn end(watch: &Watch, elapsed: Duration, is_late: bool) -> ! {
    let (why, word) = match () {
        () if is_over_memory() => ("the memory limit", "memory"),
        () if is_late => ("the time limit", "time"),
        () => ("a signal", "interrupted"),
    };
    eprintln!(
        "{}: {why} stopped the check in the middle of its work, and nothing is proved",
        watch.name
    );
    if watch.json {
        println!("{}", json::of_end(&watch.name, word, elapsed));
    }
    mazurka_erlang::remove_temporary_directories();
    exit(Outcome::Stopped as i32)
}
