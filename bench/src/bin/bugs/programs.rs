//! Classic concurrency bugs, each written once, for both tools.
//!
//! The macro `bugs` holds the source text, and is expanded once per tool against its mirror of `std`.
//! `Arc` is that of `std` in both. Every program fails under some schedules, and main joins all threads.

/// Runs closures in threads, and waits for them.
macro_rules! threads {
    ($(move || $body:expr),* $(,)?) => {
        run(vec![$(Box::new(move || { $body; })),*])
    };
}

macro_rules! bugs {
    ($tool:ident) => {
        #[allow(clippy::mutex_atomic)]
        pub(crate) mod $tool {
            use std::sync::Arc;

            use $tool::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
            use $tool::sync::{Condvar, Mutex, mpsc};
            use $tool::thread;

            type Bug = (&'static str, fn());

            pub(crate) const ALL: &[Bug] = &[
                ("lost_update", lost_update),
                ("lost_updates_of_three", lost_updates_of_three),
                ("abba_deadlock", abba_deadlock),
                ("dining_philosophers", dining_philosophers),
                ("initialised_twice", initialised_twice),
                ("missed_notification", missed_notification),
                ("if_instead_of_while", if_instead_of_while),
                ("notify_wrong_waiter", notify_wrong_waiter),
                ("used_before_set", used_before_set),
                ("check_then_act", check_then_act),
                ("torn_pair", torn_pair),
                ("spinlock_without_swap", spinlock_without_swap),
                ("double_checked_locking", double_checked_locking),
                ("freed_twice", freed_twice),
                ("audit_during_transfer", audit_during_transfer),
                ("order_of_messages", order_of_messages),
                ("lost_at_shutdown", lost_at_shutdown),
                ("barrier_without_generation", barrier_without_generation),
                ("reorder", reorder),
                ("two_stage", two_stage),
                ("wrong_lock", wrong_lock),
                ("aba_stack", aba_stack),
                ("lazy_counter", lazy_counter),
                ("stale_cache", stale_cache),
            ];

            /// Runs the closures in threads, and waits for them.
            fn run(all: Vec<Box<dyn FnOnce() + Send>>) {
                let threads: Vec<_> = all.into_iter().map(|f| thread::spawn(f)).collect();
                for thread in threads {
                    thread.join().unwrap();
                }
            }

            fn atomics<const N: usize>() -> Arc<[AtomicUsize; N]> {
                Arc::new(std::array::from_fn(|_| AtomicUsize::new(0)))
            }

            fn add(x: &AtomicUsize, n: usize) {
                x.store(x.load(SeqCst) + n, SeqCst);
            }

            fn lost_update() {
                let x = atomics::<1>();
                let (a, b) = (x.clone(), x.clone());
                threads!(move || add(&a[0], 1), move || add(&b[0], 1));
                assert_eq!(x[0].load(SeqCst), 2);
            }

            fn lost_updates_of_three() {
                let x = atomics::<1>();
                let all = (0..3).map(|_| {
                    let x = x.clone();
                    Box::new(move || (0..3).for_each(|_| add(&x[0], 1))) as Box<dyn FnOnce() + Send>
                });
                run(all.collect());
                // All but three updates are lost.
                assert!(x[0].load(SeqCst) > 3);
            }

            fn abba_deadlock() {
                let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
                let (c, d) = (a.clone(), b.clone());
                threads!(
                    move || {
                        let _first = a.lock().unwrap();
                        let _second = b.lock().unwrap();
                    },
                    move || {
                        let _first = d.lock().unwrap();
                        let _second = c.lock().unwrap();
                    },
                );
            }

            fn dining_philosophers() {
                let forks: Arc<[Mutex<()>; 4]> = Arc::new(std::array::from_fn(|_| Mutex::new(())));
                let all = (0..4).map(|i| {
                    let forks = forks.clone();
                    Box::new(move || {
                        let _left = forks[i].lock().unwrap();
                        let _right = forks[(i + 1) % 4].lock().unwrap();
                    }) as Box<dyn FnOnce() + Send>
                });
                run(all.collect());
            }

            fn initialised_twice() {
                let x = atomics::<2>();
                let init = |x: Arc<[AtomicUsize; 2]>| {
                    move || {
                        if x[0].load(SeqCst) == 0 {
                            x[0].store(1, SeqCst);
                            x[1].fetch_add(1, SeqCst);
                        }
                    }
                };
                run(vec![Box::new(init(x.clone())), Box::new(init(x.clone()))]);
                assert_eq!(x[1].load(SeqCst), 1);
            }

            fn missed_notification() {
                let pair = Arc::new((Mutex::new(()), Condvar::new()));
                let other = pair.clone();
                threads!(
                    move || {
                        let guard = pair.0.lock().unwrap();
                        drop(pair.1.wait(guard).unwrap());
                    },
                    move || other.1.notify_one(),
                );
            }

            fn if_instead_of_while() {
                let shared = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
                let consume = |shared: Arc<(Mutex<Vec<u32>>, Condvar)>| {
                    move || {
                        let mut items = shared.0.lock().unwrap();
                        if items.is_empty() {
                            items = shared.1.wait(items).unwrap();
                        }
                        items.pop().expect("there is an item");
                    }
                };
                let producer = shared.clone();
                run(vec![
                    Box::new(consume(shared.clone())),
                    Box::new(consume(shared.clone())),
                    Box::new(move || {
                        for item in 0..2 {
                            producer.0.lock().unwrap().push(item);
                            producer.1.notify_all();
                        }
                    }),
                ]);
            }

            fn notify_wrong_waiter() {
                // A buffer of one item with one condition for "not empty" and "not full".
                let shared = Arc::new((Mutex::new(0usize), Condvar::new()));
                let produce = |shared: Arc<(Mutex<usize>, Condvar)>| {
                    move || {
                        let mut items = shared.0.lock().unwrap();
                        while *items == 1 {
                            items = shared.1.wait(items).unwrap();
                        }
                        *items += 1;
                        shared.1.notify_one();
                    }
                };
                let consume = |shared: Arc<(Mutex<usize>, Condvar)>| {
                    move || {
                        let mut items = shared.0.lock().unwrap();
                        while *items == 0 {
                            items = shared.1.wait(items).unwrap();
                        }
                        *items -= 1;
                        shared.1.notify_one();
                    }
                };
                run(vec![
                    Box::new(consume(shared.clone())),
                    Box::new(consume(shared.clone())),
                    Box::new(produce(shared.clone())),
                    Box::new(produce(shared.clone())),
                ]);
            }

            fn used_before_set() {
                let x = atomics::<2>();
                let (a, b) = (x.clone(), x.clone());
                threads!(
                    move || {
                        a[1].store(1, SeqCst);
                        a[0].store(7, SeqCst);
                    },
                    move || if b[1].load(SeqCst) == 1 {
                        assert_eq!(b[0].load(SeqCst), 7)
                    },
                );
            }

            fn check_then_act() {
                let balance = Arc::new(Mutex::new(100i32));
                let withdraw = |balance: Arc<Mutex<i32>>| {
                    move || {
                        if *balance.lock().unwrap() >= 60 {
                            *balance.lock().unwrap() -= 60;
                        }
                    }
                };
                run(vec![Box::new(withdraw(balance.clone())), Box::new(withdraw(balance.clone()))]);
                assert!(*balance.lock().unwrap() >= 0);
            }

            fn torn_pair() {
                let x = atomics::<2>();
                let (a, b) = (x.clone(), x.clone());
                threads!(
                    move || for n in 1..4 {
                        a[0].store(n, SeqCst);
                        a[1].store(n, SeqCst);
                    },
                    move || {
                        let first = b[0].load(SeqCst);
                        assert!(b[1].load(SeqCst) >= first);
                    },
                );
            }

            fn spinlock_without_swap() {
                let lock = Arc::new((AtomicBool::new(false), AtomicUsize::new(0)));
                let enter = |lock: Arc<(AtomicBool, AtomicUsize)>| {
                    move || {
                        if !lock.0.load(SeqCst) {
                            lock.0.store(true, SeqCst);
                            assert_eq!(lock.1.fetch_add(1, SeqCst), 0);
                            lock.1.fetch_sub(1, SeqCst);
                            lock.0.store(false, SeqCst);
                        }
                    }
                };
                run(vec![Box::new(enter(lock.clone())), Box::new(enter(lock.clone()))]);
            }

            fn double_checked_locking() {
                let x = atomics::<2>();
                let lock = Arc::new(Mutex::new(()));
                let get = |x: Arc<[AtomicUsize; 2]>, lock: Arc<Mutex<()>>| {
                    move || {
                        if x[0].load(SeqCst) == 0 {
                            let _guard = lock.lock().unwrap();
                            if x[0].load(SeqCst) == 0 {
                                // The flag is set too early.
                                x[0].store(1, SeqCst);
                                x[1].store(42, SeqCst);
                            }
                        }
                        assert_eq!(x[1].load(SeqCst), 42);
                    }
                };
                run(vec![
                    Box::new(get(x.clone(), lock.clone())),
                    Box::new(get(x.clone(), lock.clone())),
                ]);
            }

            fn freed_twice() {
                let x = atomics::<2>();
                x[0].store(2, SeqCst);
                let release = |x: Arc<[AtomicUsize; 2]>| {
                    move || {
                        x[0].fetch_sub(1, SeqCst);
                        if x[0].load(SeqCst) == 0 {
                            x[1].fetch_add(1, SeqCst);
                        }
                    }
                };
                run(vec![Box::new(release(x.clone())), Box::new(release(x.clone()))]);
                assert_eq!(x[1].load(SeqCst), 1);
            }

            fn audit_during_transfer() {
                let accounts = Arc::new((Mutex::new(50), Mutex::new(50)));
                let other = accounts.clone();
                threads!(
                    move || {
                        *accounts.0.lock().unwrap() -= 10;
                        *accounts.1.lock().unwrap() += 10;
                    },
                    move || {
                        let first = *other.0.lock().unwrap();
                        let second = *other.1.lock().unwrap();
                        assert_eq!(first + second, 100);
                    },
                );
            }

            fn order_of_messages() {
                let (sender, receiver) = mpsc::channel();
                let all = (0..3).map(|i| {
                    let sender = sender.clone();
                    Box::new(move || sender.send(i).unwrap()) as Box<dyn FnOnce() + Send>
                });
                run(all.collect());
                let received: Vec<u32> = (0..3).map(|_| receiver.recv().unwrap()).collect();
                assert_ne!(received, [2, 1, 0]);
            }

            fn lost_at_shutdown() {
                let shared =
                    Arc::new((AtomicBool::new(false), Mutex::new(0usize), AtomicUsize::new(0)));
                let other = shared.clone();
                let end = shared.clone();
                threads!(
                    move || if !shared.0.load(SeqCst) {
                        *shared.1.lock().unwrap() += 1
                    },
                    move || {
                        other.0.store(true, SeqCst);
                        let drained = std::mem::take(&mut *other.1.lock().unwrap());
                        other.2.store(drained, SeqCst);
                    },
                );
                assert_eq!(*end.1.lock().unwrap(), 0);
            }

            fn barrier_without_generation() {
                let x = atomics::<2>();
                let lock = Arc::new((Mutex::new(0usize), Condvar::new()));
                let all = (0..2).map(|i| {
                    let (x, lock) = (x.clone(), lock.clone());
                    Box::new(move || {
                        for round in 1..3 {
                            x[i].store(round, SeqCst);
                            let mut waiting = lock.0.lock().unwrap();
                            *waiting += 1;
                            if *waiting >= 2 {
                                // The count is never reset, so that the second round does not wait.
                                lock.1.notify_all();
                            } else {
                                while *waiting < 2 {
                                    waiting = lock.1.wait(waiting).unwrap();
                                }
                            }
                            drop(waiting);
                            assert!(x[1 - i].load(SeqCst) >= round);
                        }
                    }) as Box<dyn FnOnce() + Send>
                });
                run(all.collect());
            }

            fn reorder() {
                let x = atomics::<2>();
                let mut all: Vec<Box<dyn FnOnce() + Send>> = Vec::new();
                for _ in 0..3 {
                    let x = x.clone();
                    all.push(Box::new(move || {
                        x[0].store(1, SeqCst);
                        x[1].store(1, SeqCst);
                    }));
                }
                all.push(Box::new(move || {
                    let pair = (x[0].load(SeqCst), x[1].load(SeqCst));
                    assert!(pair == (0, 0) || pair == (1, 1));
                }));
                run(all);
            }

            fn two_stage() {
                let data = Arc::new((Mutex::new(0), Mutex::new(0)));
                let other = data.clone();
                threads!(
                    move || {
                        *data.0.lock().unwrap() = 1;
                        *data.1.lock().unwrap() = 2;
                    },
                    move || {
                        let first = *other.0.lock().unwrap();
                        if first != 0 {
                            assert_eq!(*other.1.lock().unwrap(), first + 1);
                        }
                    },
                );
            }

            fn wrong_lock() {
                let x = atomics::<1>();
                let locks = Arc::new((Mutex::new(()), Mutex::new(())));
                let (a, b, one, other) = (x.clone(), x.clone(), locks.clone(), locks);
                threads!(
                    move || {
                        let _guard = one.0.lock().unwrap();
                        add(&a[0], 1);
                    },
                    move || {
                        let _guard = other.1.lock().unwrap();
                        add(&b[0], 1);
                    },
                );
                assert_eq!(x[0].load(SeqCst), 2);
            }

            fn aba_stack() {
                // Nodes 1 → 2 → 0; `x[0]` is the head, and `x[n]` the node below `n`.
                let x = atomics::<3>();
                x[0].store(1, SeqCst);
                x[1].store(2, SeqCst);
                let pop = |x: &[AtomicUsize; 3]| {
                    let head = x[0].load(SeqCst);
                    if head == 0 {
                        return None;
                    }
                    let below = x[head].load(SeqCst);
                    let popped = x[0].compare_exchange(head, below, SeqCst, SeqCst);
                    popped.ok()
                };
                let (a, b) = (x.clone(), x.clone());
                threads!(
                    move || {
                        pop(&a);
                    },
                    move || {
                        if pop(&b) == Some(1) && pop(&b) == Some(2) {
                            // Pushes node 1 again: now there is nothing below it.
                            b[1].store(0, SeqCst);
                            let _ = b[0].compare_exchange(0, 1, SeqCst, SeqCst);
                            b[2].store(9, SeqCst);
                        }
                    },
                );
                // Node 2 was freed, so it must not be the head.
                let freed = x[2].load(SeqCst) == 9;
                assert!(!freed || x[0].load(SeqCst) != 2);
            }

            fn lazy_counter() {
                let x = atomics::<1>();
                let all = (0..4).map(|_| {
                    let x = x.clone();
                    Box::new(move || {
                        let seen = x[0].load(SeqCst);
                        if x[0].compare_exchange(seen, seen + 1, SeqCst, SeqCst).is_err() {
                            // It should try again.
                            x[0].store(seen + 1, SeqCst);
                        }
                    }) as Box<dyn FnOnce() + Send>
                });
                run(all.collect());
                assert_eq!(x[0].load(SeqCst), 4);
            }

            fn stale_cache() {
                let x = atomics::<2>();
                x[0].store(1, SeqCst);
                let (a, b) = (x.clone(), x.clone());
                threads!(
                    move || {
                        // Fills the cache from the database.
                        let value = a[0].load(SeqCst);
                        a[1].store(value, SeqCst);
                    },
                    move || {
                        b[0].store(5, SeqCst);
                        // 0 means that nothing is cached.
                        b[1].store(0, SeqCst);
                    },
                );
                let (cached, value) = (x[1].load(SeqCst), x[0].load(SeqCst));
                assert!(cached == 0 || cached == value, "the cache is stale");
            }
        }
    };
}
