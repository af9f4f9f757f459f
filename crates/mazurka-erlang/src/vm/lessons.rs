//! What the machines of one program have learnt about it.
//!
//! Some of what a machine does is only needed by some programs, and costs time or executions in all
//! others:
//!
//! * Ends of processes and exit signals, if processes look at each other's *lives*: by links,
//!   monitors, names, exits, `is_process_alive` or tables, which die with their owners.
//! * Deliveries as changes of a queue, if processes look into *mailboxes* other than by receives:
//!   by `process_info`.
//! * Inserts and deletions as changes of *columns* of a table, if processes select objects by an element
//!   other than the key.
//! * The objects that keys of a table had earlier, if processes change objects that patterns *select*.
//! * Reads of numbers as waits, if processes *poll* numbers in arrays: see [`polls`](crate::machine).
//! * Lookups of a key as waits, if processes poll an entry of a table with this *key*.
//! * Steps as waits for the end of a suspension, if processes *suspend* each other.
//! * Reads of the group leader as steps, if processes change each other's group *leaders*.
//! * Calls of a module as steps, if processes *load* the module.
//! * Clocks, if processes look at the *time*.
//! * All permutations of [twins](super::twins), if the program tells them *apart*.
//! * System processes such as `application_controller`, if processes use them. They are started before
//!   the program.
//!
//! A machine that comes upon such a function does this from then on, and the search has to start over.
//! So that this is rare, a program runs one execution before the search.
//!
//! To learn from the imports of the loaded modules instead would teach too much: a module that also
//! exports a server would make ends of processes steps of all its programs. A loop that creates a process
//! in each round then has infinitely many states, since these processes may end at any later time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The place of `application_controller` among the system services.
pub(crate) const APPLICATIONS: u32 = 0;

/// What all machines of one program know.
#[derive(Debug, Default)]
pub(crate) struct Lessons {
    /// Whether processes look at each other's lives.
    pub(crate) lives: AtomicBool,
    /// Whether they look at the number of messages in mailboxes.
    pub(crate) mailboxes: AtomicBool,
    /// The processes whose messages they look at, one bit each.
    pub(crate) orders: AtomicU64,
    /// Whether they select objects of tables by elements other than the key.
    pub(crate) columns: AtomicBool,
    /// Whether they change objects of tables that patterns select.
    pub(crate) selections: AtomicBool,
    /// Whether they poll numbers of arrays.
    pub(crate) polls: AtomicBool,
    /// The hashes of the keys of tables that they poll.
    pub(crate) keys: Mutex<BTreeSet<u32>>,
    /// Whether they suspend each other.
    pub(crate) suspends: AtomicBool,
    /// Whether they change each other's group leaders.
    pub(crate) leaders: AtomicBool,
    /// Whether they look at the time.
    pub(crate) times: AtomicBool,
    /// Whether they tell twins apart.
    pub(crate) apart: AtomicBool,
    /// The system services to start before the program, one bit each.
    pub(crate) services: AtomicU32,
    /// The modules that they load.
    pub(crate) modules: Mutex<BTreeSet<String>>,
    /// Whether one execution has been run before the search.
    pub(crate) has_rehearsed: AtomicBool,
}

impl Lessons {
    /// Returns how much has been learnt.
    pub(crate) fn count(&self) -> usize {
        let learnt = self.flags();
        let learnt = learnt.iter().filter(|flag| !std::ptr::eq(**flag, &self.has_rehearsed));
        let services = self.services.load(Ordering::Relaxed).count_ones();
        let orders = self.orders.load(Ordering::Relaxed).count_ones();
        let learnt = learnt.filter(|lesson| lesson.load(Ordering::Relaxed)).count();
        learnt + (services + orders) as usize + self.known_modules().len() + self.known_keys().len()
    }

    /// Returns the hashes of the keys that processes poll.
    pub(crate) fn known_keys(&self) -> BTreeSet<u32> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn known_modules(&self) -> BTreeSet<String> {
        self.modules.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn flags(&self) -> [&AtomicBool; 10] {
        let Lessons {
            lives,
            mailboxes,
            columns,
            selections,
            polls,
            suspends,
            leaders,
            times,
            apart,
            has_rehearsed,
            ..
        } = self;
        [
            lives,
            mailboxes,
            columns,
            selections,
            polls,
            suspends,
            leaders,
            times,
            apart,
            has_rehearsed,
        ]
    }

    /// Returns what has been learnt so far, to which others add.
    pub(crate) fn apart(&self) -> Self {
        let copy = |lesson: &AtomicBool| AtomicBool::new(lesson.load(Ordering::Relaxed));
        Lessons {
            lives: copy(&self.lives),
            mailboxes: copy(&self.mailboxes),
            orders: AtomicU64::new(self.orders.load(Ordering::Relaxed)),
            columns: copy(&self.columns),
            selections: copy(&self.selections),
            polls: copy(&self.polls),
            keys: Mutex::new(self.known_keys()),
            suspends: copy(&self.suspends),
            leaders: copy(&self.leaders),
            times: copy(&self.times),
            apart: copy(&self.apart),
            services: AtomicU32::new(self.services.load(Ordering::Relaxed)),
            modules: Mutex::new(self.known_modules()),
            has_rehearsed: copy(&self.has_rehearsed),
        }
    }

    /// Returns all lessons as text.
    pub(crate) fn save(&self) -> String {
        let flags = self.flags().map(|flag| u32::from(flag.load(Ordering::Relaxed)).to_string());
        let services = self.services.load(Ordering::Relaxed);
        let orders = self.orders.load(Ordering::Relaxed);
        // A name may contain any character.
        let hex = |name: &String| name.bytes().map(|byte| format!("{byte:02x}")).collect();
        let modules: Vec<String> = self.known_modules().iter().map(hex).collect();
        let keys: Vec<String> = self.known_keys().iter().map(u32::to_string).collect();
        format!(
            "{services} {orders} {} +{} -{}",
            flags.join(" "),
            keys.join(","),
            modules.join(",")
        )
    }

    /// Restores what [`save`](Self::save) returned. Returns `None` if the text is malformed.
    pub(crate) fn restore(&self, text: &str) -> Option<()> {
        let (text, modules) = text.rsplit_once(" -")?;
        let modules = modules.split(',').filter(|name| !name.is_empty()).map(from_hex);
        *self.modules.lock().unwrap_or_else(PoisonError::into_inner) =
            modules.collect::<Option<_>>()?;
        let (text, keys) = text.rsplit_once(" +")?;
        let keys = keys.split(',').filter(|key| !key.is_empty()).map(|key| key.parse().ok());
        *self.keys.lock().unwrap_or_else(PoisonError::into_inner) = keys.collect::<Option<_>>()?;
        let words = text.split(' ').map(|word| word.parse().ok());
        let words: Vec<u64> = words.collect::<Option<_>>()?;
        let [services, orders, flags @ ..] = words.as_slice() else { return None };
        if flags.len() != self.flags().len() {
            return None;
        }
        self.services.store(u32::try_from(*services).ok()?, Ordering::Relaxed);
        self.orders.store(*orders, Ordering::Relaxed);
        for (flag, word) in self.flags().into_iter().zip(flags) {
            flag.store(*word != 0, Ordering::Relaxed);
        }
        Some(())
    }
}

fn from_hex(text: &str) -> Option<String> {
    let byte = |place: usize| u8::from_str_radix(text.get(place..place + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
    String::from_utf8(bytes?).ok()
}
