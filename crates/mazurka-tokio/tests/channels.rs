//! Applications with channels.

use std::time::Duration;

use mazurka::{Check, Verdict, ViolationKind};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::timeout;

const SECOND: Duration = Duration::from_secs(1);

/// Checks an asynchronous function.
fn run<F: Future>(f: impl Fn() -> F + Send + Sync) -> Verdict {
    Check::new().run(|| {
        tokio::runtime::Runtime::new().unwrap().block_on(f());
    })
}

#[track_caller]
fn passes<F: Future>(f: impl Fn() -> F + Send + Sync) -> u64 {
    let verdict = run(f);
    assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
    assert!(verdict.is_complete());
    verdict.executions
}

#[track_caller]
fn fails<F: Future>(kind: ViolationKind, f: impl Fn() -> F + Send + Sync) -> String {
    let verdict = run(f);
    let violation = verdict.violations.first().expect("a violation");
    assert_eq!(violation.kind, kind, "{violation:#?}");
    violation.message.clone()
}

#[tokio::test]
async fn a_bounded_channel_delivers_in_order() {
    let (sender, mut receiver) = mpsc::channel(1);
    let producer = tokio::spawn(async move {
        for i in 0..3 {
            sender.send(i).await.unwrap();
        }
    });
    for i in 0..3 {
        assert_eq!(receiver.recv().await, Some(i));
    }
    assert_eq!(receiver.recv().await, None);
    producer.await.unwrap();
}

#[tokio::test]
async fn all_senders_must_go() -> Result<(), Box<dyn std::error::Error>> {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    for i in 0..2 {
        let sender = sender.clone();
        tokio::spawn(async move { sender.send(i) });
    }
    drop(sender);
    let mut sum = 0;
    while let Some(i) = receiver.recv().await {
        sum += i;
    }
    assert_eq!(sum, 1);
    Ok(())
}

#[test]
fn a_sender_that_is_kept_is_a_deadlock() {
    let message = fails(ViolationKind::Deadlock, || async {
        let (sender, mut receiver) = mpsc::channel::<u32>(1);
        assert!(receiver.recv().await.is_none());
        drop(sender);
    });
    assert!(message.contains("'main' waits for `recv` of"), "{message}");
    assert!(message.contains("mpsc::channel created at"), "{message}");
}

#[test]
fn select_takes_every_branch() {
    let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
    passes(|| async {
        let (left, mut from_left) = mpsc::channel(1);
        let (right, mut from_right) = mpsc::channel(1);
        left.send(1).await.unwrap();
        right.send(2).await.unwrap();
        let first = tokio::select! {
            Some(value) = from_left.recv() => value,
            Some(value) = from_right.recv() => { value }
            else => 0,
        };
        seen.lock().unwrap().insert(first);
        let biased = tokio::select! {
            biased;
            value = async { 1 } => value,
            _ = std::future::pending::<()>(), if false => unreachable!(),
            value = async { 2 } => value,
        };
        assert_eq!(biased, 1);
    });
    assert_eq!(seen.into_inner().unwrap().into_iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_receive_with_a_timeout_sees_both() {
    let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
    passes(|| async {
        let (sender, mut receiver) = mpsc::channel(1);
        tokio::spawn(async move { sender.send(1).await });
        let received = timeout(SECOND, receiver.recv()).await;
        seen.lock().unwrap().insert(format!("{received:?}"));
    });
    assert_eq!(
        seen.into_inner().unwrap().into_iter().collect::<Vec<_>>(),
        ["Err(Elapsed(()))", "Ok(Some(1))"]
    );
}

#[test]
fn a_message_is_lost_if_select_drops_the_work() {
    // The message is taken out of the channel before the branch does something with it.
    let message = fails(ViolationKind::Panic, || async {
        let (sender, mut receiver) = mpsc::channel(1);
        let (done, mut is_done) = oneshot::channel::<()>();
        tokio::spawn(async move {
            sender.send(7).await.unwrap();
            done.send(()).unwrap();
        });
        let work = async {
            let value = receiver.recv().await.unwrap();
            tokio::task::yield_now().await;
            value
        };
        let result = tokio::select! {
            value = work => Some(value),
            _ = &mut is_done => None,
        };
        if result.is_none() {
            assert_eq!(receiver.recv().await, Some(7), "the message is lost");
        }
    });
    assert!(message.contains("the message is lost"), "{message}");
}

#[tokio::test]
async fn oneshot_knows_of_both_ends() {
    let (mut sender, receiver) = oneshot::channel::<u32>();
    let waits = tokio::spawn(async move { sender.closed().await });
    drop(receiver);
    waits.await.unwrap();
    let (sender, receiver) = oneshot::channel::<u32>();
    drop(sender);
    assert!(receiver.await.is_err());
}

#[test]
fn a_slow_receiver_of_a_broadcast_lags() {
    let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
    passes(|| async {
        let (sender, mut receiver) = broadcast::channel(2);
        tokio::spawn(async move {
            for i in 0..3 {
                sender.send(i).ok();
            }
        });
        let first = receiver.recv().await;
        seen.lock().unwrap().insert(format!("{first:?}"));
    });
    assert_eq!(
        seen.into_inner().unwrap().into_iter().collect::<Vec<_>>(),
        ["Err(Lagged(1))", "Ok(0)"]
    );
}

#[test]
fn a_watch_sees_the_last_value() {
    let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
    passes(|| async {
        let (sender, mut receiver) = watch::channel(0);
        let task = tokio::spawn(async move {
            sender.send(1).unwrap();
            sender.send(2).unwrap();
        });
        let mut values = Vec::new();
        while receiver.changed().await.is_ok() {
            values.push(*receiver.borrow_and_update());
        }
        assert_eq!(values.last(), Some(&2));
        task.await.unwrap();
        seen.lock().unwrap().insert(values);
    });
    assert_eq!(seen.into_inner().unwrap().into_iter().collect::<Vec<_>>(), [vec![1, 2], vec![2]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn permits_of_a_channel_are_given_back() {
    let (sender, mut receiver) = mpsc::channel(1);
    let permit = sender.reserve().await.unwrap();
    let other = sender.clone();
    let task = tokio::spawn(async move { other.send(2).await });
    drop(permit);
    assert_eq!(receiver.recv().await, Some(2));
    task.await.unwrap().unwrap();
    let owned = sender.reserve_owned().await.unwrap();
    let sender = owned.send(3);
    assert!(sender.try_send(4).is_err());
    receiver.close();
    assert_eq!((receiver.recv().await, receiver.recv().await), (Some(3), None));
}
