//! Reader-writer locks in observation functions.
//!
//! The operations of readers on such a lock are not ordered: each observes the last operation that
//! was not a reader's. Any other operation observes that one, too, and all operations of readers
//! since.
//!
//! A location is such a lock if some process waits to add to it, and in all executions processes
//! wait to acquire it and then release it. The observations of processes must order every other
//! operation on it with all operations there.

use std::collections::HashSet;

use mazurka_core::model::{Action, Location, Op, ProcessId};

use super::trace::Event;

/// The reader-writer locks of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedLocks {
    /// The locations to which some process waits to add.
    joined: HashSet<Location>,
    /// The locations with other operations.
    irregular: HashSet<Location>,
}

impl SharedLocks {
    /// Records the actions of a step, or the pending actions of a process.
    pub(super) fn learn(&mut self, actions: &[Action]) {
        if let [action] = actions
            && action.waits
            && action.op == Op::Add
        {
            self.joined.insert(action.on);
        }
    }

    /// Returns whether there may be such locks.
    pub(super) fn are_there(&self) -> bool {
        !self.joined.is_empty()
    }

    /// Finds irregular uses in an execution, given the observations of its events and the pending
    /// actions at its end, with the last events that happen before these. Returns whether there are
    /// any.
    pub(super) fn learn_use(
        &mut self,
        events: &[Event],
        observed: &[Vec<u64>],
        pending: &[(Action, u128)],
    ) -> bool {
        let mut causes = [0; 128];
        let all_of = |causes: &[u128; 128], bits: u128| {
            let bits_of = (0..128).filter(|bit| bits >> bit & 1 != 0);
            bits_of.fold(bits, |all, bit| all | causes[bit])
        };
        let mut pasts = Vec::new();
        for (event, observed) in events.iter().zip(observed) {
            let past = all_of(&causes, event.linked);
            let words = observed.iter().map(|word| word & !(1 << 40)).filter(|word| *word < 128);
            causes[event.bit as usize] =
                past | all_of(&causes, words.fold(0, |bits, word| bits | 1 << word));
            pasts.push(past);
        }
        let mut found = false;
        for on in self.joined.clone() {
            let on_lock = |event: &Event| event.actions.iter().any(|action| action.on == on);
            let is_loose = |index: usize| {
                let event = &events[index];
                on_lock(event) && !is_regular(&events[..index], event)
            };
            let knows = |past: u128, other: usize| past >> events[other].bit & 1 != 0;
            let of_events = (0..events.len()).any(|second| {
                (0..second).any(|first| {
                    on_lock(&events[first])
                        && on_lock(&events[second])
                        && (is_loose(first) || is_loose(second))
                        && !knows(pasts[second], first)
                })
            });
            let of_pending =
                pending.iter().filter(|(action, _)| action.on == on).any(|(_, last)| {
                    let past = all_of(&causes, *last);
                    (0..events.len()).any(|first| is_loose(first) && !knows(past, first))
                });
            if of_events || of_pending {
                found |= self.irregular.insert(on);
            }
        }
        found
    }

    /// Returns whether a location is such a lock.
    pub(super) fn contains(&self, on: Location) -> bool {
        self.joined.contains(&on) && !self.irregular.contains(&on)
    }

    /// Returns what an action on such a lock observes, as bits of events.
    pub(super) fn observed(&self, earlier: &[Event], action: &Action) -> Vec<u64> {
        let mut observed = Vec::new();
        for event in earlier.iter().rev() {
            let Some(other) = event.actions.iter().find(|other| other.on == action.on) else {
                continue;
            };
            let is_readers = other.op == Op::Add;
            if action.op != Op::Add || !is_readers {
                observed.push(u64::from(event.bit));
            }
            if !is_readers {
                return observed;
            }
        }
        observed.push(u64::from(u32::MAX));
        observed
    }
}

/// Returns whether an event acquires a lock and waits for it, or releases it.
fn is_regular(earlier: &[Event], event: &Event) -> bool {
    match event.actions.as_slice() {
        [action] => {
            let acquires = action.waits && event.step.choice == 0;
            acquires || is_release(earlier, event.step.process, action)
        }
        _ => false,
    }
}

/// Returns whether a process holds the lock in the mode that this action releases.
fn is_release(earlier: &[Event], process: ProcessId, action: &Action) -> bool {
    let mut on_lock = earlier.iter().filter_map(|event| {
        let other = event.actions.iter().find(|other| other.on == action.on)?;
        Some((event.step.process, other))
    });
    if action.op != Op::Add {
        let last = on_lock.next_back();
        return last
            .is_some_and(|(who, other)| who == process && other.waits && other.op != Op::Add);
    }
    let own = on_lock.filter(|(who, other)| *who == process && other.op == Op::Add);
    let (acquired, released): (Vec<_>, Vec<_>) = own.partition(|(_, other)| other.waits);
    acquired.len() > released.len()
}
