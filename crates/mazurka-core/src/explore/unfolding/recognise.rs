//! Which event of the unfolding a step is.
//!
//! The machine takes steps; the algorithm deals in events ⟨t, H⟩. After a step, its history is read off
//! its clock, and the event with that transition and history is looked up in `U`, or added to it.

use super::Unfolding;
use super::cutoffs::states::StateId;
use super::events::event::{EventAccess, EventId};
use super::events::prefix::{Known, NewEvent};
use super::extend::probe::Whereabouts;
use super::names::Same;
use crate::execution::{Access, Execution};
use crate::model::{Machine, Op};
use crate::verdict::Violation;

impl Unfolding {
    /// Returns the event that the last step of the execution is. `failed` says whether the step was a
    /// violation, which has no state.
    pub(super) fn recognise(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        failed: bool,
    ) -> Result<EventId, Box<Violation>> {
        let index = self.configuration.len() - 1;
        let member = *self.configuration.member(index);
        self.history.clear();
        self.history.extend_from_slice(self.configuration.clock(index));
        self.history[member.step.process.index()] -= 1;
        let parents = self.configuration.maximal(&self.history);
        if let Some(Known::Event(event)) = self.prefix.find(member.step, &parents) {
            self.compare_touches(event, index);
            return Ok(event);
        }
        let state = match self.has_cut_offs && !failed {
            true => self.state_of_last(machine, execution)?,
            false => None,
        };
        let process = member.step.process;
        let new = NewEvent {
            step: member.step,
            parents,
            number: member.number,
            touches: self.configuration.touches(index, &self.history),
            is_choice: member.alternatives > 1,
            has_edges: self.has_edges(process, self.configuration.past(index)),
            state,
        };
        Ok(self.discover(new))
    }

    /// Compares the accesses of a known event with those of the step at `index`, which is that event.
    fn compare_touches(&mut self, event: EventId, index: usize) {
        let accesses = self.configuration.accesses_of(index).len();
        self.is_lost |= self.prefix.get(event).touches.len() != accesses;
        for i in 0..accesses.min(self.prefix.get(event).touches.len()) {
            let EventAccess { cell: touched, op: predicted, .. } =
                self.prefix.get(event).touches[i];
            let Access { cell: touches, op: performed, .. } =
                self.configuration.accesses_of(index)[i];
            // A step may fail in a way that its values do not show. A write that fails is an update.
            let is_failed_write = (predicted, performed) == (Op::Write, Op::Update);
            self.is_lost |= predicted != performed && !is_failed_write;
            match touched == touches {
                true => {}
                // The event accesses the same object under another name.
                false if self.names.may_be_same(touched, touches) => {
                    self.merge(&Same(touches, touched));
                }
                false => self.is_lost = true,
            }
        }
    }

    /// Returns the state that the local configuration of the last event leads to. The machine visits
    /// that state unless it is in it, and comes back.
    fn state_of_last(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<Option<StateId>, Box<Violation>> {
        let len = self.configuration.len();
        let local = self.configuration.clock(len - 1);
        if local.iter().sum::<u32>() as usize == len {
            return Ok(self.states.of(machine));
        }
        self.probe.intact = len;
        let at = Whereabouts { configuration: &self.configuration, names: &self.names };
        let state = self.probe.state_after(machine, execution, at, local, &mut self.states)?;
        self.probe.return_to_end(machine, &self.configuration)?;
        Ok(state)
    }
}
