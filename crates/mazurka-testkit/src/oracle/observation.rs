//! Observation functions, by definition.
//!
//! This is the equivalence of `data-centric`: two executions are equivalent if they have the same
//! events, and each event observes the same in both. Events observe the following:
//!
//! * A read observes the last write to its location, or the initial value. So do
//!   read-modify-writes. Additions, all operations on channels, deliveries, and receives that look
//!   into a mailbox without waiting count as read-modify-writes.
//! * Readers of a lock do not observe each other; see [`SharedLocks`].
//! * A receive that waits observes the delivery of the message that it takes. The same holds for a
//!   process that takes an event out of its queue. A receive takes the first matching message in
//!   its mailbox, and only its own process receives from there. Thus the message follows from the
//!   order of deliveries, and no other event observes when it was taken.
//! * A write to a location for which a process waits in some execution, even in vain, observes the
//!   previous write.
//! * A process that waits for several locations at once observes the last write to any of them. So
//!   does every event that writes to one of these, or might have.
//!
//! An explorer that cannot decide whether two names denote the same location may know that it is
//! awaited under only one of its names. Such an explorer must find only the functions that there
//! would be if no process waited.
//!
//! A first enumeration finds the awaited locations. A second one then computes the function of
//! every interleaving. One Mazurkiewicz trace may have several, since two additions commute.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use mazurka_core::model::{
    Action, Location, Machine, Op, Performed, ProcessId, Program, Step, When,
};
use mazurka_core::verdict::Schedule;

use super::shared::SharedLocks;
use super::trace::{Digest, Event, TooLong, Trace};
use super::{LocalOutcome, Outcome, Refused};
use crate::script::{ScriptMachine, ScriptProgram};

/// The awaited locations in all executions.
#[derive(Clone, Debug, Default)]
pub struct Awaited {
    /// The locations that some process waits for alone.
    alone: HashSet<Location>,
    /// Sets of locations that some process waits for at once.
    together: Vec<HashSet<Location>>,
    shared: SharedLocks,
}

impl Awaited {
    /// Records the actions of a step, or the pending actions of a process.
    fn learn<'a>(&mut self, actions: impl Iterator<Item = &'a Action> + Clone) {
        if !actions.clone().any(|action| action.waits) {
            return;
        }
        let locations: HashSet<Location> = actions.map(|action| action.on).collect();
        if locations.len() == 1 {
            self.alone.extend(locations);
            return;
        }
        let all = std::mem::take(&mut self.together);
        let (joint, mut rest): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|set| !set.is_disjoint(&locations));
        rest.push(joint.into_iter().flatten().chain(locations).collect());
        self.together = rest;
    }

    /// Returns whether a location is a lock whose readers are not ordered.
    fn is_shared(&self, on: Location) -> bool {
        self.shared.contains(on) && self.joint(on).is_none()
    }

    /// Returns the locations that are awaited together with a location.
    fn joint(&self, on: Location) -> Option<&HashSet<Location>> {
        self.together.iter().find(|set| set.contains(&on))
    }
}

/// The executions with one observation function.
#[derive(Clone, Debug)]
pub struct Observation<E = LocalOutcome> {
    /// One of these executions.
    pub example: Schedule,
    /// The end of these executions.
    pub ending: E,
    /// The digest of the function that they would have if no process waited, which is coarser.
    pub without_waits: u128,
}

/// All observation functions of a program.
#[derive(Clone, Debug)]
pub struct Observations<E = LocalOutcome> {
    /// The functions, by their digests.
    pub functions: HashMap<u128, Observation<E>>,
    awaited: Awaited,
}

impl<E> Default for Observations<E> {
    fn default() -> Self {
        Observations { functions: HashMap::new(), awaited: Awaited::default() }
    }
}

impl Observations {
    /// Finds all observation functions of a program that has at most `limit` interleavings.
    pub fn enumerate(program: &ScriptProgram, limit: u64) -> Result<Self, Refused> {
        let machine = program.start().map_err(Refused::FailsAtStart)?;
        Observations::of_machine(machine, limit, |machine: &ScriptMachine, trace| {
            Outcome::of(machine, trace).ending()
        })
    }
}

impl<E: Clone + PartialEq + fmt::Debug> Observations<E> {
    /// Finds all observation functions of a machine that has at most `limit` interleavings.
    /// `ending` returns the end of an execution.
    pub fn of_machine<M: Machine>(
        machine: M,
        limit: u64,
        ending: impl Fn(&M, &Trace) -> E,
    ) -> Result<Self, Refused> {
        let trace = Trace::new(machine.processes());
        let found = Observations::default();
        let phase = Phase::Awaits;
        let mut search =
            Search { machine, trace, left: limit, phase, is_new: false, ending, found };
        search.run(0)?;
        (search.phase, search.is_new) = (Phase::Locks, search.found.awaited.shared.are_there());
        while std::mem::take(&mut search.is_new) {
            search.left = limit;
            search.run(0)?;
        }
        (search.left, search.phase) = (limit, Phase::Functions);
        search.run(0)?;
        Ok(search.found)
    }

    /// Returns whether some process waits for several locations at once.
    pub fn has_joint_waits(&self) -> bool {
        !self.awaited.together.is_empty()
    }

    /// Returns whether a location is a lock whose readers are not ordered.
    pub fn is_shared(&self, on: Location) -> bool {
        self.awaited.is_shared(on)
    }

    /// Returns the digest of the observation function that an execution would have if no process
    /// waited.
    pub fn digest_without_waits(&self, trace: &Trace) -> u128 {
        let awaited = Awaited { shared: self.awaited.shared.clone(), ..Awaited::default() };
        Observations::<E> { functions: HashMap::new(), awaited }.digest(trace)
    }

    /// Returns the digest of the observation function of an execution.
    pub fn digest(&self, trace: &Trace) -> u128 {
        let mut digest = Digest::default();
        for (name, observed) in self.function(trace) {
            digest.add(name);
            observed.into_iter().for_each(|word| digest.add(word));
        }
        digest.value()
    }

    /// Returns the observation function of an execution: for each event and its choice, the set of
    /// observed events.
    pub fn function(&self, trace: &Trace) -> BTreeMap<u64, Vec<u64>> {
        let events = trace.events();
        let observed = |index: usize| {
            let event: &Event = &events[index];
            let name = u64::from(event.bit) << 32 | u64::from(event.step.choice);
            (name, self.all_observed(events, index))
        };
        (0..events.len()).map(observed).collect()
    }

    /// Returns the set of events that an event observes, independent of the order of its actions.
    fn all_observed(&self, events: &[Event], index: usize) -> Vec<u64> {
        let actions = 0..events[index].actions.len();
        let mut observed: Vec<u64> =
            actions.flat_map(|action| self.observed(events, index, action)).collect();
        observed.sort_unstable();
        observed.dedup();
        observed
    }

    /// Returns what an action observes at its location, and at the locations that are awaited
    /// together with it: the bit of an event, or a mark for the initial value.
    fn observed(&self, events: &[Event], index: usize, action: usize) -> Vec<u64> {
        let event = &events[index];
        let action = &event.actions[action];
        if self.awaited.is_shared(action.on) {
            return self.awaited.shared.observed(&events[..index], action);
        }
        let waits_for_several = event.actions.iter().any(|other| other.waits)
            && event.actions.iter().any(|other| other.on != action.on);
        if let Some(message) = taken(action) {
            let puts = [Op::Deliver { message }, Op::Post { message }];
            let delivers = |event: &&Event| {
                event.actions.iter().any(|other| other.on == action.on && puts.contains(&other.op))
            };
            let delivery = events[..index].iter().find(delivers);
            return delivery.map(|event| u64::from(event.bit)).into_iter().collect();
        }
        let last_write = |is_there: &dyn Fn(Location) -> bool| {
            let is_write = |action: &Action| action.op != Op::Read && taken(action).is_none();
            let writes = |event: &&Event| {
                event.actions.iter().any(|other| is_write(other) && is_there(other.on))
            };
            let source = events[..index].iter().rev().find(writes);
            source.map_or(u64::from(u32::MAX), |event| u64::from(event.bit))
        };
        let reads = action.op != Op::Write || self.awaited.alone.contains(&action.on);
        let joint = self.awaited.joint(action.on);
        // A process that waits for several locations observes them all at once.
        let is_covered = waits_for_several && joint.is_some() && action.op == Op::Read;
        let alone = (reads && !is_covered).then(|| last_write(&|on| on == action.on));
        // An action without effect might have had one.
        let might_write = action.op != Op::Read || (action.when != When::Always && !action.waits);
        let together = joint.filter(|_| waits_for_several || might_write);
        let together = together.map(|set| 1 << 40 | last_write(&|on| set.contains(&on)));
        alone.into_iter().chain(together).collect()
    }
}

/// Returns the message that an action waits for and takes, if there is one.
fn taken(action: &Action) -> Option<u32> {
    match action.op {
        Op::Take { message } | Op::Dequeue { message } if action.waits => Some(message),
        _ => None,
    }
}

/// The goal of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Find the awaited locations.
    Awaits,
    /// Find the locks that are used irregularly. An irregular lock may make another one irregular,
    /// so this phase is repeated until it finds none.
    Locks,
    /// Compute the functions.
    Functions,
}

struct Search<M, E, F> {
    machine: M,
    trace: Trace,
    left: u64,
    phase: Phase,
    /// Whether this phase has found something new.
    is_new: bool,
    ending: F,
    found: Observations<E>,
}

impl<M, E, F> Search<M, E, F>
where
    M: Machine,
    E: Clone + PartialEq + fmt::Debug,
    F: Fn(&M, &Trace) -> E,
{
    fn enabled_steps(&self) -> Vec<Step> {
        let processes = (0..self.machine.processes()).map(ProcessId::new);
        let enabled = processes.filter(|process| self.machine.is_enabled(*process));
        let steps = |process: ProcessId| {
            (0..self.machine.alternatives(process)).map(move |choice| Step { process, choice })
        };
        enabled.flat_map(steps).collect()
    }

    /// Returns the pending actions of processes, with the last events that happen before them.
    fn pending(&self) -> impl Iterator<Item = (Action, Vec<Action>, u128)> + use<M, E, F> {
        let processes = (0..self.machine.processes()).map(ProcessId::new);
        let pending = processes.filter_map(|process| {
            let guards = self.machine.guards(process).to_vec();
            Some((*self.machine.next(process)?, guards, self.trace.last_before_next(process)))
        });
        pending.collect::<Vec<_>>().into_iter()
    }

    fn run(&mut self, len: usize) -> Result<(), Refused> {
        let steps = self.enabled_steps();
        if steps.is_empty() {
            return self.end();
        }
        for step in steps {
            let mut performed = Performed::default();
            let _ = self.machine.step(step, &mut performed);
            if self.phase == Phase::Awaits {
                self.found.awaited.learn(performed.actions.iter());
                self.found.awaited.shared.learn(&performed.actions);
            }
            self.trace.push(step, &performed).map_err(|TooLong| Refused::TooLarge)?;
            self.run(len + 1)?;
            self.machine.rewind(len).expect("these machines can always go back");
            self.trace.truncate(len);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Refused> {
        self.left = self.left.checked_sub(1).ok_or(Refused::TooLarge)?;
        match self.phase {
            Phase::Awaits => {
                for (pending, guards, _) in self.pending() {
                    let actions = || std::iter::once(&pending).chain(&guards);
                    self.found.awaited.learn(actions());
                    self.found.awaited.shared.learn(&actions().copied().collect::<Vec<_>>());
                }
                return Ok(());
            }
            Phase::Locks => {
                let events = self.trace.events();
                let observed: Vec<_> =
                    (0..events.len()).map(|index| self.found.all_observed(events, index)).collect();
                let pending: Vec<_> =
                    self.pending().map(|(action, _, last)| (action, last)).collect();
                self.is_new |= self.found.awaited.shared.learn_use(events, &observed, &pending);
                return Ok(());
            }
            Phase::Functions => {}
        }
        let ending = (self.ending)(&self.machine, &self.trace);
        let digest = self.found.digest(&self.trace);
        let example = || self.trace.steps().collect::<Schedule>();
        if !self.found.functions.contains_key(&digest) {
            let without_waits = self.found.digest_without_waits(&self.trace);
            let first = Observation { example: example(), ending, without_waits };
            self.found.functions.insert(digest, first);
            return Ok(());
        }
        let known = &self.found.functions[&digest];
        match known.ending == ending {
            true => Ok(()),
            false => Err(Refused::Inconsistent(format!(
                "{} ends as {ending:?}, and {}, which observes the same, as {:?}",
                example(),
                known.example,
                known.ending
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of observation functions of a program.
    fn count(processes: &[&str]) -> usize {
        let process = |(i, code): (usize, &&str)| format!("process {i} {{\n{code}\n}}\n");
        let text: String = processes.iter().enumerate().map(process).collect();
        let program = ScriptProgram::new(&text.replace("; ", "\n").parse().unwrap()).unwrap();
        Observations::enumerate(&program, 100_000).unwrap().functions.len()
    }

    #[test]
    fn only_what_is_read_counts() {
        assert_eq!(count(&["write x0 1", "write x0 2"]), 1);
        assert_eq!(count(&["write x0 1", "write x0 2", "r0 = read x0"]), 3);
        assert_eq!(count(&["write x0 1; r0 = read x0", "write x0 2; r0 = read x0"]), 3);
    }

    #[test]
    fn read_modify_writes_and_locks_are_ordered() {
        assert_eq!(count(&["r0 = fetch_add x0 1"; 3]), 6);
        assert_eq!(count(&["lock m0; unlock m0"; 3]), 6);
        assert_eq!(count(&["r0 = cas x0 0 1", "r0 = cas x0 0 1"]), 2);
    }

    #[test]
    fn additions_are_ordered() {
        assert_eq!(count(&["add x0 1"; 3]), 6);
        assert_eq!(count(&["add x0 1", "add x0 1", "r0 = read x0"]), 6);
    }

    #[test]
    fn readers_are_not_ordered() {
        let reader = "read_lock l0; read_unlock l0";
        assert_eq!(count(&[reader; 3]), 1);
        // Each reader comes before or after the writer.
        assert_eq!(count(&[reader, reader, reader, "write_lock l0; write_unlock l0"]), 8);
        // With an attempt that may fail, everything is ordered. It succeeds before the readers,
        // between them, and after all of their six orders. It fails at 2 places of two of these
        // orders, and at 3 places of the others.
        let attempt = "r0 = try_write_lock l0";
        assert_eq!(count(&[reader, reader, attempt]), 1 + 2 + 6 + (2 * 2 + 4 * 3));
        // This does not hold if no other process runs.
        assert_eq!(
            count(&["spawn 1; spawn 2; join 1; join 2; r0 = try_write_lock l0", reader, reader]),
            1
        );
    }

    #[test]
    fn only_deliveries_are_ordered_in_a_mailbox() {
        assert_eq!(count(&["deliver b0 1; deliver b0 2", "r0 = take b0; r1 = take b0"]), 1);
        assert_eq!(count(&["deliver b0 1", "deliver b0 2", "r0 = take b0; r1 = take b0"]), 2);
    }

    #[test]
    fn awaited_writes_are_ordered() {
        // In each of the two orders of the writes, it reads any of the values in turn, up to the
        // last.
        assert_eq!(count(&["write x0 1", "write x0 2", "await x0 == 7"]), 2 * 4);
    }
}
