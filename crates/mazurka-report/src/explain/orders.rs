//! The orders that decide between failing and passing.
//!
//! For two conflicting events `i` and `j` of different processes, `i` first, there is a run with `j`
//! first unless `j` follows from `i` in another way: the events that do not happen after `i`, then
//! `j`, then `i`, then the others as far as they are possible. If that run passes, the order of the
//! two events is decisive.
//!
//! If no single order is decisive, several orders may be decisive together. The search then reverses
//! another order in each of the runs that still fail, and so on, so that it finds a passing run with
//! the fewest reversed orders.

use std::collections::HashSet;

use mazurka_core::model::{Machine, ProcessId, Step};

use super::attempt::{Attempts, End, Run};
use super::deadline::Deadline;
use super::sentences::{Decisive, Difference, describe as describe_step, describe_later};
use super::waiting::section;
use crate::Recording;

/// Longer runs have no such explanation: there are too many pairs of events.
const LONGEST: usize = 2_000;

/// The maximum number of orders that are reversed together.
pub(super) const MOST_TOGETHER: usize = 4;

/// The maximum number of failing runs with the same number of reversed orders.
pub(super) const MOST_RUNS: usize = 200;

/// An event of any run: its process, and its number in that process.
type Name = (ProcessId, u32);

/// Returns the difference between a failing run and the nearest passing one, as far as it is found until
/// the deadline.
pub(super) fn decisive<M: Machine>(
    attempts: &mut Attempts<M>,
    failing: &Run,
    deadline: Deadline<'_>,
) -> Difference {
    if failing.events.len() > LONGEST {
        return Difference::default();
    }
    let names = names(failing);
    let place = |name: Name| names.iter().position(|known| *known == name);
    let (mut found, mut nearest) = (Vec::new(), None);
    // The runs that still fail, with the orders that are reversed in them.
    let mut level: Vec<(Run, Vec<(usize, usize)>)> = vec![(failing.clone(), Vec::new())];
    let mut known = HashSet::new();
    for together in 1..=MOST_TOGETHER {
        let mut next = Vec::new();
        for (run, reversed) in &level {
            for reversal in reversals(run) {
                if deadline.has_passed() {
                    return single(failing, found, nearest);
                }
                let ends = (place(reversal.first), place(reversal.second));
                let (Some(first), Some(second)) = ends else { continue };
                let mut orders = reversed.clone();
                orders.push((first, second));
                orders.sort_unstable();
                let is_new = first < second && failing.conflicts(first, second);
                if !is_new || !known.insert(orders.clone()) {
                    continue;
                }
                let Some(run) = attempts.run(&reversal.plan).filter(|run| reversal.is_in(run))
                else {
                    continue;
                };
                match run.end {
                    End::Passed if together > 1 => {
                        let decisive = sharpened(failing, orders);
                        return Difference { decisive, together: true, passing: Some(run) };
                    }
                    End::Passed => {
                        found.push((first, second));
                        nearest.get_or_insert(run);
                    }
                    End::Failed(_) if next.len() < MOST_RUNS => next.push((run, orders)),
                    End::Failed(_) | End::Unknown => {}
                }
            }
        }
        if !found.is_empty() {
            break;
        }
        level = next;
    }
    single(failing, found, nearest)
}

/// Returns the difference if each of these orders is decisive.
fn single(failing: &Run, found: Vec<(usize, usize)>, passing: Option<Run>) -> Difference {
    let orders = tightest(&found, |event| failing.process(event));
    let mut decisive = sharpened(failing, orders);
    decisive.sort_unstable();
    decisive.dedup();
    Difference { decisive, together: false, passing }
}

fn sharpened(failing: &Run, orders: Vec<(usize, usize)>) -> Vec<Decisive> {
    let one = |order: (usize, usize)| {
        let (first, second) = sharpen(failing, order);
        Decisive::Order(first, second)
    };
    orders.into_iter().map(one).collect()
}

/// Replaces two events that acquire a lock by the first conflicting accesses that the lock protects, if
/// there are any.
pub(super) fn sharpen(run: &Run, (first, second): (usize, usize)) -> (usize, usize) {
    let (Some(mine), Some(theirs)) = (section(run, first), section(run, second)) else {
        return (first, second);
    };
    let pairs = mine.iter().flat_map(|a| theirs.iter().map(move |b| (*a, *b)));
    pairs.into_iter().find(|(a, b)| run.conflicts(*a, *b)).unwrap_or((first, second))
}

/// Returns the names of the events of a run.
fn names(run: &Run) -> Vec<Name> {
    let mut counts: Vec<u32> = Vec::new();
    let name = |event: usize| {
        let process = run.process(event);
        if counts.len() <= process.index() {
            counts.resize(process.index() + 1, 0);
        }
        counts[process.index()] += 1;
        (process, counts[process.index()])
    };
    (0..run.events.len()).map(name).collect()
}

/// A plan in which two conflicting events of a run change places.
struct Reversal {
    first: Name,
    second: Name,
    plan: Vec<Step>,
    /// The place of the second event in the plan. The first one comes later.
    place: usize,
}

impl Reversal {
    /// Returns whether the events have changed places in a run of the plan.
    fn is_in(&self, run: &Run) -> bool {
        run.events.len() > self.place
            && run.events.iter().zip(&self.plan[..=self.place]).all(|(e, step)| e.step == *step)
    }
}

/// Returns the reversals of a run. Late ones come first: they are nearer to the failure.
fn reversals(run: &Run) -> impl Iterator<Item = Reversal> {
    let (clocks, numbers) = run.clocks();
    let (steps, names) = (run.steps(), names(run));
    let pairs = (0..steps.len())
        .rev()
        .flat_map(move |first| (first + 1..steps.len()).map(move |second| (first, second)));
    let steps = run.steps();
    pairs.filter_map(move |(first, second)| {
        let happens_before = |first: usize, second: usize| {
            clocks[second][steps[first].process.index()] >= numbers[first]
        };
        if steps[first].process == steps[second].process || !run.conflicts(first, second) {
            return None;
        }
        let own = |event: usize| steps[event].process == steps[second].process;
        let before = (0..second).rev().find(|event| own(*event));
        if before.is_some_and(|before| before >= first && happens_before(first, before)) {
            return None;
        }
        let stays = |event: &usize| {
            *event < first || (*event != first && *event < second && !happens_before(first, *event))
        };
        let early = (0..second).filter(stays);
        let mut plan: Vec<Step> = early.map(|event| steps[event]).collect();
        let place = plan.len();
        plan.push(steps[second]);
        let rest = (first..steps.len()).filter(|event| *event != second && !stays(event));
        plan.extend(rest.map(|event| steps[event]));
        Some(Reversal { first: names[first], second: names[second], plan, place })
    })
}

/// A step of a failing run that comes before one that the run has not reached. With that one first,
/// the execution passes.
pub(super) struct TooEarly {
    /// The step of the run.
    step: usize,
    /// A run that passes, and the other step there.
    pub(super) passing: Run,
    other: usize,
}

/// Returns the last step of a failing run that comes too early.
pub(super) fn too_early<M: Machine>(
    attempts: &mut Attempts<M>,
    failing: &Run,
    deadline: Deadline<'_>,
) -> Option<TooEarly> {
    let steps = failing.steps();
    if steps.len() > LONGEST {
        return None;
    }
    for step in (0..steps.len()).rev() {
        let late = steps[step].process;
        // What the other processes do if this one waits for them.
        let delayed = attempts.run_without(&steps[..step], Some(late))?;
        let others = (step..delayed.events.len()).take_while(|e| delayed.process(*e) != late);
        let event = &failing.events[step];
        let conflicting = others.filter(|other| delayed.events[*other].conflicts_with(event));
        for other in conflicting {
            if deadline.has_passed() {
                return None;
            }
            let mut plan = delayed.steps()[..=other].to_vec();
            plan.extend_from_slice(&steps[step..]);
            let Some(passing) = attempts.run_seeing(&plan, failing, step) else { continue };
            let is_as_planned = passing.steps().get(other) == plan.get(other);
            if matches!(passing.end, End::Passed) && is_as_planned {
                return Some(TooEarly { step, passing, other });
            }
            if matches!(delayed.end, End::Passed) {
                return Some(TooEarly { step, passing: delayed, other });
            }
        }
    }
    None
}

impl TooEarly {
    /// Returns a sentence about it, given the recordings of both runs.
    pub(super) fn describe(&self, failing: &Recording, passing: &Recording) -> Option<String> {
        let step = describe_step(failing, self.step)?;
        let other = describe_later(passing, self.other)?;
        Some(format!(
            "It fails because {step} comes before {other}, which has yet to come. If that comes \
             first, it passes."
        ))
    }
}

/// Leaves out the orders that another one implies: `i' → j'` implies `i → j` if the process of both
/// first events performs `i` before `i'`, and that of both second ones `j'` before `j`.
fn tightest<P: PartialEq>(
    orders: &[(usize, usize)],
    process: impl Fn(usize) -> P,
) -> Vec<(usize, usize)> {
    let implies = |(i, j): (usize, usize), (first, second): (usize, usize)| {
        (i, j) != (first, second)
            && process(i) == process(first)
            && process(j) == process(second)
            && first <= i
            && j <= second
    };
    let is_implied = |order: &(usize, usize)| orders.iter().any(|other| implies(*other, *order));
    let mut kept: Vec<_> = orders.iter().copied().filter(|order| !is_implied(order)).collect();
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implied_orders_are_left_out() {
        // Processes 0 and 1 perform the even and the odd events.
        let orders = [(0, 5), (2, 3), (1, 4)];
        assert_eq!(tightest(&orders, |event| event % 2), [(1, 4), (2, 3)]);
    }
}
