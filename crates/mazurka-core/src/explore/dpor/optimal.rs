//! `optimal`: exactly one execution per Mazurkiewicz trace.
//!
//! This is Optimal DPOR (Abdulla, Aronis, Jonsson and Sagonas, *Source sets: a foundation for
//! optimal dynamic partial order reduction*), as recalled in section 3 of *Optimal dynamic partial
//! order reduction with observers*: Algorithm 1 of the latter, under the relation that
//! is its type parameter. [`observers`](super::observers) is the same search under another relation.
//!
//! # The algorithm
//!
//! An execution `E` is extended step by step until no process is enabled. Then its races are
//! reversed. A race is a pair of events `e`, `e'` of different processes that are dependent, and
//! that no event in between orders. If `e'` had come first, something else might have happened.
//! Therefore a *wakeup sequence* is planned for every race, `v = notdep(e, E).e'`: the events after
//! `e` in `E` that do not happen after it, then `e'`. It is to be run after `E'`, the prefix of `E`
//! up to `e`.
//!
//! Two things keep the search from running anything twice. First, the *sleep set* of `E'` holds the
//! steps that have been explored from there, or from a shorter prefix if no step since then was
//! dependent on them. If one of them is a *weak initial* of `v`, then `v` is redundant. Second,
//! planned sequences are kept in a *wakeup tree*: inserting `v` follows branches that are weak
//! initials of the rest of `v`, and adds only what is missing. The tree is explored branch by branch;
//! when it is exhausted, the execution runs on freely. No leaf of the tree is redundant, so that
//! every free run starts with an empty sleep set: no execution is found redundant later.
//!
//! # The lines of Algorithm 1
//!
//! | lines | here |
//! |---|---|
//! | 3–5 (races of a maximal execution) | `Strategy::ended` |
//! | 6–10 (the wakeup sequence `v`) | `Optimal::reverse`, `Reversal` |
//! | 11 (`v ∉ redundant`) | `Optimal::plan`, `SleepSets::make_redundant` |
//! | 12 (`insert`) | `Optimal::plan`, `Forest::insert` |
//! | 14–18 (the tree of a new prefix, or any process) | `Strategy::took`, `Strategy::next` |
//! | 19–24 (branch by branch, with sleep sets) | `Strategy::next`, `Strategy::backtrack` |
//!
//! # Departures from the paper
//!
//! * *Blocking.* The paper assumes that no step disables another process; taking a lock does. A
//!   lock event has no reversible race with the unlock before it, which enabled it, but it has one
//!   with the lock event before that. A process that waits for ever at the end of an execution races
//!   with the process that holds what it waits for, as if it had gone on. See `execution/order`.
//! * *Only open races.* A race whose first event happens before every event that is new since the
//!   last backtrack has been reversed before: its wakeup sequence is the same. It is not enough to
//!   consider races whose second event is new, since a sequence depends on all of the execution. One
//!   that was redundant, or covered by a planned one, may be needed with another rest. See
//!   `Execution::open_races`.
//! * *Conditional actions.* Whether a compare-exchange of `e'` succeeds may change when it comes
//!   before `e`. That is predicted from the values in `E`. Where they do not tell, the sequence is
//!   taken to be more dependent than it may be. If it turns out to be redundant after all, its end is
//!   a *loose* prefix: below it, a sleeper makes a sequence redundant only if it is an initial, as in
//!   [`source`](super::source), and an execution may end up blocked.
//! * *Choices.* A step with several alternatives adds the others as branches beside it, and a race
//!   is reversed with each alternative that its second event has there.
//! * *Several workers* may explore one tree together: see `parallel/sharing.rs`. The search calls
//!   them in the places that `Workers` lists.
//! * *Saved work.* `savings.rs` finds redundant sequences, and races that need not be considered
//!   again, without looking closer.

mod savings;
mod workers;

pub(crate) use self::savings::Plan;
pub(crate) use self::workers::{OneWorker, Workers};
use crate::execution::cells::NOBODY;
use crate::execution::footprint::{Footprint, Touch};
use crate::execution::order::AllConflicts;
use crate::execution::{Execution, Race};
use crate::explore::dpor::parts::reversal::Reversal;
use crate::explore::dpor::parts::sleep_set::SleepSets;
use crate::explore::dpor::parts::wakeup_tree::{Forest, Tree};
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::model::{Machine, ProcessId, Step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};

/// The state of the search, under a relation, by one worker or by one of several.
#[derive(Debug)]
pub(crate) struct Optimal<R: WeakInitials, W: Workers<R> = OneWorker> {
    /// One for every prefix of the current execution.
    pub(super) prefixes: Vec<Prefix>,
    pub(super) sleep: SleepSets<R, W::Tag>,
    pub(super) forest: Forest,
    /// The tree below the branch that is being taken.
    below: Tree,
    /// The first event that is new in this execution.
    pub(super) new_from: usize,
    pub(super) reversal: Reversal,
    firsts: Vec<u32>,
    races: Vec<u32>,
    pub(super) workers: W,
}

/// The explorer of Mazurkiewicz traces.
pub(crate) type Traces = Optimal<AllConflicts>;

/// What is known of a prefix of the current execution, besides its sleep set.
#[derive(Debug)]
pub(super) struct Prefix {
    /// The wakeup tree, without the branch that is being explored.
    pub(super) tree: Tree,
    /// How many branches have been taken.
    pub(super) taken: u32,
    /// Whether it lies below a leaf at which some step was still asleep.
    pub(super) is_loose: bool,
    /// Whether an execution has gone through here whose later events observed nothing that was
    /// done before.
    is_settled: bool,
}

impl Prefix {
    pub(super) fn new(tree: Tree, is_loose: bool) -> Self {
        Prefix { tree, taken: 0, is_loose, is_settled: false }
    }
}

impl<R: WeakInitials, W: Workers<R>> Optimal<R, W> {
    /// The search by these workers.
    pub(super) fn by(workers: W) -> Self {
        Optimal {
            prefixes: vec![Prefix::new(Tree::EMPTY, false)],
            sleep: SleepSets::new(),
            forest: Forest::default(),
            below: Tree::EMPTY,
            reversal: Reversal::default(),
            firsts: Vec::new(),
            races: Vec::new(),
            new_from: 0,
            workers,
        }
    }

    /// Plans to explore `self.reversal` after the first `depth` events, unless it is redundant
    /// (lines 11 and 12).
    fn plan(&mut self, depth: usize, execution: &Execution) -> Plan {
        if depth < self.workers.forks() {
            return W::plan(self, depth, execution);
        }
        let is_loose = self.prefixes[depth].is_loose;
        let mut plan = Plan::Certain;
        self.reversal.lay_out(execution);
        for choice in 0..self.reversal.ways() {
            self.reversal.choose(choice);
            if self.sleep.make_redundant(depth, execution, &self.reversal, is_loose) {
                plan = Plan::Redundant;
            } else {
                let tree = &mut self.prefixes[depth].tree;
                let is_certain = self.forest.insert::<R>(tree, depth, execution, &self.reversal);
                plan = plan.min(Plan::of_covered(is_certain));
            }
        }
        plan
    }

    /// Plans to reverse a race (lines 6 to 12). Returns whether that is [done](Execution::note_done).
    #[inline]
    fn reverse(&mut self, race: Race, execution: &Execution) -> bool {
        let depth = race.first as usize;
        if let Some(is_done) = self.starts_with_sleeper(race, execution) {
            return is_done;
        }
        if !R::is_still_a_race(execution, race) {
            return false;
        }
        self.reversal.of_race(execution, race);
        let plan = self.plan(depth, execution);
        if plan == Plan::Redundant && self.reversal.is_short() {
            self.reversal.whole_again(execution, race);
            self.plan(depth, execution);
        }
        plan == Plan::Certain && (race.observer == NOBODY || self.reversal.is_short())
    }

    /// Returns the process that goes on where nothing is planned, but some steps are asleep; `first` if
    /// all of them are woken.
    ///
    /// Mostly the sleep set is empty there. It need not be if a sequence touches less than was
    /// predicted, or if preemptions are bounded. Other sequences may rely on this one, so that it is
    /// not given up before all enabled processes are asleep.
    ///
    /// If a sleeper may be overtaken by what is observed later, it is not certain that the sequence is
    /// redundant: then all sleepers are woken.
    #[inline(never)]
    fn first_awake<M: Machine>(
        &mut self,
        at: &Position<'_, M>,
        first: ProcessId,
    ) -> Option<ProcessId> {
        let depth = at.depth();
        if !at.bounded && self.sleep.is_undecided(depth) {
            self.wake_all();
            return Some(first);
        }
        self.loosen(depth);
        at.enabled().find(|process| !self.sleep.contains(depth, Step::of(*process)))
    }

    /// Notes that the last prefix is a leaf at which some steps are still asleep.
    fn loosen(&mut self, depth: usize) {
        self.prefixes[depth].is_loose = true;
        self.workers.loosen();
    }

    /// Empties the last sleep set, so that nothing is redundant there.
    fn wake_all(&mut self) {
        self.sleep.wake_all();
        self.workers.wake_all();
    }

    /// Plans the alternatives of the last event.
    fn plan_alternatives(&mut self, execution: &Execution) {
        let depth = execution.len() - 1;
        let event = execution.event(depth);
        let taken = event.step;
        // Which effect another alternative has is seen only once it is taken.
        let declared = execution.accesses_of(depth).iter();
        let footprint: Footprint =
            declared.map(|access| Touch { cell: access.cell, op: access.declared }).collect();
        // Mostly alternatives are taken one after the other: then each plans the next.
        let step = |choice| Step { process: taken.process, choice };
        let in_turn = match taken.choice {
            0 => true,
            choice => self.sleep.contains(depth, step(choice - 1)),
        };
        let choices = match in_turn {
            true => taken.choice + 1..event.alternatives.min(taken.choice + 2),
            false => 0..event.alternatives,
        };
        let is_loose = self.prefixes[depth].is_loose;
        for step in choices.map(step).filter(|step| *step != taken) {
            if !self.sleep.cover_step(depth, step, &footprint, is_loose) {
                self.plan_step(depth, step, Some(footprint.clone()));
            }
        }
    }

    /// Plans a single step after the first `depth` events.
    fn plan_step(&mut self, depth: usize, step: Step, footprint: Option<Footprint>) {
        match depth < self.workers.forks() {
            true => self.workers.plan_step(depth, step, footprint),
            false => {
                let tree = &mut self.prefixes[depth].tree;
                self.forest.add_step(tree, step, footprint, depth);
            }
        }
    }
}

impl<R: WeakInitials> Explorer for Optimal<R> {
    fn new(_options: &Options<'_>) -> Self {
        Optimal::by(OneWorker)
    }
}

impl<R: WeakInitials, W: Workers<R>, M: Machine> Strategy<M> for Optimal<R, W> {
    type Relation = R;

    fn next(&mut self, at: &Position<'_, M>) -> Next {
        let depth = at.depth();
        while let Some((step, below)) = self.forest.take_first(&mut self.prefixes[depth].tree) {
            let possible = at.machine.is_enabled(step.process)
                && step.choice < at.machine.alternatives(step.process);
            if possible && at.allows(step.process) && !self.sleep.contains(depth, step) {
                self.prefixes[depth].taken += 1;
                self.below = below;
                return Next::Step(step);
            }
            self.forest.discard(below);
            if let Some(earlier) = at.where_to_try_instead(step.process) {
                if !self.sleep.contains(earlier, step) {
                    self.plan_step(earlier, step, None);
                }
            } else if !possible && self.prefixes[depth].taken == 0 {
                // What was planned is not what happens here: take nothing for seen.
                self.wake_all();
            }
            if self.prefixes[depth].tree.is_empty() {
                W::find_another_branch(self, depth);
            }
        }
        if at.left_out.get() {
            return Next::Cut;
        }
        if self.prefixes[depth].taken > 0 {
            return Next::Asleep;
        }
        let Some(first) = at.first_enabled() else { return Next::End };
        let awake = match self.sleep.is_empty(depth) {
            true => Some(first),
            false => self.first_awake(at, first),
        };
        match awake {
            Some(process) if at.allows(process) => {
                self.prefixes[depth].taken += 1;
                self.below = Tree::EMPTY;
                Next::Step(Step::of(process))
            }
            Some(_) => Next::Cut,
            None => Next::Asleep,
        }
    }

    fn took(&mut self, _machine: &M, execution: &mut Execution) {
        self.sleep.descend(execution);
        let depth = execution.len();
        let is_loose = self.prefixes[depth - 1].is_loose && !self.sleep.is_empty(depth);
        self.prefixes.push(Prefix::new(self.below, is_loose));
        W::took(self, execution);
        if execution.event(depth - 1).alternatives > 1 {
            self.plan_alternatives(execution);
        }
    }

    fn ended(&mut self, machine: &M, execution: &mut Execution) {
        self.workers.ended();
        let mut races = std::mem::take(&mut self.races);
        let is_settled = self.prefixes[self.new_from].is_settled;
        execution.open_races::<R>(self.new_from, is_settled, &mut races);
        for index in &races {
            let is_done = self.reverse(execution.race(*index), execution);
            execution.note_done(*index, is_done);
        }
        self.races = races;
        for process in (0..machine.processes()).map(ProcessId::new) {
            let waits = machine.next(process).is_some() || !machine.guards(process).is_empty();
            if !waits || machine.is_enabled(process) {
                continue;
            }
            let mut firsts = std::mem::take(&mut self.firsts);
            execution.races_of_pending::<R, M>(machine, process, &mut firsts);
            for first in &firsts {
                self.reversal.of_pending(execution, *first, machine, process);
                self.plan(*first as usize, execution);
            }
            self.firsts = firsts;
        }
        self.settle(execution);
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        W::share_work(self, execution);
        let is_open = |prefix: &Prefix| !prefix.tree.is_empty();
        let open = self.prefixes[..execution.len()].iter().rposition(is_open);
        // Nothing is planned behind that, save at the end of an execution that was cut.
        for node in self.prefixes.drain(open.map_or(self.workers.forks(), |depth| depth + 1)..) {
            self.forest.discard(node.tree);
        }
        let depth = open?;
        self.sleep.truncate(depth);
        self.sleep.put_to_sleep(execution, depth);
        self.new_from = depth;
        Some(depth)
    }

    fn elsewhere(&mut self, execution: &Execution) -> Option<Vec<Step>> {
        W::take_over(self, execution)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        if depth < self.workers.forks() {
            return self.workers.branches(depth);
        }
        let Some(node) = self.prefixes.get(depth) else { return (0, 0) };
        (node.taken.saturating_sub(1) as usize, self.forest.branches(node.tree))
    }
}
