//! Wakeup trees.

use crate::execution::Execution;
use crate::execution::footprint::{Footprint, Touch};
use crate::explore::dpor::parts::reversal::{Item, Reversal};
use crate::explore::dpor::parts::weak_initials::{Bystander, Fate, Standing, fate};
use crate::model::{Step, dependence};
use crate::reuse::FEW;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// A node of a wakeup tree: a step to take.
#[derive(Debug)]
struct Node {
    step: Step,
    /// What it touches, if that is known.
    footprint: Option<Footprint>,
    /// After how many events it was planned: names that were given later may mean something else
    /// by now.
    planned_at: u32,
    first_child: u32,
    next_sibling: u32,
}

/// The wakeup trees of all prefixes of the current execution, in one arena.
///
/// A tree is given by its root's first child; children are linked in the order in which they are
/// explored.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// Positions in the sequence that is being inserted which are not in the tree yet.
    rest: Vec<u32>,
}

/// A tree: the first child of its root, or [`NONE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tree(u32);

impl Tree {
    pub(crate) const EMPTY: Tree = Tree(NONE);

    pub(crate) fn is_empty(self) -> bool {
        self.0 == NONE
    }
}

impl Forest {
    /// Whether there are so many trees that their room is not worth keeping.
    pub(crate) fn is_large(&self) -> bool {
        self.nodes.capacity() > FEW
    }

    /// Fells all trees.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.free.clear();
    }

    #[inline(always)]
    fn allocate(&mut self, step: Step, footprint: Option<Footprint>, planned_at: usize) -> u32 {
        let planned_at = planned_at as u32;
        let node = Node { step, footprint, planned_at, first_child: NONE, next_sibling: NONE };
        match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// How many branches a tree has at its root.
    pub(crate) fn branches(&self, tree: Tree) -> usize {
        let some = |node: u32| (node != NONE).then_some(node);
        let next = |node: &u32| some(self.nodes[*node as usize].next_sibling);
        std::iter::successors(some(tree.0), next).count()
    }

    /// Takes the first branch off a tree: its step and the tree below it.
    pub(crate) fn take_first(&mut self, tree: &mut Tree) -> Option<(Step, Tree)> {
        if tree.is_empty() {
            return None;
        }
        let node = &self.nodes[tree.0 as usize];
        let (step, below) = (node.step, Tree(node.first_child));
        self.free.push(tree.0);
        tree.0 = node.next_sibling;
        Some((step, below))
    }

    /// Takes the first branch off a tree, as a tree of its own.
    pub(crate) fn split_first(&mut self, tree: &mut Tree) -> Option<Tree> {
        let first = (!tree.is_empty()).then_some(*tree)?;
        let node = &mut self.nodes[first.0 as usize];
        tree.0 = std::mem::replace(&mut node.next_sibling, NONE);
        Some(first)
    }

    /// Moves a tree of another forest into this one.
    pub(crate) fn adopt(&mut self, from: &mut Forest, tree: Tree) -> Tree {
        let mut moved = Tree::EMPTY;
        // Where a link is to be set, and to which node of the other forest it leads.
        let mut links = vec![(NONE, false, tree.0)];
        while let Some((parent, is_child, old)) = links.pop() {
            if old == NONE {
                continue;
            }
            let node = &mut from.nodes[old as usize];
            let (first_child, next_sibling) = (node.first_child, node.next_sibling);
            let new = self.allocate(node.step, node.footprint.take(), node.planned_at as usize);
            from.free.push(old);
            match (parent, is_child) {
                (NONE, _) => moved = Tree(new),
                (parent, true) => self.nodes[parent as usize].first_child = new,
                (parent, false) => self.nodes[parent as usize].next_sibling = new,
            }
            links.extend([(new, true, first_child), (new, false, next_sibling)]);
        }
        moved
    }

    /// Frees a tree.
    #[inline]
    pub(crate) fn discard(&mut self, tree: Tree) {
        if !tree.is_empty() {
            self.fell(tree);
        }
    }

    fn fell(&mut self, tree: Tree) {
        // The free list itself says what is still to be looked at.
        let mut looked_at = self.free.len();
        self.free.push(tree.0);
        while let Some(index) = self.free.get(looked_at) {
            let node = &self.nodes[*index as usize];
            let next = [node.first_child, node.next_sibling];
            self.free.extend(next.into_iter().filter(|node| *node != NONE));
            looked_at += 1;
        }
    }

    /// `insert_[E](w, tree)` of the paper: makes sure that some leaf of the tree after the first
    /// `depth` events is a start of a sequence equivalent to an extension of `w`.
    ///
    /// Returns whether that is so whatever else becomes known of messages: all steps on the way to that
    /// leaf are steps of `w`.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        tree: &mut Tree,
        depth: usize,
        execution: &Execution,
        w: &Reversal,
    ) -> bool {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        rest.extend(0..w.items().len() as u32);
        let is_certain = self.insert_rest((tree, false), depth, execution, w, &mut rest);
        self.rest = rest;
        is_certain
    }

    /// The same for the `rest` of `w`, as positions there, in a tree that may be below the first `depth`
    /// events, and behind others than those of the execution.
    #[inline(always)]
    pub(crate) fn insert_rest(
        &mut self,
        (tree, mut is_below): (&mut Tree, bool),
        depth: usize,
        execution: &Execution,
        w: &Reversal,
        rest: &mut Vec<u32>,
    ) -> bool {
        let mut is_certain = true;
        // Where the next child hangs: below `parent`, or at the root.
        let mut parent = NONE;
        loop {
            let first =
                if parent == NONE { tree.0 } else { self.nodes[parent as usize].first_child };
            if first == NONE && parent != NONE {
                break; // A leaf: it will be explored in every way, so also in this one.
            }
            let (mut child, mut last) = (first, NONE);
            let mut found = false;
            while child != NONE {
                let node = &self.nodes[child as usize];
                let candidate = Candidate {
                    step: node.step,
                    footprint: node.footprint.as_ref(),
                    planned_at: depth.min(node.planned_at as usize),
                    depth: (!is_below).then_some(depth),
                };
                if let Some(position) = weak_initial(candidate, execution, w, rest) {
                    match position < rest.len() {
                        true => drop(rest.remove(position)),
                        false => is_certain = false,
                    }
                    found = true;
                    break;
                }
                last = child;
                child = node.next_sibling;
            }
            if !found {
                self.append(tree, (parent, last), depth, w, rest);
                break;
            }
            parent = child;
            is_below = true;
        }
        is_certain
    }

    /// Hangs the `rest` of `w` below `parent`, behind its child `last`.
    #[inline(always)]
    fn append(
        &mut self,
        tree: &mut Tree,
        (mut parent, mut last): (u32, u32),
        depth: usize,
        w: &Reversal,
        rest: &[u32],
    ) {
        for position in rest {
            let item = &w.items()[*position as usize];
            let footprint = w.touches(item).iter().copied().collect();
            let node = self.allocate(item.step, Some(footprint), depth);
            match (last, parent) {
                (NONE, NONE) => tree.0 = node,
                (NONE, parent) => self.nodes[parent as usize].first_child = node,
                (last, _) => self.nodes[last as usize].next_sibling = node,
            }
            (parent, last) = (node, NONE);
        }
    }

    /// Adds a branch of one step behind the others at the root, unless it is there.
    ///
    /// Without a footprint it is taken to be dependent on everything.
    pub(crate) fn add_step(
        &mut self,
        tree: &mut Tree,
        step: Step,
        footprint: Option<Footprint>,
        depth: usize,
    ) {
        let (mut child, mut last) = (tree.0, NONE);
        while child != NONE {
            let node = &self.nodes[child as usize];
            if node.step == step {
                return;
            }
            (last, child) = (child, node.next_sibling);
        }
        let node = self.allocate(step, footprint, depth);
        match last {
            NONE => tree.0 = node,
            last => self.nodes[last as usize].next_sibling = node,
        }
    }
}

/// A step that has been planned, or taken by somebody: is it a weak initial of a sequence?
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) step: Step,
    /// What it touches, if that is known.
    pub(crate) footprint: Option<&'a Footprint>,
    /// After how many events it was planned.
    pub(crate) planned_at: usize,
    /// After how many events it is to be taken, if it is not below others that are planned.
    pub(crate) depth: Option<usize>,
}

/// Whether a step is a weak initial of the `rest` of `w`; if so, its position there, or the length of
/// `rest` if it is not in it.
#[inline(always)]
pub(crate) fn weak_initial(
    candidate: Candidate<'_>,
    execution: &Execution,
    w: &Reversal,
    rest: &[u32],
) -> Option<usize> {
    let Candidate { step, footprint, planned_at, depth } = candidate;
    let items = || rest.iter().map(|position| &w.items()[*position as usize]);
    let Some(footprint) = footprint else {
        return place_of(step, items()).filter(|place| *place == 0);
    };
    let is_known = |touch: &Touch| execution.was_known(touch.cell, planned_at);
    if !footprint.0.iter().all(is_known) {
        return initial_by_any_name(step, footprint, depth, execution, w, items());
    }
    if execution.with_observers {
        return unobserved_initial(step, footprint, execution, w, rest);
    }
    match fate(step, footprint, w, items()) {
        Fate::Taken(place) => Some(place),
        Fate::Ignored => Some(rest.len()),
        Fate::Overtaken => None,
    }
}

/// Where the process of a step is first among the items.
fn place_of<'a>(step: Step, mut items: impl Iterator<Item = &'a Item>) -> Option<usize> {
    items.position(|item| item.step.process == step.process)
}

/// The same with observers. It is apart so that it does not slow the other one down.
#[inline(never)]
fn unobserved_initial(
    step: Step,
    footprint: &Footprint,
    execution: &Execution,
    w: &Reversal,
    rest: &[u32],
) -> Option<usize> {
    let mut bystander = Bystander::default();
    let mut place = rest.len();
    for (i, position) in rest.iter().enumerate() {
        let item = &w.items()[*position as usize];
        if item.step.process == step.process {
            place = place.min(i);
        }
        let touches = w.touches(item).iter().copied();
        if !bystander.watch((step, footprint), &item.taken(execution), touches) {
            return None;
        }
        if bystander.standing == Standing::First {
            break;
        }
    }
    debug_assert!(place < rest.len() || bystander.standing != Standing::First);
    Some(place)
}

/// The same if what the step touches may have got another name since it was planned: finds out
/// which, from the sequence if the step is taken there, or else from what its process does next
/// after the first `depth` events, if that is its turn.
#[inline(never)]
fn initial_by_any_name<'a>(
    step: Step,
    footprint: &Footprint,
    depth: Option<usize>,
    execution: &Execution,
    w: &'a Reversal,
    items: impl ExactSizeIterator<Item = &'a Item> + Clone,
) -> Option<usize> {
    let place = place_of(step, items.clone());
    let touched = |item| w.touches(item).iter().copied();
    let renamed: Option<Footprint> = match place {
        Some(place) => items.clone().nth(place).map(|item| touched(item).collect()),
        None => depth.and_then(|depth| execution.touched_next(step.process, depth)),
    };
    let len = items.len();
    let mut bystanders = [Bystander::default(), Bystander::default()];
    for item in items {
        let footprints = [Some(footprint), renamed.as_ref()];
        for (bystander, footprint) in bystanders.iter_mut().zip(footprints) {
            let Some(footprint) = footprint else { continue };
            if !bystander.watch((step, footprint), &item.taken(execution), touched(item)) {
                return None;
            }
        }
        let is_first = |bystander: &Bystander| bystander.standing == Standing::First;
        if is_first(&bystanders[0]) && (renamed.is_none() || is_first(&bystanders[1])) {
            break;
        }
        if renamed.is_none() && may_conflict(w.touches(item), footprint) {
            return None;
        }
    }
    Some(place.unwrap_or(len))
}

/// Whether two footprints may be in conflict under other names.
fn may_conflict(touches: &[Touch], footprint: &Footprint) -> bool {
    let conflicts = |a: &Touch, b: &Touch| a.cell != b.cell && dependence::dependent(a.op, b.op);
    touches.iter().any(|a| footprint.0.iter().any(|b| conflicts(a, b)))
}
