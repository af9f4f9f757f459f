//! Random executions that run only to learn lessons early.
//!
//! A [lesson](crate::model::Lesson) invalidates everything that the search has explored before. An
//! explorer that enumerates executions in order may take hours to reach the first execution that
//! teaches one. Random executions, called scouts, are not confined to the neighbourhood of the last
//! execution. The driver runs one scout for every 100 executions. If one of `n` random executions
//! teaches a lesson, the search learns it after about `100 n` executions.

use crate::execution::order::Relation;
use crate::model::{Machine, ProcessId, Step};
use crate::search::Algorithm;
use crate::search::driver::{Driver, Stop};
use crate::search::team::Team;

/// The number of executions before the first scouts. Scouts run again whenever this number has
/// grown tenfold.
pub(super) const FIRST_SCOUTS: u64 = 1_000;
/// The number of executions for each scout.
const EXECUTIONS_PER_SCOUT: u64 = 100;
/// The maximum number of steps of a scout.
const LONGEST_WAY: usize = 10_000;

impl<M: Machine, T: Team> Driver<'_, M, T> {
    /// Runs scouts if they are due, and rewinds the machine to its initial state. Returns whether
    /// it ran scouts.
    #[inline]
    pub(super) fn send_scouts<R: Relation>(&mut self) -> Result<bool, Stop> {
        let executions = self.verdict.executions + self.verdict.blocked;
        // No lesson changes what `graphs` explores.
        if executions < self.next_scouts || self.options.algorithm == Algorithm::Graphs {
            return Ok(false);
        }
        self.next_scouts *= 10;
        let mut random = Random(executions);
        for _ in 0..executions / EXECUTIONS_PER_SCOUT {
            self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
            self.scout::<R>(&mut random);
            if self.lesson.is_some() || self.execution.has_lesson() {
                break;
            }
        }
        self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
        Ok(true)
    }

    /// Runs a random execution.
    fn scout<R: Relation>(&mut self, random: &mut Random) {
        let longest = self.options.max_depth.map_or(LONGEST_WAY, |max| max.min(LONGEST_WAY));
        for _ in 0..longest {
            let processes = (0..self.machine.processes()).map(ProcessId::new);
            let enabled = processes.filter(|process| self.machine.is_enabled(*process));
            let Some(process) = random.choose(enabled) else { break };
            let choice = random.below(self.machine.alternatives(process).into()) as u32;
            self.performed.clear();
            // Ignore a failure: the explorer finds and reports it.
            let _ = self.machine.step(Step { process, choice }, &mut self.performed);
            let alone = self.performed.actions.len() == 1;
            for action in &self.performed.actions {
                let cell = self.execution.cell(self.machine, action.on);
                R::op(&mut self.execution, cell, action, alone);
            }
            self.lesson = self.lesson.or(self.performed.lesson);
            if self.lesson.is_some() {
                return;
            }
        }
        for process in (0..self.machine.processes()).map(ProcessId::new) {
            let guards = self.machine.guards(process).iter();
            let others = guards.chain(self.machine.others(process));
            for action in self.machine.next(process).into_iter().chain(others) {
                let cell = self.execution.cell(self.machine, action.on);
                R::op(&mut self.execution, cell, action, false);
            }
        }
    }
}

/// A small random number generator (splitmix64) with a fixed seed, so that every check runs the
/// same scouts.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    /// Returns one of the items, each with the same probability.
    fn choose<T>(&mut self, items: impl Iterator<Item = T>) -> Option<T> {
        (1..).zip(items).fold(None, |chosen, (count, item)| match self.below(count) {
            0 => Some(item),
            _ => chosen,
        })
    }
}
