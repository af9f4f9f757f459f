//! Random executions that are run for their lessons alone.
//!
//! Some [lessons](crate::model::Lesson) can come late: an explorer that goes through executions in order
//! may take hours to the first one that teaches something, and all that it explored before is then
//! worthless. A random execution is not confined to the neighbourhood of the last one. So from time to
//! time some of these are run, a hundredth of all executions: a lesson that one of `n` random executions
//! teaches is then learnt after about `100 n` executions, however many there are.

use crate::execution::order::Relation;
use crate::model::{Machine, ProcessId, Step};
use crate::search::driver::{Driver, Stop};
use crate::search::team::Team;

/// After so many executions scouts are sent out first, and then whenever there are ten times as many.
pub(super) const FIRST_SCOUTS: u64 = 1_000;
/// There is one scout for so many executions.
const EXECUTIONS_PER_SCOUT: u64 = 100;
/// A scout turns back after so many steps.
const LONGEST_WAY: usize = 10_000;

impl<M: Machine, T: Team> Driver<'_, M, T> {
    /// Sends scouts out if it is time, and brings the machine back to its initial state. Returns
    /// whether it did.
    #[inline]
    pub(super) fn send_scouts<R: Relation>(&mut self) -> Result<bool, Stop> {
        let executions = self.verdict.executions + self.verdict.blocked;
        if executions < self.next_scouts {
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
            // What goes wrong on the way is found, and reported, by the explorer.
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

/// A small generator of numbers (splitmix64), so that every run sends its scouts the same ways.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    /// One of these, each as likely as any other.
    fn choose<T>(&mut self, items: impl Iterator<Item = T>) -> Option<T> {
        (1..).zip(items).fold(None, |chosen, (count, item)| match self.below(count) {
            0 => Some(item),
            _ => chosen,
        })
    }
}
