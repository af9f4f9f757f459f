//! `Barrier`.
//!
//! To the explorers it is a cell that counts arrivals. Arrivals commute: each adds 1, and when the
//! last thread arrives, every thread continues after the arrivals of all. There are two exceptions,
//! after which the check starts over with arrivals that depend on each other. The program asks which
//! thread is the leader, or more threads use the barrier than it waits for.

use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::{Action, Location, ObjectId, Op, ProcessId};

use super::afresh::Afresh;
use crate::rt::{self, Operation, Waiting};

/// Lets threads wait for each other, as [`std::sync::Barrier`].
///
/// The last thread to arrive is the leader.
///
/// ```
/// use mazurka::sync::Barrier;
/// use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
/// use mazurka::thread;
///
/// mazurka::check(|| {
///     let (barrier, arrived) = (Barrier::new(2), AtomicU32::new(0));
///     let go = || {
///         arrived.fetch_add(1, SeqCst);
///         let is_leader = barrier.wait().is_leader();
///         assert_eq!(arrived.load(SeqCst), 2);
///         is_leader
///     };
///     let leaders = thread::scope(|s| {
///         let other = s.spawn(go);
///         u32::from(go()) + u32::from(other.join().unwrap())
///     });
///     assert_eq!(leaders, 1);
/// });
/// ```
pub struct Barrier {
    inner: Afresh<Threads>,
    size: usize,
}

/// The threads at a barrier.
struct Threads {
    /// Those that wait.
    waiters: Vec<ProcessId>,
    /// Those that have arrived in this execution.
    users: Vec<ProcessId>,
}

impl Threads {
    const NONE: Threads = Threads { waiters: Vec::new(), users: Vec::new() };

    fn clear(&mut self) {
        self.waiters.clear();
        self.users.clear();
    }

    /// Returns how many threads use the barrier, with this one.
    fn users_with(&mut self, process: ProcessId) -> usize {
        if !self.users.contains(&process) {
            self.users.push(process);
        }
        self.users.len()
    }
}

impl Barrier {
    /// Creates a barrier for `n` threads.
    #[track_caller]
    pub const fn new(n: usize) -> Self {
        Barrier { inner: Afresh::new(Threads::NONE), size: n }
    }

    /// Gives the barrier a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.inner.set_label(label);
        self
    }

    fn id(&self) -> ObjectId {
        self.inner.id("Barrier", 0, Threads::clear)
    }

    /// Waits until all threads have arrived.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let site = SourceLocation::caller();
        if !rt::alive() {
            return self.wait_dying();
        }
        let object = self.id();
        let action = match rt::arrivals_commute() {
            true => Action::new(Op::Add, Location::whole(object)).unread(),
            false => Action::new(Op::Update, Location::whole(object)),
        };
        if Operation::new("wait", site).action(action).turn().is_none() {
            return self.wait_dying();
        }
        let users = rt::with(|rt| self.inner.state().users_with(rt.current()));
        if users > self.size.max(1) && !rt::watch_arrivals() {
            return self.wait_dying();
        }
        let is_leader = rt::with(|rt| {
            let mut threads = self.inner.state();
            let before = rt.value(object);
            let arrived = before + 1;
            let is_leader = arrived >= self.size as u64;
            rt.perform(action.performed(before, if is_leader { 0 } else { arrived }));
            match is_leader {
                true => {
                    let leader = rt.current();
                    threads.waiters.iter().for_each(|waiter| rt.edge(*waiter, leader));
                    threads.waiters.drain(..).for_each(|waiter| rt.release(waiter));
                }
                false => threads.waiters.push(rt.current()),
            }
            rt.log(site, |rt| {
                let role = if is_leader { " → leader" } else { "" };
                format!("wait({}), {arrived} of {}{role}", rt.object_name(object), self.size)
            });
            is_leader
        });
        if !is_leader {
            let what = "other threads at";
            rt::wait_for_release(Waiting { what, object: Some(object), process: None, site });
        }
        BarrierWaitResult(is_leader)
    }

    /// Arrives in a destructor, while the execution is being torn down. The process cannot wait then:
    /// it is abandoned unless it is the last to arrive.
    fn wait_dying(&self) -> BarrierWaitResult {
        let object = self.id();
        let arrived = rt::with(|rt| rt.value(object)) + 1;
        if arrived < self.size as u64 {
            rt::abandon();
        }
        rt::with(|rt| rt.set_value_of_dying(object, 0));
        BarrierWaitResult(true)
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}

/// Tells whether a thread is the leader, as [`std::sync::BarrierWaitResult`].
pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    /// Returns whether the thread is the leader. Exactly one thread in every round is.
    #[must_use]
    #[track_caller]
    pub fn is_leader(&self) -> bool {
        if rt::is_inside() && rt::alive() {
            rt::watch_arrivals();
        }
        self.0
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::Arc;
    use crate::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use crate::sync::testing::{count, outcomes, violation};
    use crate::thread;

    fn rounds(threads: usize, rounds: usize) -> u64 {
        count(move || {
            let barrier = Arc::new(Barrier::new(threads));
            let pass = move || (0..rounds).filter(|_| barrier.wait().is_leader()).count();
            let handles: Vec<_> = (0..threads).map(|_| thread::spawn(pass.clone())).collect();
            let leaders: usize = handles.into_iter().map(|handle| handle.join().unwrap()).sum();
            assert_eq!(leaders, rounds, "there is one leader in every round");
        })
    }

    #[test]
    fn threads_arrive_in_every_order_and_one_leads() {
        assert_eq!(rounds(1, 1), 1);
        assert_eq!(rounds(2, 1), 2);
        assert_eq!(rounds(3, 1), 6);
        assert_eq!(rounds(4, 1), 24);
        assert_eq!(rounds(2, 3), 2 * 2 * 2);
    }

    #[test]
    fn arrivals_commute_unless_the_leader_matters() {
        let passed = |threads: usize| {
            count(move || {
                let barrier = Arc::new(Barrier::new(threads));
                let pass = move || {
                    for _ in 0..2 {
                        barrier.wait();
                    }
                };
                let handles: Vec<_> = (0..threads).map(|_| thread::spawn(pass.clone())).collect();
                handles.into_iter().for_each(|handle| handle.join().unwrap());
            })
        };
        assert_eq!(passed(2), 1);
        assert_eq!(passed(5), 1);
    }

    #[test]
    fn the_order_matters_if_more_threads_arrive_than_the_barrier_waits_for() {
        let (partners, violations) = outcomes(|| {
            let (barrier, first) = (Barrier::new(2), AtomicU32::new(0));
            let pass = &|me: u32| {
                first.fetch_or(me, SeqCst);
                barrier.wait();
            };
            thread::scope(|s| {
                s.spawn(move || pass(1));
                s.spawn(move || pass(2));
                s.spawn(move || pass(4));
                barrier.wait();
                first.load(SeqCst)
            })
        });
        // Main continues with one partner at least, whichever that is.
        for alone in [1, 2, 4] {
            assert!(partners.contains(&alone), "{partners:?}");
        }
        assert!(violations.is_empty(), "{violations:?}");
    }

    #[test]
    fn a_barrier_for_nobody_is_one_for_one() {
        assert_eq!(count(|| assert!(Barrier::new(0).wait().is_leader())), 1);
    }

    #[test]
    fn any_of_them_can_be_the_leader() {
        let (leaders, violations) = outcomes(|| {
            let barrier = Barrier::new(3);
            thread::scope(|s| {
                let others = [(); 2].map(|()| s.spawn(|| barrier.wait().is_leader()));
                let main = barrier.wait().is_leader();
                let [a, b] = others.map(|other| other.join().unwrap());
                (main, a, b)
            })
        });
        let one = [(false, false, true), (false, true, false), (true, false, false)];
        assert_eq!(leaders.into_iter().collect::<Vec<_>>(), one);
        assert!(violations.is_empty());
    }

    #[test]
    fn to_wait_in_vain_is_a_deadlock() {
        let message = violation(|| {
            Barrier::new(2).with_label("start").wait();
        });
        assert!(message.contains("'main' waits for other threads at `start` ("), "{message}");
    }

    #[test]
    fn a_static_is_empty_at_the_start_of_every_execution() {
        static BARRIER: Barrier = Barrier::new(2);
        let verdict = crate::Check::new().keep_going(true).run(|| {
            if crate::choose(2) == 1 {
                thread::spawn(|| BARRIER.wait());
            }
            BARRIER.wait();
        });
        let kinds: Vec<_> = verdict.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, [crate::ViolationKind::Deadlock]);
    }
}
