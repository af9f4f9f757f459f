//! Spin loops.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};
use mazurka::{Algorithm, Check, ViolationKind, thread};

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
