//! Dividing the search of `optimal` among processes that share no memory.
//!
//! A [`Stack`](stack::Stack) is a depth-first search between two executions: a path, and for each prefix of
//! it the branches that come earlier and those that are left. Any process can continue it. Footprints are
//! not part of it, because processes number locations in different ways. A process that continues a stack
//! runs the path. At each prefix, it takes each earlier and each planned step once, to learn its footprint,
//! and goes back: see `probe.rs`.
//!
//! A stack can be divided at a prefix with open branches: the last one becomes a stack of its own. That
//! prefix and those before it are then *forks*, which belong to several stacks. The
//! [`Ledger`](ledger::Ledger) knows the branches of all forks, in an order. If the search of a stack finds a
//! sequence for a fork, it inserts the sequence below its own open branches there, if one of them is a weak
//! initial of it. Otherwise it reports the sequence, with the enabled steps that are weak initials of it. The
//! ledger drops the sequence if one of these steps is a branch. Otherwise it adds a branch, and a stack that
//! begins with the sequence. The earlier branches of a fork are asleep behind the later ones, whether or not
//! they have been explored.
//!
//! # Why no execution is missed
//!
//! Consider the search tree in the end, with the branches of each prefix in their order. `sleep(E)` is the
//! sleep set with which the search came to `E`. The claim is: for every `E` and every sequence `w` that is
//! possible after `E` and has no initial in `sleep(E)`, some explored execution continues `E` with an
//! extension of a sequence equivalent to `w`. It is shown for `E` if it holds for all longer prefixes.
//!
//! It suffices that some branch `b` is a weak initial of `w`. Take the first one in the order; no earlier
//! branch is an initial of `w`, so the claim for `E.b` applies. Assume that there is no such branch. Let `p`
//! be the branch for which the longest prefix `u` of `w` is independent of `p`, and `e` the event of `w` that
//! follows. An initial of `u.e` that is asleep after `E.p` would be an initial of `w`, so the claim for `E.p`
//! applies to `u.e`. In the execution that it gives, `p` races with `e`, and the sequence `v` of this race has
//! `u.e` as a prefix, up to equivalence. No step in `sleep(E)` is an initial of `v`, because it would be asleep
//! after `E.p` and an initial of what was explored there. So the sequence is planned, and afterwards a
//! branch is a weak initial of it. This branch is a weak initial of `u.e`. It is no initial of `w`, so it is
//! independent of `u.e`, which contradicts the choice of `p`.
//!
//! The argument uses no order in time, and so it does not matter when branches are explored. It needs that a
//! step in `sleep(E)` makes a sequence redundant only if it is an *initial*; a branch of `E` may be a weak
//! initial. That is the case below a *loose* prefix: see [`optimal`](super::optimal). Optimal DPOR drops
//! more: all sequences of which a sleeper is a weak initial. It relies on the search behind the sleeper to
//! insert what continues them. That search must therefore be complete when the branch is created, as must
//! those behind all other sleepers. So a prefix is loose if its sleep set contains a branch that was *open*
//! when the current one was created. Most sequences wake all sleepers, and then the rest of the search is
//! that of a single worker.
//!
//! # Why no execution counts twice
//!
//! Of two equivalent executions, consider the last common prefix, and the branches that they take there. One
//! branch comes earlier, and is asleep behind the other one. It is an initial of both executions, so no
//! step wakes it until it is taken. But a step that is asleep is not taken. Hence all executions that come
//! to an end are different. Below a loose prefix, an execution may end because all enabled steps are asleep.
//! Such executions are the cost of the division. They do not count.

pub(crate) mod ledger;
pub(crate) mod plan;
mod probe;
pub(crate) mod stack;
mod worker;

pub(crate) use worker::Stacks;
