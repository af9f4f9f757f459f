//! `observers`: one execution per class of schedules that nobody can tell apart.
//!
//! This is Optimal DPOR with Observers (Aronis, Jonsson, Lång and Sagonas, *Optimal dynamic partial
//! order reduction with observers*, TACAS 2018). It is [`optimal`](super::optimal) under a coarser
//! happens-before relation, in which two writes to one location are ordered only if somebody reads
//! what the later one wrote. So of `n` writers and one reader behind them, `n` executions are run
//! instead of `n!`: one for each value that is read. Likewise, two messages to one mailbox are ordered
//! only if the receive that took the first would have taken the second, had it come first.
//!
//! The search itself is that of `optimal`; the relation is a matter of the execution that it works on.
//!
//! # What changes
//!
//! * *The relation.* Whether two writes are dependent becomes known only when the location is read.
//!   See `observe.rs`.
//! * *Wakeup sequences* (lines 6 to 10 of Algorithm 1). To reverse a race that needs an observer, the
//!   sequence must run up to that observer: otherwise nobody could tell that it was reversed, and it
//!   would be found redundant. It is `v = notdep(e, E).e'.e.(notobs(e, e', E) \\ e').o`: the text copy
//!   of line 8 lost the accents and the observer, but the proof of Claim 8 has them. See
//!   `reversal.rs`.
//!   Of two deliveries, `e` is left out if nothing needs it: `notdep(e, E).e'.o` shows that they are
//!   reversed, and `e` can come as late as it will. So less is to be run again when its turn comes to be
//!   reversed with others. For the same reason whoever can receive a message does so before others move.
//! * *Redundancy* (line 11). The paper replaces sleep sets by a test over the `done` sets of all
//!   prefixes, and sketches how to do that incrementally. Here, sleep sets stay, but a sleeper has a
//!   *standing*: a write may be overtaken by other writes, and even be taken itself, and still be
//!   asleep, until somebody looks. `v ∈ redundant(E', done)` is then a walk of `v` past the sleepers
//!   of `E'`, as without observers. See `overtake.rs`.
//! * *Races that come and go.* An observer that comes later may order the events of a race by another
//!   way. Such a race is left alone, and looked at again in the next execution that has it.
//!
//! # What is observed
//!
//! | actions | dependent |
//! |---|---|
//! | two writes to one location | if somebody looks at what the later one wrote |
//! | writes to overlapping, unequal locations | always |
//! | writes that come with other actions in one step (behind a yield, in an atomic block) | always |
//! | writes to a location that some process waits for: locks, tokens, what a thread spins on | always |
//! | two deliveries to one mailbox | if the first is received, and that receive would have taken the second |
//! | anything else | as for `optimal` |
//!
//! Which messages a receive would have taken is for the machine to say: see
//! [`Rival`](crate::model::Rival). Looking into a mailbox in vain is dependent on every delivery to it.
//!
//! The writes to an awaited location cannot be left unordered: their order decides whether the
//! waiting process is enabled, and equivalent executions must enable the same processes (property 5
//! of Definition 1). That a location is awaited may become known after writes to it were taken to be
//! unobserved; the search then starts over with that knowledge, which it keeps.
