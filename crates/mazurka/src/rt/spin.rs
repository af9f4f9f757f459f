//! Spin loops.
//!
//! A process spins if, as long as what it has read stays the same, it would go on reading that and do
//! nothing else. Such a process is held back at its next operation until one of the values differs from
//! the one that it has read. If none ever does, the execution is a livelock.
//!
//! Loops are looked at where a *round* of them ends: at a yield, and at operations that have turned out to be
//! in a loop without a yield ([`Loops`]). Whether the process would only repeat itself is found out by
//! [running it ahead](super::ahead). A process that is about to leave the loop by itself, because it counts
//! its rounds, say, is not held back.

use std::hash::{Hash, Hasher};

use mazurka_core::model::{Action, Location, Op, When};
use mazurka_core::verdict::ViolationKind;

use super::ahead::Fate;
use super::process::{Process, Site};
use super::{Runtime, local_state, with};

/// So many locations are remembered. A loop that reads more of them in a round is not recognised.
const CAPACITY: usize = 16;
/// If a process has read the same values so often without a yield, it may be in a loop.
pub(super) const MANY_READS: u32 = 64;
/// A process that yields so often without an operation never ends.
const MOST_IDLE_YIELDS: u32 = 1_000_000;

/// The message of the violation that asks for a new start. It is never shown.
const RESTART: &str = "a thread may be in a loop: the check must start anew";

/// What a process has read since it last changed something, and what its next operation waits for.
#[derive(Default)]
pub(super) struct Watch {
    /// The locations, with the values last read.
    known: Vec<(Location, u64)>,
    /// Which of them makes room for the next one.
    oldest: usize,
    /// The channel or mailbox in which the process has found nothing, if it has done nothing else since it
    /// last changed something.
    looked: Option<Location>,
    /// Whether the process has performed an operation in this round.
    acted: bool,
    /// Whether it has changed something in this round.
    wrote: bool,
    /// How many rounds the process is known to go on for as long as the values stay the same.
    rounds_left: u32,
    /// How often a value was read again, since one of them changed or the round began.
    repeated: u32,
    /// Yields since the last operation.
    idle_yields: u32,
    /// Whether the process waits for a message, since it would only look again.
    waits_for_message: bool,
    /// What holds the next operation back: it can go on once one of these conditions holds.
    guards: Vec<Action>,
}

impl Watch {
    pub(super) fn clear(&mut self) {
        self.note_progress();
        self.begin_round();
        self.wrote = false;
        self.idle_yields = 0;
        self.waits_for_message = false;
        self.guards.clear();
    }

    /// Takes note of an action that the process has performed.
    #[inline(always)]
    pub(super) fn note(&mut self, action: &Action) {
        self.acted = true;
        match action.op {
            Op::TakeNone | Op::ReceiveNone => self.note_look(action.on),
            _ if action.before != action.after => self.note_progress(),
            Op::Read if action.plain => {}
            _ if action.plain => self.note_progress(),
            Op::Read | Op::Update => self.note_value(action.on, action.before),
            _ => {}
        }
    }

    /// The process has done something that others might care about.
    #[inline]
    pub(super) fn note_progress(&mut self) {
        self.wrote = true;
        self.known.clear();
        self.looked = None;
        self.rounds_left = 0;
        self.repeated = 0;
    }

    /// The process has looked for a message in vain. The explorers cannot wait for a message or a value:
    /// a process that looks for both is not held back.
    fn note_look(&mut self, on: Location) {
        let is_new = self.looked.is_none_or(|looked| looked != on);
        if is_new {
            self.note_progress();
            self.wrote = false;
        }
        self.looked = Some(on);
        self.repeated += 1;
    }

    /// Takes note of a value that the process has seen.
    fn note_value(&mut self, on: Location, value: u64) {
        if self.looked.is_some() {
            self.note_progress();
        }
        match self.known.iter().position(|(location, _)| *location == on) {
            Some(index) if self.known[index].1 == value => {
                self.repeated += 1;
                return;
            }
            Some(index) => self.known[index].1 = value,
            None if self.known.len() == CAPACITY => {
                self.known[self.oldest % CAPACITY] = (on, value);
                self.oldest += 1;
            }
            None => self.known.push((on, value)),
        }
        self.rounds_left = 0;
        self.repeated = 0;
    }

    fn begin_round(&mut self) {
        self.acted = false;
        self.wrote = false;
        self.repeated = 0;
    }

    /// Ends a round. Returns whether the process may be one that only repeats itself.
    fn end_round(&mut self) -> bool {
        let may_spin =
            self.acted && !self.wrote && (self.looked.is_some() || !self.known.is_empty());
        self.begin_round();
        let is_known = may_spin && self.rounds_left > 0;
        if is_known {
            self.rounds_left -= 1;
        }
        may_spin && !is_known
    }

    /// The process is not held back for so many rounds more, unless a value changes.
    pub(super) fn goes_on(&mut self, rounds: u32) {
        self.rounds_left = rounds;
    }

    /// Holds the process back until one of these values, which are among those that it has read, or the
    /// channel that it has looked into, changes.
    pub(super) fn hold_back(&mut self, locations: &[Location]) {
        self.known.retain(|(on, _)| locations.contains(on));
        self.oldest = 0;
        self.guards.clear();
        self.guards.extend(self.known.iter().map(|&(on, value)| differs(on, value)));
        self.waits_for_message = self.looked.is_some();
    }

    /// Digests what is to come of it.
    pub(super) fn hash_state(&self, hasher: &mut impl Hasher) {
        self.known.hash(hasher);
        self.guards.iter().for_each(|guard| (guard.on, guard.when).hash(hasher));
        (self.guards.len(), self.acted, self.wrote, self.looked, self.rounds_left).hash(hasher);
        (self.oldest, self.waits_for_message).hash(hasher);
    }

    /// Returns the values that the process has read since it last changed something.
    pub(super) fn known(&self) -> &[(Location, u64)] {
        &self.known
    }

    /// Returns where the process has looked for a message in vain, if it has done nothing else since.
    pub(super) fn looked(&self) -> Option<Location> {
        self.looked
    }

    /// Returns whether the process has changed something in this round.
    pub(super) fn has_written(&self) -> bool {
        self.wrote
    }

    /// Returns whether the process has read the same values so often that it may be in a loop.
    #[inline]
    pub(super) fn seems_to_loop(&self) -> bool {
        self.repeated >= MANY_READS
    }

    /// Returns what holds the next operation back, as pending actions.
    pub(super) fn guards(&self) -> &[Action] {
        &self.guards
    }

    /// The process takes a step. Returns whether it has guards.
    #[inline]
    pub(super) fn begin_step(&mut self) -> bool {
        self.idle_yields = 0;
        self.waits_for_message = false;
        !self.guards.is_empty()
    }

    /// Holds the next operation back until a condition holds.
    pub(super) fn guard(&mut self, guard: Action) {
        self.guards.push(guard);
    }

    pub(super) fn drop_guards(&mut self) {
        self.guards.clear();
    }
}

/// Returns the guard that holds while the value of `on` is not `seen`.
fn differs(on: Location, seen: u64) -> Action {
    Action::new(Op::Read, on).when(When::Differs(seen)).guarding()
}

/// The operations that are taken for the end of a round, by their places in the source: those of loops
/// without a yield.
#[derive(Default)]
pub(super) struct Loops {
    places: Vec<usize>,
    /// A place that has just turned out to be in a loop.
    found: Option<usize>,
}

impl Loops {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.found = None;
    }

    /// Sets the places.
    pub(super) fn learn(&mut self, places: &[usize]) {
        self.places.extend_from_slice(places);
    }

    /// Returns whether a place in a loop was found that was not known.
    #[inline]
    pub(super) fn has_news(&self) -> bool {
        self.found.is_some()
    }

    /// Returns the place in a loop that was found.
    pub(super) fn take_news(&mut self) -> Option<usize> {
        self.found.take()
    }
}

/// Ends a round of a loop, if the current process is in one.
#[track_caller]
#[inline]
pub(crate) fn yield_now() {
    match yield_here() {
        OUTSIDE => {
            super::alive();
        }
        // Here, so that what `yield_here` has left on the stack is wiped, too.
        EXACT => local_state::wipe(),
        _ => {}
    }
}

/// What [`yield_here`] returns outside of a check.
const OUTSIDE: u32 = 0;
/// What it returns usually.
pub(super) const INSIDE: u32 = 1;
/// What it returns if local states are compared.
const EXACT: u32 = 2;

/// Ends a round of a loop. Its address is known to those who [interpret](super::iteration) iterations.
#[inline(never)]
pub(crate) extern "C-unwind" fn yield_here() -> u32 {
    if !super::is_inside() {
        return OUTSIDE;
    }
    if super::alive() && with(Runtime::yields) {
        super::ahead::stop();
    }
    if with(|rt| rt.is_exact) { EXACT } else { INSIDE }
}

impl Runtime {
    /// Notes that the last operation of the current process is progress, although it has left the value
    /// of its object as it was: a yield that follows does not wait until that changes.
    pub(crate) fn note_progress(&mut self) {
        let current = self.current;
        self.processes[current].watch.note_progress();
    }

    /// Notes that the last operation of the current process has looked for a message in vain.
    pub(crate) fn note_look(&mut self, on: Location) {
        let current = self.current;
        self.processes[current].watch.note_look(on);
    }

    /// The current process yields. Returns whether it must not go on.
    fn yields(&mut self) -> bool {
        let watch = &mut self.processes[self.current].watch;
        watch.idle_yields += 1;
        if watch.idle_yields == MOST_IDLE_YIELDS {
            let name = self.process_name(self.current());
            let message = format!(
                "{name} has yielded {MOST_IDLE_YIELDS} times without an operation of Mazurka: it waits for \
                 something that no other thread of the check can change"
            );
            self.fail(ViolationKind::Livelock, message);
            return true;
        }
        self.end_round();
        self.is_ahead_over()
    }

    /// The current process has come to an operation.
    #[inline]
    pub(super) fn arrive(&mut self, site: Site) {
        if !self.loops.places.is_empty() {
            self.arrive_in_loop(site);
        }
    }

    #[cold]
    fn arrive_in_loop(&mut self, site: Site) {
        if self.loops.places.contains(&identity(site)) {
            self.end_round();
        }
    }

    /// The current process, which is at an operation, seems to be in a loop without a yield.
    #[cold]
    pub(super) fn find_loop(&mut self, site: Site) {
        if self.ahead.is_none() && !self.runs_out && !self.loops.places.contains(&identity(site)) {
            self.loops.found = Some(identity(site));
            self.fail(ViolationKind::Nondeterminism, RESTART.to_owned());
        }
    }

    fn end_round(&mut self) {
        if self.ahead.is_some() {
            return self.end_round_ahead();
        }
        if self.runs_out {
            return;
        }
        let process = self.current;
        let slot = &mut self.processes[process];
        if !slot.watch.end_round() {
            return;
        }
        let moment = self.moment();
        let watch = &mut self.processes[process].watch;
        match moment.and_then(|moment| self.replay.fate(moment)) {
            Some(Fate::Repeats(locations)) => watch.hold_back(locations),
            Some(Fate::GoesOn(rounds)) => watch.goes_on(*rounds),
            None => self.run_ahead(),
        }
    }

    /// Whether the current process, which is about to look for a message, waits for one, since it would only
    /// look again and again.
    pub(crate) fn waits_for_message(&mut self, site: Site) -> bool {
        self.arrive(site);
        self.processes[self.current].watch.waits_for_message
    }

    /// Whether what a process has seen before its last yield has changed.
    #[inline]
    pub(super) fn guards_hold(&self, slot: &Process) -> bool {
        let guards = slot.watch.guards();
        guards.is_empty() || self.some_guard_holds(guards)
    }

    // Few programs have guards: what is not inlined does not burden the others.
    #[inline(never)]
    fn some_guard_holds(&self, guards: &[Action]) -> bool {
        guards.iter().any(|guard| guard.when.holds(self.value(guard.on.object)))
    }

    /// Moves the guards of `process`, which takes its step now, to `self.guards`, as actions.
    #[inline(never)]
    pub(super) fn take_guards(&mut self, process: usize) {
        let watch = &mut self.processes[process].watch;
        for guard in watch.guards() {
            let now = self.objects[guard.on.object.0 as usize].value;
            self.guards.push(guard.performed(now, now));
        }
        watch.drop_guards();
    }
}

/// Returns what identifies a place in the source.
pub(super) fn identity(site: Site) -> usize {
    std::ptr::from_ref(site) as usize
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::ObjectId;

    use super::*;

    fn on(object: u32) -> Location {
        Location::whole(ObjectId(object))
    }

    fn read(object: u32, value: u64) -> Action {
        Action::new(Op::Read, on(object)).performed(value, value)
    }

    fn write(object: u32) -> Action {
        Action::new(Op::Write, on(object)).performed(0, 1)
    }

    #[test]
    fn the_last_value_seen_counts() {
        let mut watch = Watch::default();
        watch.note(&read(0, 1));
        watch.note(&read(1, 7));
        watch.note(&read(0, 2));
        assert!(watch.end_round());
        watch.hold_back(&[on(0)]);
        assert_eq!(watch.guards(), [differs(on(0), 2)]);
    }

    #[test]
    fn a_process_that_has_written_does_not_spin() {
        let mut watch = Watch::default();
        watch.note(&read(0, 1));
        watch.note(&write(1));
        assert!(!watch.end_round());
        watch.note(&read(0, 1));
        assert!(watch.end_round());
        assert_eq!(watch.known(), [(on(0), 1)]);
    }

    #[test]
    fn a_second_yield_in_a_row_changes_nothing() {
        let mut watch = Watch::default();
        watch.note(&read(0, 1));
        assert!(watch.end_round());
        watch.hold_back(&[on(0)]);
        assert!(!watch.end_round());
        assert_eq!(watch.guards().len(), 1);
    }

    #[test]
    fn a_fate_is_known_until_a_value_changes() {
        let mut watch = Watch::default();
        watch.note(&read(0, 1));
        assert!(watch.end_round());
        watch.goes_on(2);
        for value in [1, 1, 1, 2] {
            watch.note(&read(0, value));
            let is_unknown = watch.rounds_left == 0;
            assert_eq!(watch.end_round(), is_unknown);
        }
    }

    #[test]
    fn a_process_that_looks_for_a_message_and_reads_does_not_spin() {
        let mut watch = Watch::default();
        let look = Action::new(Op::ReceiveNone, on(3)).performed(4, 5);
        watch.note(&look);
        assert!(watch.end_round());
        assert_eq!(watch.looked(), Some(on(3)));
        watch.note(&look);
        watch.note(&read(0, 1));
        assert!(!watch.end_round());
    }

    #[test]
    fn the_oldest_of_many_locations_is_forgotten() {
        let mut watch = Watch::default();
        for object in 0..=CAPACITY as u32 {
            watch.note(&read(object, 0));
        }
        assert_eq!(watch.known().len(), CAPACITY);
        assert!(watch.known().iter().all(|(location, _)| *location != on(0)));
    }
}
