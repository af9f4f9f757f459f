//! A schedule with fewer context switches.
//!
//! A block is a maximal run of steps of one process. The search moves a block to the next block of
//! its process, or the other way round, or drops it, and keeps the change if the violation is the
//! same and the schedule is better. A dropped block is not lost: its process runs later, if it has
//! to.

use std::time::Instant;

use mazurka_core::model::{Machine, Step};
use mazurka_core::verdict::Violation;

use super::attempt::{Attempts, Run};

/// Returns the number of context switches and the number of steps: less is better.
fn cost(steps: &[Step]) -> (usize, usize) {
    let switches = steps.windows(2).filter(|pair| pair[0].process != pair[1].process).count();
    (switches, steps.len())
}

/// Returns a run that ends with the same violation, and that is at least as good.
pub(super) fn shorten<M: Machine>(
    attempts: &mut Attempts<M>,
    mut best: Run,
    violation: &Violation,
    deadline: Instant,
) -> Run {
    'better: loop {
        let steps = best.steps();
        let blocks: Vec<&[Step]> = steps.chunk_by(|a, b| a.process == b.process).collect();
        for plan in plans(&blocks) {
            if Instant::now() >= deadline {
                return best;
            }
            let Some(run) = attempts.run(&plan) else { continue };
            if run.fails_like(violation) && cost(&run.steps()) < cost(&steps) {
                best = run;
                continue 'better;
            }
        }
        return best;
    }
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
        assert_eq!(cost(&all), (3, 7));
    }
}
