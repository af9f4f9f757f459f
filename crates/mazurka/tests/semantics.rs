//! What programs can and cannot do under the checker.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex as StdMutex};
use std::time::Duration;

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Mutex, TryLockError};
use mazurka::thread::{self, JoinHandle};
use mazurka::{Algorithm, Bound, Check, Verdict, Violation, ViolationKind};

/// Everything that `f` can return, which is the same to every explorer.
fn outcomes<T, F>(f: F) -> BTreeSet<T>
where
    T: Ord + Clone + Send + std::fmt::Debug,
    F: Fn() -> T + Send + Sync,
{
    outcomes_of(&Check::new(), f)
}

fn outcomes_of<T, F>(check: &Check, f: F) -> BTreeSet<T>
where
    T: Ord + Clone + Send + std::fmt::Debug,
    F: Fn() -> T + Send + Sync,
{
    let mut all = None;
    for algorithm in Algorithm::ALL {
        let seen = StdMutex::new(BTreeSet::new());
        let verdict = check.clone().algorithm(algorithm).run(|| {
            let outcome = f();
            seen.lock().unwrap().insert(outcome);
        });
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete(), "{algorithm}");
        let seen = seen.into_inner().unwrap();
        assert_eq!(*all.get_or_insert_with(|| seen.clone()), seen, "{algorithm}");
    }
    all.unwrap()
}

/// The violation that every explorer finds in `f`.
fn violation<F: Fn() + Send + Sync>(f: F) -> Violation {
    let find = |algorithm| {
        let verdict = Check::new().algorithm(algorithm).run(&f);
        assert_eq!(verdict.stopped, Some(Bound::Violation), "{algorithm}");
        let mut violations = verdict.violations;
        assert_eq!(violations.len(), 1, "{algorithm}");
        violations.pop().unwrap()
    };
    let found: Vec<_> = Algorithm::ALL.into_iter().map(find).collect();
    assert!(found.iter().all(|violation| violation.kind == found[0].kind), "{found:?}");
    found[0].clone()
}

fn spawn_with<T, R>(shared: &Arc<T>, f: impl FnOnce(&T) -> R + Send + 'static) -> JoinHandle<R>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    let shared = Arc::clone(shared);
    thread::spawn(move || f(&shared))
}

fn x_and_y() -> Arc<(AtomicUsize, AtomicUsize)> {
    Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)))
}

// Sequential consistency.

#[test]
fn store_buffering_shows_what_sequential_consistency_allows() {
    let seen = outcomes(|| {
        let shared = x_and_y();
        let first = spawn_with(&shared, |(x, y)| {
            x.store(1, SeqCst);
            y.load(SeqCst)
        });
        let second = spawn_with(&shared, |(x, y)| {
            y.store(1, SeqCst);
            x.load(SeqCst)
        });
        (first.join().unwrap(), second.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(0, 1), (1, 0), (1, 1)]));
}

#[test]
fn independent_writes_are_seen_in_one_order() {
    let seen = outcomes(|| {
        let shared = x_and_y();
        spawn_with(&shared, |(x, _)| x.store(1, SeqCst));
        spawn_with(&shared, |(_, y)| y.store(1, SeqCst));
        let first = spawn_with(&shared, |(x, y)| [x.load(SeqCst), y.load(SeqCst)]);
        let second = spawn_with(&shared, |(x, y)| [y.load(SeqCst), x.load(SeqCst)]);
        (first.join().unwrap(), second.join().unwrap())
    });
    let pairs = [[0, 0], [0, 1], [1, 0], [1, 1]];
    let mut allowed: BTreeSet<_> = pairs.iter().flat_map(|a| pairs.map(|b| (*a, b))).collect();
    allowed.remove(&([1, 0], [1, 0]));
    assert_eq!(seen, allowed);
}

#[test]
fn a_message_is_there_when_its_flag_is() {
    let seen = outcomes(|| {
        let shared = x_and_y();
        spawn_with(&shared, |(data, flag)| {
            data.store(1, SeqCst);
            flag.store(1, SeqCst);
        });
        (shared.1.load(SeqCst), shared.0.load(SeqCst))
    });
    assert_eq!(seen, BTreeSet::from([(0, 0), (0, 1), (1, 1)]));
}

#[test]
fn two_reads_of_one_variable_do_not_go_back() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        spawn_with(&x, |x| {
            x.store(1, SeqCst);
            x.store(2, SeqCst);
        });
        (x.load(SeqCst), x.load(SeqCst))
    });
    assert_eq!(seen, BTreeSet::from([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]));
}

#[test]
fn a_compare_exchange_has_one_winner() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads = [1, 2, 3]
            .map(|i| spawn_with(&x, move |x| x.compare_exchange(0, i, SeqCst, SeqCst).is_ok()));
        let winners = threads.map(|thread| thread.join().unwrap());
        assert_eq!(winners.iter().filter(|wins| **wins).count(), 1);
        (winners, x.load(SeqCst))
    });
    assert_eq!(seen.len(), 3);
}

// Violations.

fn lost_update() {
    let counter = Arc::new(AtomicUsize::new(0).with_label("counter"));
    let increment = |counter: &AtomicUsize| {
        let seen = counter.load(SeqCst);
        counter.store(seen + 1, SeqCst);
    };
    let child = spawn_with(&counter, increment);
    increment(&counter);
    child.join().unwrap();
    assert_eq!(counter.load(SeqCst), 2, "an update was lost");
}

#[test]
fn a_lost_update_is_found() {
    let violation = violation(lost_update);
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("an update was lost"), "{violation}");
    assert!(violation.message.contains("semantics.rs"), "{violation}");
}

#[test]
fn no_update_is_lost_under_a_lock_or_in_one_step() {
    let seen = outcomes(|| {
        let counters = Arc::new((AtomicUsize::new(0), Mutex::new(0)));
        let increment = |(atomic, locked): &(AtomicUsize, Mutex<usize>)| {
            atomic.fetch_add(1, SeqCst);
            *locked.lock().unwrap() += 1;
        };
        let threads = [(); 2].map(|()| spawn_with(&counters, increment));
        threads.map(|thread| thread.join().unwrap());
        (counters.0.load(SeqCst), *counters.1.lock().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(2, 2)]));
}

fn named<T, F>(name: &str, shared: &Arc<T>, f: F) -> JoinHandle<()>
where
    T: Send + Sync + 'static,
    F: FnOnce(&T) + Send + 'static,
{
    let shared = Arc::clone(shared);
    thread::Builder::new().name(name.into()).spawn(move || f(&shared)).unwrap()
}

#[test]
fn a_deadlock_is_found_and_explained() {
    let violation = violation(|| {
        let locks =
            Arc::new((Mutex::new(()).with_label("accounts"), Mutex::new(()).with_label("journal")));
        let first = named("transfer", &locks, |(accounts, journal)| {
            let _accounts = accounts.lock().unwrap();
            let _journal = journal.lock().unwrap();
        });
        let second = named("audit", &locks, |(accounts, journal)| {
            let _journal = journal.lock().unwrap();
            let _accounts = accounts.lock().unwrap();
        });
        first.join().unwrap();
        second.join().unwrap();
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    for part in [
        "'transfer' waits for lock `journal`",
        "held by 'audit'",
        "'audit' waits for lock `accounts`",
        "held by 'transfer'",
        "'main' waits for the end of 'transfer'",
        "semantics.rs",
    ] {
        assert!(violation.message.contains(part), "no \"{part}\" in\n{violation}");
    }
}

#[test]
fn to_lock_twice_is_a_deadlock() {
    let violation = violation(|| {
        let lock = Mutex::new(()).with_label("mine");
        let _first = lock.lock();
        let _second = lock.lock();
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    assert!(violation.message.contains("`mine`"), "{violation}");
    assert!(violation.message.contains("held by 'main'"), "{violation}");
}

#[test]
fn to_wait_for_a_token_that_never_comes_is_a_deadlock() {
    let violation = violation(thread::park);
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    assert!(violation.message.contains("unpark"), "{violation}");
}

#[test]
fn a_deadlock_between_others_is_found_though_main_has_returned() {
    let violation = violation(|| {
        let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
        for i in 0..2 {
            spawn_with(&locks, move |locks: &[Mutex<()>; 2]| {
                let _first = locks[i].lock();
                let _second = locks[1 - i].lock();
            });
        }
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
}

struct Plain(UnsafeCell<usize>);

// SAFETY: threads take turns on one OS thread; races are what the tests look for.
unsafe impl Sync for Plain {}

impl Plain {
    fn new() -> Self {
        Plain(UnsafeCell::new(0).with_label("plain"))
    }

    #[track_caller]
    fn get(&self) -> usize {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    fn set(&self, new: usize) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value = new });
    }
}

#[test]
fn a_data_race_is_found() {
    for write in [false, true] {
        let violation = violation(move || {
            let plain = Arc::new(Plain::new());
            spawn_with(&plain, |plain| plain.set(1));
            match write {
                true => plain.set(2),
                false => drop(plain.get()),
            }
        });
        assert_eq!(violation.kind, ViolationKind::DataRace);
        assert!(violation.accesses.is_some());
    }
}

#[test]
fn reading_together_is_no_data_race() {
    let seen = outcomes(|| {
        let plain = Arc::new(Plain::new());
        let child = spawn_with(&plain, Plain::get);
        (plain.get(), child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(0, 0)]));
}

#[test]
fn what_a_lock_or_a_flag_protects_has_no_data_race() {
    let seen = outcomes(|| {
        let shared = Arc::new((Mutex::new(()), Plain::new()));
        let add = |(lock, plain): &(Mutex<()>, Plain)| {
            let _guard = lock.lock().unwrap();
            plain.set(plain.get() + 1);
        };
        let child = spawn_with(&shared, add);
        add(&shared);
        child.join().unwrap();
        shared.1.get()
    });
    assert_eq!(seen, BTreeSet::from([2]));
    let seen = outcomes(|| {
        let shared = Arc::new((AtomicBool::new(false), Plain::new()));
        spawn_with(&shared, |(ready, plain)| {
            plain.set(1);
            ready.store(true, SeqCst);
        });
        shared.0.load(SeqCst).then(|| shared.1.get())
    });
    assert_eq!(seen, BTreeSet::from([None, Some(1)]));
}

#[test]
fn a_data_race_is_one_although_a_lock_came_between_in_one_order() {
    // The write is not under the lock.
    let violation = violation(|| {
        let shared = Arc::new((Mutex::new(()), Plain::new()));
        spawn_with(&shared, |(lock, plain)| {
            plain.set(1);
            drop(lock.lock());
        });
        let (lock, plain) = &*shared;
        drop(lock.lock());
        plain.get();
    });
    assert_eq!(violation.kind, ViolationKind::DataRace);
}

// Panics.

#[test]
fn a_childs_panic_is_what_join_returns() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| {
            if x.load(SeqCst) == 1 {
                panic!("it was 1");
            }
            7
        });
        x.store(1, SeqCst);
        child.join().map_err(|payload| *payload.downcast::<&str>().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([Ok(7), Err("it was 1")]));
}

#[test]
fn a_panic_of_a_scoped_thread_is_its_scopes() {
    let seen = outcomes(|| {
        thread::scope(|s| s.spawn(|| panic!("joined")).join().is_err())
            && catch_unwind(|| thread::scope(|s| drop(s.spawn(|| panic!("not joined"))))).is_err()
    });
    assert_eq!(seen, BTreeSet::from([true]));
}

#[test]
fn a_panic_that_nobody_hears_of_is_a_violation() {
    let violation = violation(|| {
        let x = Arc::new(AtomicUsize::new(0));
        drop(spawn_with(&x, |x| assert_eq!(x.load(SeqCst), 0, "unheard")));
        x.store(1, SeqCst);
    });
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("unheard"), "{violation}");
}

#[test]
fn a_panic_poisons_the_lock_that_it_leaves() {
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(0));
        let child = spawn_with(&lock, |lock| {
            let mut guard = lock.lock().unwrap();
            *guard = 1;
            panic!("with a guard");
        });
        let outcome = match lock.lock() {
            Ok(guard) => (false, *guard),
            Err(poisoned) => (true, *poisoned.into_inner()),
        };
        // Whoever came first: now it is poisoned.
        assert!(child.join().is_err() && lock.is_poisoned());
        outcome
    });
    assert_eq!(seen, BTreeSet::from([(false, 0), (true, 1)]));
}

/// Runs something when it is dropped.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[test]
fn a_second_panic_while_unwinding_does_not_abort() {
    let violation = violation(|| {
        let lock = Arc::new(Mutex::new(0));
        let child = spawn_with(&lock, |lock| {
            // Dropped after the guard, so that the lock is poisoned by then.
            let _second = AtEnd(|| drop(lock.lock().unwrap()));
            let _guard = lock.lock().unwrap();
            panic!("the first");
        });
        drop(child.join());
    });
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("the first"), "{violation}");
    assert!(violation.message.contains("unwinding"), "{violation}");
    assert!(!std::thread::panicking());
}

#[test]
fn several_threads_may_fail_while_they_unwind() {
    let verdict = Check::new().keep_going(true).run(|| {
        let x = Arc::new(AtomicUsize::new(0));
        for _ in 0..2 {
            spawn_with(&x, |x| {
                let _second = AtEnd(|| assert_eq!(x.fetch_add(1, SeqCst), 10, "the second"));
                x.fetch_add(1, SeqCst);
                panic!("the first");
            });
        }
    });
    assert!(verdict.violations.iter().all(|violation| violation.kind == ViolationKind::Panic));
    assert!(!verdict.violations.is_empty());
    assert!(!std::thread::panicking());
}

#[test]
fn to_wait_for_ones_own_guard_while_unwinding_is_a_deadlock() {
    let violation = violation(|| {
        let lock = Mutex::new(0).with_label("mine");
        let _guard = lock.lock().unwrap();
        // Dropped before the guard.
        let _second = AtEnd(|| drop(lock.lock()));
        panic!("the first");
    });
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    assert!(violation.message.contains("`mine`"), "{violation}");
}

#[test]
fn destructors_may_fail_when_an_execution_is_cut_short() {
    // The main thread waits for ever; the child is then stopped where it is, and what its
    // destructors see does not make sense.
    let body = || {
        let x = Arc::new(AtomicUsize::new(0));
        spawn_with(&x, |x| {
            x.store(5, SeqCst);
            let _check = AtEnd(|| assert_eq!(x.load(SeqCst), 5, "only in a teardown"));
            let _again = AtEnd(|| assert_eq!(x.fetch_add(0, SeqCst), 5, "only in a teardown"));
            thread::park();
        });
        thread::park();
    };
    let violation = violation(body);
    assert_eq!(violation.kind, ViolationKind::Deadlock, "{violation}");
    for depth in 1..5 {
        let verdict = Check::new().keep_going(true).max_depth(depth).run(body);
        assert!(verdict.violations.iter().all(|v| v.kind == ViolationKind::Deadlock), "{depth}");
    }
    assert!(!std::thread::panicking());
}

#[test]
fn what_an_execution_owns_is_dropped_once() {
    let (made, dropped) = (Arc::new(StdUsize::new(0)), Arc::new(StdUsize::new(0)));
    let verdict = Check::new().keep_going(true).run({
        let (made, dropped) = (Arc::clone(&made), Arc::clone(&dropped));
        move || {
            let own = || {
                made.fetch_add(1, Relaxed);
                let dropped = Arc::clone(&dropped);
                AtEnd(move || drop(dropped.fetch_add(1, Relaxed)))
            };
            let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
            for i in 0..2 {
                let _here = own();
                let there = own();
                spawn_with(&locks, move |locks: &[Mutex<()>; 2]| {
                    let _there = there;
                    let _first = locks[i].lock();
                    let _second = locks[1 - i].lock();
                });
            }
        }
    });
    assert_eq!(verdict.violations.len(), 1);
    assert!(made.load(Relaxed) >= 4 * 3);
    assert_eq!(made.load(Relaxed), dropped.load(Relaxed));
}

// Locks, tokens, choices.

#[test]
fn try_lock_can_fail_and_succeed() {
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(0));
        let child = spawn_with(&lock, |lock| *lock.lock().unwrap() += 1);
        let seen = match lock.try_lock() {
            Ok(guard) => Some(*guard),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(_)) => unreachable!(),
        };
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([None, Some(0), Some(1)]));
}

#[test]
fn two_try_locks_cannot_both_fail() {
    let seen = outcomes(|| {
        let lock = Arc::new(Mutex::new(()));
        let child = spawn_with(&lock, |lock| lock.try_lock().is_ok());
        let mine = lock.try_lock().is_ok();
        (mine, child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(true, true), (true, false), (false, true)]));
}

#[test]
fn park_timeout_comes_back_before_and_after() {
    let seen = outcomes(|| {
        let done = Arc::new(AtomicBool::new(false));
        let main = thread::current();
        let child = spawn_with(&done, move |done| {
            done.store(true, SeqCst);
            main.unpark();
        });
        thread::park_timeout(Duration::from_secs(1));
        let seen = done.load(SeqCst);
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn a_token_is_there_once() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let main = thread::current();
        let child = spawn_with(&x, move |x| {
            x.store(1, SeqCst);
            main.unpark();
            main.unpark();
        });
        thread::park();
        let seen = x.load(SeqCst);
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([1]));
}

#[test]
fn weak_compare_exchange_fails_for_no_reason_if_asked_to() {
    let body = || {
        let x = AtomicUsize::new(1);
        let swapped = x.compare_exchange_weak(1, 2, SeqCst, SeqCst);
        let strong = x.compare_exchange(swapped.map_or(1, |_| 2), 3, SeqCst, SeqCst);
        (swapped, strong.is_ok(), x.load(SeqCst))
    };
    assert_eq!(outcomes(body), BTreeSet::from([(Ok(1), true, 3)]));
    let seen = outcomes_of(&Check::new().spurious_failures(true), body);
    assert_eq!(seen, BTreeSet::from([(Ok(1), true, 3), (Err(1), true, 3)]));
}

#[test]
fn every_choice_is_explored_in_every_order() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| x.store(10 * (1 + mazurka::choose(3)), SeqCst));
        let chosen = mazurka::choose(2);
        let seen = x.load(SeqCst);
        child.join().unwrap();
        (chosen, seen)
    });
    let expected = (0..2).flat_map(|chosen| [0, 10, 20, 30].map(|seen| (chosen, seen)));
    assert_eq!(seen, expected.collect());
    let verdict = Check::new().algorithm(Algorithm::Optimal).run(|| {
        mazurka::choose(3);
        mazurka::choose(2);
    });
    assert_eq!((verdict.executions, verdict.is_complete()), (6, true));
}

#[test]
fn a_failed_assumption_is_not_a_failure() {
    let verdict = Check::new().run(|| {
        let chosen = mazurka::choose(4);
        mazurka::assume(chosen > 0);
        assert_ne!(chosen, 0);
    });
    assert_eq!((verdict.executions, verdict.blocked), (3, 1));
    assert!(verdict.violations.is_empty() && verdict.is_complete());
}

// Spin loops.

#[test]
fn a_spin_loop_is_exhaustive_and_ends() {
    let seen = outcomes(|| {
        let shared = x_and_y();
        spawn_with(&shared, |(x, flag)| {
            x.store(1, SeqCst);
            flag.store(1, SeqCst);
            x.store(2, SeqCst);
        });
        let (x, flag) = &*shared;
        let mut rounds = 0;
        while flag.load(SeqCst) == 0 {
            rounds += 1;
            thread::yield_now();
        }
        (rounds, x.load(SeqCst))
    });
    assert_eq!(seen, BTreeSet::from([(0, 1), (0, 2), (1, 1), (1, 2)]));
}

#[test]
fn a_spin_lock_excludes_and_ends() {
    let seen = outcomes(|| {
        let shared = Arc::new((AtomicBool::new(false), Plain::new()));
        let add = |(locked, plain): &(AtomicBool, Plain)| {
            while locked.swap(true, SeqCst) {
                mazurka::hint::spin_loop();
            }
            plain.set(plain.get() + 1);
            locked.store(false, SeqCst);
        };
        let child = spawn_with(&shared, add);
        add(&shared);
        child.join().unwrap();
        shared.1.get()
    });
    assert_eq!(seen, BTreeSet::from([2]));
}

#[test]
fn to_spin_for_ever_is_a_livelock() {
    let violation = violation(|| {
        let flag = Arc::new(AtomicBool::new(false).with_label("never"));
        named("spinner", &flag, |flag| {
            while !flag.load(SeqCst) {
                thread::yield_now();
            }
        });
    });
    assert_eq!(violation.kind, ViolationKind::Livelock);
    assert!(violation.message.contains("'spinner' spins"), "{violation}");
    assert!(violation.message.contains("`never`"), "{violation}");
}

#[test]
fn two_that_spin_for_each_other_are_a_livelock() {
    let violation = violation(|| {
        let flags = x_and_y();
        spawn_with(&flags, |(x, y)| {
            while x.load(SeqCst) == 0 {
                thread::yield_now();
            }
            y.store(1, SeqCst);
        });
        while flags.1.load(SeqCst) == 0 {
            thread::yield_now();
        }
        flags.0.store(1, SeqCst);
    });
    assert_eq!(violation.kind, ViolationKind::Livelock);
}

// Executions are independent of each other.

#[test]
fn statics_start_afresh() {
    static COUNTER: AtomicUsize = AtomicUsize::new(5);
    static FLAG: AtomicBool = AtomicBool::new(true);
    let seen = outcomes(|| {
        assert!(FLAG.swap(false, SeqCst));
        let child = thread::spawn(|| COUNTER.fetch_add(1, SeqCst));
        let mine = COUNTER.fetch_add(1, SeqCst);
        (mine, child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(5, 6), (6, 5)]));
}

#[test]
fn thread_locals_start_afresh() {
    mazurka::thread_local! {
        static SEEN: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
    let seen = outcomes(|| {
        let visit = || {
            SEEN.set(SEEN.get() + 1);
            mazurka::choose(2);
            SEEN.get()
        };
        let child = thread::spawn(visit);
        (visit(), child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(1, 1)]));
}

#[test]
fn a_program_that_is_not_deterministic_is_told_apart() {
    static RUNS: StdUsize = StdUsize::new(0);
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            spawn_with(&x, |x| x.store(1, SeqCst));
            x.load(SeqCst);
            if RUNS.fetch_add(1, Relaxed) % 2 == 0 {
                x.store(2, SeqCst);
            } else {
                x.load(SeqCst);
            }
            x.load(SeqCst);
        });
        let [violation] = &verdict.violations[..] else { panic!("{algorithm}: {verdict:?}") };
        assert_eq!(violation.kind, ViolationKind::Nondeterminism, "{algorithm}");
        for part in ["both times", "the first time", "and now", "store", "load"] {
            assert!(violation.message.contains(part), "no \"{part}\" in\n{violation}");
        }
    }
}

#[test]
fn a_program_that_creates_other_threads_each_time_is_told_apart() {
    for keep_going in [false, true] {
        let runs = StdUsize::new(0);
        let verdict = Check::new().keep_going(keep_going).max_executions(100).run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            for _ in 0..1 + (7 * runs.fetch_add(1, Relaxed)) % 5 {
                spawn_with(&x, |x| x.fetch_add(1, SeqCst));
            }
        });
        let kinds: BTreeSet<_> = verdict.violations.iter().map(|v| v.kind).collect();
        assert_eq!(kinds, BTreeSet::from([ViolationKind::Nondeterminism]), "{keep_going}");
    }
}

#[test]
fn a_check_inside_of_a_check_is_refused() {
    let violation = violation(|| mazurka::check(|| ()));
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("a check inside of a check"), "{violation}");
}

#[test]
fn operations_outside_of_a_check_are_refused() {
    let error = catch_unwind(|| AtomicUsize::new(0).load(SeqCst)).unwrap_err();
    let message = error.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| error.downcast_ref::<&str>().copied()).unwrap();
    assert!(message.contains("check"), "{message}");
}

#[test]
fn checks_run_side_by_side_on_several_os_threads() {
    std::thread::scope(|s| {
        let checks: Vec<_> = (0..4).map(|_| s.spawn(|| Check::new().run(lost_update))).collect();
        for check in checks {
            assert_eq!(check.join().unwrap().violations.len(), 1);
        }
    });
}

// Sizes and bounds.

fn many(threads: usize) {
    let x = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> =
        (0..threads).map(|i| spawn_with(&x, move |x| x.store(i, SeqCst))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    x.load(SeqCst);
}

#[test]
fn sixty_four_threads_work() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).max_executions(200).run(|| many(64));
        assert!(verdict.violations.is_empty(), "{algorithm}");
        match algorithm {
            // One for each thread that may be the last to store.
            Algorithm::Observers => assert_eq!((verdict.executions, verdict.stopped), (64, None)),
            _ => assert_eq!(verdict.stopped, Some(Bound::Executions), "{algorithm}"),
        }
    }
}

#[test]
fn a_bound_makes_a_verdict_incomplete() {
    let stopped = |check: Check| {
        let verdict = check.run(|| many(8));
        assert!(verdict.violations.is_empty());
        assert_eq!(verdict.is_complete(), verdict.stopped.is_none());
        verdict.stopped
    };
    for algorithm in Algorithm::ALL {
        let check = || Check::new().algorithm(algorithm);
        assert_eq!(stopped(check().max_executions(5)), Some(Bound::Executions), "{algorithm}");
        assert_eq!(stopped(check().max_depth(4)), Some(Bound::Depth), "{algorithm}");
        assert_eq!(stopped(check().time_limit(Duration::ZERO)), Some(Bound::Time), "{algorithm}");
    }
}

#[test]
fn an_endless_program_is_cut() {
    let verdict = Check::new().max_depth(1000).max_executions(3).run(|| {
        let x = AtomicUsize::new(0);
        loop {
            x.fetch_add(1, SeqCst);
        }
    });
    assert_eq!(verdict.stopped, Some(Bound::Depth));
    assert_eq!(verdict.max_depth, 1000);
}

#[test]
fn a_lost_update_takes_a_preemption() {
    for algorithm in Algorithm::ALL {
        let run = |bound| {
            let check = Check::new().algorithm(algorithm).preemption_bound(bound);
            check.run(lost_update)
        };
        let none: Verdict = run(0);
        assert_eq!(none.violations, [], "{algorithm}");
        assert_eq!(none.stopped, Some(Bound::Preemptions), "{algorithm}");
        assert_eq!(run(1).violations.len(), 1, "{algorithm}");
    }
}

// Replays.

#[test]
fn a_failing_schedule_fails_again() {
    fn chosen() {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| x.fetch_add(mazurka::choose(3), SeqCst));
        let seen = x.fetch_add(mazurka::choose(2), SeqCst);
        child.join().unwrap();
        assert!(seen != 2 || x.load(SeqCst) != 3, "chosen so");
    }
    fn stuck() {
        let lock = Arc::new(Mutex::new(()));
        let x = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&x);
        spawn_with(&lock, move |lock| {
            let _guard = lock.lock();
            while theirs.load(SeqCst) == 0 {
                thread::yield_now();
            }
        });
        drop(lock.lock());
        x.store(1, SeqCst);
    }
    for body in [lost_update, chosen, stuck] {
        for algorithm in Algorithm::ALL {
            let check = Check::new().algorithm(algorithm);
            let found = check.run(body).violations.pop().unwrap();
            let verdict = check.clone().replay(&found.schedule.to_string()).run(body);
            assert_eq!(verdict.executions, 1, "{algorithm}");
            let [again] = &verdict.violations[..] else { panic!("{algorithm}: {verdict:?}") };
            assert_eq!((again.kind, &again.message), (found.kind, &found.message), "{algorithm}");
            assert_eq!(again.schedule, found.schedule, "{algorithm}");
        }
    }
}

#[test]
fn a_schedule_of_another_program_does_not_crash() {
    for schedule in ["7", "0x50", "1.5-0", "0-1-0-1-0-1", "0.3"] {
        let verdict = Check::new().replay(schedule).run(lost_update);
        assert!(
            verdict.violations.iter().all(|v| {
                matches!(v.kind, ViolationKind::Panic | ViolationKind::Nondeterminism)
            })
        );
    }
    let refused = catch_unwind(|| Check::new().replay("one-two")).unwrap_err();
    let message = refused.downcast_ref::<String>().unwrap();
    assert!(message.contains("`one` is not a part of a schedule"), "{message}");
}

#[test]
fn a_report_says_what_failed_and_how_to_see_it_again() {
    let error = catch_unwind(AssertUnwindSafe(|| mazurka::check(lost_update))).unwrap_err();
    let report = error.downcast_ref::<String>().unwrap();
    for part in ["an update was lost", "counter.load()", "counter.store(1)", "semantics.rs"] {
        assert!(report.contains(part), "no \"{part}\" in\n{report}");
    }
    let (_, replay) = report.split_once("MAZURKA_REPLAY=").expect(report);
    let schedule = replay.split_whitespace().next().unwrap();
    let verdict = Check::new().replay(schedule).run(lost_update);
    assert_eq!(verdict.violations.len(), 1, "{schedule}");
}
