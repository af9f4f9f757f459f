//! A schedule with fewer context switches.
//!
//! A block is a maximal run of steps of one process. The search moves a block to the next block of
//! its process, or the other way round, or drops it, and keeps the change if the violation is the
//! same and the schedule is better. A dropped block is not lost: its process runs later, if it has
//! to.
//!
//! Under a memory model, the steps of a changed schedule see what they saw before, as far as possible. A
//! read cannot precede the write that it reads from, so its step waits for that write, or reads another
//! one if the write was dropped. A read is *stale* if it comes after a write that it misses. Schedules
//! with fewer stale reads are better, whatever their context switches: if the execution is sequentially
//! consistent, the search looks for a schedule that shows it. To this end, it also moves a stale read
//! before the writes that it misses.

use mazurka_core::memory::{Event, EventId, Graph, Kind};
use mazurka_core::model::{Machine, Step};
use mazurka_core::verdict::Violation;

use super::attempt::{Attempts, Run};
use super::deadline::Deadline;

/// Returns the number of stale reads, of context switches, and of steps: less is better.
fn cost(run: &Run) -> (usize, usize, usize) {
    let steps = run.steps();
    (stale(run).count(), switches(&steps), steps.len())
}

/// Returns the number of context switches.
fn switches(steps: &[Step]) -> usize {
    steps.windows(2).filter(|pair| pair[0].process != pair[1].process).count()
}

/// Returns the stale reads of a run under a memory model.
fn stale(run: &Run) -> impl Iterator<Item = &Event> {
    let graph = run.seen.as_ref().map(|seen| &seen.graph);
    graph.into_iter().flat_map(|graph| {
        let is_stale = |e: &&Event| e.kind == Kind::Read && missed(graph, e).next().is_some();
        graph.events().iter().filter(is_stale)
    })
}

/// Returns the writes that a read misses although they come before it in the schedule.
fn missed(graph: &Graph, read: &Event) -> impl Iterator<Item = EventId> {
    let order = graph.coherence(read.location);
    // The initial write is not part of the order.
    let first = order.iter().position(|write| *write == read.reads_from).map_or(0, |at| at + 1);
    let is_before =
        |write: &EventId| graph.event(*write).step().is_some_and(|at| Some(at) < read.step());
    order[first..].iter().copied().filter(is_before)
}

/// Returns a run that ends with the same violation, and that is at least as good.
pub(super) fn shorten<M: Machine>(
    attempts: &mut Attempts<M>,
    mut best: Run,
    violation: &Violation,
    deadline: Deadline<'_>,
) -> Run {
    while let Some(better) = improve(attempts, &best, violation, deadline) {
        best = better;
    }
    best
}

/// Returns the first better neighbour of a run that is found until the deadline.
fn improve<M: Machine>(
    attempts: &mut Attempts<M>,
    best: &Run,
    violation: &Violation,
    deadline: Deadline<'_>,
) -> Option<Run> {
    attempts.follow(best);
    let (steps, cost_of_best) = (best.steps(), cost(best));
    let blocks: Vec<&[Step]> = steps.chunk_by(|a, b| a.process == b.process).collect();
    let has_race = |run: &Run| run.seen.as_ref().is_some_and(|seen| seen.has_data_race);
    let is_better = |run: &Run| {
        // What an execution with a data race does is undefined.
        let is_defined = has_race(best) || !has_race(run);
        is_defined && run.fails_like(violation) && cost(run) < cost_of_best
    };
    let earlier = stale(best).filter_map(|read| before_missed(best, read));
    let plans = earlier.chain(plans(&blocks)).take_while(|_| !deadline.has_passed());
    plans.filter_map(|plan| attempts.run(&plan)).find(is_better)
}

/// Returns a schedule with a stale read before the writes that it misses. The steps that need these
/// writes come after the read. Returns `None` if the read itself needs such a write.
fn before_missed(run: &Run, read: &Event) -> Option<Vec<Step>> {
    let (graph, step) = (&run.seen.as_ref()?.graph, read.step()?);
    let mut is_late = vec![false; run.events.len()];
    for (id, event) in graph.events().iter().enumerate() {
        if let Some(at) = event.step()
            && missed(graph, read).any(|write| graph.is_in_prefix(write, id as EventId))
        {
            is_late[at] = true;
        }
    }
    let steps = run.steps();
    let late = || (0..step).filter(|at| is_late[*at]);
    let early = (0..step).filter(|at| !is_late[*at]);
    let order = early.chain([step]).chain(late()).chain(step + 1..steps.len());
    (!is_late[step]).then(|| order.map(|at| steps[at]).collect())
}

/// Returns the neighbours of a schedule.
fn plans<'a>(blocks: &'a [&'a [Step]]) -> impl Iterator<Item = Vec<Step>> + 'a {
    (0..blocks.len()).flat_map(move |block| {
        let process = blocks[block][0].process;
        let next = (block + 1..blocks.len()).find(|next| blocks[*next][0].process == process);
        let without = |left_out: usize| {
            let kept = blocks.iter().enumerate().filter(move |(index, _)| *index != left_out);
            kept.map(|(index, steps)| (index, *steps))
        };
        let joined = |moved: usize, to: usize| -> Vec<Step> {
            let join = |(index, steps): (usize, &[Step])| match index == to {
                true if moved < to => [blocks[moved], steps].concat(),
                true => [steps, blocks[moved]].concat(),
                false => steps.to_vec(),
            };
            without(moved).flat_map(join).collect()
        };
        let dropped = without(block).flat_map(|(_, steps)| steps.to_vec()).collect();
        let moves = next.map(|next| [joined(next, block), joined(block, next)]);
        moves.into_iter().flatten().chain([dropped])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::model::ProcessId;

    #[test]
    fn blocks_are_moved_and_dropped() {
        let steps = |text: &str| -> Vec<Step> {
            text.bytes().map(|c| Step::of(ProcessId::new(usize::from(c - b'0')))).collect()
        };
        let all = steps("1122113");
        let blocks: Vec<&[Step]> = all.chunk_by(|a, b| a.process == b.process).collect();
        let plans: Vec<Vec<Step>> = plans(&blocks).collect();
        for expected in ["1111223", "2211113", "22113", "11113", "112211"] {
            assert!(plans.contains(&steps(expected)), "{expected}");
        }
        assert_eq!(switches(&all), 3);
    }
}
