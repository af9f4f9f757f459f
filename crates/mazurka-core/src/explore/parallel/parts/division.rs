//! What is known about all parts of a search: which parts are to be explored next.

use std::collections::HashSet;

use super::Part;
use crate::explore::data_centric::division::piece::OpenChild;
use crate::explore::dpor::division::ledger::Ledger;
use crate::explore::dpor::division::stack::Stack;
use crate::explore::fingerprint::Fingerprint;
use crate::explore::parallel::weight::{Scales, Weight};
use crate::search::Estimate;

/// The state of a divided search that belongs to no part: which branches the parts of an explorer with
/// wakeup trees have where, and how much of the search is explored. The process that collects the results of
/// all parts has one.
#[derive(Debug, Default)]
pub struct Division {
    ledger: Ledger,
    /// The claims that parts of `data-centric` have made.
    claims: HashSet<Fingerprint>,
    scales: Scales,
}

/// The maximum number of parts that an exploration leaves, unless they would be large.
const MOST_PARTS: usize = 1024;

/// A part with more steps than this in its stacks or open children is divided, so that messages do not become
/// too large.
const LARGE: usize = 100_000;

impl Division {
    /// Returns the parts that are left after a part was explored once, at most `most` if they are not
    /// large. `rest` is what its exploration has left.
    ///
    /// The outcome depends on nothing but the sequence of calls. Every part that it returns must be explored
    /// until nothing is left.
    pub fn settle(&mut self, part: &Part, rest: Option<Part>, most: usize) -> Vec<Part> {
        self.scales.explore(part.weight(), rest.as_ref().map_or(Weight::NONE, Part::weight));
        let rest = rest.map(|rest| self.divide(part, rest, most.min(MOST_PARTS)));
        part.stacks.iter().for_each(|stack| self.ledger.close(stack));
        rest.unwrap_or_default()
    }

    /// Notes how many executions have been explored, including those that ended early.
    pub fn count(&mut self, executions: u64) {
        self.scales.count(executions);
    }

    /// Returns an estimate of the size of the search; `None` if too little is explored. It depends on nothing
    /// but the sequence of calls of the other functions.
    pub fn estimate(&self) -> Option<Estimate> {
        self.scales.estimate()
    }

    fn divide(&mut self, part: &Part, mut rest: Part, most: usize) -> Vec<Part> {
        if !rest.children.is_empty() || !rest.claimed.is_empty() {
            return self.divide_children(rest, most);
        }
        if rest.stacks.is_empty() && rest.reports.is_empty() {
            return rest.divide(most);
        }
        let mut stacks = std::mem::take(&mut rest.stacks);
        stacks.iter().for_each(|stack| self.ledger.open(stack));
        for stack in &mut stacks {
            for (depth, place) in
                stack.places.iter_mut().enumerate().filter(|(_, p)| !p.plan.is_empty())
            {
                if place.weight == Weight::NONE {
                    // The search has added branches since the place was weighed.
                    place.weight = self.scales.add(depth);
                } else {
                    self.scales.note(depth, place.weight.shares(1, place.plan.roots().count()));
                }
            }
        }
        for report in std::mem::take(&mut rest.reports) {
            let Some(mut new) = self.ledger.accept(&part.stacks, report) else { continue };
            let depth = new.path.len();
            new.places[depth].weight = self.scales.add(depth);
            stacks.push(new);
        }
        if stacks.is_empty() {
            return Vec::new();
        }
        let size: usize = stacks.iter().map(Stack::size).sum();
        let most = most.max(size / LARGE);
        self.ledger.divide(&mut stacks, most);
        stacks.sort_by_key(|stack| stack.path.len());
        Part { stacks, ..rest }.divide(most)
    }

    fn divide_children(&mut self, mut rest: Part, most: usize) -> Vec<Part> {
        rest.children.iter().for_each(|open| self.scales.note(open.path.len(), open.weight));
        for mut open in std::mem::take(&mut rest.claimed) {
            let claim = open.path.last().and_then(|node| node.claim);
            if claim.is_some_and(|claim| self.claims.insert(claim)) {
                open.weight = self.scales.add(open.path.len());
                rest.children.push(open);
            }
        }
        if rest.children.is_empty() {
            return Vec::new();
        }
        rest.children.sort_by_key(|open| open.path.len());
        let size: usize = rest.children.iter().map(OpenChild::size).sum();
        rest.divide(most.max(size / LARGE))
    }
}
