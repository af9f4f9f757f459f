//! Spin loops.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, ViolationKind, thread};

use super::awaits::AWAITS;
use super::{Plain, named, outcomes, spawn_with, violation, x_and_y};

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

/// What a process waits for at a yield is part of its next step, and races with stores that came
/// before it.
#[test]
fn every_explorer_races_stores_with_the_guards_of_a_yield() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let variables = x_and_y();
            spawn_with(&variables, |(_, y)| {
                y.store(2, SeqCst);
                y.store(0, SeqCst);
                mazurka::assume(false);
            });
            let (x, y) = &*variables;
            let mut rounds = 0;
            loop {
                let (a, b) = (x.load(SeqCst), y.load(SeqCst));
                if a == 1 || b == 2 {
                    break;
                }
                rounds += 1;
                thread::yield_now();
            }
            assert_ne!(rounds, 1);
        });
        let kinds: Vec<_> = verdict.violations.iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds, [ViolationKind::Panic], "{algorithm}");
    }
}

/// Checks that every explorer finds all executions to be fine, and that there are some.
#[track_caller]
fn fine(f: impl Fn() + Send + Sync) {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(&f);
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete() && verdict.executions > 0, "{algorithm}: {verdict:?}");
    }
}

#[test]
fn a_loop_that_ends_by_itself_is_no_livelock() {
    fine(|| {
        let x = AtomicUsize::new(0);
        for _ in 0..3 {
            x.load(SeqCst);
            thread::yield_now();
        }
    });
}

#[test]
fn every_round_of_a_loop_that_counts_is_explored() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let child = spawn_with(&x, |x| x.store(1, SeqCst));
        let mut seen = 0;
        for _ in 0..3 {
            seen = seen * 10 + x.load(SeqCst);
            thread::yield_now();
        }
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([0, 1, 11, 111]));
}

#[test]
fn an_exchange_with_backoff_is_no_livelock() {
    fine(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let add = |x: &AtomicUsize| {
            let mut current = x.load(SeqCst);
            while let Err(now) = x.compare_exchange(current, current + 1, SeqCst, SeqCst) {
                current = now;
                mazurka::hint::spin_loop();
            }
        };
        let child = spawn_with(&x, add);
        add(&x);
        child.join().unwrap();
        assert_eq!(x.load(SeqCst), 2);
    });
}

#[test]
fn a_bounded_number_of_tries_reaches_the_slow_path() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let lock = AtomicBool::new(true);
            for _ in 0..2 {
                if !lock.swap(true, SeqCst) {
                    return;
                }
                mazurka::hint::spin_loop();
            }
            unreachable!("slow path");
        });
        let [violation] = &verdict.violations[..] else { panic!("{algorithm}: {verdict:?}") };
        assert!(violation.message.contains("slow path"), "{algorithm}: {violation}");
    }
}

#[test]
fn a_loop_without_a_yield_is_recognised() {
    let count = |yields: bool| {
        let verdict = Check::new().algorithm(Algorithm::Optimal).run(move || {
            let flag = Arc::new(AtomicBool::new(false));
            spawn_with(&flag, |flag| flag.store(true, SeqCst));
            while !flag.load(SeqCst) {
                if yields {
                    thread::yield_now();
                }
            }
        });
        assert_eq!(verdict.violations, []);
        assert!(verdict.is_complete());
        verdict.executions
    };
    // If iterations are run, the flag is set before the first look or after it.
    for yields in [false, true] {
        let executions = count(yields);
        assert!(if AWAITS { executions == 1 } else { executions <= 2 }, "{executions}");
    }
    let violation = violation(|| {
        let flag = AtomicBool::new(false).with_label("never");
        while !flag.load(SeqCst) {}
    });
    assert_eq!(violation.kind, ViolationKind::Livelock);
    assert!(violation.message.contains("`never`"), "{violation}");
}

#[test]
fn a_receiver_that_looks_a_few_times_does_not_wait() {
    fine(|| {
        let (sender, receiver) = mazurka::sync::mpsc::channel::<()>();
        let looks = (0..3).filter(|_| {
            thread::yield_now();
            receiver.try_recv().is_err()
        });
        assert_eq!(looks.count(), 3);
        drop(sender);
    });
}

#[test]
fn a_loop_that_counts_on_the_heap_is_no_livelock() {
    fine(|| {
        let (x, rounds) = (AtomicUsize::new(0), Box::new(std::cell::Cell::new(0)));
        while x.load(SeqCst) == 0 && rounds.get() < 100 {
            rounds.set(rounds.get() + 1);
        }
        assert!(x.load(SeqCst) == 0 && rounds.get() == 100);
    });
}

/// The same call of `yield_now` ends a round of a loop that ends by itself, and of one that does not.
#[test]
fn a_loop_that_counts_on_the_heap_does_not_wait_before_another_loop() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        spawn_with(&x, |x| x.store(1, SeqCst));
        let (left, mut notes) = (Box::new(Cell::new(2)), Vec::new());
        while left.get() > 0 {
            left.set(left.get() - 1);
            notes.push(x.load(SeqCst));
            mazurka::hint::spin_loop();
        }
        while x.load(SeqCst) != 1 {}
        notes
    });
    assert_eq!(seen, BTreeSet::from([vec![0, 0], vec![0, 1], vec![1, 1]]));
}

#[test]
fn loops_that_share_a_yield_are_told_apart() {
    fn wait(flag: &AtomicBool, rounds: usize) -> bool {
        for _ in 0..rounds {
            if flag.load(SeqCst) {
                return true;
            }
            thread::yield_now();
        }
        false
    }
    let seen = outcomes(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let child = spawn_with(&flag, |flag| flag.store(true, SeqCst));
        let soon = wait(&flag, 3);
        while !wait(&flag, 1) {}
        child.join().unwrap();
        soon
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}

/// A loop reads another location in every other round.
#[test]
fn a_loop_over_two_locations_waits_for_both() {
    let run = |stored: usize| {
        Check::new().run(move || {
            let flags = x_and_y();
            spawn_with(&flags, move |(x, y)| [x, y, &AtomicUsize::new(0)][stored].store(1, SeqCst));
            let flags = [&flags.0, &flags.1];
            let mut round = 0;
            while flags[round % 2].load(SeqCst) == 0 {
                round += 1;
                thread::yield_now();
            }
        })
    };
    for stored in 0..2 {
        assert_eq!(run(stored).violations, []);
    }
    assert_eq!(run(2).violations[0].kind, ViolationKind::Livelock);
}

#[test]
fn to_yield_for_ever_is_a_livelock() {
    let violation = violation(|| {
        loop {
            thread::yield_now();
        }
    });
    assert_eq!(violation.kind, ViolationKind::Livelock);
    assert!(violation.message.contains("without an operation"), "{violation}");
}

#[test]
fn a_loop_that_tries_a_lock_waits_for_it() {
    let seen = outcomes(|| {
        let lock = Arc::new(mazurka::sync::Mutex::new(0));
        let child = spawn_with(&lock, |lock| *lock.lock().unwrap() += 1);
        let seen = loop {
            if let Ok(guard) = lock.try_lock() {
                break *guard;
            }
        };
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
}

/// What a thread has read may be an address, which differs whenever the execution is run again.
#[test]
fn a_thread_that_has_read_an_address_spins() {
    let pointers = Check::new().run(|| {
        let shared = Arc::new((AtomicPtr::new(std::ptr::null_mut()), AtomicUsize::new(0)));
        spawn_with(&shared, |(head, ready)| {
            // It is leaked, so that the next run gets another one.
            head.store(Box::leak(Box::new(0_u64)), SeqCst);
            ready.store(1, SeqCst);
        });
        let (head, ready) = &*shared;
        let _ = head.load(SeqCst);
        while ready.load(SeqCst) == 0 {
            thread::yield_now();
        }
    });
    let numbers = Check::new().run(|| {
        let shared = x_and_y();
        spawn_with(&shared, |(head, ready)| {
            head.store(Box::leak(Box::new(0_u64)) as *mut u64 as usize, SeqCst);
            ready.store(1, SeqCst);
        });
        let (head, ready) = &*shared;
        let _ = head.load(SeqCst);
        while ready.load(SeqCst) == 0 {
            thread::yield_now();
        }
    });
    for verdict in [pointers, numbers] {
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
        // It finds an address or none, and then, if iterations are run, waits or need not.
        let executions = verdict.executions;
        assert!(if AWAITS { executions == 2 } else { executions <= 4 }, "{executions}");
    }
}
