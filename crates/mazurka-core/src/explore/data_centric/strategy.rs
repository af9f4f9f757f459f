//! The search as the driver runs it: one step after the other, and back.

use rustc_hash::FxHashSet as HashSet;
use smallvec::SmallVec;

use super::graph::access::{AccessPart, Accesses, GroupAccess, gather, learn};
use super::tree::DataCentric;
use super::tree::detour::Detour;
use super::tree::frame::Guess;
use super::tree::movable::Movable;
use super::waiting::Condition;
use crate::execution::cells::CellId;
use crate::execution::order::AllConflicts;
use crate::execution::value::CellPart;
use crate::execution::{Access, Execution};
use crate::model::{Forgone, Lesson, Machine, Op, ProcessId, Ways, When, dependence};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use crate::verdict::Verdict;

/// An execution that a bound has cut after more events than this counts as infinite.
const LONG: usize = 10_000;

impl Explorer for DataCentric {
    fn new(_options: &Options<'_>) -> Self {
        DataCentric::default()
    }
}

impl Strategy for DataCentric {
    type Relation = AllConflicts;

    fn inherit(&mut self, earlier: Self) {
        self.lessons = earlier.lessons;
    }

    /// Observation functions of locations that overlap are supported only if one contains the other, no
    /// event accesses many of them, and no condition is on such a location. Objects whose life ends while
    /// they are accessed are not supported.
    fn gives_up(&self) -> bool {
        self.gives_up || self.realiser.is_lost()
    }

    fn next(&mut self, at: &Position<'_>) -> Next {
        if self.is_vain {
            // If the search starts over, a maximal execution counts although its child was impossible:
            // what it has found is real.
            let is_over = self.lessons.has_news() && at.first_enabled().is_none();
            return if is_over { Next::End } else { Next::Asleep };
        }
        let Some(child) = &self.entering else {
            self.graph.admit(at.machine.processes());
            return self.choose(at);
        };
        let step = child.steps[at.depth()];
        let possible = step.process.index() < at.machine.processes()
            && at.machine.is_enabled(step.process)
            && step.choice < at.machine.alternatives(step.process);
        if possible {
            return Next::Step(step);
        }
        let is_guess = child.guess != Guess::default();
        self.learn_of_polls(at, step.process);
        if !is_guess && !self.lessons.has_news() {
            self.lessons.doubt_names();
        }
        self.is_vain = true;
        Next::Asleep
    }

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.graph.admit(machine.processes());
        let edges = execution.last_edges();
        execution.data_race = self.graph.push(execution, edges, &mut self.lessons);
        self.outlives |= self.graph.outlives(execution);
        self.notice_irregular_use();
        match self.entering.take() {
            None => self.add_frame(execution),
            Some(child) if child.steps.len() == execution.len() => self.enter(&child, execution),
            child => self.entering = child,
        }
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.entering = None;
        let waiting = self.waiting(machine, execution);
        self.notice_irregular_waiting(&waiting);
        self.learn_of_retries(machine, execution);
        let mut processes = (0..machine.processes()).map(ProcessId::new);
        let is_cut = processes.any(|process| machine.is_enabled(process));
        self.gives_up = self.outlives
            || execution.has_crossings()
            || execution.overlaps() > 0
                && (self.graph.observes_many()
                    || depends_on_bytes(machine, execution)
                    || synchronises_by_bytes(execution))
            || execution.waits_for_several(machine)
            || waits_beside_its_action(execution)
            || branches_within_steps(execution)
            || self.lessons.polls_doubtfully()
            || self.polls_beside_others(&waiting)
            || adds_blindly(execution)
            || orders_a_channel(execution);
        // An infinite execution has infinitely many mutations, and the check is incomplete anyway.
        let is_endless = is_cut && self.graph.len() > LONG;
        debug_assert!(
            self.is_vain || is_cut || self.detours.len() <= self.graph.len(),
            "there are at most as many detours as events"
        );
        if !self.gives_up && !self.is_vain && !is_endless && !self.lessons.has_news() {
            self.index_frames(&waiting);
            self.look_back_at_deferred(&waiting, execution);
            self.find_last_early(execution);
            for event in 0..self.graph.len() as u32 {
                if self.may_be_observed(event) && !self.was_moved(event) {
                    self.look_ahead(&Movable::of_event(&self.graph, execution, event), execution);
                }
            }
            for movable in &waiting {
                self.look_ahead(movable, execution);
            }
            self.look_for_others_on_locks(&waiting, execution);
            self.look_back_before_detours(execution);
        }
        self.is_vain = false;
        if self.lessons.take_news() {
            execution.learn(Lesson::Observations);
        }
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        if !self.found.is_empty() {
            self.detours.push(Detour::new(std::mem::take(&mut self.found)));
            let child = self.set_out();
            return child.map(|child| self.go_to(child, execution));
        }
        loop {
            if self.frames.len() == self.frames_above() {
                self.come_back()?;
                match self.set_out() {
                    Some(child) => return Some(self.go_to(child, execution)),
                    None => self.detours.pop(),
                };
                continue;
            }
            let deepest = self.frames.len() - 1;
            if !self.frames[deepest].acquires
                && !std::mem::replace(&mut self.frames[deepest].looked_back, true)
            {
                self.look_back_at(deepest, execution);
                if self.lessons.has_news() {
                    return Some(self.end_once_more(execution));
                }
            }
            let frame = &mut self.frames[deepest];
            if let Some(child) = frame.open.pop() {
                frame.explored += 1;
                if child.guess != Guess::default() {
                    self.look_back_from(0, execution);
                    if self.lessons.has_news() {
                        return Some(self.end_once_more(execution));
                    }
                }
                return Some(self.go_to(child, execution));
            }
            self.drop_frame();
        }
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let Some(frame) = self.frames.get(depth) else { return (0, 0) };
        let ahead: usize = self.detours.iter().map(|detour| detour.children_of(depth)).sum();
        (frame.explored - 1, frame.open.len() + ahead)
    }

    fn report(&self, verdict: &mut Verdict) {
        verdict.ordered_locations = self.lessons.given_up();
    }
}

impl DataCentric {
    /// Lets the execution end once more, so that the search starts over with a lesson that was learnt after its
    /// end. Returns the number of steps to backtrack to.
    pub(super) fn end_once_more(&mut self, execution: &Execution) -> usize {
        self.is_vain = true;
        execution.len()
    }

    /// Returns the pending events of processes that are not enabled, or that are left out.
    fn waiting(
        &mut self,
        machine: &dyn Machine,
        execution: &mut Execution,
    ) -> SmallVec<[Movable; 4]> {
        let mut waiting = SmallVec::new();
        self.graph.admit(machine.processes());
        for process in (0..machine.processes()).map(ProcessId::new) {
            let stays =
                !machine.is_enabled(process) || self.is_left_out(machine, execution, process);
            if !stays {
                continue;
            }
            // A step with guards need not perform an action.
            let others = machine.guards(process).iter().chain(machine.others(process));
            let actions = machine.next(process).into_iter().chain(others);
            let actions: SmallVec<[_; 2]> =
                actions.map(|action| (action, execution.cell(machine, action.on))).collect();
            if !actions.iter().any(|(action, _)| action.waits) {
                continue;
            }
            let parts = actions.iter().map(|(action, cell)| AccessPart::pending(action, *cell));
            learn(parts.clone(), process.index(), execution, &mut self.lessons);
            let mut accesses = Accesses::new();
            gather(parts, execution, &self.lessons, &mut accesses);
            let conditions = actions.iter();
            let conditions = conditions.map(|(action, cell)| Condition::of_pending(action, *cell));
            let conditions = conditions.collect();
            waiting.push(Movable::pending(&self.graph, process.index(), accesses, conditions));
        }
        waiting
    }

    /// Learns which cells a process polls that has turned out to wait.
    fn learn_of_polls(&mut self, at: &Position<'_>, process: ProcessId) {
        if process.index() >= at.machine.processes() {
            return;
        }
        let actions = at.machine.next(process).into_iter().chain(at.machine.guards(process));
        for action in actions.filter(|action| action.awaits) {
            if let Some(cell) = at.execution.cell_of(action) {
                self.lessons.is_polled(cell);
            }
        }
    }

    /// Returns whether some step accesses a location that a process polls, and others, or a range that
    /// overlaps with it.
    fn polls_beside_others(&self, waiting: &[Movable]) -> bool {
        let is_beside = |accesses: &[GroupAccess]| {
            let is_polled = |access: &GroupAccess| access.polled;
            let is_simple = accesses.len() == 1 && accesses.iter().all(|access| access.simple);
            !is_simple && accesses.iter().any(is_polled)
        };
        (0..self.graph.len() as u32).any(|event| is_beside(self.graph.accesses(event)))
            || waiting.iter().any(|movable| is_beside(movable.accesses()))
    }

    /// Orders the writes to the locations that a process has read in an iteration after which it goes no
    /// further. Whether it is in the loop for ever depends on the last writes to them.
    fn learn_of_retries(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        for process in (0..machine.processes()).map(ProcessId::new) {
            for guard in machine.retries(process) {
                let cell = execution.cell(machine, guard.on);
                self.lessons.is_awaited(cell);
            }
        }
    }

    /// Looks back at the nodes whose next event was not enabled, while it is known what the event does.
    fn look_back_at_deferred(&mut self, waiting: &[Movable], execution: &Execution) {
        for index in 0..self.frames.len() {
            let frame = &mut self.frames[index];
            if frame.is_deferred && !std::mem::replace(&mut frame.looked_back, true) {
                let (process, number) = (frame.process, frame.number);
                let event = self.graph.find(process, number);
                let performed = event.map(|event| Movable::of_event(&self.graph, execution, event));
                let pending = || waiting.iter().find(|movable| movable.is_of(process));
                if let Some(next) = performed.as_ref().or_else(pending) {
                    self.look_back(index, next, execution);
                }
            }
        }
    }
}

/// Returns whether the actions of some step may depend on what it reads, so that the explorer cannot foresee
/// them. If a step performs several actions, one of which is conditional, then the others may depend on the
/// condition: a wait with a time limit moves the clock if it fails.
fn branches_within_steps(execution: &Execution) -> bool {
    (0..execution.len()).map(|event| execution.accesses_of(event)).any(|accesses| {
        if accesses.iter().any(|access| access.op == Op::Forgone(Forgone::Anything)) {
            return true;
        }
        let is_conditional = |access: &Access| {
            let may_fail = access.when != When::Always || access.ways == Ways::MayFail;
            may_fail && !access.waits && !access.guard
        };
        let values = accesses.iter().filter(|access| access.part != CellPart::Life);
        values.count() > 1 && accesses.iter().any(is_conditional)
    })
}

/// Returns whether some step waits for another cell than that of its first action. All steps of a process
/// that may be suspended do, and the explorer would order them all.
fn waits_beside_its_action(execution: &Execution) -> bool {
    (0..execution.len()).map(|event| execution.accesses_of(event)).any(|accesses| {
        let waits = |access: &Access| access.waits && !access.guard;
        accesses.split_first().is_some_and(|(first, others)| {
            others.iter().any(|access| waits(access) && access.cell != first.cell)
        })
    })
}

/// Returns whether a condition is on a location that has bytes in common with others. Several writes
/// determine its value.
fn depends_on_bytes(machine: &dyn Machine, execution: &mut Execution) -> bool {
    let has_condition = |when, ways| when != When::Always || ways != Ways::One;
    for process in (0..machine.processes()).map(ProcessId::new) {
        let others = machine.guards(process).iter().chain(machine.others(process));
        let actions = machine.next(process).into_iter().chain(others);
        let conditional = actions.filter(|action| {
            action.waits || action.guard || has_condition(action.when, action.ways)
        });
        for action in conditional.chain(machine.retries(process)) {
            let cell = execution.cell(machine, action.on);
            if execution.shares_values(cell) {
                return true;
            }
        }
    }
    let is_conditional = |access: &Access| {
        let waits = access.waits || access.guard;
        (waits || has_condition(access.when, access.ways)) && execution.shares_values(access.cell)
    };
    (0..execution.len()).any(|event| execution.accesses_of(event).iter().any(is_conditional))
}

/// Returns whether an atomic read may synchronise with an atomic write to another location, with which it
/// has bytes in common. Data races are looked for as if it did not.
fn synchronises_by_bytes(execution: &Execution) -> bool {
    let atomic = |event| {
        let is_whole = |access: &&Access| access.part == CellPart::Whole && !access.plain;
        execution.accesses_of(event).iter().filter(is_whole)
    };
    let accesses = || (0..execution.len()).flat_map(atomic);
    let writes = |access: &&Access| {
        matches!(access.op, Op::Write | Op::Update | Op::Add)
            && execution.shares_values(access.cell)
    };
    let written: HashSet<CellId> = accesses().filter(writes).map(|access| access.cell).collect();
    let reads = |access: &Access| matches!(access.op, Op::Read | Op::Update | Op::Add);
    let is_written = |cell: &CellId| written.contains(cell);
    let synchronises = |access: &Access| execution.overlapping(access.cell).iter().any(is_written);
    !written.is_empty() && accesses().any(|access| reads(access) && synchronises(access))
}

/// Returns whether some additions commute that this explorer would order.
fn adds_blindly(execution: &Execution) -> bool {
    let is_blind = |access: &Access| access.op == Op::Add && access.unread;
    (0..execution.len()).any(|event| execution.accesses_of(event).iter().any(is_blind))
}

/// Returns whether two operations on one channel are independent, although this explorer orders them. If all
/// neighbours among the operations of different processes are dependent, `optimal` orders them all, too.
fn orders_a_channel(execution: &Execution) -> bool {
    let process = |access: &Access| execution.event(access.event as usize).step.process;
    let commutes = |access: &Access, previous: &Access| {
        process(access) != process(previous) && !dependence::dependent(access.op, previous.op)
    };
    (0..execution.len())
        .flat_map(|event| execution.accesses_of(event))
        .filter(|access| access.op.is_on_channel())
        .any(|access| execution.previous(access).is_some_and(|previous| commutes(access, previous)))
}
