//! `data-centric`: exactly one execution per observation function.
//!
//! After Chalupa, Chatterjee, Pavlogiannis, Sinha and Vaidya, *Data-centric dynamic partial order
//! reduction* (POPL 2018).
//!
//! The *observation function* of an execution maps every read to the write that it observes. Processes
//! are deterministic, so that it determines what every process does; two executions with the same one
//! differ only in how unobserved events are ordered. Initial values are writes, too, and a
//! read-modify-write reads and writes.
//!
//! # The search
//!
//! A node of the search is a set `S` of events, each with what it observes, that is closed: all that an
//! event needs to come about as it does is in it (this is the paper's positive annotation; the set of
//! reads that it fixes is local to the node). A node stands for all executions that contain `S`. At a
//! node, some process is chosen, any will do, and its next event `e` is looked at:
//!
//! * If `e` observes nothing and chooses nothing, it is added, and that is all.
//! * If `e` reads, then in every execution that contains `S` it observes some write `w`, and so these
//!   executions are divided by `w`, that is, by which event it is and by all of its causal past. For
//!   each there is one child, with the events of `S`, the past of `w`, `w` and `e`. No two children have
//!   an execution in common, and none is without any, since every closed set that can be realised can
//!   be run on to an end. So each observation function is met exactly once.
//!
//! What children there are becomes known bit by bit. The first is what comes of running `e` at once.
//! Those with `w` in `S` are found by *looking back* when that has been explored, and those with another
//! `w` by *looking ahead* from `S`: whenever an execution below the node ends, all writes in it that do
//! not have `e` in their past are what `e` could observe (*mutation*). Every child is found that way, by
//! induction on the size of the past of `w`: let `w` be last in it, and let `e` come right before `w`; it
//! then observes something with a smaller past. Among the executions of that child there is one that has
//! the past of `w`, and so `w` itself.
//!
//! A child is *realised* (see `realise.rs`): a sequence of its events is found, if there is one, the machine
//! takes these steps, and then runs on freely.
//!
//! # Memory
//!
//! A node can have exponentially many children: as many as there are ways for `w` to come about. So they
//! are not remembered. A child may be found in many executions, but it is entered from one of them only,
//! the *canonical* one, which can be told by looking at it: what is not in `S` and not in the past of `w`
//! observes the latest write that it could (see `canonical.rs`). This is the negative annotation: it says
//! what has been explored elsewhere, but it is computed, not kept. The child is then explored at once, in a
//! *detour* (see `detour.rs`), and nothing is left of it afterwards.
//!
//! Let `n` be the number of events of the longest execution, and let no event read more than `m` locations,
//! which is one for all that reads memory. What is kept are the nodes on the way to the current execution, at
//! most `n`, and those that detours have set aside: there are at most `n` detours under way, as `detour.rs`
//! shows, with at most `n` nodes each. A node has as many children to look back at as there are writes in
//! `S` to what `e` reads, or alternatives to choose from: at most `n^m`. The children of a detour were found
//! in one execution, as pairs of a node, a write, and what these observe: at most `n^(2m+2)`. Each of them is
//! a sequence of at most `n` steps. All that is polynomial in `n`, however many executions there are.
//!
//! Nodes know nothing of each other: a node is a sequence of its events and what processes that wait have
//! been [offered](#waiting), and [`explore_below`] explores what is below it, and nothing else, from these
//! alone. The executions of two nodes, neither of which is below the other, are different ones. So
//! the children of a node can be explored in any order, and by anybody.
//!
//! # Read-modify-writes
//!
//! If `w` is a read-modify-write, it may not be in that execution as it is in the child: `e`, if it is a
//! read-modify-write as well, came right before it. But its process is there, and so is what it would
//! observe. So for every read-modify-write whose process's past does not have `e` in it, all that it
//! could observe without having `e` in its past are tried. See `mutate.rs`.
//!
//! # Waiting
//!
//! A process that waits (for a lock, a token, a message, or that spins) may or may not be able to go on,
//! according to what was last written to a location. The writes to such a location are *ordered*: each
//! observes the one before it, so that an observation function determines who can go on, and with it
//! which executions are maximal. For a mutex that changes nothing, since lock and unlock take turns
//! anyway.
//!
//! An event `e` that waits need not come about in all executions that contain `S`, even if it could come
//! now. But then something follows the last write to its location, or `e` would be able to go on at the
//! end. So the children are `e`, and all that could write next to its location instead, `e` being left
//! out for now.
//!
//! If `e` only reads, it may as well observe an earlier write than the last one, as long as what comes
//! behind that is in `S` anyway. So it has a node of its own as soon as there is something new that it
//! could observe, even if it could not come now: then one of the children is that it observes nothing
//! of what is there. What it has been *offered*, and is known not to observe, is remembered.
//!
//! # What is observed
//!
//! | actions | |
//! |---|---|
//! | reads, writes, read-modify-writes, compare-exchanges (those that fail are reads) | by observation |
//! | mutexes, parking, and other waiting | by observation; writes to what is waited for are ordered |
//! | reader-writer locks | by observation: who locks for reading observes the last writer, and who locks for writing the readers since then, too; see [below](#reader-writer-locks) |
//! | other additions: condition variables, reader-writer locks that are used irregularly (tried, say) | ordered with everything else on the location |
//! | deliveries to a mailbox, posts to a queue | ordered |
//! | receives that wait for a message in the process's own mailbox, or for an event in its queue | they observe the message that they take: which one that is follows from the order of deliveries |
//! | looks into a mailbox (which do not wait), mailboxes with several receivers | ordered with the deliveries |
//! | channels | all operations on one are ordered |
//! | spinning on several locations | all writes to these locations are ordered; whoever spins observes the last of them |
//! | overlapping, unequal ranges | all writes to them are ordered |
//! | joins, notifications, creation | by the causal past |
//! | choices | each has its own executions |
//!
//! So there are more executions than those of `optimal` where that one has independent actions and this
//! one orders them: two additions; a send to a channel and a receive of another message from it; a look
//! into a mailbox that finds a message, and other deliveries; a write to one location and a read of another,
//! if somebody waits for both at once. Everywhere else there are at most as many.
//!
//! That a location is waited for may turn out late; the search then starts over, and keeps the lesson.
//!
//! ## Reader-writer locks
//!
//! The children of a process that waits for a mutex are all that could come next on it instead, and these
//! divide the executions because what is done to a mutex is ordered. Readers of a lock are not: two of them
//! could both come before a writer that waits. So an acquisition of such a lock has two children only: it
//! comes at once, or it does not, and is then left out until something else has come on the lock (see
//! `sharing.rs`). Whether there is any execution below the second child cannot always be told without
//! running into it. So there may be runs in vain, which count as blocked. As far as the oracle knows, it
//! takes a process that waits for ever in some execution for there to be any.
//!
//! # Where this departs from the paper
//!
//! * There, the extension of an execution is free, and some observation functions are visited by two
//!   nodes: 12n-3 runs instead of 12n-5 for `opt_lock(n)`. Here a run belongs to one node only.
//! * There, cyclic topologies are made acyclic by ordering the writes between some processes. Here,
//!   realisation is decided exactly on all of them, by closure and then by a search that remembers where
//!   it failed. Only if that takes very long the writes involved are ordered, and that is counted in
//!   [`Verdict::ordered_locations`](crate::verdict::Verdict::ordered_locations).
//! * There, the negative annotation of a node is a set of writes for each read, which its later siblings
//!   inherit. Here it is a condition on the execution from which a child is entered.
//!
//! # Data races
//!
//! An access to plain memory races with another if neither is in the causal past of the other's process.

mod graph;
mod lessons;
mod realise;
mod rwlocks;
mod strategy;
mod tree;
mod waiting;

pub(crate) use lessons::Lessons;
pub(crate) use tree::DataCentric;
pub use tree::subtree::{Subtree, explore_below, explore_with_subtrees};
