//! Programs that fail, to see what a report looks like.
//!
//! `cargo run -p mazurka --example failing -- lost-update`; without a name it lists them.

use std::process::ExitCode;
use std::sync::Arc;

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka::sync::{Condvar, Mutex};
use mazurka::{Check, thread};

const PROGRAMS: [(&str, fn()); 13] = [
    ("lost-update", lost_update),
    ("deadlock", deadlock),
    ("data-race", data_race),
    ("missed-wake-up", missed_wake_up),
    ("livelock", livelock),
    ("philosophers", philosophers),
    ("long", long),
    ("many-threads", many_threads),
    ("nondeterministic", nondeterministic),
    ("panic-in-child", panic_in_child),
    ("at-once", at_once),
    ("several", several),
    ("bounded", bounded),
];

fn main() -> ExitCode {
    let asked = std::env::args().nth(1);
    match PROGRAMS.iter().find(|(name, _)| Some(*name) == asked.as_deref()) {
        Some((_, program)) => {
            program();
            ExitCode::SUCCESS
        }
        None => {
            let names: Vec<_> = PROGRAMS.iter().map(|(name, _)| *name).collect();
            eprintln!("which one? {}", names.join(", "));
            ExitCode::from(2)
        }
    }
}

fn named(name: &str, body: impl FnOnce() + Send + 'static) -> thread::JoinHandle<()> {
    thread::Builder::new().name(name.to_owned()).spawn(body).unwrap()
}

fn lost_update() {
    mazurka::check(|| {
        let counter = Arc::new(AtomicUsize::new(0));
        let threads = ["first", "second"].map(|name| {
            let counter = Arc::clone(&counter);
            named(name, move || {
                let seen = counter.load(SeqCst);
                counter.store(seen + 1, SeqCst);
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(counter.load(SeqCst), 2);
    });
}

fn deadlock() {
    mazurka::check(|| {
        let accounts = Arc::new(Mutex::new([100, 200]));
        let journal = Arc::new(Mutex::new(Vec::new()));
        let (theirs, log) = (Arc::clone(&accounts), Arc::clone(&journal));
        let transfer = named("transfer", move || {
            let mut accounts = theirs.lock().unwrap();
            accounts[0] -= 10;
            accounts[1] += 10;
            log.lock().unwrap().push("transfer");
        });
        let audit = named("audit", move || {
            let journal = journal.lock().unwrap();
            let sum: i32 = accounts.lock().unwrap().iter().sum();
            assert_eq!(sum, 300, "after {} entries", journal.len());
        });
        transfer.join().unwrap();
        audit.join().unwrap();
    });
}

struct Shared(UnsafeCell<u32>);
// SAFETY: not safe at all, which is what the check finds out.
unsafe impl Sync for Shared {}

fn data_race() {
    mazurka::check(|| {
        let ready = Arc::new(AtomicBool::new(false));
        let parcel = Arc::new(Shared(UnsafeCell::new(0)));
        let (flag, theirs) = (Arc::clone(&ready), Arc::clone(&parcel));
        let producer = named("producer", move || {
            flag.store(true, SeqCst); // too early
            // SAFETY: none, but only one thread runs at a time.
            theirs.0.with_mut(|parcel| unsafe { *parcel = 42 });
        });
        if ready.load(SeqCst) {
            // SAFETY: as above.
            parcel.0.with(|parcel| unsafe { assert!(*parcel == 42 || *parcel == 0) });
        }
        producer.join().unwrap();
    });
}

fn missed_wake_up() {
    mazurka::check(|| {
        let ready = Arc::new(AtomicBool::new(false));
        let gate = Arc::new((Mutex::new(()), Condvar::new()));
        let (flag, theirs) = (Arc::clone(&ready), Arc::clone(&gate));
        let waiter = named("waiter", move || {
            let guard = theirs.0.lock().unwrap();
            if !flag.load(SeqCst) {
                drop(theirs.1.wait(guard).unwrap());
            }
        });
        ready.store(true, SeqCst); // without the lock
        gate.1.notify_one();
        waiter.join().unwrap();
    });
}

fn livelock() {
    mazurka::check(|| {
        let turn = Arc::new(AtomicUsize::new(0));
        let threads = ["odd", "even"].map(|name| {
            let turn = Arc::clone(&turn);
            named(name, move || {
                while turn.load(SeqCst) == 0 {
                    mazurka::hint::spin_loop();
                }
                turn.store(0, SeqCst);
            })
        });
        turn.store(1, SeqCst);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

fn philosophers() {
    mazurka::check(|| {
        let forks: Arc<Vec<_>> =
            Arc::new((0..3).map(|_| Mutex::new(()).with_label("fork")).collect());
        for left in 0..3 {
            let forks = Arc::clone(&forks);
            thread::spawn(move || {
                let _left = forks[left].lock().unwrap();
                let _right = forks[(left + 1) % 3].lock().unwrap();
            });
        }
    });
}

fn long() {
    mazurka::check(|| {
        let counter = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&counter);
        let worker = named("worker", move || {
            for _ in 0..100 {
                let seen = theirs.load(SeqCst);
                theirs.store(seen + 1, SeqCst);
            }
        });
        for _ in 0..50 {
            counter.fetch_add(1, SeqCst);
        }
        worker.join().unwrap();
        assert_eq!(counter.load(SeqCst), 150);
    });
}

fn many_threads() {
    mazurka::check(|| {
        let counter = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..12)
            .map(|n| {
                let counter = Arc::clone(&counter);
                named(&format!("worker-{n}"), move || {
                    counter.compare_exchange(n, n + 1, SeqCst, SeqCst).ok();
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(counter.load(SeqCst), 12);
    });
}

fn nondeterministic() {
    let runs = std::sync::atomic::AtomicUsize::new(0);
    mazurka::check(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&flag);
        flag.load(SeqCst);
        if runs.fetch_add(1, SeqCst).is_multiple_of(2) {
            flag.store(false, SeqCst);
        } else {
            flag.swap(false, SeqCst);
        }
        let child = named("child", move || theirs.store(true, SeqCst));
        flag.load(SeqCst);
        child.join().unwrap();
    });
}

fn panic_in_child() {
    mazurka::check(|| {
        let slot = Arc::new(Mutex::new(None));
        let theirs = Arc::clone(&slot);
        let reader = named("reader", move || {
            let value: u32 = theirs.lock().unwrap().expect("nothing there yet");
            assert_eq!(value, 1);
        });
        *slot.lock().unwrap() = Some(1);
        reader.join().unwrap();
    });
}

fn at_once() {
    mazurka::check(|| panic!("before any operation"));
}

fn several() {
    Check::new().keep_going(true).check(|| {
        let x = AtomicUsize::new(0);
        let n = mazurka::choose(4);
        x.store(n, SeqCst);
        assert!(x.load(SeqCst).is_multiple_of(2), "{n} is odd");
    });
}

fn bounded() {
    Check::new().max_executions(1_000).check(|| {
        for _ in 0..4 {
            mazurka::choose(10);
        }
    });
}
