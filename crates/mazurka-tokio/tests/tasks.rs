//! Applications with locks, semaphores and tasks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use mazurka::{Check, Verdict, ViolationKind};
use tokio::sync::{Barrier, Mutex, Notify, OnceCell, RwLock, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

/// Checks an asynchronous function.
fn run<F: Future>(f: impl Fn() -> F + Send + Sync) -> Verdict {
    Check::new().run(|| {
        tokio::runtime::Runtime::new().unwrap().block_on(f());
    })
}

#[track_caller]
fn fails<F: Future>(kind: ViolationKind, f: impl Fn() -> F + Send + Sync) -> String {
    let verdict = run(f);
    let violation = verdict.violations.first().expect("a violation");
    assert_eq!(violation.kind, kind, "{violation:#?}");
    violation.message.clone()
}

#[tokio::test]
async fn a_mutex_excludes() {
    let number = Arc::new(Mutex::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..2 {
        let number = number.clone();
        tasks.spawn(async move {
            let mut number = number.lock().await;
            let old = *number;
            tokio::task::yield_now().await;
            *number = old + 1;
        });
    }
    while let Some(result) = tasks.join_next().await {
        result.unwrap();
    }
    assert_eq!(*number.lock().await, 2);
}

#[test]
fn two_mutexes_in_two_orders_are_a_deadlock() {
    let message = fails(ViolationKind::Deadlock, || async {
        let (a, b) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
        let (left, right) = (a.clone(), b.clone());
        let task = tokio::spawn(async move {
            let _left = left.lock().await;
            let _right = right.lock().await;
        });
        let guards = (b.lock().await, a.lock().await);
        drop(guards);
        task.await.unwrap();
    });
    assert!(message.contains("'task' waits for `lock` of"), "{message}");
    assert!(message.contains("'main' waits for `lock` of"), "{message}");
}

#[test]
fn a_notification_of_all_may_be_missed() {
    fails(ViolationKind::Deadlock, || async {
        let notify = Arc::new(Notify::new());
        let theirs = notify.clone();
        tokio::spawn(async move { theirs.notify_waiters() });
        notify.notified().await;
    });
}

#[tokio::test]
async fn a_notification_of_one_is_kept() {
    let notify = Arc::new(Notify::new());
    let theirs = notify.clone();
    tokio::spawn(async move { theirs.notify_one() });
    notify.notified().await;
}

#[tokio::test]
async fn a_pool_has_no_more_connections_than_permits() {
    let (pool, used) = (Arc::new(Semaphore::new(1)), Arc::new(AtomicUsize::new(0)));
    let mut tasks = JoinSet::new();
    for _ in 0..2 {
        let (pool, used) = (pool.clone(), used.clone());
        tasks.spawn(async move {
            let _permit = pool.acquire_owned().await.unwrap();
            assert_eq!(used.fetch_add(1, SeqCst), 0);
            tokio::task::yield_now().await;
            used.fetch_sub(1, SeqCst);
        });
    }
    tasks.join_all().await;
    assert_eq!(pool.available_permits(), 1);
}

#[tokio::test]
async fn an_abort_gives_a_permit_back() {
    let semaphore = Arc::new(Semaphore::new(1));
    let theirs = semaphore.clone();
    let task = tokio::spawn(async move {
        let _permit = theirs.acquire().await.unwrap();
        std::future::pending::<()>().await;
    });
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    let _permit = semaphore.acquire().await.unwrap();
}

#[tokio::test]
async fn a_dropped_future_gives_its_place_up() {
    let semaphore = Arc::new(Semaphore::new(0));
    let theirs = semaphore.clone();
    let task = tokio::spawn(async move { theirs.acquire().await.unwrap().forget() });
    // The place of this one in the queue may be before that of the task.
    let _ = timeout(Duration::from_secs(1), semaphore.acquire_many(2)).await.is_err();
    semaphore.add_permits(1);
    task.await.unwrap();
}

#[test]
fn an_update_under_a_lock_of_std_is_lost_across_an_await() {
    fails(ViolationKind::Panic, || async {
        let number = Arc::new(std::sync::Mutex::new(0));
        let add = |number: Arc<std::sync::Mutex<u32>>| async move {
            let old = *number.lock().unwrap();
            tokio::task::yield_now().await;
            sleep(Duration::from_millis(1)).await;
            *number.lock().unwrap() = old + 1;
        };
        let (left, right) = (tokio::spawn(add(number.clone())), tokio::spawn(add(number.clone())));
        left.await.unwrap();
        right.await.unwrap();
        assert_eq!(*number.lock().unwrap(), 2);
    });
}

#[tokio::test]
async fn readers_share_and_writers_do_not() {
    let lock = Arc::new(RwLock::new(0));
    let theirs = lock.clone();
    let writer = tokio::spawn(async move { *theirs.write().await += 1 });
    {
        let (one, two) = tokio::join!(lock.read(), async { 7 });
        assert!(*one <= 1 && two == 7);
    }
    writer.await.unwrap();
    assert_eq!(*lock.read().await, 1);
    assert!(lock.try_write().is_ok());
}

#[tokio::test]
async fn a_barrier_has_one_leader() {
    let barrier = Arc::new(Barrier::new(2));
    let theirs = barrier.clone();
    let task = tokio::spawn(async move { theirs.wait().await.is_leader() });
    let leads = barrier.wait().await.is_leader();
    assert_ne!(task.await.unwrap(), leads);
}

#[tokio::test]
async fn a_cell_is_initialised_once() {
    static CELL: OnceCell<u32> = OnceCell::const_new();
    let task = tokio::spawn(async { *CELL.get_or_init(|| async { 1 }).await });
    let mine = *CELL.get_or_init(|| async { 2 }).await;
    assert_eq!(task.await.unwrap(), mine);
    assert_eq!(CELL.get(), Some(&mine));
}

#[tokio::test]
async fn time_passes() {
    let start = Instant::now();
    let mut ticks = interval(Duration::from_secs(1));
    ticks.tick().await;
    ticks.tick().await;
    assert_eq!(start.elapsed(), Duration::from_secs(1));
    assert!(timeout(Duration::from_secs(2), sleep(Duration::from_secs(1))).await.is_ok());
    assert!(timeout(Duration::from_secs(1), sleep(Duration::from_secs(2))).await.is_err());
}

#[tokio::test]
async fn a_server_is_stopped_at_the_end() {
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<u32>(1);
    tokio::spawn(async move { while receiver.recv().await.is_some() {} });
    sender.send(1).await.unwrap();
    std::mem::forget(sender);
}

#[tokio::test]
async fn errors_end_try_join() {
    let result = tokio::try_join!(async { Ok::<_, u32>(1) }, async { Err::<u32, _>(2) });
    assert_eq!(result, Err(2));
    assert_eq!(tokio::try_join!(async { Ok::<_, u32>(1) }, async { Ok(2) }), Ok((1, 2)));
}

#[tokio::test]
async fn blocking_closures_run() {
    let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
    let task = tokio::task::spawn_blocking(move || sender.blocking_send(3).unwrap());
    assert_eq!(receiver.recv().await, Some(3));
    task.await.unwrap();
}
