//! The orders that decide between failing and passing.
//!
//! For two conflicting events `i` and `j` of different processes, `i` first, there is a run with `j`
//! first unless `j` follows from `i` in another way: the events that do not happen after `i`, then
//! `j`, then `i`, then the others as far as they are possible. If that run passes, the order of the
//! two events is decisive.

use std::time::Instant;

use mazurka_core::model::{Machine, Step};

use super::attempt::{Attempts, End, Run};
use super::{describe as describe_step, describe_later};
use crate::Recording;

/// Longer runs have no such explanation: there are too many pairs of events.
const LONGEST: usize = 2_000;

/// The maximum number of orders that are described.
const MOST: usize = 4;

/// Returns the decisive orders of a run, and the passing run that is nearest to it.
pub(super) fn decisive<M: Machine>(
    attempts: &mut Attempts<M>,
    failing: &Run,
    deadline: Instant,
) -> (Vec<(usize, usize)>, Option<Run>) {
    if failing.events.len() > LONGEST {
        return (Vec::new(), None);
    }
    let (clocks, numbers) = failing.clocks();
    let happens_before = |first: usize, second: usize| {
        clocks[second][failing.process(first).index()] >= numbers[first]
    };
    let steps = failing.steps();
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut nearest: Option<Run> = None;
    // Late orders first: they are nearer to the failure.
    for first in (0..steps.len()).rev() {
        for second in first + 1..steps.len() {
            if steps[first].process == steps[second].process || !failing.conflicts(first, second) {
                continue;
            }
            let own = |event: usize| steps[event].process == steps[second].process;
            let before = (0..second).rev().find(|event| own(*event));
            if before.is_some_and(|before| before >= first && happens_before(first, before)) {
                continue;
            }
            if Instant::now() >= deadline {
                return (Vec::new(), None);
            }
            let stays = |event: &usize| *event < first || !happens_before(first, *event);
            let early = (0..second).filter(|event| *event != first).filter(stays);
            let mut plan: Vec<Step> = early.clone().map(|event| steps[event]).collect();
            plan.push(steps[second]);
            let is_planned = |event: usize| {
                event == second || (event < second && event != first && stays(&event))
            };
            plan.extend(
                (first..steps.len()).filter(|event| !is_planned(*event)).map(|event| steps[event]),
            );
            let Some(run) = attempts.run(&plan) else { continue };
            if matches!(run.end, End::Passed) {
                found.push((first, second));
                nearest.get_or_insert(run);
            }
        }
    }
    (tightest(&found, |event| steps[event].process), nearest)
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
    deadline: Instant,
) -> Option<TooEarly> {
    let steps = failing.steps();
    if steps.len() > LONGEST || !matches!(failing.end, End::Failed(_)) {
        return None;
    }
    let longer = attempts.run_on(&steps, true)?;
    for step in (0..steps.len()).rev() {
        for later in steps.len()..longer.events.len() {
            if longer.process(later) == steps[step].process || !longer.conflicts(step, later) {
                continue;
            }
            if Instant::now() >= deadline {
                return None;
            }
            let others = |event: &usize| longer.process(*event) != steps[step].process;
            let before = (steps.len()..=later).filter(others).map(|e| longer.events[e].step);
            let mut plan: Vec<Step> = steps[..step].iter().copied().chain(before).collect();
            let other = plan.len() - 1;
            plan.extend_from_slice(&steps[step..]);
            let Some(passing) = attempts.run(&plan) else { continue };
            let is_as_planned = passing.steps().get(other) == plan.get(other);
            if matches!(passing.end, End::Passed) && is_as_planned {
                return Some(TooEarly { step, passing, other });
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

/// Returns a sentence about the decisive orders.
pub(super) fn describe(orders: &[(usize, usize)], recording: &Recording) -> Vec<String> {
    if orders.is_empty() || orders.len() > MOST {
        return Vec::new();
    }
    let one = |(first, second): &(usize, usize)| {
        Some(format!(
            "{} comes before {}",
            describe_step(recording, *first)?,
            describe_step(recording, *second)?
        ))
    };
    let Some(parts) = orders.iter().map(one).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let reversed = match parts.len() {
        1 => "If the second comes first, it passes.",
        _ => "If a single one of these orders is reversed, it passes.",
    };
    vec![format!("It fails because {}.", parts.join(", and ")), reversed.to_owned()]
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
