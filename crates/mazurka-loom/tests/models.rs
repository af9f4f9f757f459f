//! Models that use loom's API.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use loom::cell::{Cell, UnsafeCell};
use loom::model::Builder;
use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use loom::sync::{Arc, Condvar, Mutex, Notify, RwLock};
use loom::thread;

/// Returns the message of the panic with which a model fails.
fn failure(model: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(model)).expect_err("the model must fail");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().expect("a text")).to_owned(),
    }
}

#[test]
fn a_lost_update_is_found() {
    let text = failure(|| {
        loom::model(|| {
            let number = Arc::new(AtomicUsize::new(0));
            let child = thread::spawn({
                let number = Arc::clone(&number);
                move || number.store(number.load(SeqCst) + 1, SeqCst)
            });
            number.store(number.load(SeqCst) + 1, SeqCst);
            child.join().unwrap();
            assert_eq!(number.load(SeqCst), 2);
        });
    });
    assert!(text.contains("panic"), "{text}");
}

#[test]
fn the_last_arc_is_dropped_after_all_others() {
    loom::model(|| {
        let cell = Arc::new(Cell::new(0));
        struct Last(Arc<Cell<u32>>);
        impl Drop for Last {
            fn drop(&mut self) {
                self.0.set(self.0.get() + 1);
            }
        }
        let last = Arc::new(Last(cell));
        let child = thread::spawn({
            let last = Arc::clone(&last);
            move || drop(last)
        });
        drop(last);
        child.join().unwrap();
    });
}

#[test]
fn get_mut_and_drop_are_explored_in_both_orders() {
    static SEEN: std::sync::Mutex<[bool; 2]> = std::sync::Mutex::new([false; 2]);
    loom::model(|| {
        let mut mine = Arc::new(1);
        let theirs = Arc::clone(&mine);
        let child = thread::spawn(move || drop(theirs));
        let is_unique = Arc::get_mut(&mut mine).is_some();
        SEEN.lock().unwrap()[usize::from(is_unique)] = true;
        child.join().unwrap();
    });
    assert_eq!(*SEEN.lock().unwrap(), [true; 2]);
}

#[test]
fn an_arc_survives_a_raw_pointer() {
    loom::model(|| {
        let arc = Arc::new(Mutex::new(5));
        let pointer = Arc::into_raw(Arc::clone(&arc));
        // SAFETY: the pointer comes from `into_raw`.
        let other = unsafe {
            Arc::increment_strong_count(pointer);
            Arc::decrement_strong_count(pointer);
            Arc::from_raw(pointer)
        };
        assert!(Arc::ptr_eq(&arc, &other));
        assert_eq!(Arc::strong_count(&arc), 2);
        drop(other);
        assert_eq!(Arc::try_unwrap(arc).unwrap().into_inner().unwrap(), 5);
    });
}

#[test]
fn a_race_with_a_pointer_guard_is_found() {
    let text = failure(|| {
        loom::model(|| {
            let cell = Rc::new(UnsafeCell::new(0));
            let child = thread::spawn({
                let cell = Rc::clone(&cell);
                move || cell.with_mut(|_| ())
            });
            let pointer = cell.get();
            thread::yield_now();
            drop(pointer);
            child.join().unwrap();
        });
    });
    assert!(text.contains("race") || text.contains("overlaps"), "{text}");
}

#[test]
fn an_unsynchronised_load_races_with_a_store() {
    let model = |is_ordered: bool| {
        move || {
            let number = Rc::new(AtomicUsize::new(0));
            let child = thread::spawn({
                let number = Rc::clone(&number);
                move || number.store(1, SeqCst)
            });
            if is_ordered {
                child.join().unwrap();
            }
            // SAFETY: a data race is a violation.
            unsafe { number.unsync_load() };
        }
    };
    loom::model(model(true));
    let text = failure(|| loom::model(model(false)));
    assert!(text.contains("data race"), "{text}");
}

#[test]
fn accesses_of_one_thread_must_not_overlap() {
    let text = failure(|| {
        loom::model(|| {
            let cell = UnsafeCell::new(0);
            let _reading = cell.get();
            cell.with_mut(|_| ());
        });
    });
    assert!(text.contains("a write of an `UnsafeCell` overlaps with a read"), "{text}");
}

#[test]
fn a_panic_of_a_joined_thread_fails_the_model() {
    let text = failure(|| {
        loom::model(|| {
            let _ = thread::spawn(|| panic!("too heavy")).join();
        });
    });
    assert!(text.contains("too heavy"), "{text}");
}

#[test]
fn a_thread_with_a_large_stack_has_room_for_a_large_array() {
    const WORDS: usize = 1 << 16;
    loom::model(|| {
        let use_stack = || {
            std::hint::black_box(&mut [0_usize; WORDS]);
        };
        let builder = thread::Builder::new().stack_size(4 * WORDS);
        builder.spawn(use_stack).unwrap().join().unwrap();
    });
}

#[test]
fn a_leak_fails_the_model() {
    let text = failure(|| loom::model(|| std::mem::forget(Arc::new(AtomicUsize::new(0)))));
    assert!(text.contains("leak"), "{text}");
    let text = failure(|| {
        loom::model(|| {
            // SAFETY: the layout has a size.
            let _leaked = unsafe { loom::alloc::alloc(loom::alloc::Layout::new::<u64>()) };
        });
    });
    assert!(text.contains("leak"), "{text}");
}

#[test]
fn more_threads_than_allowed_fail() {
    let mut builder = Builder::new();
    builder.max_threads = 2;
    let text = failure(|| {
        builder.check(|| {
            for _ in 0..2 {
                thread::spawn(|| ());
            }
        });
    });
    assert!(text.contains("`max_threads` is 2"), "{text}");
}

#[test]
fn more_steps_than_allowed_fail() {
    let mut builder = Builder::new();
    builder.max_branches = 5;
    let text = failure(|| {
        builder.check(|| {
            let number = AtomicUsize::new(0);
            for _ in 0..10 {
                number.fetch_add(1, SeqCst);
            }
        });
    });
    assert!(text.contains("more than 5 steps"), "{text}");
}

#[test]
fn a_checkpoint_keeps_the_failing_schedule() {
    let file = std::env::temp_dir().join(format!("mazurka-loom-{}", std::process::id()));
    let mut builder = Builder::new();
    builder.checkpoint_file(file.to_str().unwrap());
    let racy = || {
        let number = Arc::new(AtomicUsize::new(0));
        let child = thread::spawn({
            let number = Arc::clone(&number);
            move || number.store(1, SeqCst)
        });
        assert_eq!(number.load(SeqCst), 0);
        child.join().unwrap();
    };
    failure(|| builder.check(racy));
    assert!(file.exists());
    let text = failure(|| builder.check(racy));
    std::fs::remove_file(file).unwrap();
    assert!(text.contains("replayed a schedule"), "{text}");
}

#[test]
fn locks_and_conditions_work() {
    loom::model(|| {
        let shared = Arc::new((Mutex::new(false), Condvar::new(), RwLock::new(1), Notify::new()));
        let child = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                *shared.0.lock().unwrap() = true;
                shared.1.notify_one();
                *shared.2.write().unwrap() += 1;
                shared.3.notify();
            }
        });
        let mut is_set = shared.0.lock().unwrap();
        while !*is_set {
            is_set = shared.1.wait(is_set).unwrap();
        }
        drop(is_set);
        shared.3.wait();
        assert_eq!(*shared.2.read().unwrap(), 2);
        child.join().unwrap();
    });
}

/// Mazurka explores what loom would skip.
#[test]
fn exploration_cannot_be_stopped() {
    let text = failure(|| {
        let mut builder = loom::model::Builder::new();
        builder.expect_explicit_explore = true;
        builder.check(|| {
            loom::stop_exploring();
            let number = Rc::new(AtomicUsize::new(0));
            let child = thread::spawn({
                let number = Rc::clone(&number);
                move || number.store(1, SeqCst)
            });
            assert_eq!(number.load(SeqCst), 0, "the store came first");
            loom::explore();
            child.join().unwrap();
            loom::skip_branch();
        });
    });
    assert!(text.contains("the store came first"), "{text}");
}

loom::lazy_static! {
    static ref NUMBER: Arc<usize> = Arc::new(7);
}

/// The value is gone when the thread has initialised it, or waits for that. Once, the thread used it then.
#[test]
fn a_thread_that_outlives_the_main_thread_cannot_use_a_lazy_static() {
    let text = failure(|| {
        loom::model(|| {
            thread::spawn(|| assert_eq!(**NUMBER, 7));
        });
    });
    assert!(text.contains("is used after the main thread has ended"), "{text}");
}

/// A value whose destructor takes a step.
struct Registry(AtomicUsize);

impl Drop for Registry {
    fn drop(&mut self) {
        self.0.load(SeqCst);
    }
}

loom::lazy_static! {
    static ref REGISTRY: Registry = Registry(AtomicUsize::new(0));
}

/// The destructor once ran in the next execution, which was then nondeterministic, or at the end of the OS
/// thread, which aborted.
#[test]
fn values_of_an_abandoned_execution_are_not_dropped_later() {
    let model = || {
        failure(|| {
            loom::model(|| {
                let child = thread::spawn(|| assert_ne!(REGISTRY.0.fetch_add(1, SeqCst), 1));
                REGISTRY.0.fetch_add(1, SeqCst);
                child.join().unwrap();
            });
        })
    };
    let text = std::thread::spawn(model).join().expect("the OS thread ends by itself");
    assert!(text.contains("Mazurka found a panic"), "{text}");
}
