//! A closure, to be run.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mazurka_core::model::{Lesson, Program};
use mazurka_core::verdict::{Schedule, Violation};
use mazurka_report::{Recording, Subject};

use super::awaits::Found;
use super::departures::Departures;
use super::names::{CommonNames, Names};
use super::process::Site;
use super::recording::replay_recorded;
use super::resources::{Creator, Scrutiny};
use super::saved;
use super::{Fingerprint, RustMachine, Tuning};
use crate::report;

/// The closure that is checked.
pub(crate) type Main<'a> = dyn Fn() + Send + Sync + 'a;

/// A closure, and how to run it.
pub(crate) struct RustProgram<'a> {
    name: Cow<'static, str>,
    main: &'a Main<'a>,
    tuning: Tuning,
    lessons: Arc<Lessons>,
    fingerprint: Option<Fingerprint>,
    /// The names that its machines have in common, if there are to be several at once, and how much had
    /// been learnt when the first of them was given.
    crew: Option<Mutex<(usize, CommonNames)>>,
}

/// Of so many places, [`Lessons::suppose`] tries how their reference counts may matter.
const SUPPOSED_COUNTS: usize = 6;

/// What has been learnt of a program by running it, and must have been known from the start.
#[derive(Default)]
pub(crate) struct Lessons {
    /// The [departures](Departures) about which a process has asked.
    pub(super) departures: AtomicU8,
    /// Which departures and which reference counts are supposed to matter besides, as a number.
    supposed: AtomicU32,
    /// The places in the source that create several objects in one execution.
    pub(super) plural_sites: Mutex<Vec<usize>>,
    /// The places in the source that create values with a reference count, and how it matters.
    pub(super) counts: Mutex<Vec<(Creator, Option<Scrutiny>)>>,
    /// The places in the source that are in loops without a yield.
    pub(super) loops: Mutex<Vec<usize>>,
    /// The places in the source of operations in loops that wait for one location.
    pub(super) awaits: Mutex<Vec<Found>>,
    /// Whether interchangeable threads are told apart.
    pub(super) twins_are_apart: AtomicBool,
    count: AtomicUsize,
    /// Whether the program is checked under a memory model.
    memory_orderings: AtomicBool,
}

impl Lessons {
    /// Returns what has been learnt so far, to which others add.
    fn apart(&self) -> Self {
        let sites = |known: &Mutex<Vec<usize>>| {
            Mutex::new(known.lock().unwrap_or_else(PoisonError::into_inner).clone())
        };
        Lessons {
            departures: AtomicU8::new(self.departures.load(Relaxed)),
            supposed: AtomicU32::new(self.supposed.load(Relaxed)),
            plural_sites: sites(&self.plural_sites),
            counts: Mutex::new(self.lock_counts().clone()),
            loops: sites(&self.loops),
            awaits: Mutex::new(self.lock_awaits().clone()),
            twins_are_apart: AtomicBool::new(self.twins_are_apart.load(Relaxed)),
            count: AtomicUsize::new(self.count.load(Relaxed)),
            memory_orderings: AtomicBool::new(self.memory_orderings.load(Relaxed)),
        }
    }

    /// Which departures are steps.
    pub(super) fn departures(&self) -> Departures {
        let supposed = self.supposed.load(Relaxed) % u32::from(Departures::CHOICES);
        Departures::of_bits(self.departures.load(Relaxed) | supposed as u8)
    }

    /// Learns that these departures are steps. Returns the lesson, unless it was known.
    pub(super) fn learn_to_watch(&self, departures: Departures) -> Option<Lesson> {
        let known = self.departures.fetch_or(departures.bits(), Relaxed);
        self.count.fetch_add(1, Relaxed);
        let lesson = match departures {
            Departures { ends: true, .. } => Lesson::Ends,
            Departures { hangups: true, .. } => Lesson::Hangups,
            _ => Lesson::Arrivals,
        };
        (known | departures.bits() != known).then_some(lesson)
    }

    /// Supposes that other departures matter: a schedule may come from a check that knew more.
    /// Once all has been supposed it supposes nothing, and returns `false`.
    fn suppose(&self) -> bool {
        let places = self.lock_counts().len().min(SUPPOSED_COUNTS);
        let choices = u32::from(Departures::CHOICES) * 3_u32.pow(places as u32);
        let next = (self.supposed.load(Relaxed) + 1) % choices;
        self.supposed.store(next, Relaxed);
        next != 0
    }

    fn lock_counts(&self) -> MutexGuard<'_, Vec<(Creator, Option<Scrutiny>)>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the places in the source that create values with a reference count, and how it matters.
    pub(super) fn counts(&self) -> Vec<(Creator, Option<Scrutiny>)> {
        let mut counts = self.lock_counts().clone();
        let mut supposed = self.supposed.load(Relaxed) / u32::from(Departures::CHOICES);
        for (_, scrutiny) in counts.iter_mut().take(SUPPOSED_COUNTS) {
            let choice =
                [None, Some(Scrutiny::Destructor), Some(Scrutiny::Looks)][supposed as usize % 3];
            *scrutiny = (*scrutiny).max(choice);
            supposed /= 3;
        }
        counts
    }

    /// Takes note of places that create values with a reference count.
    pub(super) fn keep_counts<'a>(&self, creators: impl Iterator<Item = &'a Creator>) {
        let mut known = self.lock_counts();
        for creator in creators {
            if !known.iter().any(|(known, _)| known.place() == creator.place()) {
                known.push((creator.clone(), None));
            }
        }
    }

    /// Learns that the reference counts of values that are created at `site` matter.
    pub(super) fn learn_to_count(&self, site: Site, scrutiny: Scrutiny) {
        self.keep_counts(std::iter::once(&Creator::Site(site)));
        let mut known = self.lock_counts();
        known.iter_mut().filter(|(known, _)| known.is_at(site)).for_each(|(_, known)| {
            *known = (*known).max(Some(scrutiny));
        });
        self.count.fetch_add(1, Relaxed);
    }

    /// Keeps what a machine has learnt in time.
    pub(super) fn keep_plural_sites(&self, sites: &[usize]) {
        let mut known = self.plural_sites.lock().unwrap_or_else(PoisonError::into_inner);
        sites.iter().for_each(|site| {
            if !known.contains(site) {
                known.push(*site);
            }
        });
    }

    /// Learns that a place in the source is in a loop without a yield.
    pub(super) fn learn_of_loop(&self, place: usize) {
        let mut known = self.loops.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains(&place) {
            known.push(place);
        }
        self.count.fetch_add(1, Relaxed);
    }

    pub(super) fn lock_awaits(&self) -> MutexGuard<'_, Vec<Found>> {
        self.awaits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns of a loop that waits for one location.
    pub(super) fn learn_of_await(&self, found: Found) {
        let mut known = self.lock_awaits();
        // Another worker may have found it, too.
        if !known.contains(&found) {
            known.push(found);
            self.count.fetch_add(1, Relaxed);
        }
    }

    /// Learns that interchangeable threads are told apart.
    pub(super) fn learn_to_tell_twins_apart(&self) {
        self.twins_are_apart.store(true, Relaxed);
        self.count.fetch_add(1, Relaxed);
    }

    pub(super) fn learn_of_plural_site(&self, site: usize) {
        self.plural_sites.lock().unwrap_or_else(PoisonError::into_inner).push(site);
        self.count.fetch_add(1, Relaxed);
    }
}

impl<'a> RustProgram<'a> {
    pub(crate) fn new(main: &'a Main<'a>, tuning: Tuning) -> Self {
        let (name, lessons) = (Cow::Borrowed(""), Arc::default());
        RustProgram { name, main, tuning, lessons, fingerprint: None, crew: None }
    }

    /// The names that a machine has in common with others. Those from before something was learnt are
    /// not used again.
    fn common_names(&self) -> Option<CommonNames> {
        let mut crew = self.crew.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let lessons = self.lessons.count.load(Relaxed);
        if crew.0 != lessons {
            *crew = (lessons, Arc::new(Mutex::new(Names::new())));
        }
        Some(crew.1.clone())
    }

    /// Returns the program with a fingerprint of the states of its machines.
    pub(crate) fn with_fingerprint(self, fingerprint: Option<Fingerprint>) -> Self {
        RustProgram { fingerprint, ..self }
    }

    /// Returns the program with a name for reports.
    pub(crate) fn named(self, name: Cow<'static, str>) -> Self {
        RustProgram { name, ..self }
    }

    fn tuning(&self) -> Tuning {
        let memory_orderings = self.lessons.memory_orderings.load(Relaxed);
        Tuning { memory_orderings, ..self.tuning }
    }

    /// A machine that records what it does, and whether it could be started.
    pub(super) fn start_recording(&self) -> (RustMachine<'a>, Result<(), Box<Violation>>) {
        RustMachine::start(self.main, self.tuning(), self.lessons.clone(), None, true)
    }
}

impl<'a> Program for RustProgram<'a> {
    type Machine = RustMachine<'a>;

    fn start(&self) -> Result<Self::Machine, Box<Violation>> {
        loop {
            let learnt = self.lessons.count.load(Relaxed);
            let (lessons, names) = (self.lessons.clone(), self.common_names());
            let (machine, result) =
                RustMachine::start(self.main, self.tuning(), lessons, names, false);
            // What happened before the first step may be due to what was not known.
            if result.is_ok() || self.lessons.count.load(Relaxed) == learnt {
                return result.map(|()| machine.with_fingerprint(self.fingerprint.clone()));
            }
        }
    }

    fn for_workers(&self) -> Option<Self> {
        let names = Arc::new(Mutex::new(Names::new()));
        Some(RustProgram {
            name: self.name.clone(),
            main: self.main,
            tuning: self.tuning,
            lessons: self.lessons.clone(),
            fingerprint: self.fingerprint.clone(),
            crew: Some(Mutex::new((0, names))),
        })
    }

    fn save(&self) -> Option<Vec<u8>> {
        let names = self.common_names()?;
        let names = names.lock().unwrap_or_else(PoisonError::into_inner);
        Some(saved::save(&self.lessons, &names))
    }

    fn restore(&self, saved: &[u8]) -> bool {
        let (Some(names), Some(crew)) = (saved::restore(&self.lessons, saved), &self.crew) else {
            return false;
        };
        let mut crew = crew.lock().unwrap_or_else(PoisonError::into_inner);
        *crew = (self.lessons.count.load(Relaxed), Arc::new(Mutex::new(names)));
        true
    }

    fn apart(&self) -> Option<Self> {
        let names = self.common_names().unwrap_or_else(|| Arc::new(Mutex::new(Names::new())));
        let lessons = Arc::new(self.lessons.apart());
        let crew = Some(Mutex::new((lessons.count.load(Relaxed), names)));
        Some(RustProgram { lessons, crew, ..self.for_workers()? })
    }

    fn set_memory_orderings(&self, has_memory_orderings: bool) -> bool {
        let before = self.lessons.memory_orderings.swap(has_memory_orderings, Relaxed);
        if before != has_memory_orderings {
            // Names that were given before are not used again.
            self.lessons.count.fetch_add(1, Relaxed);
        }
        true
    }
}

impl Subject for RustProgram<'_> {
    fn name(&self) -> String {
        self.name.clone().into_owned()
    }

    fn record(&self, schedule: &Schedule) -> Recording {
        replay_recorded(self, schedule)
    }

    fn replay_command(&self, schedule: &Schedule) -> String {
        report::replay_command(schedule)
    }

    fn suppose(&self) -> bool {
        self.lessons.suppose()
    }
}
