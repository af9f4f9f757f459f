//! `data-centric`: exactly one execution per observation function.
//!
//! After Chalupa, Chatterjee, Pavlogiannis, Sinha and Vaidya, *Data-centric dynamic partial order
//! reduction* (POPL 2018).
//!
//! The *observation function* of an execution maps every read to the write that it observes. Processes
//! are deterministic, so the observation function determines what every process does. Two executions
//! with the same observation function differ only in the order of events that are not observed. The
//! initial values count as writes, and a read-modify-write both reads and writes.
//!
//! # The search
//!
//! A *node* of the search is a closed set `S` of events with their observations: it contains the causal
//! past of each of its events. (In the paper's terms, `S` is the positive annotation.) A node stands for
//! all executions that contain `S`. At a node the search chooses any process, and looks at its next event
//! `e`:
//!
//! * If `e` observes nothing and chooses nothing, it is added to `S`.
//! * If `e` reads, it observes some write `w` in every execution that contains `S`. These executions are
//!   divided by `w`, that is, by which event it is and by its causal past. The child for `w` has the
//!   events of `S`, the past of `w`, `w` and `e`. No two children have an execution in common. No child
//!   is empty, since every closed set that can be realised can be extended to a maximal execution. So
//!   the search reaches each observation function exactly once.
//!
//! The search does not know all children at once. The first child is the one that running `e` at once
//! gives. The children with `w` in `S` are found by *looking back*, once the first child has been
//! explored. The others are found by *looking ahead* (the paper's *mutation*): in every execution below
//! the node, each write that does not have `e` in its past is a write that `e` could observe. Looking
//! ahead finds every child, by induction on the size of the past of `w`. Let `w` be the last event of its
//! past, and let `e` come right before `w`. Then `e` observes a write with a smaller past. Among the
//! executions of that child, one has the past of `w`, and hence `w` itself.
//!
//! A child is *realised*: `realise` finds a sequence of its events, if there is one. The machine takes
//! these steps, and then any steps.
//!
//! # The slides' pseudo code
//!
//! | the slide "Data-centric DPOR" | here |
//! |---|---|
//! | 1 start with an empty observation | `DataCentric::new` |
//! | 2.1 get any trace that realises `O_u` | `realise`, and `Strategy::next` for the free extension |
//! | 2.2 mutation: every read `r` of the trace that `O_u` does not fix, every conflicting write `w` | `tree/mutation.rs` for writes outside of `S`, `tree/children.rs` for writes in `S` |
//! | 2.3 the successor with `O_u ∪ {r ↦ w}` | `tree/children.rs` (`realised`) and `tree/entering.rs` |
//! | 2.4 skip it if it is not well-formed | the closed sets (`cut`) that mutation builds are well-formed |
//! | 3 local bookkeeping for optimality | `tree/canonical.rs` and `tree/detour.rs` |
//!
//! # Memory
//!
//! A node can have exponentially many children, as many as there are causal pasts of `w`. So they are
//! not stored. A child may be found in many executions, but it is entered from exactly one of them, the
//! *canonical* one, in which every event outside of the child observes the latest write that it can (see
//! `tree/canonical.rs`). The child is explored at once, in a *detour* (see `tree/detour.rs`), and nothing
//! is kept of it afterwards.
//!
//! Let `n` be the number of events of the longest execution, and let no event read more than `m` groups
//! of locations (`m` is 1 for every event that accesses memory). The search keeps the nodes on the path
//! to the current execution, at most `n`, and the nodes that detours have set aside: at most `n` detours
//! are under way, each with at most `n` nodes. A node has at most `n^m` children with `w` in `S`, or
//! alternatives. The children of a detour are pairs of a node and a write with their observations: at
//! most `n^(2m+2)`. Each child is a sequence of at most `n` steps. So memory is polynomial in `n`,
//! however many executions there are.
//!
//! Nodes are independent of each other. A [`Subtree`] describes a node by a sequence of its events and
//! what waiting processes have been [offered](#waiting), and [`explore_below`] explores exactly the
//! executions below it. Of two nodes, one is below the other, or they have no execution in common.
//! Workers share a search by leaving children to each other (`division`).
//!
//! # Read-modify-writes
//!
//! Suppose that `w` is a read-modify-write. In an execution in which `e` comes right before `w`, and `e`
//! is a read-modify-write too, `w` observes `e`, so it is not the `w` of the child. But the process of
//! `w` is there, and so are the writes that it observes in the child. So mutation tries, for every
//! read-modify-write whose process does not have `e` in its past, all observations without `e` in their
//! past.
//!
//! # Waiting
//!
//! Whether a process that waits (for a lock, a token, a message, or in a spin loop) is enabled depends on
//! the last write to a location. The writes to such a location are *ordered*: each observes the one
//! before it. So the observation function determines which processes are enabled, and which executions
//! are maximal. For a mutex this makes no difference, since lock and unlock alternate anyway.
//!
//! A waiting event `e` that is enabled after `S` need not occur in every execution that contains `S`. If
//! it does not, some event follows the last write to its location; otherwise `e` would be enabled at the
//! end. So the children are the one with `e`, and one for every event that can write next to the location
//! instead.
//!
//! If `e` only reads, it may also observe an earlier write than the last one of `S`. So it has a node as
//! soon as there is a new write that it could observe, even if it is not enabled now. One child of that
//! node is that it observes none of the writes so far. The search remembers which writes it has been
//! *offered*, and does not offer them again. See `tree/offers.rs`.
//!
//! ## Loops that wait
//!
//! A loop may wait at values that no execution has shown so far. A machine tries the values that the
//! location has had in this execution; see [`Action::awaits`](crate::model::Action::awaits). So an event may
//! wait in one execution, and be an ordinary read in another, in which no value at which it waits has come
//! before it. Its condition is known only for the writes that come before it.
//!
//! The writes to such a *polled* location are ordered, and every access to it *takes turns* (see
//! `graph/access.rs`): the children of its node are those of a waiting event. The event comes next on the
//! location, or observes an earlier write, or another write comes next. Every execution below the node is
//! below exactly one of them, whether the event ever waits or not. No child requires that an event observes
//! a write that came after it, so no condition is evaluated at a value that the machine has not tried. If
//! the event waits at the value of the write that comes next, it remains pending there.
//!
//! Why are the writes ordered? Suppose that they were not. Then a node of a wait would need a child in which
//! the event observes none of the writes so far. That child has an execution only if other writes follow, or
//! if the write that comes last is one at which the process waits. The same must hold for all other processes
//! that wait, in the same execution, and writes may follow that depend on waits which have not ended at the
//! node. So the child could turn out to have no execution. `optimal` orders the writes, too.
//!
//! # Chains
//!
//! Suppose that several processes write to a location, and all of them by read-modify-writes, as for a lock
//! with tickets. Each write observes the one before it, so the writes form a *chain*. If such an event is
//! next at a node, a child for each write that it could observe is a child for each beginning of the chain:
//! 65 children for five increments. They have most of their events in common, and each takes its steps anew.
//! So a read-modify-write of a chain *takes turns*, as if it waited: it comes next on the location, or another
//! write does, or it fails and observes an earlier write. That divides the executions in another way, but into
//! the same observation functions, since the observation function determines the order of the writes. No
//! child is empty, because the event is always enabled.
//!
//! Which locations have chains is a lesson (`lessons.rs`) of the first execution. If an event accesses one of them
//! in another way later, the search starts over without that lesson.
//!
//! # What is observed
//!
//! | actions | treated as |
//! |---|---|
//! | reads, writes, read-modify-writes, compare-exchanges (a failing one is a read) | by observation |
//! | mutexes, parking, and other waiting | by observation; writes to the awaited location are ordered |
//! | reader-writer locks | by observation: a read lock observes the last writer, a write lock also the readers since then; see [below](#reader-writer-locks) |
//! | other additions: condition variables, reader-writer locks that are used irregularly (`try_lock`, say) | ordered with every access to the location |
//! | deliveries to a mailbox, posts to a queue | ordered |
//! | receives that wait for a message in the process's own mailbox, or for an event in its queue | they observe the message that they take, which the order of deliveries determines |
//! | receives that do not wait, mailboxes with several receivers | ordered with the deliveries |
//! | channels | all operations on one channel are ordered; if that orders independent ones, another explorer takes the program |
//! | loops that wait for one location | by observation; writes to the location are ordered |
//! | loops that wait for a location that a step accesses together with others, or in another size | another explorer takes the program |
//! | spinning on several locations | all writes to these locations are ordered; the spinning process observes the last of them |
//! | reads of an iteration that changes nothing, after which a process goes no further | by observation; writes to these locations are ordered |
//! | ranges of which one contains the other | by observation: an access is one to every location within its range; see `parts_of` in `graph/access.rs` |
//! | ranges that overlap in part, reads of ranges that contain more than two others, conditions on ranges that overlap | another explorer takes the program |
//! | the begin and the end of an object's life | by the causal past; see `graph/lives.rs` |
//! | joins, notifications, creation | by the causal past |
//! | choices | each has its own executions |
//!
//! So `data-centric` runs more executions than `optimal` where it orders actions that are independent:
//! two additions; a receive that does not wait and finds a message, and other deliveries; a write to one
//! location and a read of another, if some process waits for both at once. On all other programs it runs at most as many.
//!
//! The search may learn late that a process waits for a location. It then starts over with that
//! lesson.
//!
//! ## Reader-writer locks
//!
//! Operations of readers on one lock are not ordered with each other. So the children of an acquisition
//! cannot be divided by the operation that comes next on the lock. There are two children instead: the
//! acquisition comes at once, or it is left out until a conflicting operation has come. See `rwlocks`.
//! The second child may turn out to have no execution; such a run counts as blocked. In all blocked runs
//! that the oracle has found, some process waits forever in some execution of the program.
//!
//! # Departures from the paper
//!
//! * In the paper the extension of an execution is free, and some observation functions are visited at two
//!   nodes: 12n − 3 runs instead of 12n − 5 for `opt_lock(n)`. Here a run belongs to one node only.
//! * The paper makes cyclic topologies acyclic by ordering the writes between some processes. Here
//!   realisation is decided exactly on all topologies. Only if that exceeds a budget are the writes
//!   involved ordered, which
//!   [`Verdict::ordered_locations`](crate::verdict::Verdict::ordered_locations) counts.
//! * In the paper the negative annotation of a node is a set of writes for each read, which later
//!   siblings inherit. Here it is a condition on the execution from which a child is entered.
//! * The paper has no waiting, messages, choices or locks that readers share; see above.
//! * A data race is two accesses to plain memory, neither of which is in the causal past of the other's
//!   process. The paper does not look for data races.
//!
//! # Folders
//!
//! Each uses only those before it.
//!
//! | where | what |
//! |---|---|
//! | `lessons` | what the search has learnt about locations |
//! | `graph` | the current execution: events, observations, causal pasts |
//! | `realise` | finds a sequence of events with given observations |
//! | `waiting` | what an event would do if it observed another write |
//! | `tree` | nodes, their children, and how the search goes through them |
//! | `rwlocks` | nodes of acquisitions of reader-writer locks |
//! | `unforeseen.rs` | what makes another explorer take the program |
//! | `strategy.rs` | the search as the driver runs it |
//! | `division` | several workers, and parts of a search for a cluster |

pub(crate) mod division;
mod graph;
pub(crate) mod lessons;
mod realise;
mod rwlocks;
mod strategy;
mod tree;
mod unforeseen;
mod waiting;

pub(crate) use tree::DataCentric;
pub use tree::subtree::{Subtree, explore_below, explore_with_subtrees};
