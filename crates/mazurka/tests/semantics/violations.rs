//! What is found.

use std::collections::BTreeSet;
use std::sync::Arc;

use mazurka::ViolationKind;
use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::thread;

use super::{Plain, lost_update, named, outcomes, spawn_with, violation};

#[test]
fn a_lost_update_is_found() {
    let violation = violation(lost_update);
    assert_eq!(violation.kind, ViolationKind::Panic);
    assert!(violation.message.contains("an update was lost"), "{violation}");
    assert!(violation.message.contains("main.rs"), "{violation}");
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
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        (counters.0.load(SeqCst), *counters.1.lock().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(2, 2)]));
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
        "violations.rs",
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
