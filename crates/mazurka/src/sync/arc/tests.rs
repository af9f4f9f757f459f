use std::collections::BTreeSet;
use std::sync::Mutex as StdMutex;
use std::task::{Wake, Waker};

use super::*;
use crate::cell::UnsafeCell;
use crate::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use crate::sync::{LazyLock, Mutex, OnceLock, mpsc};
use crate::{Algorithm, Check, MemoryModel, Verdict, ViolationKind, actor, thread};

/// Runs a closure under every explorer, and returns the set of results, which must be the same.
#[track_caller]
fn outcomes<R: Ord + Send + std::fmt::Debug>(f: impl Fn() -> R + Send + Sync) -> BTreeSet<R> {
    let run = |algorithm| {
        let seen = StdMutex::new(BTreeSet::new());
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let result = f();
            seen.lock().unwrap().insert(result);
        });
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete(), "{algorithm}");
        seen.into_inner().unwrap()
    };
    let expected = run(Algorithm::Naive);
    for algorithm in Algorithm::ALL {
        assert_eq!(run(algorithm), expected, "{algorithm}");
    }
    expected
}

fn run(f: impl Fn() + Send + Sync) -> Verdict {
    Check::new().run(f)
}

#[track_caller]
fn fine(verdict: &Verdict) -> u64 {
    assert_eq!(verdict.violations, []);
    assert!(verdict.is_complete());
    verdict.executions
}

/// Something whose destructor does something.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[test]
fn drops_are_no_steps_if_their_order_cannot_be_seen() {
    let verdict = run(|| {
        let arc = Arc::new(vec![1]);
        let threads = [0, 1, 2].map(|_| {
            let arc = arc.clone();
            thread::spawn(move || drop(arc.clone()))
        });
        drop(arc);
        let _ = threads.map(|thread| thread.join().unwrap());
    });
    assert_eq!((fine(&verdict), verdict.max_depth), (1, 0));
    assert!(verdict.restarts.is_empty());
}

#[test]
fn every_count_is_seen() {
    let seen = outcomes(|| {
        let arc = Arc::new(());
        let theirs = arc.clone();
        let child = thread::spawn(move || {
            let also = theirs.clone();
            drop(theirs);
            drop(also);
        });
        let seen = Arc::strong_count(&arc);
        child.join().unwrap();
        (seen, Arc::strong_count(&arc))
    });
    assert_eq!(seen, BTreeSet::from([(1, 1), (2, 1), (3, 1)]));
}

#[test]
fn one_thread_gets_the_value() {
    let seen = outcomes(|| {
        let arc = Arc::new(7);
        let theirs = arc.clone();
        let child = thread::spawn(move || Arc::try_unwrap(theirs).ok());
        (Arc::try_unwrap(arc).ok(), child.join().unwrap())
    });
    // Each may fail while the other one has not dropped its reference yet.
    assert_eq!(seen, BTreeSet::from([(None, Some(7)), (Some(7), None), (None, None)]));
    let seen = outcomes(|| {
        let arc = Arc::new(7);
        let theirs = arc.clone();
        let child = thread::spawn(move || Arc::into_inner(theirs));
        (Arc::into_inner(arc), child.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(None, Some(7)), (Some(7), None)]));
}

#[test]
fn a_unique_reference_can_be_changed() {
    let seen = outcomes(|| {
        let mut arc = Arc::new(0);
        let theirs = arc.clone();
        let child = thread::spawn(move || drop(theirs));
        let unique = Arc::get_mut(&mut arc).map(|value| *value += 1).is_some();
        *Arc::make_mut(&mut arc) += 10;
        child.join().unwrap();
        (unique, *arc)
    });
    assert_eq!(seen, BTreeSet::from([(false, 10), (true, 11)]));
}

#[test]
fn a_weak_reference_is_upgraded_before_the_last_drop_only() {
    let seen = outcomes(|| {
        let arc = Arc::new(3);
        let weak = Arc::downgrade(&arc);
        let child = thread::spawn(move || weak.upgrade().map(|arc| *arc));
        drop(arc);
        child.join().unwrap()
    });
    assert_eq!(seen, BTreeSet::from([None, Some(3)]));
}

#[test]
fn make_mut_leaves_weak_references_behind() {
    let seen = outcomes(|| {
        let mut arc = Arc::new(1);
        let weak = Arc::downgrade(&arc);
        let child = thread::spawn(move || weak.upgrade().map(|arc| *arc));
        *Arc::make_mut(&mut arc) += 1;
        (child.join().unwrap(), *arc)
    });
    assert_eq!(seen, BTreeSet::from([(None, 2), (Some(1), 2)]));
}

#[test]
fn counts_include_weak_references() {
    fine(&run(|| {
        let mut arc = Arc::new(1);
        thread::spawn(|| ()).join().unwrap();
        let weak = Arc::downgrade(&arc);
        let other = weak.clone();
        assert_eq!((Arc::strong_count(&arc), Arc::weak_count(&arc)), (1, 2));
        assert_eq!((weak.strong_count(), weak.weak_count()), (1, 2));
        assert!(Arc::get_mut(&mut arc).is_none());
        drop((weak, other));
        assert!(Arc::get_mut(&mut arc).is_some());
        assert!(Weak::<u8>::new().upgrade().is_none());
    }));
}

/// Increments a counter in the destructor; each thread looks at it before.
fn shared_destructor<A: Send + Clone + 'static>(
    share: impl Fn(OnDrop<Box<dyn Fn() + Send + Sync>>) -> A,
) -> (usize, usize) {
    let counter = std::sync::Arc::new(AtomicUsize::new(0));
    let theirs = counter.clone();
    let arc = share(OnDrop(Box::new(move || {
        theirs.fetch_add(1, SeqCst);
    })));
    let threads = [arc.clone(), arc].map(|arc| {
        let counter = counter.clone();
        thread::spawn(move || {
            let seen = counter.load(SeqCst);
            drop(arc);
            (seen, counter.load(SeqCst))
        })
    });
    let [one, other] = threads.map(|thread| thread.join().unwrap());
    // No thread sees the value gone before both have looked.
    assert_eq!((one.0, other.0, counter.load(SeqCst)), (0, 0, 1));
    (one.1, other.1)
}

#[test]
fn a_destructor_that_takes_steps_comes_after_all_drops() {
    let seen = outcomes(|| shared_destructor(Arc::new));
    assert_eq!(seen, BTreeSet::from([(0, 1), (1, 0), (1, 1)]));
    let verdict = run(|| _ = shared_destructor(Arc::new));
    assert_eq!(verdict.restarts.len(), 1, "{verdict:?}");
}

/// The execution that shows that a destructor takes steps is abandoned. Unsafe code is not prepared for a
/// destructor that ends in the middle.
#[test]
fn a_destructor_runs_to_its_end_in_every_execution() {
    use std::sync::atomic::AtomicUsize as Counter;

    struct Value<'a> {
        flag: AtomicUsize,
        begun: &'a Counter,
        ended: &'a Counter,
    }
    impl Drop for Value<'_> {
        fn drop(&mut self) {
            self.begun.fetch_add(1, SeqCst);
            self.flag.store(1, SeqCst);
            self.flag.load(SeqCst);
            self.ended.fetch_add(1, SeqCst);
        }
    }
    for model in [MemoryModel::Sc, MemoryModel::Rc11] {
        let (begun, ended) = (Counter::new(0), Counter::new(0));
        let verdict = Check::new().memory_model(model).run(|| {
            let value = Value { flag: AtomicUsize::new(0), begun: &begun, ended: &ended };
            let value = Arc::new(value);
            thread::scope(|s| {
                let other = value.clone();
                s.spawn(move || drop(other));
                drop(value);
            });
        });
        fine(&verdict);
        let (begun, ended) = (begun.into_inner(), ended.into_inner());
        assert!(begun > 2 && begun == ended, "{begun} begun, {ended} ended");
    }
}

#[test]
fn a_destructor_that_touches_a_cell_is_no_data_race() {
    struct Shared(UnsafeCell<u32>);
    // SAFETY: each thread touches the cell before it drops its reference, and under a lock.
    unsafe impl Sync for Shared {}
    impl Drop for Shared {
        fn drop(&mut self) {
            // SAFETY: no other reference is left.
            assert_eq!(self.0.with_mut(|number| unsafe { *number }), 2);
        }
    }
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            let arc = Arc::new((Shared(UnsafeCell::new(0)), Mutex::new(())));
            for _ in 0..2 {
                let arc = arc.clone();
                thread::spawn(move || {
                    let _guard = arc.1.lock().unwrap();
                    // SAFETY: the lock is held.
                    arc.0.0.with_mut(|number| unsafe { *number += 1 });
                });
            }
        });
        fine(&verdict);
    }
}

#[test]
fn a_nested_destructor_takes_steps() {
    let seen = outcomes(|| {
        let x = std::sync::Arc::new(AtomicUsize::new(0));
        let theirs = x.clone();
        let inner = Arc::new(OnDrop(move || theirs.store(1, SeqCst)));
        let outer = Arc::new((inner, 0));
        let other = outer.clone();
        let child = thread::spawn(move || drop(other));
        drop(outer);
        let seen = x.load(SeqCst);
        child.join().unwrap();
        seen
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
}

#[test]
fn a_destructor_may_ask_which_thread_runs() {
    let seen = outcomes(|| {
        let name = std::sync::Arc::new(StdMutex::new(None));
        let theirs = name.clone();
        let arc = Arc::new(OnDrop(move || {
            *theirs.lock().unwrap() = thread::current().name().map(str::to_owned);
        }));
        let other = arc.clone();
        let child = thread::Builder::new().name("child".into()).spawn(move || drop(other)).unwrap();
        drop(arc);
        child.join().unwrap();
        name.lock().unwrap().take()
    });
    assert_eq!(seen, [Some("child".to_owned()), Some("main".to_owned())].into());
}

#[test]
fn a_cycle_is_a_leak() {
    struct Node(Mutex<Option<Arc<Node>>>);
    let verdict = run(|| {
        let node = Arc::new(Node(Mutex::new(None)));
        *node.0.lock().unwrap() = Some(node.clone());
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Leak);
    assert!(verdict.violations[0].message.contains("tests.rs"), "{verdict:?}");
    fine(&Check::new().allow_leaks(true).run(|| std::mem::forget(Arc::new(1))));
}

#[test]
fn a_leak_on_one_schedule_is_found() {
    let verdict = run(|| {
        let x = std::sync::Arc::new(AtomicUsize::new(0));
        let y = x.clone();
        thread::spawn(move || y.store(1, SeqCst));
        let arc = Arc::new(5);
        if x.load(SeqCst) == 1 {
            std::mem::forget(arc);
        }
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Leak);
}

#[test]
fn what_is_left_in_a_channel_or_a_static_is_no_leak() {
    static LAZY: LazyLock<Arc<u32>> = LazyLock::new(|| Arc::new(1));
    static ONCE: OnceLock<Arc<u32>> = OnceLock::new();
    fine(&run(|| {
        let (sender, receiver) = mpsc::channel();
        sender.send(Arc::new(1)).unwrap();
        thread::spawn(move || {
            let _receiver = receiver;
            sender.send(Arc::new(2)).unwrap();
        });
        let actor = actor::spawn(|me: &actor::Me<Arc<u32>>| drop(me.receive()));
        actor.send(Arc::new(3));
        actor.send(Arc::new(4));
        assert_eq!(**LAZY + **ONCE.get_or_init(|| Arc::new(5)), 6);
    }));
}

#[test]
fn an_arc_from_outside_is_counted_by_std() {
    let arc = Arc::new(1);
    let theirs = arc.clone();
    let verdict = run(move || {
        let mine = theirs.clone();
        let other = thread::spawn(move || assert!(Arc::strong_count(&mine) >= 2));
        other.join().unwrap();
    });
    fine(&verdict);
    drop(verdict);
    assert_eq!(Arc::strong_count(&arc), 1);
}

#[test]
fn an_arc_can_be_unsized() {
    trait Shape: Send + Sync {
        fn sides(&self) -> u32;
    }
    impl Shape for u32 {
        fn sides(&self) -> u32 {
            *self
        }
    }
    let seen = outcomes(|| {
        let arc: Arc<dyn Shape> = Arc::unsize(Arc::new(4_u32), |arc| arc);
        let other = arc.clone();
        let child = thread::spawn(move || other.sides());
        let count = Arc::strong_count(&arc);
        (child.join().unwrap(), count)
    });
    assert_eq!(seen, BTreeSet::from([(4, 1), (4, 2)]));
    fine(&run(|| {
        let arc: Arc<dyn Shape> = Arc::from_std(std::sync::Arc::new(3_u32));
        assert_eq!(arc.sides(), 3);
        let weak: Weak<dyn Shape> = Weak::unsize(Arc::downgrade(&Arc::new(1_u32)), |weak| weak);
        assert!(weak.upgrade().is_none());
        assert_eq!(&*Arc::<[u8]>::from(vec![1, 2]), [1, 2]);
        assert_eq!(&*Arc::<str>::from("text"), "text");
    }));
}

#[test]
fn a_waker_counts() {
    struct Bell(AtomicUsize);
    impl Wake for Bell {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    let seen = outcomes(|| {
        let bell = Arc::new(Bell(AtomicUsize::new(0)));
        let waker = Waker::from(bell.clone());
        let other = waker.clone();
        let child = thread::spawn(move || other.wake());
        waker.wake_by_ref();
        let seen = bell.0.load(SeqCst);
        let count = Arc::strong_count(&bell);
        child.join().unwrap();
        drop(waker);
        (seen, count, bell.0.load(SeqCst), Arc::strong_count(&bell))
    });
    assert_eq!(seen, BTreeSet::from([(1, 2, 2, 1), (1, 3, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1)]));
}

#[test]
fn raw_pointers_count() {
    fine(&run(|| {
        let pointer = Arc::into_raw(Arc::new(9));
        // SAFETY: the pointer comes from `into_raw`, and each reference is dropped once.
        unsafe {
            Arc::increment_strong_count(pointer);
            Arc::decrement_strong_count(pointer);
            assert_eq!(*Arc::from_raw(pointer), 9);
        }
        let cyclic = Arc::new_cyclic(|weak: &Weak<Weak<u8>>| {
            assert!(weak.upgrade().is_none());
            Weak::new()
        });
        assert_eq!(Arc::strong_count(&cyclic), 1);
    }));
}

#[test]
fn a_schedule_can_be_replayed_that_needs_the_steps_of_counts() {
    let f = || {
        let (_, other) = shared_destructor(Arc::new);
        assert_eq!(other, 1);
    };
    let found = run(f);
    assert_eq!(found.violations[0].kind, ViolationKind::Panic, "{found:?}");
    let schedule = found.violations[0].schedule.to_string();
    let again = Check::new().replay(&schedule).run(f);
    assert_eq!(again.violations[0].kind, ViolationKind::Panic, "{again:?}");
}

#[test]
fn memory_that_is_not_freed_is_a_leak() {
    use crate::alloc::{Layout, Track, alloc, dealloc};
    let layout = Layout::new::<u64>();
    fine(&run(|| {
        // SAFETY: the layout has a size, and the memory is freed once.
        unsafe { dealloc(alloc(layout), layout) };
        assert_eq!(Track::new(3).into_inner(), 3);
    }));
    // SAFETY: the layout has a size.
    let verdict = run(|| _ = unsafe { alloc(layout) });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Leak);
    let verdict = run(|| {
        // SAFETY: the second call panics before it frees anything.
        unsafe {
            let memory = alloc(layout);
            dealloc(memory, layout);
            dealloc(memory, layout);
        }
    });
    assert!(verdict.violations[0].message.contains("not allocated"), "{verdict:?}");
}
