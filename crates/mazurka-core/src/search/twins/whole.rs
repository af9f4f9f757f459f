//! A whole execution, and which steps of its twins are equal. [`orbits`](super::orbits) says what for.

use crate::execution::Execution;
use crate::execution::order::NaturalOrder;
use crate::model::{Edge, ProcessId, Ways};

/// How the first steps that are not equal order two neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// No steps are different, or they are in this order in every good arrangement.
    Forced,
    /// They are in the other order in every good arrangement.
    Wrong,
    /// They may be in any order.
    Open,
}

/// An execution, and what is known about it.
pub(super) struct Whole<'a> {
    pub(super) execution: &'a Execution,
    pub(super) order: &'a NaturalOrder,
    pub(super) events: &'a [Vec<u32>],
    pub(super) edges: &'a [(u32, Edge)],
}

impl Whole<'_> {
    /// Returns the event of a process with this number, from 1.
    pub(super) fn event(&self, process: ProcessId, number: u32) -> Option<u32> {
        self.events.get(process.index())?.get(number as usize - 1).copied()
    }

    /// Returns the number of processes, with those of other executions.
    pub(super) fn processes(&self) -> usize {
        self.order.processes()
    }

    /// Returns the number of processes in the initial state.
    pub(super) fn initial(&self) -> usize {
        self.execution.initial()
    }

    /// Returns the number of steps of a process that happen before an event, with the event itself.
    pub(super) fn past(&self, event: u32, process: ProcessId) -> u32 {
        self.order.component(event, process)
    }

    /// Returns the number of events that happen before an event, with the event itself.
    pub(super) fn past_of(&self, event: u32) -> u32 {
        (0..self.processes()).map(|process| self.past(event, ProcessId::new(process))).sum()
    }

    /// Returns whether the steps that happen before an event of a process are among these first steps of
    /// each process.
    pub(super) fn is_past_taken(&self, event: u32, process: ProcessId, taken: &[u32]) -> bool {
        let mut others = (0..taken.len()).map(ProcessId::new).filter(|other| *other != process);
        others.all(|other| self.past(event, other) <= taken[other.index()])
    }

    /// Returns the created processes in the order of their creation, each with its creator.
    pub(super) fn creations(&self) -> Vec<(ProcessId, ProcessId)> {
        let mut creations: Vec<(ProcessId, ProcessId)> = Vec::new();
        for (_, edge) in self.edges {
            let is_known = creations.iter().any(|(_, created)| *created == edge.to);
            if edge.to.index() >= self.initial() && !is_known {
                creations.push((edge.from, edge.to));
            }
        }
        creations
    }

    /// Returns whether the step of a process with this number happens before an event.
    fn happens_before(&self, (process, number): (ProcessId, u32), event: u32) -> bool {
        self.past(event, process) >= number
    }

    /// Returns the order of two neighbours.
    pub(super) fn order_of(&self, a: ProcessId, b: ProcessId) -> Order {
        self.order_at(a, b, self.first_difference(a, b))
    }

    /// Returns the order of two twins whose steps with this number are the first that may not be equal.
    pub(super) fn order_at(&self, a: ProcessId, b: ProcessId, number: u32) -> Order {
        let (Some(first), Some(second)) = (self.event(a, number), self.event(b, number)) else {
            return match self.event(b, number) {
                None => Order::Forced,
                Some(_) => Order::Wrong,
            };
        };
        if self.happens_before((a, number), second) {
            return Order::Forced;
        }
        if self.happens_before((b, number), first) {
            return Order::Wrong;
        }
        match self.are_alike((a, first), (b, second)) && !self.names_process(first) {
            true if self.choice(first) >= self.choice(second) => Order::Forced,
            true => Order::Wrong,
            false => Order::Open,
        }
    }

    /// Returns the number of the first steps of two twins that are not equal.
    pub(super) fn first_difference(&self, a: ProcessId, b: ProcessId) -> u32 {
        let mut number = 1;
        while self.are_equal(a, b, number) {
            number += 1;
        }
        number
    }

    /// Returns whether the steps with this number of two twins, whose earlier steps are equal, are equal.
    pub(super) fn are_equal(&self, a: ProcessId, b: ProcessId, number: u32) -> bool {
        let [Some(first), Some(second)] = [a, b].map(|twin| self.event(twin, number)) else {
            return false;
        };
        self.choice(first) == self.choice(second)
            && !self.names_process(first)
            && self.are_alike((a, first), (b, second))
    }

    /// Returns whether exchanging two twins turns what happens before an event of one into what happens
    /// before an event of the other.
    fn are_alike(&self, (a, first): (ProcessId, u32), (b, second): (ProcessId, u32)) -> bool {
        let swap = |process: ProcessId| match process {
            _ if process == a => b,
            _ if process == b => a,
            _ => process,
        };
        let mut processes = (0..self.processes()).map(ProcessId::new);
        processes.all(|process| self.past(first, process) == self.past(second, swap(process)))
    }

    pub(super) fn choice(&self, event: u32) -> u32 {
        self.execution.event(event as usize).step.choice
    }

    /// Returns whether an event has actions.
    pub(super) fn has_actions(&self, event: u32) -> bool {
        !self.execution.accesses_of(event as usize).is_empty()
    }

    /// Returns whether the alternatives of an event name processes.
    fn names_process(&self, event: u32) -> bool {
        let accesses = self.execution.accesses_of(event as usize);
        self.execution.event(event as usize).alternatives > 1
            && accesses.first().is_some_and(|access| access.ways == Ways::PerBit)
    }

    /// Returns the process that the alternative of an event names, if it names one.
    pub(super) fn named_by(&self, event: u32) -> Option<ProcessId> {
        self.released_by(event).filter(|_| self.names_process(event))
    }

    /// Returns whether an alternative names a process that is not known. Then it is not known either which
    /// alternative corresponds to it if twins are exchanged.
    pub(super) fn has_unknown_names(&self) -> bool {
        let mut events = 0..self.execution.len() as u32;
        events.any(|event| self.names_process(event) && self.released_by(event).is_none())
    }

    /// Returns the first process that an event releases or creates.
    fn released_by(&self, event: u32) -> Option<ProcessId> {
        let index = self.edges.partition_point(|(at, _)| *at < event);
        self.edges.get(index).filter(|(at, _)| *at == event).map(|(_, edge)| edge.to)
    }
}
