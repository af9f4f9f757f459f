//! Limits that hold wherever the time and the memory go.
//!
//! Explorers look at the time limit and at interrupts between steps. Some work takes longer than that:
//! reading a huge file, one endless step of a program, the planning of a search. A thread of its own
//! watches the clock and the memory of this process. It asks the explorer to stop, and ends the command
//! if that takes longer than [`GRACE`]. Compilers that the command runs end with it.

use std::io::{Write as _, stderr, stdout};
use std::process::exit;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use crate::{Outcome, interrupt, json, resources};

/// How long the explorer may take to stop. A process that has used much memory takes a while to end, too.
const GRACE: Duration = Duration::from_millis(600);
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
/// The check that is running, if one has begun.
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// What to watch.
pub(crate) struct Watch {
    /// How much memory this process may use, in bytes.
    pub(crate) memory_limit: Option<u64>,
    pub(crate) json: bool,
}

/// One of the checks of a command.
#[derive(Clone)]
pub(crate) struct Check {
    /// The program, as it is named in verdicts.
    pub(crate) name: String,
    pub(crate) time_limit: Option<Duration>,
    /// Whether the search is saved when it stops, which must not be cut short.
    pub(crate) saves: bool,
}

/// A check, and when it began.
#[derive(Clone)]
struct Running {
    check: Check,
    started: Instant,
}

impl Running {
    fn is_late(&self) -> bool {
        self.check.time_limit.is_some_and(|limit| self.started.elapsed() > limit)
    }
}

fn running() -> Option<Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
    match running() {
        Some(running) if running.check.time_limit.is_some() => {
            limit.saturating_sub(running.started.elapsed())
        }
        _ => limit,
    }
}

/// Starts to watch.
pub(crate) fn start(watch: Watch) {
    let default =
        || resources::machine_memory().map_or(DEFAULT_LIMIT, |all| all / 100 * DEFAULT_SHARE);
    MEMORY_LIMIT.store(watch.memory_limit.unwrap_or_else(default), SeqCst);
    if WATCH.set(watch).is_ok() {
        spawn(run);
    }
}

/// A check begins: the time limit and the name are its own. It ends when the command [decides](decide).
pub(crate) fn begin(check: Check) {
    let running = Running { check, started: Instant::now() };
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(running);
    let _ = DECIDED_BY.compare_exchange(COMMAND, OPEN, SeqCst, SeqCst);
}

fn run() {
    let mut stopping: Option<Instant> = None;
    loop {
        sleep(PERIOD);
        if resources::memory().is_some_and(|used| used > memory_limit()) {
            IS_OVER_MEMORY.store(true, SeqCst);
            interrupt::flag().store(true, SeqCst);
        }
        let Some(running) = running() else { continue };
        let must_stop = running.is_late() || interrupt::was_pressed();
        if !must_stop || running.check.saves || DECIDED_BY.load(SeqCst) == COMMAND {
            stopping = None;
        } else if stopping.get_or_insert_with(Instant::now).elapsed() > GRACE {
            end(&running);
        }
    }
}

/// Ends the command if it was interrupted. Ctrl-C ends a compiler, too, so that the program seems not to
/// compile.
pub(crate) fn end_if_interrupted() {
    // The signal may have reached the compiler before the thread that notes it.
    sleep(PERIOD);
    if let Some(running) = running().filter(|_| interrupt::was_pressed()) {
        end(&running);
    }
}

/// Ends the command without the explorer, unless the command prints its verdict already.
fn end(running: &Running) {
    if DECIDED_BY.compare_exchange(OPEN, WATCHDOG, SeqCst, SeqCst).is_err() {
        return;
    }
    let (why, word) = match () {
        () if is_over_memory() => ("the memory limit", "memory"),
        () if running.is_late() => ("the time limit", "time"),
        () => ("a signal", "interrupted"),
    };
    let name = &running.check.name;
    // A reader may have closed the output, as in `mazurka check … | head`. A panic would end this thread, and
    // the command would wait for it for ever.
    let _ = writeln!(
        stderr(),
        "{name}: {why} stopped the check in the middle of its work, and nothing is proved"
    );
    if WATCH.get().is_some_and(|watch| watch.json) {
        let _ = writeln!(stdout(), "{}", json::of_end(name, word, running.started.elapsed()));
    }
    clean_up();
    exit(Outcome::Stopped as i32)
}

/// Ends the compilers that the command runs, and removes its temporary files.
pub(crate) fn clean_up() {
    resources::end_children();
    mazurka_erlang::remove_temporary_directories();
}
