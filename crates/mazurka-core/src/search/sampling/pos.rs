//! `pos`: partial order sampling.
//!
//! Yuan, Yang and Gu, *Partial Order Aware Concurrency Sampling* (CAV 2018). Each pending event has
//! a random priority, and the enabled event with the highest priority is next. After an event, the
//! pending events that race with it get new priorities, and all others keep theirs. The order of
//! independent events then has no influence on the order of the racing ones, so that samples spread
//! over the classes more evenly than with a random walk.

use super::{Policy, Random, SamplingOptions, entry};
use crate::model::dependence::depend;
use crate::model::{Action, Machine, Performed, ProcessId};

/// The policy of `pos`.
#[derive(Debug)]
pub(crate) struct Pos {
    /// The priority of the pending event of each process; 0 if it has none yet.
    priorities: Vec<u64>,
}

impl Policy for Pos {
    type Gain = ();

    fn new(_options: &SamplingOptions) -> Self {
        Pos { priorities: Vec::new() }
    }

    fn begin(&mut self, _initial: usize, _random: &mut Random) {
        self.priorities.clear();
    }

    fn choose(
        &mut self,
        _machine: &dyn Machine,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId {
        let highest = enabled.iter().copied().max_by_key(|process| {
            let priority = entry(&mut self.priorities, *process);
            if *priority == 0 {
                *priority = random.next() | 1;
            }
            *priority
        });
        highest.unwrap_or(ProcessId::MAIN)
    }

    fn took(&mut self, machine: &dyn Machine, process: ProcessId, performed: &Performed) {
        *entry(&mut self.priorities, process) = 0;
        // A process that is created or released has a new pending event.
        for edge in &performed.edges {
            *entry(&mut self.priorities, edge.to) = 0;
        }
        let races = |pending: &Action| {
            let mut actions = performed.actions.iter();
            actions.any(|action| depend((action.on, action.op), (pending.on, pending.op)))
        };
        for (other, priority) in self.priorities.iter_mut().enumerate().filter(|(_, p)| **p != 0) {
            let other = ProcessId::new(other);
            let guards = machine.guards(other).iter().chain(machine.others(other));
            if machine.next(other).into_iter().chain(guards).any(races) {
                *priority = 0;
            }
        }
    }
    fn ended(&mut self, _steps: usize) {}

    fn learn(&mut self, (): &()) {}
}
