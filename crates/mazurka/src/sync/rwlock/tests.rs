use std::collections::BTreeSet;

use super::*;
use crate::sync::Arc;
use crate::sync::testing::{count, outcomes, violation};
use crate::thread;
use crate::{Algorithm, Check};

fn start_readers_and_writers(readers: usize, writers: usize) {
    let lock = Arc::new(RwLock::new(0));
    for _ in 0..readers {
        let lock = Arc::clone(&lock);
        thread::spawn(move || drop(lock.read()));
    }
    for _ in 0..writers {
        let lock = Arc::clone(&lock);
        thread::spawn(move || *lock.write().unwrap() += 1);
    }
}

fn readers_and_writers(readers: usize, writers: usize) -> u64 {
    count(move || start_readers_and_writers(readers, writers))
}

#[test]
fn data_centric_does_not_order_readers() {
    for (readers, writers) in [(4, 0), (3, 1), (2, 2), (6, 1)] {
        let check = Check::new().algorithm(Algorithm::DataCentric);
        let verdict = check.run(move || start_readers_and_writers(readers, writers));
        let expected = readers_and_writers(readers, writers);
        assert_eq!((verdict.executions, verdict.blocked), (expected, 0), "{readers}, {writers}");
    }
}

#[test]
fn readers_commute_and_writers_do_not() {
    assert_eq!(readers_and_writers(4, 0), 1);
    // Each reader comes before the writer or after it.
    assert_eq!(readers_and_writers(1, 1), 2);
    assert_eq!(readers_and_writers(2, 1), 4);
    assert_eq!(readers_and_writers(3, 1), 8);
    assert_eq!(readers_and_writers(0, 3), 6);
    // The order of two writers, and each reader before, between or behind them.
    assert_eq!(readers_and_writers(1, 2), 2 * 3);
    assert_eq!(readers_and_writers(2, 2), 2 * 9);
}

#[test]
fn a_writer_excludes_and_readers_share() {
    let (seen, violations) = outcomes(|| {
        let lock = RwLock::new((0, 0));
        thread::scope(|s| {
            let write = || {
                let mut guard = lock.write().unwrap();
                guard.0 += 1;
                guard.1 += 1;
            };
            s.spawn(write);
            s.spawn(write);
            let guard = lock.read().unwrap();
            assert_eq!(guard.0, guard.1);
            guard.0
        })
    });
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    assert!(violations.is_empty());
}

#[test]
fn trying_may_fail_and_may_succeed() {
    let (seen, violations) = outcomes(|| {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            let reader = s.spawn(|| lock.read().map(|guard| *guard).unwrap());
            let writer = s.spawn(|| *lock.write().unwrap() = 1);
            let read = lock.try_read().map(|guard| *guard).ok();
            let wrote = lock.try_write().map(|mut guard| *guard = 2).is_ok();
            writer.join().unwrap();
            (read, wrote, reader.join().unwrap())
        })
    });
    let reads: Vec<_> = seen.iter().map(|(read, ..)| *read).collect();
    assert!([None, Some(0), Some(1)].iter().all(|read| reads.contains(read)), "{seen:?}");
    assert!([true, false].iter().all(|w| seen.iter().any(|(_, wrote, _)| wrote == w)), "{seen:?}");
    assert!(violations.is_empty());
}

#[test]
fn a_reader_who_waits_to_write_is_a_deadlock_that_names_the_holders() {
    let message = violation(|| {
        let lock = RwLock::new(0).with_label("table");
        let mine = lock.read().unwrap();
        let _also_mine = lock.read().unwrap();
        drop(mine);
        drop(lock.write());
    });
    assert!(message.contains("'main' waits for write lock `table` ("), "{message}");
    assert!(message.contains("held by 'main' since "), "{message}");
    assert_eq!(message.matches(" since ").count(), 1, "{message}");

    let (_, violations) = outcomes(|| {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            let upgrade = || {
                let guard = lock.read().unwrap();
                let writer = lock.write();
                drop((guard, writer));
            };
            s.spawn(upgrade);
            upgrade();
        });
    });
    assert_eq!(violations.into_iter().collect::<Vec<_>>(), ["Deadlock"]);
}

#[test]
fn a_writer_who_panics_poisons_and_a_reader_does_not() {
    crate::check(|| {
        let lock = Arc::new(RwLock::new(1));
        let theirs = Arc::clone(&lock);
        let reader = thread::spawn(move || {
            let _guard = theirs.read().unwrap();
            panic!("while reading");
        });
        assert!(reader.join().is_err());
        assert!(!lock.is_poisoned());
        let theirs = Arc::clone(&lock);
        let writer = thread::spawn(move || {
            *theirs.write().unwrap() = 2;
            let _guard = theirs.write().unwrap();
            panic!("while writing");
        });
        assert!(writer.join().is_err());
        assert!(lock.is_poisoned());
        assert_eq!(*lock.read().unwrap_err().into_inner(), 2);
        assert!(matches!(lock.try_read(), Err(TryLockError::Poisoned(_))));
        assert!(matches!(lock.try_write(), Err(TryLockError::Poisoned(_))));
        lock.clear_poison();
        *lock.write().unwrap() = 3;
        let mut lock = Arc::into_inner(lock).unwrap();
        *lock.get_mut().unwrap() += 1;
        assert_eq!(lock.into_inner().unwrap(), 4);
    });
}

#[test]
fn a_downgrade_lets_readers_in_but_no_writer() {
    let (seen, violations) = outcomes(|| {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            let other = s.spawn(|| {
                let mut guard = lock.write().unwrap();
                *guard += 10;
                *guard
            });
            let mut guard = lock.write().unwrap();
            *guard += 1;
            let written = *guard;
            let guard = RwLockWriteGuard::downgrade(guard);
            assert!(lock.try_write().is_err());
            assert!(lock.try_read().is_ok());
            assert_eq!(*guard, written);
            drop(guard);
            other.join().unwrap()
        })
    });
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [10, 11]);
    assert!(violations.is_empty());
}

#[test]
fn it_shows_its_data() {
    crate::check(|| {
        let lock = RwLock::from(5);
        assert_eq!(format!("{lock:?}"), "RwLock { data: 5, poisoned: false, .. }");
        let guard = lock.write().unwrap();
        assert_eq!(format!("{lock:?}"), "RwLock { data: <locked>, poisoned: false, .. }");
        assert_eq!(format!("{guard:?} {guard}"), "5 5");
        drop(guard);
        assert_eq!(*RwLock::<u8>::default().read().unwrap(), 0);
    });
}

#[test]
fn a_static_is_free_and_sound_at_the_start_of_every_execution() {
    static LOCK: RwLock<()> = RwLock::new(());
    let verdict = crate::Check::new().keep_going(true).run(|| {
        assert!(!LOCK.is_poisoned());
        crate::choose(2);
        std::mem::forget(LOCK.write().unwrap());
        let _guard = LOCK.try_read().unwrap_err();
        let other = thread::spawn(|| {
            let _other = LOCK.write();
        });
        drop(other);
    });
    assert_eq!((verdict.executions, verdict.violations.len()), (2, 1), "{verdict:#?}");
}

/// Readers commute, so that a deadlock reads the same in whichever order they came.
#[test]
fn a_deadlock_names_readers_in_one_order() {
    let check = Check::new().algorithm(Algorithm::Naive).keep_going(true);
    let verdict = check.run(|| {
        let lock = Arc::new(RwLock::new(0));
        for name in ["one", "two"] {
            let lock = Arc::clone(&lock);
            let thread = thread::Builder::new().name(name.to_owned());
            let read_and_write = move || {
                if let Ok(_reader) = lock.try_read() {
                    drop(lock.write());
                }
            };
            drop(thread.spawn(read_and_write));
        }
    });
    let messages = verdict.violations.into_iter().map(|violation| violation.message);
    let of_both: BTreeSet<_> = messages.filter(|text| text.contains(" and by ")).collect();
    assert_eq!(of_both.len(), 1, "{of_both:?}");
}
