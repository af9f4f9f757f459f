//! `optimal`: exactly one execution per Mazurkiewicz trace.
//!
//! This is Optimal DPOR (Abdulla, Aronis, Jonsson and Sagonas, *Source sets: a foundation for
//! optimal dynamic partial order reduction*), as presented in section 3 of *Optimal dynamic partial
//! order reduction with observers*. It implements Algorithm 1 of the latter. The happens-before
//! relation is a type parameter: [`observers`](super::observers) is the same search under another
//! relation.
//!
//! # The algorithm
//!
//! The search extends an execution `E` step by step until no process is enabled. Then it reverses
//! the races of `E`. A race is a pair of events `e`, `e'` of different processes that are dependent
//! and not ordered by an event in between. If `e'` comes first, the execution may behave
//! differently. For every race, the search therefore plans a *wakeup sequence* `v = notdep(e,
//! E).e'`: the events after `e` in `E` that do not happen after it, followed by `e'`. The sequence
//! is to be run after `E'`, the prefix of `E` before `e`.
//!
//! Two data structures prevent redundant executions. First, the *sleep set* of `E'` holds the steps
//! that have been explored from there, or from a shorter prefix if no step since then was dependent
//! on them. If one of them is a *weak initial* of `v`, then `v` is redundant. Second, planned
//! sequences are kept in a *wakeup tree*. Inserting `v` follows branches that are weak initials of
//! the rest of `v`, and adds only the missing steps. The search explores the tree branch by branch.
//! At a leaf of the tree, the execution continues with any enabled process. No leaf is redundant,
//! so its sleep set is empty, and no execution turns out to be redundant later.
//!
//! # The lines of Algorithm 1
//!
//! | lines | here |
//! |---|---|
//! | 3–5 (races of a maximal execution) | `Strategy::ended` |
//! | 6–10 (the wakeup sequence `v`) | `Optimal::reverse`, `Reversal`, `Trial` |
//! | 11 (`v ∉ redundant`) | `Optimal::plan`, `SleepSets::make_redundant` |
//! | 12 (`insert`) | `Optimal::plan`, `Forest::insert` |
//! | 14–18 (the tree of a new prefix, or any process) | `Strategy::took`, `Strategy::next` |
//! | 19–24 (branch by branch, with sleep sets) | `Strategy::next`, `Strategy::backtrack` |
//!
//! # Departures from the paper
//!
//! * *Blocking.* The paper assumes that no step disables another process, but acquiring a lock
//!   does. A lock event has no reversible race with the unlock event before it, which enabled it.
//!   It has one with the lock event before that. A process that is blocked at the end of an
//!   execution races with the process that holds the resource it waits for, as if it had continued.
//!   See `execution/order`.
//! * *Only open races.* If the first event of a race happens before every event that is new since
//!   the last backtrack, the race has been reversed before, because its wakeup sequence is the
//!   same. It does not suffice to consider races whose second event is new, because a sequence
//!   depends on the whole execution. A sequence that was redundant, or covered by a planned one,
//!   may be needed in an execution that continues differently. See `Execution::open_races`.
//! * *Conditional actions.* The actions of `e'` may differ if it comes before `e`: a compare-exchange
//!   succeeds, or a process has not ended yet. The search predicts them from `E`. If it cannot, the
//!   machine runs the sequence once before it is planned: see `trial.rs`. That is not possible if
//!   objects get their names late, or if `e'` has several alternatives. Then the search assumes more dependencies than there may be, and
//!   the end of the sequence may be a *loose* prefix. Below a loose prefix, a sleeper makes a
//!   sequence redundant only if it is an initial, as in [`source`](super::source), and an execution
//!   may be blocked.
//! * *Choices.* A step with several alternatives adds the others as branches beside it. A race is
//!   reversed with each alternative of its second event.
//! * *Several workers* may explore one tree together: see `forks/sharing.rs`. The search calls
//!   them in the places that `Workers` lists. Several processes may do so, too: see `division/mod.rs`.
//! * *Saved work.* `savings.rs` has cheap tests for redundant sequences and for races that need not
//!   be considered again.

mod savings;
mod trial;
mod workers;

pub(crate) use self::savings::Plan;
use self::trial::Trial;
pub(crate) use self::workers::{OneWorker, Workers};
use crate::execution::cells::NO_EVENT;
use crate::execution::footprint::{Footprint, Touch};
use crate::execution::order::AllConflicts;
use crate::execution::{Access, Execution};
use crate::explore::dpor::parts::reversal::Reversal;
use crate::explore::dpor::parts::sleep_set::SleepSets;
use crate::explore::dpor::parts::wakeup_tree::{Forest, Tree};
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::model::{Forgone, Lesson, Machine, Op, ProcessId, Step, Violation};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};

/// The state of a search under a relation, by a single worker or by one of several.
#[derive(Debug)]
pub(crate) struct Optimal<R: WeakInitials, W: Workers<R> = OneWorker> {
    /// One for every prefix of the current execution.
    pub(super) prefixes: Vec<Prefix>,
    pub(super) sleep: SleepSets<R, W::Tag>,
    pub(super) forest: Forest,
    /// The subtree of the branch that is being taken.
    below: Tree,
    /// The position of the first new event of this execution.
    pub(super) new_from: usize,
    pub(super) reversal: Reversal,
    firsts: Vec<u32>,
    races: Vec<u32>,
    trial: Trial,
    pub(crate) workers: W,
}

/// The explorer of Mazurkiewicz traces.
pub(crate) type Traces = Optimal<AllConflicts>;

/// The state of a prefix of the current execution, except for its sleep set.
#[derive(Debug)]
pub(super) struct Prefix {
    /// The wakeup tree, without the branch that is being explored.
    pub(super) tree: Tree,
    /// The number of branches that have been taken.
    pub(super) taken: u32,
    /// Whether it lies below a leaf whose sleep set was not empty.
    pub(super) is_loose: bool,
    /// Whether some execution has extended this prefix without ordering events within it by
    /// observation.
    is_settled: bool,
    /// The number of sleepers with which the search came to this prefix, if it is divided.
    pub(super) inherited: u32,
}

impl Prefix {
    pub(super) fn new(tree: Tree, is_loose: bool) -> Self {
        Prefix { tree, taken: 0, is_loose, is_settled: false, inherited: 0 }
    }
}

impl<R: WeakInitials, W: Workers<R>> Optimal<R, W> {
    /// Creates the search of a worker.
    pub(crate) fn by(workers: W) -> Self {
        Optimal {
            prefixes: vec![Prefix::new(Tree::EMPTY, false)],
            sleep: SleepSets::new(),
            forest: Forest::default(),
            below: Tree::EMPTY,
            reversal: Reversal::default(),
            firsts: Vec::new(),
            races: Vec::new(),
            trial: Trial::default(),
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
            if !self.reversal.choose(execution, depth, choice) {
                continue;
            }
            if self.makes_redundant(depth, execution, is_loose) {
                plan = Plan::Redundant;
            } else {
                let tree = &mut self.prefixes[depth].tree;
                let is_certain = self.forest.insert::<R>(tree, depth, execution, &self.reversal);
                plan = plan.min(Plan::of_covered(is_certain));
            }
        }
        plan
    }

    /// Returns whether `self.reversal` is redundant after the first `depth` events (line 11).
    ///
    /// Below a loose prefix, a sleeper must be an initial of the sequence. If the search is divided, many
    /// prefixes are loose. Then the branches of the prefix itself need only be weak initials: see
    /// [`division`](super::division).
    #[inline]
    pub(super) fn makes_redundant(
        &self,
        depth: usize,
        execution: &Execution,
        is_loose: bool,
    ) -> bool {
        if W::IS_DIVIDED && is_loose {
            let inherited = self.prefixes[depth].inherited as usize;
            return self.sleep.make_redundant_below(depth, execution, &self.reversal, inherited);
        }
        self.sleep.make_redundant(depth, execution, &self.reversal, is_loose)
    }

    /// Plans the reversal of a race (lines 6 to 12), or puts it off until the machine has run the
    /// sequence. Returns whether the race is [done](Execution::note_done).
    #[inline]
    fn reverse(&mut self, index: u32, execution: &Execution) -> bool {
        let race = execution.race(index);
        let depth = race.first as usize;
        if let Some(is_done) = self.starts_with_sleeper(race, execution) {
            return is_done;
        }
        if !R::is_still_a_race(execution, race) {
            return false;
        }
        self.reversal.of_race(execution, race);
        if self.must_try_out(depth, execution) {
            self.trial.put_off(race, index);
            return false;
        }
        let plan = self.plan(depth, execution);
        if plan == Plan::Redundant && self.reversal.is_short() {
            self.reversal.whole_again(execution, race);
            self.plan(depth, execution);
        }
        plan == Plan::Certain && (race.observer == NO_EVENT || self.reversal.is_short())
    }

    /// Returns the process that continues at a leaf whose sleep set is not empty, or `first` if the
    /// sleep set is cleared.
    ///
    /// In most cases, the sleep set of a leaf is empty. It need not be if a sequence accesses less
    /// than predicted. Other sequences may rely on this one, so the
    /// search continues unless all enabled processes are asleep.
    ///
    /// If a later observation may wake a sleeper, it is not certain that the sequence is redundant.
    /// Then the sleep set is cleared, except for loose sleepers, which no observation wakes.
    ///
    /// An alternative that fails may be asleep at any leaf, since it covers only sequences that contain
    /// it. The process goes on with the other alternative.
    #[inline(never)]
    fn first_awake(&mut self, at: &Position<'_>, first: ProcessId) -> Option<ProcessId> {
        let depth = at.depth();
        if self.sleep.is_undecided(depth) {
            self.sleep.wake_strict();
            self.workers.wake_strict();
            if self.sleep.is_empty(depth) {
                self.wake_all(depth);
                return Some(first);
            }
        }
        if !self.sleep.cover_no_others(depth) {
            self.loosen(depth);
        }
        at.enabled().find(|process| !self.sleep.contains(depth, Step::of(*process)))
    }

    /// Returns how an execution of this length ends in which all enabled steps are asleep.
    fn asleep_end(&self, depth: usize) -> Next {
        let is_elsewhere = W::IS_DIVIDED || self.sleep.holds_loose(depth);
        if is_elsewhere { Next::Elsewhere } else { Next::Asleep }
    }

    /// Marks the last prefix as a leaf whose sleep set is not empty.
    fn loosen(&mut self, depth: usize) {
        self.prefixes[depth].is_loose = true;
        self.workers.loosen();
    }

    /// Clears the last sleep set, so that nothing is redundant there.
    fn wake_all(&mut self, depth: usize) {
        self.sleep.wake_all();
        self.prefixes[depth].inherited = 0;
        self.workers.wake_all(depth);
    }

    /// Plans the alternatives of the last event.
    fn plan_alternatives(&mut self, execution: &Execution) {
        let depth = execution.len() - 1;
        let event = execution.event(depth);
        let taken = event.step;
        // The actions of another alternative are known only once it is taken.
        let declared = execution.accesses_of(depth).iter();
        let is_known = |access: &Access| access.op != Op::Forgone(Forgone::Anything);
        let footprint: Footprint = match declared.clone().all(is_known) {
            true => {
                declared.map(|access| Touch { cell: access.cell, op: access.declared }).collect()
            }
            false => execution.footprint_of_anything(),
        };
        let failing = execution.failing_footprint(depth);
        // In most cases, alternatives are taken in order. Then each plans only the next one.
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
            // An alternative that fails only reads.
            let exact = failing.as_ref().filter(|_| step.choice > 0).unwrap_or(&footprint);
            if !self.sleep.cover_step(depth, step, exact, is_loose) {
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

impl<R: WeakInitials, W: Workers<R>> Strategy for Optimal<R, W> {
    type Relation = R;

    fn next(&mut self, at: &Position<'_>) -> Next {
        let depth = at.depth();
        while let Some((step, below)) = self.forest.take_first(&mut self.prefixes[depth].tree) {
            let possible = at.machine.is_enabled(step.process)
                && step.choice < at.machine.alternatives(step.process);
            if possible && !self.sleep.contains(depth, step) {
                self.prefixes[depth].taken += 1;
                self.below = below;
                return Next::Step(step);
            }
            self.forest.discard(below);
            if !possible && self.prefixes[depth].taken == 0 {
                // The plan was wrong about this state. Clear the sleep set, because it may be
                // wrong, too.
                self.wake_all(depth);
            }
            if self.prefixes[depth].tree.is_empty() {
                W::find_another_branch(self, depth);
            }
        }
        if self.prefixes[depth].taken > 0 {
            return self.asleep_end(depth);
        }
        let Some(first) = at.first_enabled() else { return Next::End };
        let awake = match self.sleep.is_empty(depth) {
            true => Some(first),
            false => self.first_awake(at, first),
        };
        match awake {
            Some(process) => {
                self.prefixes[depth].taken += 1;
                self.below = Tree::EMPTY;
                Next::Step(Step::of(process))
            }
            None => self.asleep_end(depth),
        }
    }

    fn took(&mut self, _machine: &dyn Machine, execution: &mut Execution) {
        self.sleep.descend(execution);
        let depth = execution.len();
        let is_loose = self.prefixes[depth - 1].is_loose && !self.sleep.is_empty(depth);
        let mut prefix = Prefix::new(self.below, is_loose);
        if W::IS_DIVIDED {
            prefix.inherited = self.sleep.len(depth) as u32;
        }
        self.prefixes.push(prefix);
        W::took(self, execution);
        if execution.event(depth - 1).alternatives > 1 {
            self.plan_alternatives(execution);
        }
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.workers.ended();
        let mut races = std::mem::take(&mut self.races);
        let is_settled = self.prefixes[self.new_from].is_settled;
        execution.open_races::<R>(self.new_from, is_settled, &mut races);
        for index in &races {
            let is_done = self.reverse(*index, execution);
            execution.note_done(*index, is_done);
        }
        self.races = races;
        for process in machine.waiting() {
            let mut firsts = std::mem::take(&mut self.firsts);
            execution.races_of_pending::<R>(machine, process, &mut firsts);
            for first in &firsts {
                self.reversal.of_pending(execution, *first, machine, process);
                match self.must_try_out(*first as usize, execution) {
                    true => self.trial.put_off_pending(*first, std::mem::take(&mut self.reversal)),
                    false => {
                        self.plan(*first as usize, execution);
                    }
                }
            }
            self.firsts = firsts;
        }
        self.settle(execution);
    }

    fn extend(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        self.try_out_all(machine, execution)
    }

    fn take_lesson(&mut self) -> Option<Lesson> {
        self.trial.take_lesson().or(self.workers.take_lesson())
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        W::share_work(self, execution);
        let is_open = |prefix: &Prefix| !prefix.tree.is_empty();
        let open = self.prefixes[..execution.len()].iter().rposition(is_open);
        // Nothing is planned behind that prefix, except at the end of an execution that was cut.
        let from = open.map_or(self.workers.forks(), |depth| depth + 1);
        // The path of a damaged part may lead nowhere.
        for node in self.prefixes.drain(from.min(self.prefixes.len())..) {
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

    fn rebuilds(&self) -> bool {
        W::IS_DIVIDED
    }

    fn arrives(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<bool, Box<Violation>> {
        W::arrives(self, machine, execution)
    }

    fn asleep(&self, depth: usize) -> Vec<Step> {
        self.sleep.steps(depth)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        if depth < self.workers.forks() {
            return self.workers.branches(depth);
        }
        let Some(node) = self.prefixes.get(depth) else { return (0, 0) };
        (node.taken.saturating_sub(1) as usize, self.forest.branches(node.tree))
    }
}
