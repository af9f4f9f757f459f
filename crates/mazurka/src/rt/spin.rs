//! Spin loops.
//!
//! A yield means: this process has nothing to do until somebody changes what it has read since
//! its last yield. It does not suspend. Rather, the next operation of the process is held back
//! until one of those values differs from the one that was seen.

use std::hash::{Hash, Hasher};

use mazurka_core::model::{Action, Location, Op, When};

use super::Runtime;
use super::process::Process;

/// More than so many locations are not remembered; then a yield does nothing.
const CAPACITY: usize = 16;

/// What a process has read since its last yield, and what its next operation waits for.
#[derive(Default)]
pub(super) struct Watch {
    seen: Vec<(Location, u64)>,
    overflown: bool,
    wrote: bool,
    /// Whether the process has yielded since its last step.
    yielded: bool,
    /// What holds the next operation back: it can go on once one of these conditions holds.
    guards: Vec<Action>,
}

impl Watch {
    pub(super) fn clear(&mut self) {
        self.seen.clear();
        self.guards.clear();
        self.overflown = false;
        self.wrote = false;
        self.yielded = false;
    }

    /// Takes note of an action that the process has performed.
    #[inline(always)]
    pub(super) fn note(&mut self, action: &Action) {
        // Once it has changed something, nothing that it reads will hold it back.
        if self.wrote {
            return;
        }
        if action.before != action.after || (action.plain && action.op != Op::Read) {
            self.note_progress();
            return;
        }
        if !action.plain && matches!(action.op, Op::Read | Op::Update) {
            self.note_value(action.on, action.before);
        }
    }

    /// The process has done something that others might care about.
    pub(super) fn note_progress(&mut self) {
        self.wrote = true;
        self.seen.clear();
    }

    /// Takes note of a value that the process has seen.
    fn note_value(&mut self, on: Location, value: u64) {
        match self.seen.iter().position(|(location, _)| *location == on) {
            Some(index) => self.seen[index].1 = value,
            None if self.seen.len() == CAPACITY => self.overflown = true,
            None => self.seen.push((on, value)),
        }
    }

    /// The process yields.
    pub(super) fn yields(&mut self) {
        // A process that has changed something may be what others wait for, or has made
        // progress; one that has read nothing would wait for nothing.
        let spins = !self.wrote && !self.overflown && !self.seen.is_empty();
        if spins {
            self.guards.clear();
            self.guards.extend(self.seen.iter().map(|&(on, value)| differs(on, value)));
        }
        self.seen.clear();
        self.overflown = false;
        self.wrote = false;
        self.yielded = true;
    }

    /// Digests what is to come of it.
    pub(super) fn hash_state(&self, hasher: &mut impl Hasher) {
        self.seen.hash(hasher);
        self.guards.iter().for_each(|guard| (guard.on, guard.when).hash(hasher));
        (self.guards.len(), self.overflown, self.wrote, self.yielded).hash(hasher);
    }

    /// Returns what holds the next operation back, as pending actions.
    pub(super) fn guards(&self) -> &[Action] {
        &self.guards
    }

    /// The process takes a step. Returns whether it has guards.
    #[inline]
    pub(super) fn begin_step(&mut self) -> bool {
        self.yielded = false;
        !self.guards.is_empty()
    }

    pub(super) fn drop_guards(&mut self) {
        self.guards.clear();
    }
}

/// Returns the guard that holds while the value of `on` is not `seen`.
fn differs(on: Location, seen: u64) -> Action {
    Action::new(Op::Read, on).when(When::Differs(seen)).guarding()
}

/// Says that the current process has nothing to do until something changes.
#[track_caller]
pub(crate) fn yield_now() {
    if super::alive() {
        super::with(|rt| {
            let current = rt.current;
            rt.processes[current].watch.yields();
        });
    }
}

impl Runtime {
    /// Whether the current process has yielded since its last step. For operations that are not
    /// on memory, whose changes cannot be guarded.
    pub(crate) fn has_yielded(&self) -> bool {
        self.processes[self.current].watch.yielded
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

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::model::ObjectId;

    fn read(object: u32, value: u64) -> Action {
        Action::new(Op::Read, Location::whole(ObjectId(object))).performed(value, value)
    }

    #[test]
    fn the_last_value_seen_counts() {
        let mut watch = Watch::default();
        watch.note(&read(0, 1));
        watch.note(&read(0, 2));
        watch.yields();
        assert_eq!(watch.guards(), [differs(Location::whole(ObjectId(0)), 2)]);
    }

    #[test]
    fn a_process_that_has_written_is_not_held_back() {
        let mut watch = Watch::default();
        watch.note(&read(0, 1));
        watch.note(&Action::new(Op::Write, Location::whole(ObjectId(1))).performed(0, 1));
        watch.yields();
        assert!(watch.guards().is_empty());
    }

    #[test]
    fn a_second_yield_in_a_row_changes_nothing() {
        let mut watch = Watch::default();
        watch.note(&read(0, 1));
        watch.yields();
        watch.yields();
        assert_eq!(watch.guards().len(), 1);
    }

    #[test]
    fn too_many_locations_are_no_spin_loop() {
        let mut watch = Watch::default();
        for object in 0..=CAPACITY as u32 {
            watch.note(&read(object, 0));
        }
        watch.yields();
        assert!(watch.guards().is_empty());
    }
}
