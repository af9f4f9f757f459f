//! Dividing the search among workers.
//!
//! The unit of work is an [open child](piece::OpenChild): a child that no worker has entered, with the
//! nodes on the path to it. Its steps alone would not do. An execution below the child may be the
//! [canonical](super::tree) one for a child of a node above it, which is then entered from there. So the
//! worker that explores an open child looks ahead at all nodes on its path, and explores what it finds.
//!
//! # Why every execution is run once
//!
//! The tree of children does not depend on which worker explores a child. A worker that enters a child has
//! the same nodes on its path as a single worker. What it finds is a function of the executions below the
//! child and of these nodes, with these exceptions:
//!
//! * **Looking back** is done once for a node: before any child of the node is left to another worker, and
//!   before any child of a node below it is. The nodes on the path of an open child count as looked back at.
//! * **The second child of an acquisition** of a [reader-writer lock](super::rwlocks) is added when the first
//!   execution shows that it may be needed. Executions of several workers may show that. Such a node gets a
//!   [claim](super::tree::frame::Frame::claim) when it becomes part of the path of an open child. The second
//!   child is added by the worker that is the first to make this claim.
//! * **Lessons** change the tree, so that all workers start over when one of them learns something. The
//!   processes that take messages from a mailbox are no lesson until there are two of them; the workers
//!   [agree](super::lessons::Lessons::agree) on them after each execution that shows a new one.
//!
//! # Names
//!
//! Nodes, children and claims name events by processes and ranks, and by
//! [identities](super::graph::identity). Workers of one process give the same ids to the same processes.
//! Parts of a search on a cluster may give different ids to a process that none of them knew when they
//! were divided. A part has the ids that were known when its open children were split off, so these mean
//! the same to the worker that explores it. Only one decision compares processes that may be unknown to
//! another part: which of two writes is the [latest](super::graph::ObservationGraph::lateness). It compares
//! names that do not depend on ids.

pub(crate) mod piece;
mod split;
pub(crate) mod worker;
