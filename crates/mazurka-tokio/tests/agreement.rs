//! The same programs on tokio and on this crate: their results must be the same.
//!
//! The programs poll their futures by hand, in one task, so that there is one result.

/// Defines the programs for one of the two crates.
macro_rules! programs {
    ($name:ident, $tokio:ident) => {
        mod $name {
            use std::fmt::Write;
            use std::future::Future;
            use std::pin::pin;
            use std::sync::Arc;
            use std::task::{Context, Poll, Waker};

            use $tokio::sync::{
                Barrier, Mutex, Notify, OnceCell, RwLock, Semaphore, broadcast, mpsc, oneshot,
                watch,
            };

            /// Polls a future once, with a waker that does nothing.
            fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
                future.poll(&mut Context::from_waker(Waker::noop()))
            }

            fn is_ready<F: Future>(future: std::pin::Pin<&mut F>) -> bool {
                poll(future).is_ready()
            }

            pub(super) fn mutexes() -> String {
                let mut log = String::new();
                let mutex = Mutex::new(0);
                let guard = mutex.try_lock().unwrap();
                let (mut first, mut second) = (Box::pin(mutex.lock()), Box::pin(mutex.lock()));
                write!(log, "{} {}", is_ready(first.as_mut()), is_ready(second.as_mut())).unwrap();
                drop(guard);
                // The first one has the lock, although it does not know.
                write!(log, " {} {:?}", is_ready(second.as_mut()), mutex.try_lock().is_err())
                    .unwrap();
                // It gives the lock up, and the second one gets it.
                drop(first);
                write!(log, " {}", is_ready(second.as_mut())).unwrap();
                drop(second);
                let is_free = mutex.try_lock().is_ok();
                write!(log, " {is_free} {}", mutex.into_inner()).unwrap();
                log
            }

            pub(super) fn semaphores() -> String {
                let mut log = String::new();
                let semaphore = Arc::new(Semaphore::new(2));
                let mut many = Box::pin(semaphore.acquire_many(3));
                let mut one = Box::pin(semaphore.acquire());
                write!(log, "{} {}", is_ready(many.as_mut()), is_ready(one.as_mut())).unwrap();
                write!(
                    log,
                    " {} {:?}",
                    semaphore.available_permits(),
                    semaphore.try_acquire().err()
                )
                .unwrap();
                drop(many);
                write!(log, " {}", semaphore.available_permits()).unwrap();
                let permit = match poll(one.as_mut()) {
                    Poll::Ready(permit) => permit.unwrap(),
                    Poll::Pending => panic!("the permit was released"),
                };
                drop(permit);
                let mut permits = semaphore.clone().try_acquire_many_owned(2).unwrap();
                let half = permits.split(1).unwrap();
                half.forget();
                drop(permits);
                write!(log, " {} {}", semaphore.available_permits(), semaphore.forget_permits(5))
                    .unwrap();
                let mut late = Box::pin(semaphore.acquire());
                write!(log, " {}", is_ready(late.as_mut())).unwrap();
                semaphore.close();
                match poll(late.as_mut()) {
                    Poll::Ready(result) => {
                        write!(log, " {:?}", result.err().map(|it| it.to_string())).unwrap()
                    }
                    Poll::Pending => log.push_str(" pending"),
                }
                semaphore.add_permits(1);
                write!(log, " {:?} {}", semaphore.try_acquire().err(), semaphore.is_closed())
                    .unwrap();
                log
            }

            pub(super) fn rwlocks() -> String {
                let mut log = String::new();
                let lock = RwLock::new(1);
                let reader = lock.try_read().unwrap();
                let mut writer = Box::pin(lock.write());
                let mut late = Box::pin(lock.read());
                write!(log, "{} {}", is_ready(writer.as_mut()), is_ready(late.as_mut())).unwrap();
                write!(log, " {}", lock.try_read().is_err()).unwrap();
                drop(reader);
                let mut guard = match poll(writer.as_mut()) {
                    Poll::Ready(guard) => guard,
                    Poll::Pending => panic!("the lock is free"),
                };
                *guard += 1;
                write!(log, " {}", is_ready(late.as_mut())).unwrap();
                let guard = guard.downgrade();
                write!(
                    log,
                    " {} {} {}",
                    *guard,
                    is_ready(late.as_mut()),
                    lock.try_write().is_err()
                )
                .unwrap();
                log
            }

            pub(super) fn notifies() -> String {
                let mut log = String::new();
                let notify = Notify::new();
                notify.notify_one();
                notify.notify_one();
                let (mut first, mut second) =
                    (Box::pin(notify.notified()), Box::pin(notify.notified()));
                write!(log, "{} {}", is_ready(first.as_mut()), is_ready(second.as_mut())).unwrap();
                let (mut third, fourth) =
                    (Box::pin(notify.notified()), Box::pin(notify.notified()));
                write!(log, " {}", is_ready(third.as_mut())).unwrap();
                notify.notify_one();
                // The notification was for the second one, and goes on to the third one.
                drop(second);
                write!(log, " {}", is_ready(third.as_mut())).unwrap();
                notify.notify_waiters();
                let mut fourth = fourth;
                let mut fifth = Box::pin(notify.notified());
                write!(log, " {} {}", is_ready(fourth.as_mut()), is_ready(fifth.as_mut())).unwrap();
                let mut sixth = pin!(notify.notified());
                write!(log, " {}", sixth.as_mut().enable()).unwrap();
                notify.notify_last();
                write!(log, " {} {}", is_ready(fifth.as_mut()), is_ready(sixth.as_mut())).unwrap();
                log
            }

            pub(super) fn oneshots() -> String {
                let mut log = String::new();
                let (sender, mut receiver) = oneshot::channel::<u32>();
                write!(log, "{:?} {}", receiver.try_recv(), sender.is_closed()).unwrap();
                sender.send(1).unwrap();
                write!(log, " {:?} {:?}", receiver.try_recv(), receiver.try_recv()).unwrap();
                let (mut sender, mut receiver) = oneshot::channel::<u32>();
                write!(log, " {}", is_ready(pin!(sender.closed()))).unwrap();
                receiver.close();
                let is_closed = is_ready(pin!(sender.closed()));
                write!(log, " {is_closed} {:?}", sender.send(2)).unwrap();
                write!(log, " {:?}", poll(pin!(receiver))).unwrap();
                let (sender, receiver) = oneshot::channel::<u32>();
                drop(sender);
                write!(log, " {:?}", poll(pin!(receiver))).unwrap();
                log
            }

            pub(super) fn channels() -> String {
                let mut log = String::new();
                let (sender, mut receiver) = mpsc::channel::<u32>(2);
                sender.try_send(1).unwrap();
                let permit = sender.try_reserve().unwrap();
                write!(log, "{:?} {} {}", sender.try_send(9), sender.capacity(), receiver.len())
                    .unwrap();
                let mut waiting = Box::pin(sender.send(3));
                write!(log, " {}", is_ready(waiting.as_mut())).unwrap();
                write!(log, " {:?} {:?}", receiver.try_recv(), receiver.try_recv()).unwrap();
                permit.send(2);
                write!(log, " {:?}", poll(waiting.as_mut())).unwrap();
                let other = sender.clone();
                let (weak, permit) = (sender.downgrade(), sender.try_reserve());
                write!(log, " {}", permit.is_err()).unwrap();
                drop(permit);
                receiver.close();
                write!(log, " {:?} {}", other.try_send(5), is_ready(pin!(other.closed()))).unwrap();
                let mut all = Vec::new();
                let received = poll(pin!(receiver.recv_many(&mut all, 9)));
                write!(log, " {received:?} {:?}", receiver.try_recv()).unwrap();
                write!(log, " {:?} {:?}", all, poll(pin!(receiver.recv()))).unwrap();
                drop(waiting);
                drop((sender, other));
                write!(log, " {}", weak.upgrade().is_none()).unwrap();
                log
            }

            pub(super) fn closing_channels() -> String {
                let mut log = String::new();
                let (sender, mut receiver) = mpsc::channel::<u32>(1);
                let permit = sender.try_reserve().unwrap();
                receiver.close();
                write!(log, "{:?} {:?}", receiver.try_recv(), poll(pin!(receiver.recv()))).unwrap();
                permit.send(1);
                write!(log, " {:?} {:?}", receiver.try_recv(), receiver.try_recv()).unwrap();
                let (sender, mut receiver) = mpsc::unbounded_channel::<u32>();
                sender.send(1).unwrap();
                drop(sender);
                write!(log, " {:?}", poll(pin!(receiver.recv()))).unwrap();
                write!(log, " {:?} {:?}", receiver.try_recv(), poll(pin!(receiver.recv())))
                    .unwrap();
                let (sender, receiver) = mpsc::unbounded_channel::<u32>();
                drop(receiver);
                write!(log, " {:?} {}", sender.send(1), sender.is_closed()).unwrap();
                log
            }

            pub(super) fn broadcasts() -> String {
                let mut log = String::new();
                let (sender, mut receiver) = broadcast::channel::<u32>(3);
                for i in 0..6 {
                    sender.send(i).unwrap();
                }
                write!(log, "{} {}", sender.len(), receiver.len()).unwrap();
                write!(log, " {:?} {:?}", receiver.try_recv(), receiver.try_recv()).unwrap();
                let mut late = sender.subscribe();
                write!(log, " {:?} {:?}", late.try_recv(), sender.send(6)).unwrap();
                write!(log, " {:?} {:?}", late.try_recv(), poll(pin!(late.recv()))).unwrap();
                drop(receiver);
                write!(log, " {} {}", sender.len(), sender.receiver_count()).unwrap();
                drop(sender);
                write!(log, " {:?} {:?}", late.try_recv(), poll(pin!(late.recv()))).unwrap();
                log
            }

            pub(super) fn watches() -> String {
                let mut log = String::new();
                let (sender, mut receiver) = watch::channel(0);
                write!(
                    log,
                    "{:?} {}",
                    receiver.has_changed().unwrap(),
                    is_ready(pin!(receiver.changed()))
                )
                .unwrap();
                sender.send(1).unwrap();
                write!(log, " {:?} {}", receiver.has_changed().unwrap(), *receiver.borrow())
                    .unwrap();
                let mut other = receiver.clone();
                write!(log, " {}", is_ready(pin!(receiver.changed()))).unwrap();
                write!(
                    log,
                    " {} {}",
                    is_ready(pin!(receiver.changed())),
                    is_ready(pin!(other.changed()))
                )
                .unwrap();
                write!(log, " {}", sender.send_if_modified(|_| false)).unwrap();
                write!(log, " {}", receiver.has_changed().unwrap()).unwrap();
                write!(log, " {} {}", sender.send_replace(5), *receiver.borrow_and_update())
                    .unwrap();
                write!(
                    log,
                    " {:?}",
                    poll(pin!(receiver.wait_for(|n| *n == 5))).map(|it| it.map(|it| *it).ok())
                )
                .unwrap();
                write!(log, " {}", is_ready(pin!(receiver.wait_for(|n| *n == 6)))).unwrap();
                sender.send(6).unwrap();
                drop(sender);
                write!(
                    log,
                    " {:?} {:?}",
                    receiver.has_changed().is_err(),
                    poll(pin!(receiver.changed()))
                )
                .unwrap();
                write!(log, " {:?}", poll(pin!(receiver.changed()))).unwrap();
                let (sender, receiver) = watch::channel(0);
                drop(receiver);
                write!(log, " {:?} {}", sender.send(1), *sender.borrow()).unwrap();
                log
            }

            pub(super) fn others() -> String {
                let mut log = String::new();
                let barrier = Barrier::new(2);
                let (mut first, mut second) = (Box::pin(barrier.wait()), Box::pin(barrier.wait()));
                write!(log, "{}", is_ready(first.as_mut())).unwrap();
                write!(log, " {:?}", poll(second.as_mut()).map(|it| it.is_leader())).unwrap();
                write!(log, " {:?}", poll(first.as_mut()).map(|it| it.is_leader())).unwrap();
                let cell = OnceCell::new();
                let mut init = Box::pin(cell.get_or_init(std::future::pending));
                write!(log, " {} {:?}", is_ready(init.as_mut()), cell.set(1)).unwrap();
                drop(init);
                write!(log, " {:?} {:?} {:?}", cell.set(2), cell.set(3), cell.get()).unwrap();
                write!(log, " {:?}", poll(pin!(cell.get_or_init(|| async { 4 })))).unwrap();
                log
            }

            pub(super) async fn selects() -> String {
                let mut log = String::new();
                let (sender, mut receiver) = mpsc::channel::<u32>(4);
                for i in 0..3 {
                    sender.send(i).await.unwrap();
                }
                drop(sender);
                loop {
                    let is_done = $tokio::select! {
                        biased;
                        Some(i @ 0..=1) = receiver.recv() => { write!(log, "{i} ").unwrap(); false }
                        _ = std::future::ready(()), if log.len() > 2 => true,
                        else => { log.push_str("else "); true }
                    };
                    if is_done {
                        break;
                    }
                }
                let (one, two) = $tokio::join!(async { 1 }, $tokio::task::yield_now());
                let three: Result<(u32, u32), &str> =
                    $tokio::try_join!(async { Ok(3) }, async { Err("no") });
                write!(log, "{one} {two:?} {three:?}").unwrap();
                let task = $tokio::spawn(async { panic!("oh no") });
                let error: $tokio::task::JoinError = task.await.map(|()| ()).unwrap_err();
                write!(log, " {} {}", error.is_panic(), error.is_cancelled()).unwrap();
                let task = $tokio::spawn(std::future::pending::<()>());
                task.abort();
                write!(log, " {}", task.await.unwrap_err().is_cancelled()).unwrap();
                let mut set: $tokio::task::JoinSet<u32> =
                    (0..1).map(|i| async move { i }).collect();
                write!(
                    log,
                    " {:?} {}",
                    set.join_next().await.map(Result::unwrap),
                    set.join_next().await.is_none()
                )
                .unwrap();
                log
            }
        }
    };
}

programs!(ours, tokio);
programs!(theirs, real_tokio);

/// Returns the result of a program on this crate, which must be the same in all executions.
fn check(program: impl Fn() -> String + Send + Sync) -> String {
    let results = std::sync::Mutex::new(std::collections::BTreeSet::new());
    mazurka::check(|| {
        let result = program();
        results.lock().unwrap().insert(result);
    });
    let results: Vec<_> = results.into_inner().unwrap().into_iter().collect();
    assert_eq!(results.len(), 1, "{results:?}");
    results.concat()
}

macro_rules! agree {
    ($($program:ident)*) => { $(
        #[test]
        fn $program() {
            assert_eq!(check(ours::$program), theirs::$program());
        }
    )* };
}

agree! {
    mutexes semaphores rwlocks notifies oneshots channels closing_channels broadcasts watches others
}

#[test]
fn selects() {
    std::panic::set_hook(Box::new(|_| {}));
    let runtime = real_tokio::runtime::Builder::new_current_thread().build().unwrap();
    let ours = || tokio::runtime::Runtime::new().unwrap().block_on(ours::selects());
    assert_eq!(check(ours), runtime.block_on(theirs::selects()));
}
