//! The choices that decide between failing and passing under a memory model.
//!
//! An execution graph is determined by two kinds of choices: the write that each read reads from, and the
//! coherence order of the writes to each location. The search changes one choice at a time. The changed
//! run first performs the events that the choice depends on: those before it in `(po ∪ rf)⁺`, and the
//! write to be read with the events before that. The changed event comes next, and then the other events.
//! These read from the same writes as before, as far as the memory model allows it. If that run passes,
//! the choice is decisive.
//!
//! If no single choice is decisive, the search changes another choice in each of the runs that still fail,
//! and so on, so that it finds a passing run with the fewest changes.

use std::collections::HashSet;

use mazurka_core::memory::{EventId, Graph, INITIAL, Kind};
use mazurka_core::model::{Machine, ProcessId, Step};

use super::DecisiveRead;
use super::attempt::{Attempts, End, Run};
use super::deadline::Deadline;
use super::memory::{Name, Seen, Wishes, find, name};
use super::orders::{MOST_RUNS, MOST_TOGETHER, sharpen};
use super::sentences::{Decisive, Difference};

/// Longer runs have no such explanation.
const LONGEST: usize = 1_000;

/// A different choice, by the names of events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Change {
    /// The read reads from another write, or from the initial one.
    Read { read: Name, from: Option<Name> },
    /// The second write comes before the first in coherence order.
    Write { first: Name, second: Name },
}

impl Change {
    /// Returns the event that is changed.
    fn event(self) -> Name {
        match self {
            Change::Read { read, .. } => read,
            Change::Write { second, .. } => second,
        }
    }

    /// Returns the events that it names.
    fn names(self) -> impl Iterator<Item = Name> {
        let (one, other) = match self {
            Change::Read { read, from } => (read, from),
            Change::Write { first, second } => (first, Some(second)),
        };
        [Some(one), other].into_iter().flatten()
    }

    /// Returns whether a graph has made this choice.
    fn is_in(self, graph: &Graph) -> bool {
        match self {
            Change::Read { read, from } => find(graph, read).is_some_and(|read| {
                let event = graph.event(read);
                event.kind == Kind::Read && name(graph, event.reads_from) == from
            }),
            Change::Write { first, second } => {
                let (Some(first), Some(second)) = (find(graph, first), find(graph, second)) else {
                    return false;
                };
                let location = graph.event(first).location;
                let order = graph.coherence(location);
                let place = |write| order.iter().position(|other| *other == write);
                match (place(first), place(second)) {
                    (Some(first), Some(second)) => second < first,
                    _ => false,
                }
            }
        }
    }
}

/// Returns the changes of a graph that its relations may allow. Late events come first: they are nearer
/// to the failure.
fn changes(graph: &Graph) -> Vec<Change> {
    let mut found = Vec::new();
    for (id, event) in graph.events().iter().enumerate().rev() {
        let id = id as EventId;
        let (Some(step), Some(own)) = (event.step(), name(graph, id)) else { continue };
        let may_follow = |other: EventId| {
            other == INITIAL
                || !graph.is_in_prefix(id, other) && graph.event(other).step() != Some(step)
        };
        match event.kind {
            Kind::Read => {
                // The latest writes come first.
                let writes = graph.coherence(event.location).iter().rev().copied();
                let others = writes.chain([INITIAL]).filter(|write| *write != event.reads_from);
                let read = |write| Change::Read { read: own, from: name(graph, write) };
                found.extend(others.filter(|write| may_follow(*write)).map(read));
            }
            Kind::Write if !event.is_exclusive => {
                let order = graph.coherence(event.location);
                let place = order.iter().position(|write| *write == id);
                let before = place.and_then(|place| place.checked_sub(1)).map(|place| order[place]);
                if let Some(first) = before.filter(|first| !graph.happens_before(*first, id))
                    && let Some(first) = name(graph, first)
                {
                    found.push(Change::Write { first, second: own });
                }
            }
            Kind::Write | Kind::Fence | Kind::Choice => {}
        }
    }
    found
}

/// A plan in which a choice of a run is different.
struct Changed {
    plan: Vec<Step>,
    /// How many steps of the plan come before the changed one.
    place: usize,
    wishes: Wishes,
}

impl Changed {
    fn new(run: &Run, graph: &Graph, change: Change) -> Option<Self> {
        let event = find(graph, change.event())?;
        let step = graph.event(event).step()?;
        let mut wishes = Wishes::of(graph);
        // The changed step follows these events and the ones before them.
        let mut roots: Vec<EventId> = Vec::new();
        for process in 0..graph.events().iter().map(|e| e.process.index() + 1).max()? {
            let own = graph.events_of(ProcessId::new(process));
            let before = own.partition_point(|other| graph.program_order(*other, event));
            roots.extend(before.checked_sub(1).map(|last| own[last]));
        }
        match change {
            Change::Read { read, from } => {
                wishes.read(read, from);
                roots.extend(from.and_then(|from| find(graph, from)));
            }
            Change::Write { first, second } => wishes.swap(first, second),
        }
        let mut is_early = vec![false; run.events.len()];
        for (id, event) in graph.events().iter().enumerate() {
            let is_before = |root: &EventId| graph.is_in_prefix(id as EventId, *root);
            if let Some(step) = event.step()
                && roots.iter().any(is_before)
            {
                is_early[step] = true;
            }
        }
        if is_early[step] {
            return None;
        }
        let steps = run.steps();
        let early = (0..steps.len()).filter(|step| is_early[*step]);
        let mut plan: Vec<Step> = early.map(|step| steps[step]).collect();
        let place = plan.len();
        plan.push(steps[step]);
        let late = (0..steps.len()).filter(|other| !is_early[*other] && *other != step);
        plan.extend(late.map(|step| steps[step]));
        Some(Changed { plan, place, wishes })
    }

    /// Returns whether a run of the plan has made the different choice, after the same events with the same
    /// reads as before.
    fn is_in(&self, before: &Graph, run: &Run, change: Change) -> bool {
        let Some(seen) = &run.seen else { return false };
        let planned = self.plan[..=self.place].iter();
        let is_as_planned = run.events.len() > self.place
            && run.events.iter().zip(planned).all(|(event, step)| event.step == *step);
        let mut events = seen.graph.events().iter().enumerate();
        let is_same = |(id, event): (usize, &mazurka_core::memory::Event)| {
            let known = name(&seen.graph, id as EventId).and_then(|name| find(before, name));
            known.map(|known| before.event(known)).is_some_and(|known| {
                known.kind == event.kind
                    && (known.kind != Kind::Read
                        || name(before, known.reads_from) == name(&seen.graph, event.reads_from))
            })
        };
        is_as_planned
            && events
                .by_ref()
                .take_while(|(_, event)| event.step().is_some_and(|step| step < self.place))
                .all(is_same)
            && change.is_in(&seen.graph)
    }
}

/// Returns the difference between a failing run and the nearest passing one, as far as it is found until
/// the deadline.
pub(super) fn decisive<M: Machine>(
    attempts: &mut Attempts<M>,
    failing: &Run,
    deadline: Deadline<'_>,
) -> Difference {
    let Some(seen) = failing.seen.as_ref().filter(|_| failing.events.len() <= LONGEST) else {
        return Difference::default();
    };
    let (found, together, passing) = search(attempts, failing, seen, deadline);
    let decisive = in_steps(failing, &seen.graph, &found);
    Difference { decisive, together, passing }
}

/// Returns the changes that decide, whether they do so together, and a run that passes.
fn search<M: Machine>(
    attempts: &mut Attempts<M>,
    failing: &Run,
    seen: &Seen,
    deadline: Deadline<'_>,
) -> (Vec<Change>, bool, Option<Run>) {
    let (mut found, mut nearest) = (Vec::new(), None);
    // The runs that still fail, with the choices that are different in them.
    let mut level: Vec<(Run, Vec<Change>)> = vec![(failing.clone(), Vec::new())];
    let mut known = HashSet::new();
    for together in 1..=MOST_TOGETHER {
        let mut next = Vec::new();
        for (run, changed) in &level {
            let Some(graph) = run.seen.as_ref().map(|seen| &seen.graph) else { continue };
            for change in changes(graph) {
                if deadline.has_passed() {
                    return (found, false, nearest);
                }
                let mut all = changed.clone();
                all.push(change);
                all.sort_unstable();
                let is_decided = found.iter().any(|other: &Change| other.event() == change.event());
                let is_again = changed.iter().any(|other| other.event() == change.event());
                // The choice must make sense in the failing run.
                let is_shared = change.names().all(|name| is_same_event(&seen.graph, graph, name));
                let is_different = !change.is_in(&seen.graph);
                if is_decided
                    || is_again
                    || !is_shared
                    || !is_different
                    || !known.insert(all.clone())
                {
                    continue;
                }
                let Some(changed) = Changed::new(run, graph, change) else { continue };
                let Some(new) = attempts
                    .run_wishing(&changed.plan, changed.wishes.clone())
                    .filter(|new| changed.is_in(graph, new, change))
                else {
                    continue;
                };
                let has_race = new.seen.as_ref().is_some_and(|seen| seen.has_data_race);
                match new.end {
                    // What an execution with a data race does is undefined.
                    End::Passed if has_race && !seen.has_data_race => {}
                    End::Passed if together > 1 => {
                        let kept = |change: &Change| {
                            new.seen.as_ref().is_some_and(|seen| change.is_in(&seen.graph))
                        };
                        if all.iter().all(kept) {
                            return (all, true, Some(new));
                        }
                    }
                    End::Passed => {
                        found.push(change);
                        nearest.get_or_insert(new);
                    }
                    End::Failed(_) if next.len() < MOST_RUNS => next.push((new, all)),
                    End::Failed(_) | End::Unknown => {}
                }
            }
        }
        if !found.is_empty() {
            break;
        }
        level = next;
    }
    (found, false, nearest)
}

/// Returns whether an event of one graph is the same operation in another one.
fn is_same_event(graph: &Graph, other: &Graph, name: Name) -> bool {
    let (Some(mine), Some(theirs)) = (find(graph, name), find(other, name)) else { return false };
    let (mine, theirs) = (graph.event(mine), other.event(theirs));
    mine.kind == theirs.kind
        && mine.step().is_some()
        && graph.location(mine.location) == other.location(theirs.location)
}

/// Returns changes in terms of the steps of the failing run.
fn in_steps(failing: &Run, graph: &Graph, changes: &[Change]) -> Vec<Decisive> {
    let event = |name: Name| find(graph, name);
    let step = |event: EventId| graph.event(event).step();
    let one = |change: &Change| match *change {
        Change::Write { first, second } => {
            Some(Decisive::Coherence(step(event(first)?)?, step(event(second)?)?))
        }
        Change::Read { read, from } => {
            let read = event(read)?;
            let known = graph.event(read).reads_from;
            let instead = from.map_or(Some(INITIAL), event)?;
            let step_if_any = |write| (write != INITIAL).then(|| step(write)).flatten();
            let (reads_from, other) = (step_if_any(known), step_if_any(instead));
            if !graph.event(read).is_exclusive {
                let read = step(read)?;
                return Some(Decisive::Read(DecisiveRead { read, reads_from, instead: other }));
            }
            // Read-modify-writes of a location are in a total order.
            let order = graph.coherence(graph.event(read).location);
            let place = |write| order.iter().position(|other| *other == write);
            let (first, second) = match place(instead) < place(known) {
                true => {
                    let lock = acquired(graph, known);
                    let first = if place(instead) < place(lock) { lock } else { known };
                    (step(first)?, step(read)?)
                }
                false => (step(read)?, other?),
            };
            let (first, second) = sharpen(failing, (first, second));
            Some(Decisive::Order(first, second))
        }
    };
    let mut found: Vec<Decisive> = changes.iter().filter_map(one).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the last read-modify-write of a location by the process of a write, up to that write: the one that
/// acquired a lock, if the write releases it. Returns the write if there is none.
fn acquired(graph: &Graph, write: EventId) -> EventId {
    let event = graph.event(write);
    let own = graph.events_of(event.process)[..event.index as usize].iter().rev().copied();
    let mut own = own.filter(|other| graph.event(*other).location == event.location);
    let acquires = |other: &EventId| graph.event(*other).is_exclusive;
    own.find(acquires).unwrap_or(write)
}
