//! Executions that no observer distinguishes, by definition.
//!
//! This is the equivalence of `observers`, which is coarser than that of Mazurkiewicz traces. A
//! class is a union of traces whose executions look the same to all processes. One event happens
//! before a later one as in a [`Trace`], except for two cases.
//!
//! * *Two writes to one location* are ordered if the later one is observed: some event reads the
//!   location after it, and before the next write to it. This does not apply to a write that is not
//!   the only action of its step, or to a location for which some process waits. Such a write
//!   counts as an update, which depends on all accesses and reads the location.
//! * *Two deliveries to one mailbox* are ordered if the earlier message is taken, the receive that
//!   takes it also matches the later one, and the later one has not been taken before.
//!
//! Whether a write is observed, and which deliveries are ordered, is known only at the end of an
//! execution. Then this module considers all pairs of events.
//!
//! # Awaited locations
//!
//! A location is awaited if in *some* execution of the program a process performs an action there
//! that waits: acquires a lock, takes a token, or reads a changed value that it was spinning on.
//! The enumeration finds these locations, so nothing here depends on the knowledge of an explorer.
//! An explorer learns the same from the executions that it runs. It cannot miss an awaited location
//! without missing more: as long as it does not know that a location is awaited, an execution in
//! which a process performs the wait is not equivalent to any in which no process does.
//!
//! If processes wait at a location only in vain, no order of the writes enables any of them. The
//! writes may then be ordered or not. So an explorer must cover the classes in which they are not
//! ordered, and must not repeat the finer classes in which they are.
//!
//! An explorer that cannot decide whether two names denote the same location may know that it is
//! awaited under only one of its names. Such an explorer must cover only the classes that there
//! would be if no process waited, which are unions of the others.

use std::collections::HashSet;

use mazurka_core::model::{Action, Location, Op, dependence};

use super::trace::{Event, Trace, canonical};
use crate::script::ScriptMachine;

/// The happens-before relation of a maximal execution, with observers.
#[derive(Clone, Debug)]
pub struct Observed<'a> {
    trace: &'a Trace,
    /// The set of events that happen before each event.
    before: Vec<u128>,
}

impl<'a> Observed<'a> {
    /// Computes the relation of the execution `trace`, which has led to the current state of
    /// `machine`. `awaited` are the locations for which some process waits in some execution of the
    /// program.
    pub fn of(trace: &'a Trace, machine: &ScriptMachine, awaited: &HashSet<Location>) -> Self {
        let execution = Whole { events: trace.events(), machine, awaited };
        let mut before = Vec::new();
        for (later, event) in execution.events.iter().enumerate() {
            let mut past = 0;
            for (earlier, before) in before.iter().enumerate() {
                let bit = 1 << execution.events[earlier].bit;
                if event.linked & bit != 0 || execution.is_ordered(earlier, later) {
                    past |= before | bit;
                }
            }
            before.push(past);
        }
        Observed { trace, before }
    }

    /// Returns whether the event at one position happens before the event at another.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        self.before[second] >> self.trace.events()[first].bit & 1 != 0
    }

    /// Returns a digest that differs if and only if some observer distinguishes the executions:
    /// like [`Trace::canonical`].
    pub fn canonical(&self) -> u128 {
        canonical(self.trace.events().iter().zip(self.before.iter().copied()))
    }
}

/// A maximal execution.
struct Whole<'a> {
    events: &'a [Event],
    machine: &'a ScriptMachine,
    awaited: &'a HashSet<Location>,
}

impl Whole<'_> {
    /// Returns whether the actions of the events at two positions order them.
    fn is_ordered(&self, earlier: usize, later: usize) -> bool {
        self.actions(earlier).any(|(a, first)| {
            self.actions(later).any(|(b, second)| match (first, second) {
                _ if a.on != b.on => a.on.overlaps(b.on),
                (Op::Write, Op::Write) => self.is_observed(later, b.on),
                (Op::Deliver { message: first }, Op::Deliver { message: second }) => {
                    self.is_order_observed(a.on, first, second)
                }
                _ => dependence::dependent(first, second),
            })
        })
    }

    /// Returns the actions of an event, and the operation that each counts as.
    fn actions(&self, event: usize) -> impl Iterator<Item = (&Action, Op)> {
        let actions = &self.events[event].actions;
        actions.iter().map(|action| match action.op {
            Op::Write if actions.len() > 1 || self.awaited.contains(&action.on) => {
                (action, Op::Update)
            }
            op => (action, op),
        })
    }

    /// Returns whether some event reads the location after the event `write` and before the next
    /// write.
    fn is_observed(&self, write: usize, on: Location) -> bool {
        let accesses = (write + 1..self.events.len()).flat_map(|event| self.actions(event));
        let next = accesses.into_iter().find(|(action, _)| action.on == on);
        next.is_some_and(|(_, op)| op != Op::Write)
    }

    /// Returns whether the message `first`, which was delivered before `second`, was taken by a
    /// receive that would have taken `second` if that had been there first.
    fn is_order_observed(&self, on: Location, first: u32, second: u32) -> bool {
        let taken = |message| {
            let takes = |a: &Action| a.on == on && a.op == Op::Take { message };
            self.events.iter().position(|event| event.actions.iter().any(takes))
        };
        let Some(observer) = taken(first) else { return false };
        let is_gone = taken(second).is_some_and(|other| other < observer);
        !is_gone && self.machine.would_take(on, first, second)
    }
}

#[cfg(test)]
mod tests {
    use crate::oracle::enumerate;
    use crate::script::ScriptProgram;

    /// Returns the numbers of traces and classes of a program.
    fn count(processes: &[&str]) -> (usize, usize) {
        let process = |(i, code): (usize, &&str)| format!("process {i} {{\n{code}\n}}\n");
        let text: String = processes.iter().enumerate().map(process).collect();
        let text = text.replace("; ", "\n");
        let program = ScriptProgram::new(&text.parse().unwrap()).unwrap();
        let found = enumerate(&program, 100_000).unwrap();
        (found.traces.len(), found.classes())
    }

    #[test]
    fn unread_writes_are_not_ordered() {
        assert_eq!(count(&["write x0 1", "write x0 2"]), (2, 1));
        assert_eq!(count(&["write x0 1", "write x0 2", "r0 = read x0"]), (6, 5));
        let last = "spawn 1; spawn 2; spawn 3; join 1; join 2; join 3; r0 = read x0";
        assert_eq!(count(&[last, "write x0 1", "write x0 2", "write x0 3"]), (6, 3));
    }

    #[test]
    fn awaited_writes_are_ordered() {
        let (traces, classes) = count(&["write x0 1", "write x0 2", "await x0 == 1"]);
        assert_eq!(traces, classes);
        // No process ever parks.
        assert_eq!(count(&["unpark 2", "unpark 2", "r0 = read x0"]), (2, 1));
    }

    #[test]
    fn deliveries_are_ordered_by_receives() {
        let [one, two, three] = ["deliver b0 1", "deliver b0 2", "deliver b0 3"];
        assert_eq!(count(&["r0 = try_take b0", one, two]), (4, 3));
        assert_eq!(count(&["r0 = take b0", one, two]), (2, 2));
        assert_eq!(count(&["r0 = take b0", one, two, three]), (6, 3));
        let any = "r0 = take b0; r0 = take b0; r0 = take b0";
        assert_eq!(count(&[any, one, two, three]), (6, 6));
        let selective = "r0 = take b0 if == 1; r0 = take b0 if == 2; r0 = take b0 if == 3";
        assert_eq!(count(&[selective, one, two, three]), (6, 1));
    }

    #[test]
    fn a_lock_by_messages_is_handed_out_in_every_order() {
        for (workers, expected) in [(2, (4, 2)), (3, (30, 6))] {
            let round = "r0 = take b0 if != 0; if r0 == 1 {; deliver b1 9; }; if r0 == 2 {; \
                         deliver b2 9; }; if r0 == 3 {; deliver b3 9; }; r1 = take b0 if == 0; ";
            let worker = |i| format!("deliver b0 {i}; r0 = take b{i}; deliver b0 0");
            let mut processes = vec![round.repeat(workers)];
            processes.extend((1..=workers).map(worker));
            let processes: Vec<&str> = processes.iter().map(String::as_str).collect();
            assert_eq!(count(&processes), expected, "{workers} workers");
        }
    }
}
