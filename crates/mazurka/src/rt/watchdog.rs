//! Reports a step that does not end.
//!
//! The threads of the program under test share one OS thread, and switch only at operations of Mazurka. If
//! one of them waits for a lock of `std::sync`, or for an OS thread, no other thread runs, and the check
//! hangs. One OS thread of the whole process watches all checks, and says so on standard error.
//!
//! The watchdog reads what a runtime leaves in its [`Pulse`] at every switch and step: a few stores to
//! memory that is not shared with other checks. The runtime itself is not safe to read meanwhile.

use std::panic::Location as SourceLocation;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::Duration;

use super::process::{Process, Site};

/// How often the watchdog looks.
const INTERVAL: Duration = Duration::from_millis(500);
/// After how many looks without a change it says so: 5 seconds.
const PATIENCE: u32 = 10;

/// What the watchdog knows of a runtime.
#[derive(Default)]
pub(super) struct Pulse {
    /// Changes with every switch and every step, and is odd while a process runs.
    beats: AtomicU64,
    /// The process that runs: the rank of its creation.
    rank: AtomicUsize,
    /// Its name, if it has one.
    name: AtomicPtr<String>,
    /// The place of its last operation, or where it was spawned.
    site: AtomicPtr<SourceLocation<'static>>,
    /// Whether it has performed an operation.
    has_acted: AtomicBool,
}

/// A runtime that is watched.
struct Watched {
    pulse: Weak<Pulse>,
    beats: u64,
    looks: u32,
}

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

fn watched() -> MutexGuard<'static, Vec<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a name that lives for ever. A program has few names, the same in every execution.
pub(super) fn intern(name: &str) -> *mut String {
    static NAMES: Mutex<Vec<&'static String>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let known = names.iter().copied().find(|known| *known == name);
    let name = known.unwrap_or_else(|| {
        let name: &'static String = Box::leak(Box::new(name.to_owned()));
        names.push(name);
        name
    });
    ptr::from_ref(name).cast_mut()
}

impl Pulse {
    /// Creates a pulse that is watched.
    pub(super) fn new() -> Arc<Self> {
        static WATCHDOG: Once = Once::new();
        let pulse = Arc::new(Pulse::default());
        watched().push(Watched { pulse: Arc::downgrade(&pulse), beats: 0, looks: 0 });
        WATCHDOG.call_once(|| {
            let watchdog = std::thread::Builder::new().name("mazurka-watchdog".to_owned());
            // Without it, a check that hangs is silent.
            let _ = watchdog.stack_size(128 * 1024).spawn(watch);
        });
        pulse
    }

    #[inline]
    fn beat(&self, runs: u64) {
        let next = (self.beats.load(Relaxed) | 1) + 1 + runs;
        self.beats.store(next, Relaxed);
    }

    /// A process is resumed.
    #[inline]
    pub(super) fn resume(&self, process: &Process) {
        self.rank.store(process.rank, Relaxed);
        self.name.store(process.watched_name, Relaxed);
        self.has_acted.store(process.steps > 0, Relaxed);
        self.site.store(ptr::from_ref(process.pending.site).cast_mut(), Relaxed);
        self.beat(1);
    }

    /// The process that runs takes a step.
    #[inline]
    pub(super) fn step(&self, site: Site) {
        self.has_acted.store(true, Relaxed);
        self.site.store(ptr::from_ref(site).cast_mut(), Relaxed);
        self.beat(1);
    }

    /// No process runs.
    #[inline]
    pub(super) fn rest(&self) {
        self.beat(0);
    }

    fn report(&self) -> String {
        // SAFETY: names and places live for ever.
        let (name, site) = unsafe {
            (self.name.load(Relaxed).as_ref(), self.site.load(Relaxed).cast_const().as_ref())
        };
        let name = match (name, self.rank.load(Relaxed)) {
            (Some(name), _) => format!("'{name}'"),
            (None, 0) => "'main'".to_owned(),
            (None, rank) => format!("'thread {rank}'"),
        };
        let place = match (site, self.has_acted.load(Relaxed)) {
            (Some(site), true) => format!("after its operation at {site}"),
            (Some(site), false) if name != "'main'" => {
                format!("before its first operation; it was spawned at {site}")
            }
            _ => "before its first operation".to_owned(),
        };
        let seconds = (INTERVAL * PATIENCE).as_secs();
        format!(
            "mazurka: no step for {seconds} seconds. Thread {name} is stuck {place}\n\
             It may wait for a lock, a channel or a thread of `std`, which Mazurka cannot schedule: use \
             `mazurka::sync` and `mazurka::thread` for what threads of the check share. Or it computes \
             for long.\n"
        )
    }
}

fn watch() {
    loop {
        std::thread::sleep(INTERVAL);
        for report in look() {
            eprint!("{report}");
        }
    }
}

/// Returns what there is to say about runtimes that are stuck.
fn look() -> Vec<String> {
    let mut reports = Vec::new();
    watched().retain_mut(|watched| {
        let Some(pulse) = watched.pulse.upgrade() else { return false };
        let beats = pulse.beats.load(Relaxed);
        if beats != watched.beats {
            (watched.beats, watched.looks) = (beats, 0);
        } else if beats % 2 == 1 {
            watched.looks += 1;
            if watched.looks == PATIENCE {
                reports.push(pulse.report());
            }
        }
        true
    });
    reports
}
