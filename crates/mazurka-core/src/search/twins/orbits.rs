//! One execution of each orbit counts.
//!
//! The [restriction](super) keeps at least one class of each orbit, and sometimes several: those in which
//! the first steps by which two twins differ are in no order. This module decides, from an execution
//! alone, whether it is the one that counts. The others count as blocked.
//!
//! # Equal steps
//!
//! All that matters here is the happens-before relation of the program, without the precedences of the
//! restriction: the [natural order](NaturalOrder). Let `a` and `b` be twins. Their steps `a.k` and `b.k`
//! are *equal* here if all earlier steps are, if the alternatives are the same, and if exchanging `a` and
//! `b` turns the events that happen before `a.k` into those that happen before `b.k`. Steps that are
//! equal for the restriction are equal here: the same events conflict with both. The converse is not
//! true. For example, two writes are equal here that no event observes, and accesses to objects that
//! each twin has created for itself.
//!
//! # Good arrangements
//!
//! An *arrangement* puts the twins of each family in some order. Consider all twins of a family whose
//! first `k - 1` steps are equal. Those whose `k`-th steps are equal, too, form a *run*. An arrangement of
//! a class is *good* if
//!
//! 1. the twins of a run are next to each other, and twins without a `k`-th step are behind the others;
//! 2. there is no cycle in the relation that contains the natural order and, for all neighbours `a` and
//!    `b`, orders `a.k` before `b.k`, up to the first steps that are not equal.
//!
//! Renaming the twins turns a class and an arrangement into a class whose twins are in the order of their
//! names. If the arrangement is good, the restriction lets the new class through: it asks for less than
//! condition 2.
//!
//! *Each orbit has a good arrangement.* Take an execution, and move each step to the place of the first
//! step that is equal to it. Whatever happens before `b.k` is then at an earlier place: it happens before
//! the equal step `a.k` as well, or is a step of `a` or `b` that is equal to such a step. Now sort the
//! twins by the place of their first step that is not equal, those without one last, and take the steps
//! at one place in the order of the twins. All edges of condition 2 lead forward.
//!
//! Two steps are *alike* if they are equal except for their alternatives. They can be at one place, so
//! a good arrangement also has to satisfy:
//!
//! 3. If the first steps by which two twins differ are alike, the greater alternative comes first.
//!
//! So exactly one class of each orbit is counted if an execution counts if and only if its own
//! arrangement, by the names of the twins, is good and the *chosen* one among the good ones. The choice
//! depends only on the classes that the arrangements lead to, so that it is the same for all classes of
//! the orbit:
//!
//! * Sort runs that may be in any order by a signature that does not change if twins are renamed. If
//!   this leads to one arrangement, and that is good, it is chosen.
//! * Otherwise, the least good one is chosen: `Arrangements::compare` compares the classes. Two classes
//!   compare equal only if they are the same: the alternatives, and what happens before the steps with
//!   actions, decide what an execution does.
//!
//! # How it is decided
//!
//! Let `a` and `b` be neighbours by name, and `k` the number of their first steps that are not equal. If
//! only `a` has such a step, if `a.k` happens before `b.k`, or if `a.k` is the greater of two steps that are
//! alike, then every good arrangement has the run of `a` before that of `b`: all twins of a run are ordered
//! by condition 2. If this is so for all neighbours, then there is only one good arrangement, and the
//! execution counts. In the opposite case, the execution does not count. Only if some neighbours may be in
//! any order, arrangements are compared. Sorting by signatures almost always finds the chosen one.
//! Otherwise all orders of such runs are tried, except that two runs are tried in one order if
//! exchanging them does not change the class.
//!
//! The restriction notes whether the first steps that are not equal are in order whatever follows. If all
//! are, the execution counts, and none of this is computed.
//!
//! # Twins that create processes
//!
//! Twins that have only equal steps keep their order. Exchanging them does not change the class: what depends
//! on a step of one depends on the equal step of the other. This is not so if they have created processes
//! that differ. Then several executions of the orbit may count.
//!
//! # Alternatives that name processes
//!
//! A notification chooses one of several processes, by a number that depends on the names of the others. Such
//! steps are never equal. Their alternatives are compared by the places of the processes that they release.
//! If a machine does not report these by [edges](Edge), all executions of the orbit with open orders count.

use super::arrangements::is_not_least;
use super::whole::{Order, Whole};
use crate::execution::Execution;
use crate::execution::order::{NaturalOrder, Relation};
use crate::model::{Edge, ProcessId};

/// Decides which executions count.
#[derive(Debug, Default)]
pub(super) struct Orbits {
    order: NaturalOrder,
    /// By process: its events.
    events: Vec<Vec<u32>>,
}

impl Orbits {
    /// Returns whether another class of the orbit of an execution counts in its place. `families` are the
    /// twins in the order of their creation, and `edges` are all edges, with the events that have them.
    pub(super) fn is_repeated<R: Relation>(
        &mut self,
        execution: &Execution,
        families: &[Vec<ProcessId>],
        edges: &[(u32, Edge)],
    ) -> bool {
        self.order.compute::<R>(execution, edges);
        debug_assert!(self.order.is_part_of(execution));
        self.events.iter_mut().for_each(Vec::clear);
        for (index, step) in execution.steps().enumerate() {
            let process = step.process.index();
            if self.events.len() <= process {
                self.events.resize(process + 1, Vec::new());
            }
            self.events[process].push(index as u32);
        }
        let whole = Whole { execution, order: &self.order, events: &self.events, edges };
        let mut is_open = false;
        for pair in families.iter().flat_map(|family| family.windows(2)) {
            match whole.order_of(pair[0], pair[1]) {
                Order::Forced => {}
                Order::Wrong => return true,
                Order::Open => is_open = true,
            }
        }
        is_open && !whole.has_unknown_names() && is_not_least(&whole, families)
    }
}
