//! Tests of the restriction on small machines.

use super::*;
use crate::model::Op;
use crate::model::{Location, ObjectId};

/// Processes that perform the same operations on one location. Process 0 has no twin.
struct Alike {
    ops: Vec<Op>,
    actions: Vec<Action>,
    taken: Vec<ProcessId>,
}

impl Alike {
    fn new(ops: &[Op]) -> Self {
        let at = Location::whole(ObjectId(0));
        let actions = ops.iter().map(|op| Action::new(*op, at)).collect();
        Alike { ops: ops.to_vec(), actions, taken: Vec::new() }
    }

    fn steps(&self, process: ProcessId) -> usize {
        self.taken.iter().filter(|taken| **taken == process).count()
    }
}

impl Machine for Alike {
    fn processes(&self) -> usize {
        4
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.actions.get(self.steps(process))
    }

    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.steps(process) < self.ops.len()
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        performed.actions.extend(self.next(step.process).copied());
        self.taken.push(step.process);
        Ok(())
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.taken.truncate(len);
        Ok(())
    }

    fn ending(&self) -> Ending {
        Ending::Finished
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        (process.index() > 1).then(|| ProcessId::new(process.index() - 1))
    }
}

/// Takes a step, and returns the processes that then happen after another one.
fn take(machine: &mut Alike, twins: &mut Twins, process: usize) -> Vec<(usize, u32, usize)> {
    let step = Step::of(ProcessId::new(process));
    assert!(!twins.holds(step.process), "process {process} waits");
    let mut performed = Performed::default();
    let result = machine.step(step, &mut performed);
    twins.took(machine, step, &mut performed, &result);
    let precedences = performed.precedences.iter();
    precedences.map(|p| (p.from.index(), p.steps, p.to.index())).collect()
}

fn held(twins: &Twins) -> Vec<usize> {
    (0..4).filter(|process| twins.holds(ProcessId::new(*process))).collect()
}

#[test]
fn twins_take_equal_steps_in_turn() {
    let machine = &mut Alike::new(&[Op::Read, Op::Read, Op::Write]);
    let twins = &mut Twins::new(machine, Algorithm::Optimal);
    assert_eq!((held(twins), twins.most()), (vec![2, 3], 3));
    assert_eq!(take(machine, twins, 1), [(1, 1, 2)]);
    assert_eq!(held(twins), [3]);
    // The first may run ahead.
    assert_eq!(take(machine, twins, 1), []);
    assert_eq!(take(machine, twins, 2), [(1, 2, 2), (2, 1, 3)]);
    assert_eq!(take(machine, twins, 2), []);
    assert_eq!(held(twins), [2]);
    assert_eq!(twins.ending(machine), Some(Ending::AssumptionFailed));
}

#[test]
fn a_write_between_two_reads_breaks_a_pair() {
    let machine = &mut Alike::new(&[Op::Read, Op::Write, Op::Write]);
    let twins = &mut Twins::new(machine, Algorithm::Optimal);
    take(machine, twins, 1);
    take(machine, twins, 0);
    assert_eq!(take(machine, twins, 0), [], "it has no twins");
    take(machine, twins, 2);
    // The second has read another value.
    assert_eq!(held(twins), []);
    take(machine, twins, 2);
    // The third reads after a write of the second.
    take(machine, twins, 3);
    assert_eq!(held(twins), [] as [usize; 0]);
}

#[test]
fn going_back_restores_who_waits() {
    let machine = &mut Alike::new(&[Op::Read, Op::Update, Op::Read]);
    let twins = &mut Twins::new(machine, Algorithm::Optimal);
    let mut states = vec![format!("{:?} {:?}", twins.members, held(twins))];
    let schedule = [1, 1, 2, 3, 0, 2, 2, 3];
    for process in schedule {
        take(machine, twins, process);
        states.push(format!("{:?} {:?}", twins.members, held(twins)));
    }
    for len in (0..schedule.len()).rev() {
        machine.rewind(len).unwrap();
        twins.rewind(len);
        assert_eq!(format!("{:?} {:?}", twins.members, held(twins)), states[len], "{len}");
    }
    assert!(twins.log.is_empty() && twins.actions.is_empty() && twins.changes.is_empty());
}

/// Both orders of two additions are the same, but those of two updates are not.
#[test]
fn updates_whose_result_is_not_read_may_count_as_additions() {
    for (algorithm, expected) in [(Algorithm::Optimal, vec![]), (Algorithm::Observers, vec![2])] {
        let machine = &mut Alike::new(&[Op::Update, Op::Update]);
        machine.actions.iter_mut().for_each(|action| action.unread = true);
        let twins = &mut Twins::new(machine, algorithm);
        take(machine, twins, 1);
        take(machine, twins, 2);
        assert_eq!(held(twins).first(), expected.first(), "{algorithm}");
    }
}
