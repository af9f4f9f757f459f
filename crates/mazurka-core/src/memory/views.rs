//! What steps see of memory if the steps of a graph are taken in order.

use std::ops::Range;

use super::{Event, EventId, Graph, INITIAL, Kind};
use crate::model::View;

/// Returns what a step with these events sees of memory. If the view is `explicit`, it has the value of every
/// read.
pub(crate) fn view_of_step(graph: &Graph, events: Range<EventId>, explicit: bool) -> View {
    let mut view = View::PRESENT;
    for id in of_first_action(graph, events.clone()) {
        add_to_view(graph, events.start, id, explicit, &mut view);
    }
    view
}

/// Returns the events of the first action of a step that has these events.
///
/// What a step is told of memory concerns this action. Further actions of the step find what memory holds.
pub(crate) fn of_first_action(
    graph: &Graph,
    Range { start, end }: Range<EventId>,
) -> Range<EventId> {
    if start == end {
        return start..end;
    }
    let event = graph.event(start);
    match event.kind == Kind::Read && event.is_exclusive {
        true => start..end.min(start + 2),
        false => start..start + 1,
    }
}

/// Adds what an event of a step sees of memory: the writes before the step, in the order of the witness.
fn add_to_view(graph: &Graph, first: EventId, id: EventId, explicit: bool, view: &mut View) {
    let event = graph.event(id);
    let Some(location) = event.location_if_memory() else { return };
    let earlier = |write: &EventId| *write < first;
    let mut before = graph.coherence(location).iter().rev().copied().filter(earlier);
    match event.kind {
        // It counts what memory holds.
        Kind::Read if event.is_arrival => {}
        // All writes before the step come first. In a long execution, most writes come after it.
        Kind::Read if graph.is_run_in_order(location) => {
            let later = graph.coherence(location)[graph.position_of(id)..].iter().copied();
            see(graph, event, later.take_while(earlier), explicit, view);
        }
        Kind::Read => {
            let later = before.chain([INITIAL]).take_while(|write| *write != event.reads_from);
            see(graph, event, later, explicit, view);
        }
        Kind::Write if graph.is_run_in_order(location) => {}
        Kind::Write => {
            let position = graph.position(location, id);
            let last = before.next().filter(|last| graph.position(location, *last) > position);
            if let Some(last) = last {
                view.leaves = Some(graph.value_of(location, last));
                let between = before.filter(|other| graph.position(location, *other) > position);
                view.between = between.count() as u32;
            }
        }
        Kind::Fence | Kind::Choice => {}
    }
}

/// Adds what a read sees of memory, if these writes come later than the one that it reads from.
fn see(
    graph: &Graph,
    read: &Event,
    later: impl Iterator<Item = EventId>,
    explicit: bool,
    view: &mut View,
) {
    let mut missed = 0;
    let mut same = 0;
    for write in later {
        missed += 1;
        same += u32::from(graph.value_of(read.location, write) == read.value);
    }
    if missed > 0 || explicit {
        (view.sees, view.older) = (Some(read.value), same);
    }
}
