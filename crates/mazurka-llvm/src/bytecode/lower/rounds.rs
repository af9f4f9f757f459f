//! Loops that count their rounds, and give up after some of them.
//!
//! A lock may try a number of times before it waits:
//!
//! ```c
//! for (int i = 0; i < 1024; i++)
//!     if (try_lock()) return;
//! wait();
//! ```
//!
//! The machine [skips](crate::machine) most of the rounds that change nothing but the counter. This module finds
//! the loops in which it may do so. A slot is a *counter* of a loop if
//!
//! * every iteration changes it in the same way, which depends on counters and on slots that the loop does not
//!   write,
//! * nothing else depends on it, but for branches that leave the loop or stay in it, and
//! * its value does not matter once the loop is left.
//!
//! Each instruction that changes a counter, and each branch that depends on one, is executed exactly once in
//! every iteration. So the first value of a counter and the number of an iteration determine everything that
//! counters influence. In particular, an iteration goes on in the same way whatever its number is, unless it is
//! the last one.

use std::collections::HashMap;

use super::counting::written;
use super::flow::{Tables, block_starts, falls_through, reads, targets};
use super::liveness::Liveness;
use crate::bytecode::{Counted, Op, Pc, RoundStep, Slot};

/// A function, and where its blocks start.
pub(super) struct Function<'a> {
    pub(super) tables: &'a Tables<'a>,
    pub(super) ops: &'a [Op],
    pub(super) entry: Pc,
    starts: Vec<usize>,
    /// The blocks that may follow each block.
    next: Vec<Vec<usize>>,
}

impl<'a> Function<'a> {
    /// `ops` are the instructions of the function, which start at `entry`.
    pub(super) fn new(tables: &'a Tables<'a>, ops: &'a [Op], entry: Pc) -> Self {
        let starts = block_starts(tables, ops, entry);
        let mut function = Function { tables, ops, entry, starts, next: Vec::new() };
        for block in 0..function.starts.len() {
            let range = function.range(block);
            let mut next = Vec::new();
            for at in range.clone() {
                targets(tables, &ops[at], |to| next.push(function.block_of((to - entry) as usize)));
            }
            if falls_through(&ops[range.end - 1]) && range.end < ops.len() {
                next.push(block + 1);
            }
            function.next.push(next);
        }
        function
    }

    fn block_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    fn range(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block]..self.starts.get(block + 1).copied().unwrap_or(self.ops.len())
    }

    /// Returns which blocks can be reached from some blocks, among those of which `within` is true. The blocks
    /// themselves are reached only if control comes back to them.
    fn reached(&self, from: &[usize], within: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.starts.len()];
        let mut work = from.to_vec();
        while let Some(block) = work.pop() {
            for next in &self.next[block] {
                if within(*next) && !std::mem::replace(&mut reached[*next], true) {
                    work.push(*next);
                }
            }
        }
        reached
    }

    /// Returns the blocks of the natural loop with a head: those from which control comes back to the head, and
    /// that it enters through the head only.
    fn natural_loop(&self, head: usize) -> Vec<bool> {
        let mut avoiding = self.reached(&[0], |block| block != head);
        avoiding[0] |= head != 0;
        let mut body = vec![false; self.starts.len()];
        body[head] = true;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for block in 0..self.starts.len() {
                if !body[block]
                    && !avoiding[block]
                    && self.next[block].iter().any(|next| body[*next])
                {
                    body[block] = true;
                    changed = true;
                }
            }
        }
        body
    }

    /// Returns the counters of the loop whose head is the instruction at `head`, if it has some. `live` are the
    /// slots that matter at the head.
    pub(super) fn counted(
        &self,
        head: usize,
        live: &[Slot],
        liveness: &Liveness,
    ) -> Option<Counted> {
        let head = self.block_of(head);
        let body = self.natural_loop(head);
        let spin = Loop { function: self, head, body: &body, liveness };
        if !spin.may_end_early() {
            return None;
        }
        let mut varies = Vec::new();
        spin.ops(|_, op| written(self.tables, op, |slot| varies.push(slot)));
        varies.sort_unstable();
        let mut roots = Vec::new();
        for slot in live.iter().filter(|slot| varies.binary_search(slot).is_ok()) {
            if let Some((more, _)) = spin.follow(vec![*slot], &varies) {
                roots.extend(more);
            }
        }
        roots.sort_unstable();
        roots.dedup();
        let (mut slots, steps) = spin.follow(roots, &varies)?;
        slots.sort_unstable();
        steps.iter().any(|step| step.kind != RoundStep::Computes).then_some(())?;
        Some(spin.describe(slots, &steps))
    }

    /// Returns whether the loop with the head at `outer` contains the instruction at `inner`.
    pub(super) fn encloses(&self, outer: usize, inner: usize) -> bool {
        outer != inner && self.natural_loop(self.block_of(outer))[self.block_of(inner)]
    }
}

/// An instruction that computes a counter, or a branch that depends on one.
struct Step {
    block: usize,
    at: usize,
    kind: RoundStep,
}

/// A loop of a function.
struct Loop<'a> {
    function: &'a Function<'a>,
    head: usize,
    /// Its blocks.
    body: &'a [bool],
    liveness: &'a Liveness,
}

impl Loop<'_> {
    /// Calls `see` for every instruction of the loop.
    fn ops(&self, mut see: impl FnMut(usize, &Op)) {
        for block in (0..self.body.len()).filter(|block| self.body[*block]) {
            for at in self.function.range(block) {
                see(at, &self.function.ops[at]);
            }
        }
    }

    /// Returns the blocks to which control leaves the loop, unless the program ends there.
    fn exits(&self) -> impl Iterator<Item = usize> + '_ {
        let blocks = (0..self.body.len()).filter(|block| self.body[*block]);
        let next = blocks.flat_map(|block| &self.function.next[block]);
        next.copied().filter(|next| !self.body[*next] && !self.gives_up(*next))
    }

    /// Returns whether the program ends in a block.
    fn gives_up(&self, block: usize) -> bool {
        let last = self.function.range(block).end - 1;
        matches!(self.function.ops[last], Op::Unreachable | Op::Trap { .. })
    }

    /// Returns whether the loop can be left at two places at least, so that it may be one that tries.
    fn may_end_early(&self) -> bool {
        self.exits().nth(1).is_some()
    }

    /// Follows slots through the loop. Returns all slots that depend on them where a block starts, and the
    /// instructions that compute such slots or branch on them, in the order of a round. Returns `None` if these
    /// slots are no counters. `varies` are the slots that the loop writes.
    fn follow(&self, mut counters: Vec<Slot>, varies: &[Slot]) -> Option<(Vec<Slot>, Vec<Step>)> {
        let mut steps = Vec::new();
        let mut known = 0;
        while std::mem::replace(&mut known, counters.len()) != counters.len() {
            steps.clear();
            for block in (0..self.body.len()).filter(|block| self.body[*block]) {
                self.follow_in(block, &mut counters, varies, &mut steps)?;
            }
        }
        let mut blocks: Vec<usize> = steps.iter().map(|step| step.block).collect();
        blocks.dedup();
        if !blocks.iter().all(|block| self.is_in_every_round(*block)) {
            return None;
        }
        // Each of these blocks is executed once in a round, so one of two comes first.
        let ranks: HashMap<usize, usize> =
            blocks.iter().map(|block| (*block, self.rank(*block, &blocks))).collect();
        steps.sort_by_key(|step| (ranks[&step.block], step.at));
        Some((counters, steps))
    }

    /// Does that in a block. A slot may hold several values in a block, one after the other.
    fn follow_in(
        &self,
        block: usize,
        counters: &mut Vec<Slot>,
        varies: &[Slot],
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let Function { tables, ops, .. } = self.function;
        // What depends on a counter, and what depends only on slots that the loop does not write.
        let (mut counting, mut fixed) = (counters.clone(), Vec::new());
        let mut found = Vec::new();
        let mut counts = false;
        for at in self.function.range(block) {
            let op = &ops[at];
            let (mut uses, mut varying, mut sets) = (false, false, Vec::new());
            reads(tables, op, |slot| match counting.contains(&slot) {
                true => uses = true,
                false => varying |= varies.binary_search(&slot).is_ok() && !fixed.contains(&slot),
            });
            written(tables, op, |slot| sets.push(slot));
            let is_pure = is_arithmetic(op) && !varying;
            let sets_counter = sets.iter().any(|slot| counters.contains(slot));
            let kind = match op {
                _ if is_pure => RoundStep::Computes,
                Op::JumpIf { .. } | Op::JumpUnless { .. } | Op::JumpCompare { .. }
                    if uses && !varying =>
                {
                    match self.leaves(block)? {
                        true => RoundStep::LeavesIfTaken,
                        false => RoundStep::LeavesUnlessTaken,
                    }
                }
                _ if uses || sets_counter => return None,
                _ => {
                    counting.retain(|slot| !sets.contains(slot));
                    fixed.retain(|slot| !sets.contains(slot));
                    continue;
                }
            };
            counting.retain(|slot| !sets.contains(slot));
            fixed.retain(|slot| !sets.contains(slot));
            match uses || sets_counter {
                true => counting.extend(sets),
                false => fixed.extend(sets),
            }
            counts |= uses || sets_counter;
            found.push(Step { block, at, kind });
        }
        for next in self.function.next[block].iter().filter(|next| !self.gives_up(**next)) {
            for slot in counting.iter().filter(|slot| self.liveness.enters(*next, **slot)) {
                if !self.body[*next] {
                    return None;
                }
                if !counters.contains(slot) {
                    counters.push(*slot);
                }
            }
        }
        if counts {
            steps.append(&mut found);
        }
        Some(())
    }

    /// Returns whether the branch at the end of a block leaves the loop if it is taken, or otherwise. Returns
    /// `None` if it leaves it in both cases, or in none.
    fn leaves(&self, block: usize) -> Option<bool> {
        let Function { tables, ops, entry, .. } = self.function;
        let last = self.function.range(block).end - 1;
        let mut taken = None;
        targets(tables, &ops[last], |to| {
            taken = Some(self.function.block_of((to - entry) as usize));
        });
        let stays = [taken?, block + 1].map(|next| self.body.get(next) == Some(&true));
        match stays {
            [false, true] => Some(true),
            [true, false] => Some(false),
            _ => None,
        }
    }

    /// Returns the blocks that control can reach from a block within the same round.
    fn later(&self, block: usize) -> Vec<bool> {
        self.function.reached(&[block], |next| self.body[next] && next != self.head)
    }

    /// Returns whether every round executes a block exactly once.
    fn is_in_every_round(&self, block: usize) -> bool {
        if block == self.head {
            return true;
        }
        let others = |next: usize| self.body[next] && next != block;
        !self.later(block)[block] && !self.function.reached(&[self.head], others)[self.head]
    }

    /// Returns how many of some blocks come before a block in a round.
    fn rank(&self, block: usize, blocks: &[usize]) -> usize {
        let comes_before = |other: &&usize| **other != block && self.later(**other)[block];
        blocks.iter().filter(comes_before).count()
    }

    fn describe(&self, slots: Vec<Slot>, steps: &[Step]) -> Counted {
        let entry = self.function.entry;
        let mut blocks = Vec::new();
        for block in (0..self.body.len()).filter(|block| self.body[*block]) {
            let later = self.later(block);
            let comes = |step: &Step| step.block == block || later[step.block];
            let first = steps.iter().position(comes).unwrap_or(steps.len());
            let range = self.function.range(block);
            blocks.push((entry + range.start as Pc, entry + range.end as Pc, first));
        }
        let steps = steps.iter().map(|step| (entry + step.at as Pc, step.kind)).collect();
        Counted { slots, steps, blocks }
    }
}

/// Returns whether an instruction computes a number from others, and does nothing else.
fn is_arithmetic(op: &Op) -> bool {
    match op {
        Op::Select { count, .. } => *count == 1,
        Op::Move { .. }
        | Op::Add { .. }
        | Op::Sub { .. }
        | Op::Signed { .. }
        | Op::Integer { .. }
        | Op::Bits { .. }
        | Op::Compare { .. }
        | Op::Truncate { .. }
        | Op::SignExtend { .. }
        | Op::Offset { .. } => true,
        _ => false,
    }
}
