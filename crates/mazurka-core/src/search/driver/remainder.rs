//! Failures of a graph without the failures before them.
//!
//! With `keep_going`, one execution may show several failures. A graph says which steps depend on a failed one:
//! those behind it in `(po ∪ rf)⁺` and edges. The other steps are a graph, too. If they still lead to the later
//! failure, the program can reach it, by a schedule of these steps.

use std::ops::Range;

use crate::execution::{Execution, renumber};
use crate::memory::views::view_of_step;
use crate::memory::{EventId, Graph, NO_STEP};
use crate::model::{ProcessId, Schedule, Step, View, Violation};
use crate::search::driver::failures::Failure;
use crate::search::driver::{Driver, Stop};

impl Driver<'_> {
    /// Returns a schedule that leads to the failure after the first `steps` steps without the `earlier`
    /// failures, if there is one.
    pub(super) fn schedule_of_remainder(
        &mut self,
        graph: &Graph,
        earlier: &[Failure],
        steps: usize,
        violation: &Violation,
    ) -> Result<Option<Schedule>, Stop> {
        let mut remains = vec![true; steps];
        earlier.iter().for_each(|(steps, _)| remains[steps - 1] = false);
        remove_dependent(graph, &self.execution, &mut remains);
        if !remains[steps - 1] {
            return Ok(None);
        }
        let taken = self.steps_of_remainder(graph, &remains);
        let len = self.execution.len();
        self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
        let schedule = self.take_to(&taken, violation);
        self.machine.rewind(0).or_else(|violation| self.lose(*violation))?;
        self.go_back(0, len).or_else(|violation| self.lose(*violation))?;
        Ok(schedule)
    }

    /// Returns the steps that remain, and what they see of memory without the others.
    fn steps_of_remainder(&self, graph: &Graph, remains: &[bool]) -> Vec<(Step, View)> {
        let is_kept = |step: u32| step != NO_STEP && remains.get(step as usize) == Some(&true);
        let kept: Vec<bool> = graph.events().iter().map(|event| is_kept(event.step)).collect();
        let (mut rest, mut names) = (Graph::default(), Vec::new());
        rest.restrict(graph, &kept, &mut names);
        let events = events_of_steps(&rest, remains.len());
        let steps = events.into_iter().enumerate().filter(|(step, _)| remains[*step]);
        let with_view =
            |(step, events)| (self.execution.event(step).step, view_of_step(&rest, events, false));
        steps.map(with_view).collect()
    }

    /// Takes steps from the start. Returns their schedule if the last one, and no other, fails as expected.
    fn take_to(&mut self, steps: &[(Step, View)], expected: &Violation) -> Option<Schedule> {
        let initial = self.execution.initial();
        let mut created: Vec<ProcessId> = Vec::new();
        let mut schedule = Schedule::default();
        schedule.set_memory_model(self.execution.memory_model);
        for (place, (step, view)) in steps.iter().enumerate() {
            self.performed.clear();
            let result = self.machine.step_seeing(*step, *view, &mut self.performed);
            schedule.push(renumber(*step, initial, &created), *view);
            self.note_created(&mut created);
            match result {
                Ok(()) if place + 1 < steps.len() => {}
                Err(violation) if place + 1 == steps.len() => {
                    let is_expected =
                        (violation.kind, &violation.message) == (expected.kind, &expected.message);
                    return is_expected.then_some(schedule);
                }
                _ => return None,
            }
        }
        None
    }
}

/// Returns the events of the first steps of a graph.
fn events_of_steps(graph: &Graph, steps: usize) -> Vec<Range<EventId>> {
    let mut events = vec![0..0; steps];
    for (id, event) in (0..).zip(graph.events()) {
        // A blocked read belongs to no step.
        if let Some(events) = events.get_mut(event.step as usize) {
            let start = if events.start == events.end { id } else { events.start };
            *events = start..id + 1;
        }
    }
    events
}

/// Removes the steps that depend on a removed one. A step without events depends on those of its process, and on
/// the one that has created the process.
fn remove_dependent(graph: &Graph, execution: &Execution, remains: &mut [bool]) {
    let mut removed: Vec<EventId> = Vec::new();
    for (step, events) in events_of_steps(graph, remains.len()).into_iter().enumerate() {
        let process = execution.event(step).step.process;
        let is_earlier = |other: usize| {
            execution.event(other).step.process == process
                || execution.creator(process) == Some(other)
        };
        let depends = |event: EventId| {
            let from = graph.event(event).reads_from;
            removed.contains(&from)
                || removed.iter().any(|other| graph.program_order(*other, event))
        };
        if (0..step).any(|other| !remains[other] && is_earlier(other))
            || events.clone().any(depends)
        {
            remains[step] = false;
        }
        if !remains[step] {
            removed.extend(events);
        }
    }
}
