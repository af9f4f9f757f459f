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
//! The paper assumes that `n` and `k` are known. Here, `k` is the length of the longest known
//! sample, and a process gets its priority when it is first seen.

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
    /// The number of steps of the sample.
    steps: usize,
    /// The number of steps of the longest sample.
    longest: usize,
}

impl Policy for Pct {
    /// The number of steps.
    type Gain = usize;

    fn new(options: &SamplingOptions) -> Self {
        Pct {
            bug_depth: options.bug_depth.max(1),
            priorities: Vec::new(),
            change_points: Vec::new(),
            steps: 0,
            longest: 0,
        }
    }

    fn begin(&mut self, _initial: usize, random: &mut Random) {
        self.priorities.clear();
        self.change_points.clear();
        self.steps = 0;
        if self.longest > 0 {
            let longest = self.longest as u64;
            let lower = (1..u64::from(self.bug_depth)).rev();
            self.change_points.extend(lower.map(|low| (random.below(longest) as usize, low)));
            self.change_points.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    fn choose<M: Machine>(
        &mut self,
        _machine: &M,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId {
        loop {
            let highest = enabled.iter().copied().max_by_key(|process| {
                let priority = entry(&mut self.priorities, *process);
                if *priority == 0 {
                    *priority = random.next() | INITIAL;
                }
                *priority
            });
            let chosen = highest.unwrap_or(ProcessId::MAIN);
            let step = self.steps;
            match self.change_points.pop_if(|(at, _)| *at <= step) {
                Some((_, low)) => *entry(&mut self.priorities, chosen) = low,
                None => {
                    self.steps += 1;
                    return chosen;
                }
            }
        }
    }

    fn ended(&mut self, steps: usize) -> usize {
        steps
    }

    fn learn(&mut self, steps: &usize) {
        self.longest = self.longest.max(*steps);
    }

    fn guarantee(&self, processes: usize) -> Option<f64> {
        let others = f64::powi(self.longest.max(1) as f64, self.bug_depth as i32 - 1);
        Some(1.0 / (processes.max(1) as f64 * others))
    }
}
