//! `pct`: probabilistic concurrency testing.
//!
//! Burckhardt, Kothari, Musuvathi and Nagarakatte, *A Randomized Scheduler with Probabilistic
//! Guarantees of Finding Bugs* (ASPLOS 2010). Each process has a random priority, and the enabled
//! process with the highest priority moves. At `d - 1` random steps, the process that would move gets
//! a priority below all initial ones: the `i`-th change point lowers it to `d - i`.
//!
//! A bug of depth `d` needs `d` ordering constraints between events. If a program has at most `n`
//! processes and `k` steps, a sample finds a given bug of depth `d` with a probability of at least
//! `1 / (n k^(d-1))`.
//!
//! The paper assumes that `n` and `k` are known. Here, `k` is the largest number of steps in a known
//! sample, and a process gets its priority when it is first seen. A step counts only if several processes
//! are enabled: a change point before another step has the same effect as one before the next step that
//! counts, because nothing else can run in between. The fewer steps, the more likely each bug is. So change
//! points are before different steps, and none is before the first one, where it would only choose other
//! initial priorities.
//!
//! In the first sample, processes have priorities in the order of their creation, and there are no change
//! points: this is the schedule that is easiest to read.

use super::{Policy, Random, SamplingOptions, entry};
use crate::model::{Machine, ProcessId};

/// Initial priorities have this bit, so that change points lower them.
const INITIAL: u64 = 1 << 63;

/// The policy of `pct`.
#[derive(Debug)]
pub(crate) struct Pct {
    bug_depth: u32,
    /// The priority of each process; 0 if it has none yet.
    priorities: Vec<u64>,
    /// The change points that are left, latest first: the step, and the new priority.
    change_points: Vec<(usize, u64)>,
    /// The number of steps of the sample at which several processes were enabled.
    steps: usize,
    /// The largest number of such steps in a sample; 0 in the first sample.
    longest: usize,
    /// The number of processes that got a priority.
    seen: u64,
}

impl Policy for Pct {
    /// The number of steps at which several processes were enabled.
    type Gain = usize;

    fn new(options: &SamplingOptions) -> Self {
        Pct {
            bug_depth: options.bug_depth.max(1),
            priorities: Vec::new(),
            change_points: Vec::new(),
            steps: 0,
            longest: 0,
            seen: 0,
        }
    }

    fn begin(&mut self, _initial: usize, random: &mut Random) {
        self.priorities.clear();
        self.change_points.clear();
        self.steps = 0;
        self.seen = 0;
        // Every step but the first.
        let places = self.longest.saturating_sub(1);
        let lowest_first = 1..u64::from(self.bug_depth);
        for low in lowest_first.rev().take(places) {
            let at = loop {
                let at = 1 + random.below(places as u64) as usize;
                if self.change_points.iter().all(|(other, _)| *other != at) {
                    break at;
                }
            };
            self.change_points.push((at, low));
        }
        self.change_points.sort_unstable_by(|a, b| b.cmp(a));
    }

    fn choose(
        &mut self,
        _machine: &dyn Machine,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId {
        let has_choice = enabled.len() > 1;
        loop {
            let (is_first, seen) = (self.longest == 0, &mut self.seen);
            let highest = enabled.iter().copied().max_by_key(|process| {
                let priority = entry(&mut self.priorities, *process);
                if *priority == 0 {
                    *seen += 1;
                    let order = if is_first { !*seen } else { random.next() };
                    *priority = order | INITIAL;
                }
                *priority
            });
            let chosen = highest.unwrap_or(ProcessId::MAIN);
            let step = self.steps;
            match self.change_points.pop_if(|(at, _)| has_choice && *at <= step) {
                Some((_, low)) => *entry(&mut self.priorities, chosen) = low,
                None => {
                    self.steps += usize::from(has_choice);
                    return chosen;
                }
            }
        }
    }

    fn ended(&mut self, _steps: usize) -> usize {
        self.steps
    }

    fn learn(&mut self, steps: &usize) {
        self.longest = self.longest.max(*steps);
    }

    fn guarantee(&self, processes: usize) -> Option<f64> {
        let others = f64::powi(self.longest.max(1) as f64, self.bug_depth as i32 - 1);
        Some(1.0 / (processes.max(1) as f64 * others))
    }
}
