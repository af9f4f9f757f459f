//! What a program must free: values with a reference count, and memory that it has allocated.
//!
//! # When a change of a reference count is a step
//!
//! Most programs cannot tell in which order two references are dropped. So these drops are not steps.
//! The order matters in two cases ([`Scrutiny`]):
//!
//! * The destructor of the value takes steps. The thread that drops the last reference takes them.
//! * The program looks at the count, by `strong_count`, `get_mut`, `upgrade` and the like.
//!
//! Once a check sees one of these, it starts over. From then on, every change of the count of a value
//! that was created at the same place in the source is a step. Nothing is missed by that: up to that
//! moment, no step of the execution depended on the order of the drops.
//!
//! A destructor that takes no steps runs as a part of the step that drops the last reference. An operation
//! that it calls finds the [`Restriction`], before anything is scheduled.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::process::{Site, State};
use super::program::Lessons;
use super::{Operation, Runtime, alive, in_present, try_with, with};

/// What an operation must not do, because of the code that calls it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Restriction {
    /// Nothing.
    None,
    /// The code must not use any operation: see [`without_operations`].
    NoOperations,
    /// The code is a destructor that must not take steps, since the check has not learnt that it does.
    /// This is where the value was created.
    Destructor(Site),
}

/// How a program depends on a reference count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Scrutiny {
    /// The destructor of the value takes steps.
    Destructor,
    /// The program looks at the count.
    Looks,
}

/// A value with a reference count.
struct Counted {
    site: Site,
    scrutiny: Option<Scrutiny>,
    /// The cell whose value is the count, once a step has changed it.
    object: Option<ObjectId>,
    /// Whether the value must be dropped before the execution ends.
    must_be_freed: bool,
    /// The values are numbered as they are created.
    rank: usize,
}

/// The resources of an execution, and what the check has learnt about them.
#[derive(Default)]
pub(super) struct Resources {
    /// By address. An address may be out of date if its value was dropped; it is replaced when another
    /// value is created there.
    counted: FxHashMap<usize, Counted>,
    /// Memory that the program has allocated itself, and what kind of memory it is.
    allocated: FxHashMap<usize, (&'static str, Site, usize)>,
    created: usize,
    /// The places in the source that create values with a reference count, in any execution.
    creators: Vec<(Creator, Option<Scrutiny>)>,
    /// Whether there is a place whose counts are steps.
    is_any_watched: bool,
    /// What the current step has taught.
    pub(super) wanted: Option<(Site, Scrutiny)>,
}

/// A place in the source that creates values with a reference count.
#[derive(Clone, Debug)]
pub(crate) enum Creator {
    /// A place that has created one in this process.
    Site(Site),
    /// A place that was restored from a saved search.
    Saved {
        /// The file.
        file: Arc<str>,
        /// The line and the column, counted from 1.
        line: u32,
        column: u32,
    },
}

impl Creator {
    /// Returns whether this is the same place. A place may have several copies in a program.
    pub(super) fn is_at(&self, site: Site) -> bool {
        match self {
            Creator::Site(known) => std::ptr::eq(*known, site) || *known == site,
            Creator::Saved { .. } => self.place() == Creator::Site(site).place(),
        }
    }

    /// Returns the file, the line and the column.
    pub(super) fn place(&self) -> (&str, u32, u32) {
        match self {
            Creator::Site(site) => (site.file(), site.line(), site.column()),
            Creator::Saved { file, line, column } => (file, *line, *column),
        }
    }
}

impl Resources {
    /// Forgets an execution.
    pub(super) fn clear(&mut self) {
        if self.created > 0 {
            self.counted.clear();
            self.allocated.clear();
            self.created = 0;
        }
        self.wanted = None;
    }

    /// Takes over what the check has learnt.
    pub(super) fn learn(&mut self, lessons: &Lessons) {
        self.creators = lessons.counts();
        self.is_any_watched = self.creators.iter().any(|(_, scrutiny)| scrutiny.is_some());
    }

    pub(super) fn forget_lessons(&mut self) {
        self.creators.clear();
        self.is_any_watched = false;
    }

    /// Returns the places in the source that have created values with a reference count.
    pub(super) fn creators(&self) -> impl Iterator<Item = &Creator> {
        self.creators.iter().map(|(creator, _)| creator)
    }

    fn scrutiny_at(&mut self, site: Site) -> Option<Scrutiny> {
        let known = self.creators.iter().find(|(known, _)| known.is_at(site));
        match known {
            Some((_, scrutiny)) => *scrutiny,
            None => {
                self.creators.push((Creator::Site(site), None));
                None
            }
        }
    }
}

/// Begins to count the references to the value at `address`.
pub(crate) fn count(address: usize, site: Site) {
    try_with(|rt| {
        if rt.dead || rt.current == super::runtime::NO_EVENT {
            return;
        }
        let must_be_freed = rt.processes[rt.current].initialises == 0;
        let resources = &mut rt.resources;
        let scrutiny = resources.scrutiny_at(site);
        let rank = resources.created;
        resources.created += 1;
        let counted = Counted { site, scrutiny, object: None, must_be_freed, rank };
        resources.counted.insert(address, counted);
    });
}

/// The last reference to the value at `address` is gone.
pub(crate) fn uncount(address: usize) {
    try_with(|rt| {
        if let Some(counted) = rt.resources.counted.get_mut(&address) {
            counted.must_be_freed = false;
        }
    });
}

/// A reference count whose changes are steps.
pub(crate) struct Count {
    address: usize,
    pub(crate) site: Site,
    /// Why they are steps.
    pub(crate) scrutiny: Scrutiny,
}

/// Returns the count of the value at `address`, if its changes are steps.
#[inline]
pub(crate) fn watched_count(address: usize) -> Option<Count> {
    try_with(|rt| match rt.resources.is_any_watched && !rt.dead {
        true => {
            let counted = rt.resources.counted.get(&address)?;
            Some(Count { address, site: counted.site, scrutiny: counted.scrutiny? })
        }
        false => None,
    })
    .flatten()
}

/// Returns the count of the value at `address`, for an operation that looks at it. Returns `None` if no
/// other thread can change it, or if the execution is being torn down.
#[track_caller]
pub(crate) fn look_at_count(address: usize) -> Option<Count> {
    let unwatched = try_with(|rt| {
        let counted = rt.resources.counted.get(&address)?;
        let is_alone = rt.created.len() == 1 && counted.scrutiny.is_none();
        let is_known = counted.scrutiny == Some(Scrutiny::Looks);
        (!rt.dead && !is_alone && !is_known).then_some(counted.site)
    });
    if let Some(site) = unwatched.flatten() {
        ask_for(site, Scrutiny::Looks);
    }
    watched_count(address).filter(|count| count.scrutiny == Scrutiny::Looks)
}

impl Count {
    /// Takes a step that changes the count, or looks at it. `change` returns the new count. Returns the
    /// previous count, or `None` if the execution is being torn down.
    ///
    /// If the count is not known yet, it is `now` before the step. The ordering is what `std` uses.
    #[track_caller]
    pub(crate) fn step(
        &self,
        (name, site): (&'static str, Option<Site>),
        (op, ordering): (Op, MemoryOrdering),
        now: u64,
        change: impl FnOnce(u64) -> u64,
    ) -> Option<u64> {
        if !alive() {
            return None;
        }
        let site = site.unwrap_or(self.site);
        let object = with(|rt| rt.count_object(self.address, now))?;
        let action = in_present(Action::new(op, Location::whole(object)), ordering);
        Operation::new(name, site).action(action).turn()?;
        with(|rt| {
            let before = rt.value(object);
            let after = change(before);
            rt.perform(action.performed(before, after));
            rt.log(site, |rt| format!("{name}({}) → {}", rt.object_name(object), after as u32));
            Some(before)
        })
    }
}

/// What the violation says that asks for a new start. No report shows it.
const RESTART: &str = "reference counts matter that were not steps: the check must start anew";

/// Makes the counts of values that are created at `site` steps from now on. The execution is over.
///
/// The process may be in a destructor, which must not end in the middle. So it goes on when the execution
/// [runs out](super::run_out), and then asks for nothing.
#[cold]
#[track_caller]
fn ask_for(site: Site, scrutiny: Scrutiny) {
    let counts_for_nothing = with(|rt| {
        rt.restriction = Restriction::None;
        if !rt.runs_out {
            rt.resources.wanted = Some((site, scrutiny));
            rt.fail(ViolationKind::Nondeterminism, RESTART.to_owned());
        }
        rt.runs_out
    });
    if !counts_for_nothing {
        Operation::new("drop", site).turn();
    }
}

/// Runs the destructor of the value at `address` as a part of the current step.
#[inline]
pub(crate) fn quietly(address: usize, destructor: impl FnOnce()) {
    let site = try_with(|rt| match rt.dead || rt.resources.created == 0 {
        true => None,
        false => rt.resources.counted.get(&address).map(|counted| counted.site),
    });
    let Some(site) = site.flatten() else { return destructor() };
    let _restricted = Restricted::new(Restriction::Destructor(site));
    destructor();
}

/// Runs code of the user that must not use any operation.
pub(crate) fn without_operations<R>(f: impl FnOnce() -> R) -> R {
    let _restricted = Restricted::new(Restriction::NoOperations);
    f()
}

/// While it exists, operations are restricted.
struct Restricted {
    before: Restriction,
}

impl Restricted {
    fn new(restriction: Restriction) -> Self {
        with(|rt| {
            let before = rt.restriction;
            if before != Restriction::NoOperations {
                rt.restriction = restriction;
            }
            Restricted { before }
        })
    }
}

impl Drop for Restricted {
    fn drop(&mut self) {
        // In a teardown there are no restrictions.
        with(|rt| rt.restriction = if rt.dead { Restriction::None } else { self.before });
    }
}

/// Handles an operation that a [`Restriction`] is about.
#[cold]
#[track_caller]
pub(super) fn refuse_operation() {
    match with(|rt| if rt.dead { Restriction::None } else { rt.restriction }) {
        Restriction::None => {}
        Restriction::Destructor(site) => ask_for(site, Scrutiny::Destructor),
        Restriction::NoOperations => panic!(
            "the pattern of a receive, what makes a message of the end of an actor, and the \
             fingerprint of a check must not use threads, locks, atomics, channels or actors: they \
             are run again and again, whenever a message comes that they could match, or after any \
             step"
        ),
    }
}

/// The program asks which thread runs: in a destructor, that depends on the order of drops.
#[track_caller]
pub(crate) fn identity_matters() {
    let restriction = with(|rt| if rt.dead { Restriction::None } else { rt.restriction });
    if let Restriction::Destructor(site) = restriction {
        ask_for(site, Scrutiny::Destructor);
    }
}

impl Runtime {
    #[inline]
    pub(crate) fn is_restricted(&self) -> bool {
        self.restriction != Restriction::None
    }

    /// Returns the cell of a reference count, whose value is `now` if it is new.
    fn count_object(&mut self, address: usize, now: u64) -> Option<ObjectId> {
        let counted = self.resources.counted.get(&address)?;
        let site = counted.site;
        if let Some(object) = counted.object {
            return Some(object);
        }
        let object = self.register_at(site, "Arc", now);
        self.resources.counted.get_mut(&address)?.object = Some(object);
        Some(object)
    }

    /// Returns the violation that an execution which has ended with leaks is.
    pub(super) fn leak(&self) -> Option<Box<Violation>> {
        let has_ended = |process: &usize| self.processes[*process].state == State::Ended;
        if self.tuning.allow_leaks || !self.created.iter().all(has_ended) {
            return None;
        }
        let resources = &self.resources;
        let counted = resources.counted.values().filter(|counted| counted.must_be_freed);
        let counted = counted.map(|counted| (counted.rank, "the value of an `Arc`", counted.site));
        let allocated =
            resources.allocated.values().map(|(kind, site, rank)| (*rank, *kind, *site));
        let mut leaks: Vec<_> = counted.chain(allocated).collect();
        leaks.sort_by_key(|(rank, ..)| *rank);
        if leaks.is_empty() {
            return None;
        }
        let lines = leaks.iter().map(|(_, kind, site)| format!("\n  {kind}, created at {site}"));
        let message = format!(
            "all threads have ended, and this was never freed:{}\n\
             If it is meant to stay, as the value of a `static` is, set `Check::allow_leaks(true)`.",
            lines.collect::<String>()
        );
        Some(Box::new(Violation::new(ViolationKind::Leak, message)))
    }
}

/// Memory that must be freed before the execution ends, and has been registered under a key.
pub(crate) mod memory {
    use super::*;

    /// Registers memory. It is called `kind` in reports.
    pub(crate) fn allocate(key: usize, kind: &'static str, site: Site) {
        try_with(|rt| {
            if !rt.dead {
                let resources = &mut rt.resources;
                resources.allocated.insert(key, (kind, site, resources.created));
                resources.created += 1;
            }
        });
    }

    /// Forgets memory that is freed. Returns whether it was registered in this execution, or cannot have
    /// been: outside of a check, and while an execution is being torn down, nothing is registered.
    pub(crate) fn free(key: usize) -> bool {
        let freed = try_with(|rt| rt.resources.allocated.remove(&key).is_some() || rt.dead);
        freed.unwrap_or(true)
    }

    /// Returns a key that is not an address, and is not used again in this execution.
    pub(crate) fn key() -> usize {
        // Addresses of allocations are even.
        try_with(|rt| rt.resources.created).unwrap_or(0) * 2 + 1
    }
}

/// While it exists, the current process initialises a value that may be a `static`: what it creates
/// need not be freed.
pub(crate) struct Initialising(());

impl Initialising {
    pub(crate) fn new() -> Self {
        try_with(|rt| rt.change_initialises(1));
        Initialising(())
    }
}

impl Drop for Initialising {
    fn drop(&mut self) {
        try_with(|rt| rt.change_initialises(-1));
    }
}

impl Runtime {
    fn change_initialises(&mut self, by: i32) {
        if let Some(process) = self.processes.get_mut(self.current) {
            process.initialises = process.initialises.saturating_add_signed(by);
        }
    }
}
