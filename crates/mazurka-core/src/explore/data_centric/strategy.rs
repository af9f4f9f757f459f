//! The search as the driver runs it: one step after the other, and back.

use smallvec::SmallVec;

use super::graph::access::{AccessPart, Accesses, gather, learn};
use super::tree::DataCentric;
use super::tree::detour::Detour;
use super::tree::frame::Guess;
use super::tree::movable::Movable;
use super::unforeseen::{
    depends_on_bytes, is_unforeseen, polls_beside_others, synchronises_by_bytes,
};
use super::waiting::Condition;
use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::model::{Lesson, Machine, ProcessId};
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
        let accesses = self.graph.accesses(self.graph.len() as u32 - 1);
        self.is_unforeseen |= is_unforeseen(execution, accesses);
        self.notice_irregular_use();
        match self.entering.take() {
            None => self.add_frame(execution),
            Some(child) if child.steps.len() == execution.len() => self.enter(&child, execution),
            child => self.entering = child,
        }
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.entering = None;
        // Later, a worker would make all others start over.
        if std::mem::take(&mut self.is_first) {
            self.graph.find_chains(execution, &mut self.lessons);
        }
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
            || machine.takes_back()
            || self.is_unforeseen
            || self.lessons.polls_doubtfully()
            || waiting.iter().any(|movable| polls_beside_others(movable.accesses()));
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
