//! Reversals of races: sequences that run the second event of a race before the first.

use crate::execution::cells::{CellId, NO_EVENT};
use crate::execution::footprint::{Footprint, Touch};
use crate::execution::order::observed::Seen;
use crate::execution::without::{Certainty, Removal};
use crate::execution::{Access, Execution, Race};
use crate::explore::dpor::parts::weak_initials::Taken;
use crate::model::{Forgone, Machine, Op, ProcessId, Step, Ways};

/// The sequence `v` that reverses a race of `e` with `e'` in an execution `E`. It is to be run
/// after the prefix of `E` before `e`.
///
/// In the paper's terms, it is `notdep(e, E).e'`: the events after `e` that do not happen after it,
/// followed by the step of `e'`. If the race needs an observer `o`, the sequence extends to it:
/// `notdep(e, E).e'.e.(notobs(e, e', E) \ e').o`. Here `notobs` are the events that happen after
/// `e`, but are not observers of the race and do not happen after one. All races use one buffer.
#[derive(Debug, Default)]
pub(crate) struct Reversal {
    /// All but the last step, as positions in the execution.
    events: Vec<u32>,
    /// The step of `e'` or `o`, and its footprint there.
    last: Option<(Step, Footprint)>,
    /// The event `e'`, if it has been performed.
    second: Option<u32>,
    /// The number of alternatives of the last step, and whether all but the first of them only
    /// read.
    ways: u32,
    may_fail: bool,
    /// What is known of the footprint of the last step.
    certainty: Certainty,
    /// Whether unnecessary events were left out.
    is_short: bool,
    /// The message that the last step took in the execution, if it takes another one here.
    known_by: Option<u32>,
    /// The observers of the race except for the first: the process of each, and its position there.
    observers: Vec<(usize, u32)>,
    /// `notobs` without `e'`; a buffer.
    notobs: Vec<u32>,
    /// All steps, once they are [laid out](Self::lay_out) for repeated use.
    steps: Vec<ReversalStep>,
    /// The footprints of all steps, concatenated.
    touches: Vec<Touch>,
}

impl Execution {
    /// Returns the first step of the [sequence](Reversal) that reverses a race, if it is known
    /// without building the sequence.
    #[inline]
    pub(crate) fn first_reversed(&self, race: Race) -> Option<Step> {
        let second = race.second as usize;
        match self.first_notdep(race.first as usize) {
            Some(event) => {
                // A process that holds the resource that the second event waits for may be left
                // out.
                let mut waits = self.accesses_of(second).iter().filter(|access| access.waits);
                if waits.next().is_some() {
                    let adds = |access: &Access| access.op == Op::Add;
                    let may_hold = self.accesses_of(event as usize).iter().any(adds);
                    if may_hold || waits.next().is_some() {
                        return None;
                    }
                }
                Some(self.event(event as usize).step)
            }
            None if race.observer != NO_EVENT => Some(self.event(second).step),
            // Before the first event, it may have other alternatives.
            None => {
                let first = self.accesses_of(second).first();
                let has_one_way = first.is_none_or(|access| access.ways == Ways::One);
                has_one_way.then(|| Step::of(self.event(second).step.process))
            }
        }
    }
}

/// One step of a reversal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReversalStep {
    pub(crate) step: Step,
    known_by: Option<u32>,
    /// Whether it is an alternative that [fails](Execution::is_failure).
    pub(crate) is_failure: bool,
    /// The range of its [touches](Reversal::touches).
    touches: (u32, u32),
}

impl ReversalStep {
    /// Returns the step as bystanders see it.
    #[inline]
    pub(crate) fn taken<'a>(&self, execution: &'a Execution) -> Taken<'a> {
        Taken { step: self.step, known_by: self.known_by, is_planned: true, execution }
    }
}

impl Reversal {
    /// Builds the reversal of a race.
    pub(crate) fn of_race(&mut self, execution: &Execution, race: Race) {
        if race.observer != NO_EVENT {
            return self.of_observed_race(execution, race, false);
        }
        let second = race.second as usize;
        let accesses = execution.accesses_of(second);
        let removal = removal(execution, race.first, accesses);
        self.is_short = false;
        // Before the first event, the step may have other alternatives than the one taken.
        self.set_ways(accesses, execution.ways_without(accesses, removal.without()));
        let step = Step::of(execution.event(second).step.process);
        let (footprint, certainty) = execution.footprint_without(accesses, removal.without());
        self.certainty = certainty;
        self.collect_notdep(execution, race.first);
        self.leave_out(execution, removal.more());
        self.known_by = None;
        for access in accesses {
            if access.waits && access.op == Op::Update {
                self.leave_out_holders(execution, access.cell, |event| {
                    execution.happens_before_process_of(event as usize, second)
                });
            }
        }
        self.last = Some((step, footprint));
        self.second = Some(race.second);
    }

    /// Returns what is known of the footprint of the last step.
    #[inline]
    pub(crate) fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// Returns the events before the last step, and the last step.
    pub(crate) fn events(&self) -> (&[u32], Option<Step>) {
        (&self.events, self.last.as_ref().map(|(step, _)| *step))
    }

    /// Replaces the predicted footprint of the last step by the exact one.
    pub(crate) fn set_last_footprint(&mut self, exact: Footprint) {
        if let Some((_, footprint)) = &mut self.last {
            *footprint = exact;
            self.certainty = Certainty::Exact;
        }
    }

    /// Returns whether unnecessary events were left out of the sequence: see
    /// [`whole_again`](Self::whole_again).
    pub(crate) fn is_short(&self) -> bool {
        self.is_short
    }

    /// Builds the reversal of the same race with nothing left out.
    ///
    /// For two deliveries, the second one and the receive that takes its message suffice to observe
    /// the reversal: the first delivery may come at any later time. Leaving it out defers the
    /// decision, so that as few events as possible have to be repeated when the first delivery is
    /// reversed. A prefix of a sequence is redundant if the sequence is, but it may be redundant
    /// although the sequence is not.
    ///
    /// If names may be late, nothing is left out: a plan that covers the shorter sequence need not
    /// cover the whole one.
    pub(crate) fn whole_again(&mut self, execution: &Execution, race: Race) {
        self.of_observed_race(execution, race, true);
    }

    /// Builds the reversal of a race between two writes, or deliveries, that an event observes.
    fn of_observed_race(&mut self, execution: &Execution, race: Race, whole: bool) {
        let (first, second) = (race.first as usize, race.second as usize);
        let observer = race.observer as usize;
        let Some((cell, seen)) = execution.what_is_observed(race) else {
            debug_assert!(false, "{race:?} is not observed");
            return self.of_race(execution, Race::new(race.first, race.second));
        };
        let name = |event: usize| {
            let event = execution.event(event);
            (event.step.process.index(), event.number)
        };
        // A message is taken once, but a written value may be read by several events.
        self.observers.clear();
        if let Seen::Value(_) = seen {
            let readers = (observer + 1..execution.len())
                .filter(|event| execution.reads_from(*event, second, cell));
            self.observers.extend(readers.map(name));
        }
        self.is_short = !whole
            && !execution.names_late()
            && matches!(seen, Seen::Message { .. })
            && !execution.happens_before_process_of(first, observer);
        if self.is_short {
            self.collect_notdep(execution, race.first);
            self.events.push(race.second);
        } else {
            self.collect_all(execution, race);
        }
        let op_of = |access: &Access| match seen {
            _ if access.cell != cell => access.op,
            Seen::Message { instead, .. } => match access.op {
                Op::Take { .. } => Op::Take { message: instead },
                op => op,
            },
            Seen::Value(value) if !access.waits && !access.when.holds(value) => Op::Read,
            Seen::Value(_) => access.declared_op(),
        };
        let looks = execution.accesses_of(observer);
        let certainties = looks.iter().map(|access| match access.op {
            Op::Forgone(Forgone::Anything) => Certainty::None,
            Op::Forgone(_) => Certainty::AtMost,
            _ => Certainty::Exact,
        });
        self.certainty = certainties.max().unwrap_or_default();
        let ways = match (seen, looks.first()) {
            (Seen::Value(value), Some(access)) if access.cell == cell => {
                access.ways.count(value, access.when.holds(value))
            }
            _ => 1,
        };
        self.set_ways(looks, ways);
        let step = Step::of(execution.event(observer).step.process);
        self.last = Some((step, execution.touches_as(looks, op_of).collect()));
        self.second = None;
        self.known_by = match seen {
            Seen::Value(_) => None,
            Seen::Message { taken, .. } => Some(taken),
        };
    }

    /// Collects `notdep(e, E).e'.e.(notobs(e, e', E) \\ e')`.
    fn collect_all(&mut self, execution: &Execution, race: Race) {
        let (first, second) = (race.first as usize, race.second as usize);
        self.events.clear();
        self.notobs.clear();
        let (follows_first, follows_observer) =
            (execution.follows(first), execution.follows(race.observer as usize));
        for event in first + 1..execution.len() {
            // Skip the observers of the race and the events that happen after one. These also
            // happen after `e`, and most events are among them.
            let is_after =
                |(process, number): &(usize, u32)| execution.past_of(event, *process) >= *number;
            if follows_observer(event) || self.observers.iter().any(is_after) {
                continue;
            }
            match follows_first(event) {
                false => self.events.push(event as u32),
                true if event == second => {}
                true => self.notobs.push(event as u32),
            }
        }
        self.events.extend([race.second, race.first]);
        self.events.append(&mut self.notobs);
    }

    /// Builds the reversal of the race between an event and the pending action of a process that
    /// waits.
    pub(crate) fn of_pending(
        &mut self,
        execution: &Execution,
        first: u32,
        machine: &dyn Machine,
        process: ProcessId,
    ) {
        let others = machine.guards(process).iter().chain(machine.others(process));
        // A location that no event has accessed has no conflicts.
        let touched = |action| Some((action, execution.cell_of(action)?));
        let actions = machine.next(process).into_iter().chain(others).filter_map(touched);
        let removal = match machine.others(process).is_empty() {
            true => Removal::only(first),
            false => {
                let access = |(action, cell)| execution.pending_access(action, cell);
                removal(execution, first, &actions.clone().map(access).collect::<Vec<_>>())
            }
        };
        self.collect_notdep(execution, first);
        self.leave_out(execution, removal.more());
        (self.is_short, self.certainty) = (false, Certainty::Exact);
        self.ways = 1;
        self.known_by = None;
        let mut footprint = Footprint::default();
        for (action, cell) in actions {
            if action.op == Op::Update && action.waits {
                self.leave_out_holders(execution, cell, |event| {
                    execution.happens_before_next(event as usize, process)
                });
            }
            let op = match execution.pending_without(action, cell, removal.without()) {
                Op::Forgone(forgone) => {
                    let known = forgone.op();
                    let certainty = known.map_or(Certainty::None, |_| Certainty::AtMost);
                    self.certainty = self.certainty.max(certainty);
                    known.unwrap_or(action.op)
                }
                op => op,
            };
            footprint.0.push(Touch { cell, op });
        }
        self.last = Some((Step::of(process), footprint));
        self.second = None;
    }

    /// Sets the number of alternatives of the last step, which has these accesses.
    fn set_ways(&mut self, accesses: &[Access], ways: u32) {
        self.ways = ways;
        self.may_fail = accesses.first().is_some_and(|access| access.ways == Ways::MayFail);
    }

    /// Returns the number of alternatives of the last step.
    pub(crate) fn ways(&self) -> u32 {
        self.ways
    }

    /// Lays out the steps for [`steps`](Self::steps) and [`touches`](Self::touches).
    #[inline(always)]
    pub(crate) fn lay_out(&mut self, execution: &Execution) {
        self.steps.clear();
        self.touches.clear();
        for event in &self.events {
            let start = self.touches.len() as u32;
            // Most events have one: reserve no capacity.
            execution.touches(*event as usize).for_each(|touch| self.touches.push(touch));
            let touches = (start, self.touches.len() as u32);
            let step = execution.event(*event as usize).step;
            let is_failure = execution.is_failure(*event as usize);
            self.steps.push(ReversalStep { step, known_by: None, is_failure, touches });
        }
        if let Some((step, footprint)) = &self.last {
            let start = self.touches.len() as u32;
            self.touches.extend_from_slice(&footprint.0);
            let touches = (start, self.touches.len() as u32);
            let (step, known_by, is_failure) = (*step, self.known_by, false);
            self.steps.push(ReversalStep { step, known_by, is_failure, touches });
        }
    }

    /// Sets the alternative of the last step. Returns `false` if the sequence is redundant then.
    ///
    /// An alternative that fails only reads. If it is independent of the event `first`, that event is a
    /// weak initial of the sequence, and the branch of `first` covers the sequence, unless `first` is
    /// such an alternative itself.
    pub(crate) fn choose(&mut self, execution: &Execution, first: usize, choice: u32) -> bool {
        let Some(last) = self.steps.last_mut() else { return true };
        last.step.choice = choice;
        if self.may_fail && choice > 0 {
            last.is_failure = true;
            let (first_touch, parts) = self.touches[last.touches.0 as usize..]
                .split_first_mut()
                .expect("a step that may fail has an action");
            first_touch.op = Op::Read;
            let parts = parts.iter_mut().take_while(|touch| touch.op == Op::WritePart);
            parts.for_each(|touch| touch.op = Op::ReadPart);
            let footprint = execution.footprint(first);
            let touches = &self.touches[last.touches.0 as usize..];
            let follows = || touches.iter().any(|touch| footprint.conflicts_with(*touch));
            // The reversal of an observed race contains the first event.
            return self.second.is_none() || execution.is_failure(first) || follows();
        }
        true
    }

    fn collect_notdep(&mut self, execution: &Execution, first: u32) {
        self.events.clear();
        self.events.extend(execution.notdep(first as usize));
    }

    /// Removes these events, and all events that happen after them.
    fn leave_out(&mut self, execution: &Execution, removed: &[u32]) {
        for root in removed {
            self.events.retain(|event| {
                event < root
                    || event != root && !execution.happens_before(*root as usize, *event as usize)
            });
        }
    }

    /// Removes the events that acquire shared ownership of `cell` without a release, and all events
    /// that happen after them: they would disable the last step.
    fn leave_out_holders(
        &mut self,
        execution: &Execution,
        cell: CellId,
        past: impl Fn(u32) -> bool,
    ) {
        let change = |event: u32| {
            let accesses = execution.accesses_of(event as usize).iter();
            let adds = accesses.filter(|access| access.cell == cell && access.op == Op::Add);
            adds.map(|add| add.after.wrapping_sub(add.before) as i64).sum::<i64>()
        };
        let owner = |event: u32| execution.event(event as usize).step.process;
        let keeps = |events: &[u32]| {
            let mut held = 0;
            let mut mine = events.iter().filter(|event| owner(**event) == owner(events[0]));
            mine.all(|event| {
                held += change(*event);
                held > 0
            })
        };
        while let Some(holder) = (0..self.events.len()).find(|i| {
            change(self.events[*i]) > 0 && keeps(&self.events[*i..]) && !past(self.events[*i])
        }) {
            let holder = self.events[holder];
            self.leave_out(execution, &[holder]);
        }
    }

    /// Returns the steps in order, once they are laid out.
    #[inline]
    pub(crate) fn steps(&self) -> &[ReversalStep] {
        &self.steps
    }

    /// Returns the operations of a step.
    #[inline]
    pub(crate) fn touches(&self, step: &ReversalStep) -> &[Touch] {
        &self.touches[step.touches.0 as usize..step.touches.1 as usize]
    }

    /// Collects into `initials` the processes that can take the first step of a sequence equivalent
    /// to this one (`I_[E'](v)`), in the order of the sequence. Only events before `until` count.
    pub(crate) fn initials(&self, execution: &Execution, until: usize, initials: &mut Vec<Step>) {
        initials.clear();
        let events = || self.events.iter().map(|event| *event as usize).filter(|e| *e < until);
        for (i, event) in events().enumerate() {
            if !events().take(i).any(|earlier| execution.happens_before(earlier, event)) {
                initials.push(execution.event(event).step);
            }
        }
        let Some((step, footprint)) = &self.last else { return };
        // Here it may access, or wait for, other cells than in the execution.
        let follows = |event: usize| {
            execution.event(event).step.process == step.process
                || self.last_follows(execution, event)
                || execution.footprint(event).dependent(footprint)
        };
        if !events().any(follows) {
            initials.push(*step);
        }
    }

    /// Returns whether an [initial](Self::initials) is still one if it has this footprint. Only the
    /// footprint of the last step is predicted, so only that step may turn out not to be one.
    pub(crate) fn is_initial_as(
        &self,
        execution: &Execution,
        until: usize,
        step: Step,
        footprint: &Footprint,
    ) -> bool {
        let is_last = self.last.as_ref().is_some_and(|(last, _)| last.process == step.process);
        let mut events = self.events.iter().map(|event| *event as usize).filter(|e| *e < until);
        let is_same = |event: usize| execution.event(event).step.process == step.process;
        !is_last
            || events.clone().any(is_same)
            || !events.any(|event| execution.footprint(event).dependent(footprint))
    }

    /// Returns whether the last step happens after an event, independently of its own accesses.
    fn last_follows(&self, execution: &Execution, event: usize) -> bool {
        match self.second {
            Some(second) => execution.happens_before_process_of(event, second as usize),
            None => self
                .last
                .as_ref()
                .is_some_and(|(step, _)| execution.happens_before_next(event, step.process)),
        }
    }

    /// Returns whether the last step performs other operations than in the execution.
    pub(crate) fn changes_its_mind(&self, execution: &Execution) -> bool {
        let (Some(second), Some((_, footprint))) = (self.second, &self.last) else { return false };
        execution.footprint(second as usize) != *footprint
    }
}

/// Returns the events before which a step with these accesses is moved to reverse a race with
/// `first`.
fn removal(execution: &Execution, first: u32, accesses: &[Access]) -> Removal {
    let waits = || accesses.iter().filter(|access| access.waits).count();
    match accesses.len() {
        // Most steps wait for at most one cell. The race is known to be reversible.
        0 | 1 => Removal::only(first),
        _ if waits() <= 1 => Removal::only(first),
        _ => execution.removal(first, accesses).unwrap_or_else(|| Removal::only(first)),
    }
}
