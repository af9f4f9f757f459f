//! Wakeup trees.

use crate::execution::Execution;
use crate::execution::footprint::{Footprint, Touch};
use crate::explore::dpor::parts::reversal::{Reversal, ReversalStep};
use crate::explore::dpor::parts::weak_initials::{Fate, WeakInitials};
use crate::model::{Op, ProcessId, Step, dependence};
use crate::wire::{Malformed, Reader, Wire};

/// The index that stands for "no node".
pub(crate) const NONE: u32 = u32::MAX;

/// A node of a wakeup tree: a step to take.
#[derive(Debug)]
struct WakeupNode {
    step: Step,
    /// Its footprint, if that is known.
    footprint: Option<Footprint>,
    /// Whether it is an alternative that [fails](Execution::is_failure).
    is_failure: bool,
    /// The number of events after which it was planned. Names that were given later may mean
    /// something else now.
    planned_at: u32,
    first_child: u32,
    next_sibling: u32,
}

/// The wakeup trees of all prefixes of the current execution, in one arena.
///
/// A tree is represented by the first child of its root. Children are linked in the order of
/// exploration.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    nodes: Vec<WakeupNode>,
    free: Vec<u32>,
    /// The positions in the sequence being inserted that are not in the tree yet.
    rest: Vec<u32>,
    /// The way to the node where it is being inserted.
    path: Path,
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
    #[inline(always)]
    fn allocate(
        &mut self,
        step: Step,
        (footprint, is_failure): (Option<Footprint>, bool),
        planned_at: usize,
    ) -> u32 {
        let planned_at = planned_at as u32;
        let (first_child, next_sibling) = (NONE, NONE);
        let node =
            WakeupNode { step, footprint, is_failure, planned_at, first_child, next_sibling };
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

    /// Returns the number of branches at the root of a tree.
    pub(crate) fn branches(&self, tree: Tree) -> usize {
        let some = |node: u32| (node != NONE).then_some(node);
        let next = |node: &u32| some(self.nodes[*node as usize].next_sibling);
        std::iter::successors(some(tree.0), next).count()
    }

    /// Returns the process of the first step that is dependent on a step with this footprint, on the path
    /// to the first leaf of a tree. Leaves out steps of that step's process, and unknown footprints.
    pub(crate) fn first_dependent(
        &self,
        tree: Tree,
        step: Step,
        footprint: &Footprint,
    ) -> Option<ProcessId> {
        let node = |index: u32| self.nodes.get(index as usize);
        let mut path = std::iter::successors(node(tree.0), |above| node(above.first_child));
        let is_dependent = |planned: &&WakeupNode| {
            let touches = planned.footprint.as_ref();
            planned.step.process != step.process
                && touches.is_some_and(|touches| touches.dependent(footprint))
        };
        path.find(is_dependent).map(|planned| planned.step.process)
    }

    /// Removes the first branch of a tree. Returns its step and the tree below it.
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

    /// Removes the first branch of a tree and returns it as a tree.
    pub(crate) fn split_first(&mut self, tree: &mut Tree) -> Option<Tree> {
        let first = (!tree.is_empty()).then_some(*tree)?;
        let node = &mut self.nodes[first.0 as usize];
        tree.0 = std::mem::replace(&mut node.next_sibling, NONE);
        Some(first)
    }

    /// Moves a tree from another forest into this one.
    pub(crate) fn adopt(&mut self, from: &mut Forest, tree: Tree) -> Tree {
        let mut moved = Tree::EMPTY;
        // Links to be set, with the nodes of the other forest that they lead to.
        let mut links = vec![(NONE, false, tree.0)];
        while let Some((parent, is_child, old)) = links.pop() {
            if old == NONE {
                continue;
            }
            let node = &mut from.nodes[old as usize];
            let (first_child, next_sibling) = (node.first_child, node.next_sibling);
            let footprint = (node.footprint.take(), node.is_failure);
            let new = self.allocate(node.step, footprint, node.planned_at as usize);
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

    /// Appends a tree to bytes.
    pub(crate) fn write(&self, tree: Tree, to: &mut Vec<u8>) {
        let mut rest = vec![tree.0];
        while let Some(index) = rest.pop() {
            (index != NONE).write(to);
            let Some(node) = self.nodes.get(index as usize) else { continue };
            node.step.write(to);
            node.footprint.write(to);
            node.is_failure.write(to);
            node.planned_at.write(to);
            rest.extend([node.next_sibling, node.first_child]);
        }
    }

    /// Reads a tree.
    pub(crate) fn read(&mut self, from: &mut Reader<'_>) -> Result<Tree, Malformed> {
        let mut tree = Tree::EMPTY;
        // Links to be set: the node, and whether it is the link to its first child.
        let mut links = vec![(NONE, false)];
        while let Some((parent, is_child)) = links.pop() {
            if !bool::read(from)? {
                continue;
            }
            let (step, footprint, is_failure) = Wire::read(from)?;
            let planned_at = u32::read(from)?;
            let new = self.allocate(step, (footprint, is_failure), planned_at as usize);
            match (parent, is_child) {
                (NONE, _) => tree = Tree(new),
                (parent, true) => self.nodes[parent as usize].first_child = new,
                (parent, false) => self.nodes[parent as usize].next_sibling = new,
            }
            links.extend([(new, false), (new, true)]);
        }
        Ok(tree)
    }

    /// Returns the steps of a tree in the order of exploration, each with its level: 0 at the root.
    pub(crate) fn steps(&self, tree: Tree) -> Vec<(Step, u32)> {
        let mut steps = Vec::new();
        let mut rest = vec![(tree.0, 0)];
        while let Some((index, level)) = rest.pop() {
            let Some(node) = self.nodes.get(index as usize) else { continue };
            steps.push((node.step, level));
            rest.extend([(node.next_sibling, level), (node.first_child, level + 1)]);
        }
        steps
    }

    /// Adds a node at a level of a tree, after all nodes so far. `path` holds the last nodes of the levels
    /// up to that of the last node, and is empty for an empty tree.
    pub(crate) fn graft(
        &mut self,
        tree: &mut Tree,
        path: &mut Vec<u32>,
        level: usize,
        (step, footprint): (Step, (Option<Footprint>, bool)),
        depth: usize,
    ) {
        let node = self.allocate(step, footprint, depth);
        match (path.get(level).copied(), level.checked_sub(1).map(|above| path[above])) {
            (Some(sibling), _) => self.nodes[sibling as usize].next_sibling = node,
            (None, Some(parent)) => self.nodes[parent as usize].first_child = node,
            (None, None) => tree.0 = node,
        }
        path.truncate(level);
        path.push(node);
    }

    /// Frees a tree.
    #[inline]
    pub(crate) fn discard(&mut self, tree: Tree) {
        if !tree.is_empty() {
            self.fell(tree);
        }
    }

    fn fell(&mut self, tree: Tree) {
        // The free list doubles as the work list.
        let mut looked_at = self.free.len();
        self.free.push(tree.0);
        while let Some(index) = self.free.get(looked_at) {
            let node = &self.nodes[*index as usize];
            let next = [node.first_child, node.next_sibling];
            self.free.extend(next.into_iter().filter(|node| *node != NONE));
            looked_at += 1;
        }
    }

    /// Implements `insert_[E](w, tree)` of the paper: ensures that some leaf of the tree after the
    /// first `depth` events is a prefix of a sequence equivalent to an extension of `w`.
    ///
    /// Returns whether this holds whatever else becomes known about messages: all steps on the path
    /// to that leaf are steps of `w`.
    #[inline]
    pub(crate) fn insert<R: WeakInitials>(
        &mut self,
        tree: &mut Tree,
        depth: usize,
        execution: &Execution,
        w: &Reversal,
    ) -> bool {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        rest.extend(0..w.steps().len() as u32);
        self.path.begin(depth);
        let is_certain = self.insert_rest::<R>(tree, execution, w, &mut rest);
        self.rest = rest;
        is_certain
    }

    /// Inserts `w` if some branch at the root of the tree is a weak initial of it. Returns what
    /// [`insert`](Self::insert) returns, or `None` if there is no such branch.
    pub(crate) fn insert_into<R: WeakInitials>(
        &mut self,
        tree: &mut Tree,
        depth: usize,
        execution: &Execution,
        w: &Reversal,
    ) -> Option<bool> {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        rest.extend(0..w.steps().len() as u32);
        self.path.begin(depth);
        let (place, is_certain) = self.find_place::<R>(*tree, execution, w, &mut rest);
        let is_covered = place.is_none_or(|(parent, _)| parent != NONE);
        if let Some(place) = place.filter(|_| is_covered) {
            self.append(tree, place, w, &rest);
        }
        self.rest = rest;
        is_covered.then_some(is_certain)
    }

    /// Inserts the `rest` of `w`, given as positions in `w`, into a tree to which this way leads.
    pub(crate) fn insert_below<R: WeakInitials>(
        &mut self,
        tree: &mut Tree,
        path: Path,
        execution: &Execution,
        w: &Reversal,
        rest: &mut Vec<u32>,
    ) -> bool {
        self.path = path;
        self.insert_rest::<R>(tree, execution, w, rest)
    }

    #[inline(always)]
    fn insert_rest<R: WeakInitials>(
        &mut self,
        tree: &mut Tree,
        execution: &Execution,
        w: &Reversal,
        rest: &mut Vec<u32>,
    ) -> bool {
        let (place, is_certain) = self.find_place::<R>(*tree, execution, w, rest);
        if let Some(place) = place {
            self.append(tree, place, w, rest);
        }
        is_certain
    }

    /// Returns whether inserting `w` would not change the tree after the first `depth` events.
    pub(crate) fn covers<R: WeakInitials>(
        &mut self,
        tree: Tree,
        depth: usize,
        execution: &Execution,
        w: &Reversal,
    ) -> bool {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        rest.extend(0..w.steps().len() as u32);
        self.path.begin(depth);
        let (place, _) = self.find_place::<R>(tree, execution, w, &mut rest);
        self.rest = rest;
        place.is_none()
    }

    /// Follows the branches of a tree that are weak initials of the `rest` of `w`, and removes
    /// their steps from `rest`. Returns the parent and the last sibling after which to append the
    /// remaining steps, or `None` at a leaf. Also returns whether all steps on the path are steps
    /// of `w`.
    #[inline(always)]
    fn find_place<R: WeakInitials>(
        &mut self,
        tree: Tree,
        execution: &Execution,
        w: &Reversal,
        rest: &mut Vec<u32>,
    ) -> (Option<(u32, u32)>, bool) {
        let Forest { nodes, path, .. } = self;
        let mut is_certain = true;
        // The parent of the next child, or `NONE` at the root.
        let mut parent = NONE;
        loop {
            let first = if parent == NONE { tree.0 } else { nodes[parent as usize].first_child };
            if first == NONE && parent != NONE {
                // A leaf: all of its continuations will be explored.
                return (None, is_certain);
            }
            let (mut child, mut last) = (first, NONE);
            let mut found = false;
            while child != NONE {
                let node = &nodes[child as usize];
                let candidate = Candidate {
                    step: node.step,
                    footprint: node.footprint.as_ref(),
                    is_failure: node.is_failure,
                    planned_at: path.depth.min(node.planned_at as usize),
                    path,
                };
                if let Some(position) = weak_initial::<R>(candidate, execution, w, rest) {
                    match position < rest.len() {
                        true => drop(rest.remove(position)),
                        false => {
                            is_certain = false;
                            let (step, footprint) = (node.step, node.footprint.as_ref());
                            path.pass(execution, step, footprint);
                        }
                    }
                    found = true;
                    break;
                }
                last = child;
                child = node.next_sibling;
            }
            if !found {
                return (Some((parent, last)), is_certain);
            }
            parent = child;
        }
    }

    /// Appends the `rest` of `w` below `parent`, after its child `last`.
    #[inline(always)]
    fn append(
        &mut self,
        tree: &mut Tree,
        (mut parent, mut last): (u32, u32),
        w: &Reversal,
        rest: &[u32],
    ) {
        let depth = self.path.depth;
        for position in rest {
            let item = &w.steps()[*position as usize];
            let footprint = w.touches(item).iter().copied().collect();
            let node = self.allocate(item.step, (Some(footprint), item.is_failure), depth);
            match (last, parent) {
                (NONE, NONE) => tree.0 = node,
                (NONE, parent) => self.nodes[parent as usize].first_child = node,
                (last, _) => self.nodes[last as usize].next_sibling = node,
            }
            (parent, last) = (node, NONE);
        }
    }

    /// Appends a branch of one step at the root, unless there is a branch with this step.
    ///
    /// Without a footprint, the step counts as dependent on every other step.
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
        // The footprint of a single step is a declared one, whether or not the step fails.
        let node = self.allocate(step, (footprint, false), depth);
        match last {
            NONE => tree.0 = node,
            last => self.nodes[last as usize].next_sibling = node,
        }
    }
}

/// A planned or taken step that is tested for being a weak initial of a sequence.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) step: Step,
    /// Its footprint, if that is known.
    pub(crate) footprint: Option<&'a Footprint>,
    /// Whether it is an alternative that [fails](Execution::is_failure), and so is a weak initial only of
    /// sequences that contain it.
    pub(crate) is_failure: bool,
    /// The number of events after which it was planned.
    pub(crate) planned_at: usize,
    /// The way to where it is to be taken.
    pub(crate) path: &'a Path,
}

/// The way to a prefix at which a sequence is to be inserted: the first events of the execution, steps of
/// the sequence, and *detours*, which are not in the sequence.
#[derive(Debug, Default)]
pub(crate) struct Path {
    /// The number of events.
    depth: usize,
    /// The detours, if objects may have late names.
    detours: Vec<Detour>,
}

#[derive(Debug)]
struct Detour {
    step: Step,
    /// Whether what the process does next does not depend on what other processes have done.
    is_blind: bool,
}

impl Path {
    /// Creates the way to the prefix after the first `depth` events.
    pub(crate) fn new(depth: usize) -> Self {
        Path { depth, detours: Vec::new() }
    }

    /// Returns the number of events.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Starts anew after the first `depth` events.
    #[inline]
    fn begin(&mut self, depth: usize) {
        self.depth = depth;
        self.detours.clear();
    }

    /// Adds a detour by a step with this footprint, if that is known.
    #[inline]
    pub(crate) fn pass(&mut self, execution: &Execution, step: Step, by: Option<&Footprint>) {
        if execution.names_late() {
            self.note_detour(step, by);
        }
    }

    #[cold]
    fn note_detour(&mut self, step: Step, by: Option<&Footprint>) {
        let is_blind = |by: &Footprint| by.0.iter().all(|touch| touch.op == Op::Write);
        self.detours.push(Detour { step, is_blind: by.is_some_and(is_blind) });
    }

    /// Returns the next event of a process that has no steps left in the sequence `w`, if the process has
    /// done the same before it as on this way.
    fn next_event(&self, process: ProcessId, execution: &Execution, w: &Reversal) -> Option<usize> {
        let is_mine = |step: &Step| step.process == process;
        // The last step of the sequence has other effects than in the execution.
        let is_last = w.steps().last().is_some_and(|last| is_mine(&last.step));
        let mut number = w.steps().iter().filter(|step| is_mine(&step.step)).count();
        for detour in self.detours.iter().filter(|detour| is_mine(&detour.step)) {
            let event = execution.nth_of(process, self.depth, number)?;
            if !detour.is_blind || execution.event(event).step != detour.step {
                return None;
            }
            number += 1;
        }
        execution.nth_of(process, self.depth, number).filter(|_| !is_last)
    }
}

/// Returns the position of a step in the `rest` of `w` if it is a weak initial of that. Returns the
/// length of `rest` if it is a weak initial that does not occur there, and `None` if it is no weak
/// initial.
#[inline(always)]
pub(crate) fn weak_initial<R: WeakInitials>(
    candidate: Candidate<'_>,
    execution: &Execution,
    w: &Reversal,
    rest: &[u32],
) -> Option<usize> {
    let Candidate { step, footprint, is_failure, planned_at, .. } = candidate;
    let steps = || rest.iter().map(|position| &w.steps()[*position as usize]);
    // Most candidates are the next step of the sequence: then nothing else matters.
    if steps().next().is_some_and(|first| first.step == step) {
        return Some(0);
    }
    let Some(footprint) = footprint else {
        return place_of(step, steps()).filter(|place| *place == 0);
    };
    let is_known = |touch: &Touch| execution.was_known(touch.cell, planned_at);
    if !footprint.0.iter().all(is_known) {
        let place = initial_by_any_name::<R>((footprint, candidate), execution, w, steps());
        return place.filter(|place| !is_failure || *place < rest.len());
    }
    let mut bystander = R::Bystander::default();
    let mut place = rest.len();
    for (i, other) in steps().enumerate() {
        if other.step.process == step.process {
            place = place.min(i);
        }
        let touches = w.touches(other).iter().copied();
        match R::watch(&mut bystander, (step, footprint), &other.taken(execution), touches) {
            Fate::Open => {}
            Fate::Initial => break,
            Fate::Overtaken => return None,
        }
    }
    (!is_failure || place < rest.len()).then_some(place)
}

/// Returns the position of the first step of the same process.
#[inline]
fn place_of<'a>(step: Step, mut steps: impl Iterator<Item = &'a ReversalStep>) -> Option<usize> {
    steps.position(|other| other.step.process == step.process)
}

/// Implements [`weak_initial`] for a step that accesses an object whose name may have changed since
/// the step was planned. If the step is in the sequence, its current name is the one used there.
/// Otherwise, it is the one in the [event](Path::next_event) in which the process does the same.
#[inline(never)]
fn initial_by_any_name<'a, R: WeakInitials>(
    (footprint, candidate): (&Footprint, Candidate<'_>),
    execution: &Execution,
    w: &'a Reversal,
    steps: impl ExactSizeIterator<Item = &'a ReversalStep> + Clone,
) -> Option<usize> {
    let step = candidate.step;
    let place = place_of(step, steps.clone());
    let touched = |step| w.touches(step).iter().copied();
    let renamed: Option<Footprint> = match place {
        Some(place) => steps.clone().nth(place).map(|step| touched(step).collect()),
        None => {
            let event = candidate.path.next_event(step.process, execution, w);
            event.map(|event| execution.footprint(event))
        }
    };
    let len = steps.len();
    let footprints = [Some(footprint), renamed.as_ref()];
    let mut bystanders = [R::Bystander::default(), R::Bystander::default()];
    let mut fates = [Fate::Open, if renamed.is_some() { Fate::Open } else { Fate::Initial }];
    for other in steps {
        for (i, bystander) in bystanders.iter_mut().enumerate() {
            let Some(footprint) = footprints[i].filter(|_| fates[i] == Fate::Open) else {
                continue;
            };
            let taken = other.taken(execution);
            fates[i] = R::watch(bystander, (step, footprint), &taken, touched(other));
            if fates[i] == Fate::Overtaken {
                return None;
            }
        }
        if fates == [Fate::Initial; 2] {
            break;
        }
        if renamed.is_none() && may_conflict(w.touches(other), footprint) {
            return None;
        }
    }
    Some(place.unwrap_or(len))
}

/// Returns whether two footprints may conflict under other names.
fn may_conflict(touches: &[Touch], footprint: &Footprint) -> bool {
    let conflicts = |a: &Touch, b: &Touch| a.cell != b.cell && dependence::dependent(a.op, b.op);
    touches.iter().any(|a| footprint.0.iter().any(|b| conflicts(a, b)))
}
