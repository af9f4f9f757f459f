//! Futures, tasks and timers.

use std::future::{Future, pending, poll_fn};
use std::panic::Location;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::time::Duration;

use futures::future::{Either, join, join_all, select};

use mazurka::future::{AtomicWaker, Builder, Monitor, block_on, elapsed, sleep, spawn, yield_now};
use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::{Check, Verdict, ViolationKind, thread};

const SECOND: Duration = Duration::from_secs(1);

/// Checks a closure with every explorer, and returns what it reports in all executions. All explorers must
/// agree.
#[track_caller]
fn outcomes<T: Ord + Clone + std::fmt::Debug + Send>(
    check: Check,
    f: impl Fn() -> T + Send + Sync,
) -> (Vec<T>, Verdict) {
    use mazurka::Algorithm::*;
    let mut agreed = None;
    for algorithm in [Naive, Dpor, Source, Optimal, Observers, DataCentric, Unfolding] {
        let seen = Mutex::new(Vec::new());
        let check = check.clone().algorithm(algorithm).keep_going(true);
        let verdict = check.run(|| {
            let outcome = f();
            seen.lock().unwrap().push(outcome);
        });
        assert!(verdict.is_complete(), "{algorithm}: {verdict:?}");
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        seen.dedup();
        let failed = !verdict.violations.is_empty();
        match &agreed {
            None => agreed = Some((seen, failed, verdict)),
            Some((expected, fails, _)) => {
                assert_eq!((&seen, failed), (expected, *fails), "{algorithm}");
                if algorithm == Observers {
                    agreed = Some((seen, failed, verdict));
                }
            }
        }
    }
    let (seen, _, verdict) = agreed.unwrap();
    (seen, verdict)
}

fn deadlock(f: impl Fn() + Send + Sync) -> String {
    let verdict = Check::new().run(f);
    let violation = verdict.violations.first().expect("a deadlock");
    assert_eq!(violation.kind, ViolationKind::Deadlock, "{violation:?}");
    violation.message.clone()
}

fn passes(f: impl Fn() + Send + Sync) -> u64 {
    let verdict = Check::new().run(f);
    assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
    assert!(verdict.is_complete());
    verdict.executions
}

#[test]
fn a_future_that_is_ready_takes_no_step() {
    let verdict = Check::new().run(|| assert_eq!(block_on(async { 42 }), 42));
    assert_eq!((verdict.executions, verdict.max_depth), (1, 0));
}

#[test]
fn a_task_is_awaited_before_or_after_its_end() {
    let executions = passes(|| {
        let task = spawn(async { 42 });
        assert_eq!(block_on(task).unwrap(), 42);
    });
    assert_eq!(executions, 2);
}

#[test]
fn waking_happens_before_the_next_poll() {
    struct Number(mazurka::cell::UnsafeCell<u32>);
    // SAFETY: the checker reports data races.
    unsafe impl Sync for Number {}
    passes(|| {
        let number = Arc::new(Number(mazurka::cell::UnsafeCell::new(0)));
        let mut child = None;
        block_on(poll_fn(|context| {
            if child.is_some() {
                // SAFETY: as above.
                assert_eq!(number.0.with(|number| unsafe { *number }), 1);
                return Poll::Ready(());
            }
            let (number, waker) = (number.clone(), context.waker().clone());
            child = Some(thread::spawn(move || {
                let number = &number;
                // SAFETY: as above.
                number.0.with_mut(|number| unsafe { *number = 1 });
                waker.wake();
            }));
            Poll::Pending
        }));
    });
}

#[test]
fn a_lost_wake_up_is_found() {
    let body = |register_first: bool| {
        let shared = Arc::new((AtomicBool::new(false), AtomicWaker::new()));
        let theirs = shared.clone();
        thread::spawn(move || {
            theirs.0.store(true, SeqCst);
            theirs.1.wake();
        });
        block_on(poll_fn(|context| {
            if register_first {
                shared.1.register(context.waker());
            }
            if shared.0.load(SeqCst) {
                return Poll::Ready(());
            }
            if !register_first {
                shared.1.register(context.waker());
            }
            Poll::Pending
        }));
    };
    assert!(passes(move || body(true)) <= 4);
    let message = deadlock(move || body(false));
    assert!(message.contains("'main' waits for a wake-up"), "{message}");
}

#[test]
fn a_task_without_a_waker_says_so() {
    let message = deadlock(|| block_on(pending()));
    assert!(message.contains("no waker of this task is left"), "{message}");
}

#[test]
fn a_deadlock_names_the_tasks_and_what_they_await() {
    let message = deadlock(|| {
        let task = Builder::new().name("worker").spawn(pending::<()>());
        block_on(task).unwrap();
    });
    assert!(message.contains("'main' waits for `await` of task created at"), "{message}");
    assert!(message.contains("'worker' waits for a wake-up"), "{message}");
}

#[test]
fn a_panic_becomes_an_error() {
    passes(|| {
        let error = block_on(spawn(async { panic!("oh no") })).unwrap_err();
        assert!(error.is_panic() && !error.is_cancelled());
        assert!(error.to_string().ends_with("panicked with message \"oh no\""), "{error}");
        assert_eq!(*error.into_panic().downcast::<&str>().unwrap(), "oh no");
    });
}

#[test]
fn a_panic_of_a_detached_task_is_a_violation() {
    for wait in [false, true] {
        let verdict = Check::new().run(|| {
            let task = spawn(async { panic!("oh no") });
            match wait {
                false => drop(task),
                true => drop((block_on(yield_now()), task)),
            }
        });
        assert_eq!(verdict.violations[0].kind, ViolationKind::Panic);
        assert!(verdict.violations[0].message.contains("oh no"));
    }
}

#[test]
fn a_detached_task_runs_to_its_end() {
    let ended = AtomicCount::default();
    passes(|| {
        let ended = ended.clone();
        drop(spawn(async move {
            yield_now().await;
            ended.add();
        }));
    });
    assert_eq!(ended.get(), 1);
}

#[derive(Clone, Default)]
struct AtomicCount(Arc<std::sync::atomic::AtomicUsize>);

impl AtomicCount {
    fn add(&self) {
        self.0.fetch_add(1, SeqCst);
    }

    fn get(&self) -> usize {
        self.0.load(SeqCst)
    }
}

#[test]
fn an_abort_is_before_the_first_poll_or_between_polls_or_too_late() {
    let (seen, verdict) = outcomes(Check::new(), || {
        let polls = Arc::new(AtomicUsize::new(0));
        let theirs = polls.clone();
        let task = spawn(async move {
            theirs.fetch_add(1, SeqCst);
            yield_now().await;
            theirs.fetch_add(1, SeqCst);
        });
        task.abort();
        let result = block_on(task);
        (polls.load(SeqCst), result.is_ok())
    });
    assert!(verdict.violations.is_empty(), "{verdict:?}");
    assert_eq!(seen, [(0, false), (1, false), (2, true)]);
}

#[test]
fn an_abort_drops_a_pending_future() {
    struct Bomb(Arc<AtomicUsize>);
    impl Drop for Bomb {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    passes(|| {
        let drops = Arc::new(AtomicUsize::new(0));
        let bomb = Bomb(drops.clone());
        let task = spawn(async move {
            let _bomb = bomb;
            pending::<()>().await;
        });
        let handle = task.abort_handle();
        handle.abort();
        let error = block_on(task).unwrap_err();
        assert!(error.is_cancelled());
        assert_eq!(drops.load(SeqCst), 1);
        assert!(handle.is_finished());
        handle.abort();
    });
}

#[test]
fn is_finished_sees_the_end_or_not() {
    let (seen, _) = outcomes(Check::new(), || {
        let task = spawn(async {});
        let is_finished = task.is_finished();
        block_on(task).unwrap();
        is_finished
    });
    assert_eq!(seen, [false, true]);
}

#[test]
fn a_task_may_be_polled_spuriously() {
    let polls = |spurious: u32| {
        let (seen, verdict) = outcomes(Check::new().spurious_polls(spurious), || {
            let mut polls = 0;
            let shared = Arc::new((AtomicBool::new(false), AtomicWaker::new()));
            let theirs = shared.clone();
            thread::spawn(move || {
                theirs.0.store(true, SeqCst);
                theirs.1.wake();
            });
            block_on(poll_fn(|context| {
                polls += 1;
                shared.1.register(context.waker());
                match shared.0.load(SeqCst) {
                    true => Poll::Ready(()),
                    false => Poll::Pending,
                }
            }));
            polls
        });
        assert!(verdict.violations.is_empty(), "{verdict:?}");
        seen
    };
    assert_eq!(polls(0), [1, 2]);
    assert_eq!(polls(2), [1, 2, 3, 4]);
}

#[test]
fn a_wake_during_a_poll_leads_to_another_poll() {
    passes(|| {
        let mut polls = 0;
        block_on(poll_fn(|context| {
            polls += 1;
            if polls == 1 {
                let waker = context.waker().clone();
                thread::spawn(move || waker.wake()).join().unwrap();
            }
            if polls == 2 { Poll::Ready(()) } else { Poll::Pending }
        }));
    });
}

#[test]
fn waking_a_finished_task_is_harmless() {
    passes(|| {
        let slot = Arc::new(mazurka::sync::Mutex::new(None::<Waker>));
        let theirs = slot.clone();
        let task = spawn(poll_fn(move |context| {
            *theirs.lock().unwrap() = Some(context.waker().clone());
            Poll::Ready(())
        }));
        block_on(task).unwrap();
        let waker = slot.lock().unwrap().take().unwrap();
        waker.wake_by_ref();
        let other = waker.clone();
        assert!(waker.will_wake(&other));
        drop(waker);
        other.wake();
    });
}

#[test]
fn a_spinning_task_is_held_back() {
    let executions = passes(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = flag.clone();
        drop(spawn(async move { theirs.store(true, SeqCst) }));
        block_on(async {
            while !flag.load(SeqCst) {
                yield_now().await;
            }
        });
    });
    assert_eq!(executions, 2);
}

#[test]
fn a_lost_update_across_an_await_is_found() {
    let verdict = Check::new().run(|| {
        let number = Arc::new(mazurka::sync::Mutex::new(0));
        let add = |number: Arc<mazurka::sync::Mutex<u32>>| async move {
            let old = *number.lock().unwrap();
            yield_now().await;
            *number.lock().unwrap() = old + 1;
        };
        let tasks = [spawn(add(number.clone())), spawn(add(number.clone()))];
        block_on(async {
            for task in tasks {
                task.await.unwrap();
            }
        });
        assert_eq!(*number.lock().unwrap(), 2);
    });
    assert_eq!(verdict.violations[0].kind, ViolationKind::Panic);
}

#[test]
fn combinators_of_the_futures_crate_work() {
    let (seen, verdict) = outcomes(Check::new(), || {
        let number = Arc::new(AtomicUsize::new(0));
        let task = |digit: usize| {
            let number = number.clone();
            spawn(
                async move { number.fetch_update(SeqCst, SeqCst, |n| Some(n * 10 + digit)).unwrap() },
            )
        };
        block_on(async {
            let (left, right) = join(task(1), task(2)).await;
            left.unwrap();
            right.unwrap();
        });
        number.load(SeqCst)
    });
    assert!(verdict.violations.is_empty());
    assert_eq!(seen, [12, 21]);

    let (seen, verdict) = outcomes(Check::new(), || {
        block_on(async {
            match select(spawn(async { 1 }), spawn(async { 2 })).await {
                Either::Left((one, two)) => (one.unwrap(), two.await.unwrap()),
                Either::Right((two, one)) => (two.unwrap(), one.await.unwrap()),
            }
        })
    });
    assert!(verdict.violations.is_empty());
    assert_eq!(seen, [(1, 2), (2, 1)]);
}

#[test]
fn all_of_several_tasks_are_joined() {
    passes(|| {
        let all = block_on(join_all((0..2).map(|i| spawn(async move { i }))));
        assert_eq!(all.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [0, 1]);
    });
}

#[test]
fn block_on_may_be_called_in_a_task() {
    passes(|| {
        let task = spawn(async { block_on(spawn(async { 7 })).unwrap() });
        assert_eq!(block_on(task).unwrap(), 7);
    });
}

#[test]
fn a_future_is_polled_with_a_waker_that_does_nothing() {
    passes(|| {
        let mut task = pin!(spawn(async { 1 }));
        let mut context = std::task::Context::from_waker(Waker::noop());
        while task.as_mut().poll(&mut context).is_pending() {
            thread::yield_now();
        }
    });
}

#[test]
fn a_monitor_is_one_step() {
    let verdict = Check::new().run(|| {
        let monitor = Arc::new(Monitor::new("Stack", Vec::new()));
        let theirs = monitor.clone();
        let child = thread::spawn(move || {
            theirs.update("push", Location::caller(), |stack| stack.push(1));
        });
        monitor.update("push", Location::caller(), |stack| stack.push(2));
        child.join().unwrap();
    });
    assert_eq!((verdict.executions, verdict.max_depth), (2, 2));
}

#[test]
fn a_timer_fires_although_nothing_else_happens() {
    passes(|| block_on(sleep(SECOND)));
    passes(|| block_on(spawn(sleep(SECOND))).unwrap());
}

#[test]
fn a_timer_fires_before_or_after_a_task_ends() {
    let (seen, verdict) = outcomes(Check::new(), || {
        block_on(async {
            let task = spawn(async {});
            matches!(select(task, sleep(SECOND)).await, Either::Left(_))
        })
    });
    assert!(verdict.violations.is_empty(), "{verdict:?}");
    assert_eq!(seen, [false, true]);
}

#[test]
fn timers_of_a_task_fire_in_the_order_of_their_deadlines() {
    passes(|| {
        block_on(async {
            let first = select(sleep(2 * SECOND), sleep(SECOND)).await;
            assert!(matches!(first, Either::Right(_)));
            yield_now().await;
            join(sleep(3 * SECOND), sleep(SECOND)).await;
        });
        assert!(elapsed() >= 4 * SECOND);
    });
}

#[test]
fn a_timer_that_is_dropped_does_not_hide_a_deadlock() {
    deadlock(|| {
        block_on(async {
            let timer = sleep(SECOND);
            select(timer, std::future::ready(())).await;
            drop(select(sleep(SECOND), std::future::ready(())).await);
            pending::<()>().await;
        });
    });
}

#[test]
fn time_does_not_go_backwards() {
    let (seen, _) = outcomes(Check::new(), || {
        let task = spawn(sleep(SECOND));
        let first = elapsed();
        let second = elapsed();
        assert!(first <= second);
        block_on(task).unwrap();
        assert_eq!(elapsed(), SECOND);
        (first, second)
    });
    assert_eq!(seen.len(), 3);
}
