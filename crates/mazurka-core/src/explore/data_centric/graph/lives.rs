//! The lives of objects.
//!
//! The begin and the end of an object's life observe nothing, and no event observes them. This is right if
//! the causal past orders them with all accesses to the object, in every execution. Suppose that no access
//! ever failed because its object is not alive. Then the search would reach every observation function, and
//! the observation function determines the causal pasts. So if an access can come after the end of its
//! object's life, or before the begin, then in some execution of the search the causal past does not order
//! the two, or it orders them in this way, and the access fails. [`ObservationGraph::outlives`] finds the
//! first case, and another explorer takes the program.

use super::ObservationGraph;
use crate::execution::Execution;
use crate::execution::value::CellPart;

impl ObservationGraph {
    /// Returns whether the last event accesses an object whose life does not begin or end in the event's
    /// past, or begins or ends a life although an earlier access to the object is not in its past.
    pub(crate) fn outlives(&self, execution: &Execution) -> bool {
        let last = self.events.len() - 1;
        let accesses = execution.accesses_of(last);
        accesses.iter().any(|access| match (access.part, execution.is_life(access.cell)) {
            // The last event of these is behind all earlier ones.
            (CellPart::Whole | CellPart::Life, true) => {
                !self.is_behind(last, access.previous_write, execution)
            }
            (CellPart::Life, false) => {
                // The accesses since the last begin or end.
                let mut next = access.previous;
                std::iter::from_fn(|| {
                    let access = execution.accesses.get(next as usize)?;
                    let index = std::mem::replace(&mut next, access.previous);
                    (access.part != CellPart::Life).then_some(index)
                })
                .any(|access| !self.is_behind(last, access, execution))
            }
            (CellPart::Whole | CellPart::Bytes(_) | CellPart::Unknown, _) => false,
        })
    }

    /// Returns whether an access, if there is one, is in the past of an event.
    fn is_behind(&self, event: usize, access: u32, execution: &Execution) -> bool {
        execution.accesses.get(access as usize).is_none_or(|access| {
            access.event as usize == event || self.is_past(access.event, self.events[event].clock)
        })
    }
}
