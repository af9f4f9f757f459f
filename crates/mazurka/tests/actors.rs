//! Actors: what they do, and how many executions they make.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mazurka::actor::{self, Builder, Down, Me, Pid, Reason};
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::{Algorithm, Check, Verdict, ViolationKind, thread};

const SYSTEMATIC: [Algorithm; 5] = [
    Algorithm::Naive,
    Algorithm::Dpor,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
];

fn run(algorithm: Algorithm, f: impl Fn() + Send + Sync) -> Verdict {
    Check::new().algorithm(algorithm).keep_going(true).allow_idle_receivers(true).run(f)
}

/// Counts the executions of a program without violations.
fn count(algorithm: Algorithm, f: impl Fn() + Send + Sync) -> u64 {
    let verdict = run(algorithm, f);
    assert_eq!(verdict.violations, [], "{algorithm}");
    assert!(verdict.is_complete(), "{algorithm}");
    assert!(algorithm != Algorithm::Optimal || verdict.blocked == 0, "{algorithm}");
    assert!(algorithm != Algorithm::Observers || verdict.blocked == 0, "{algorithm}");
    verdict.executions
}

/// What a program can result in: the same whatever the explorer.
fn outcomes<T>(f: impl Fn(&dyn Fn(T)) + Send + Sync) -> BTreeSet<T>
where
    T: Ord + Clone + Send + std::fmt::Debug,
{
    let mut results = SYSTEMATIC.map(|algorithm| {
        let seen = Mutex::new(BTreeSet::new());
        let put = |outcome: T| {
            seen.lock().unwrap().insert(outcome);
        };
        let verdict = run(algorithm, || f(&put));
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.is_complete(), "{algorithm}");
        seen.into_inner().unwrap()
    });
    for (algorithm, found) in SYSTEMATIC.iter().zip(&results) {
        assert_eq!(*found, results[0], "{algorithm}");
    }
    std::mem::take(&mut results[0])
}

/// Creates an actor that sends, and receives nothing.
fn sender<M: Send + 'static>(to: &Pid<M>, messages: impl IntoIterator<Item = M> + Send + 'static) {
    let to = to.clone();
    actor::spawn(move |_: &Me<()>| messages.into_iter().for_each(|message| to.send(message)));
}

fn not_selective(n: usize) {
    let me = actor::me();
    (0..n).for_each(|i| sender(&me.pid(), [i]));
    let sum: usize = (0..n).map(|_| me.receive()).sum();
    assert_eq!(sum, n * (n - 1) / 2);
}

fn selective(n: usize) {
    let me = actor::me();
    (0..n).for_each(|i| sender(&me.pid(), [i]));
    for i in 0..n {
        assert_eq!(me.receive_if(move |message| *message == i), i);
    }
}

enum Request {
    Acquire(Pid<()>),
    Release,
}

fn lock(n: usize) {
    let lock = actor::spawn_named("lock", |me| {
        loop {
            let worker = me.receive_map(|request| match request {
                Request::Acquire(worker) => Some(worker.clone()),
                Request::Release => None,
            });
            worker.send(());
            me.receive_if(|request| matches!(request, Request::Release));
        }
    });
    for _ in 0..n {
        let lock = lock.clone();
        actor::spawn_named("worker", move |me| {
            lock.send(Request::Acquire(me.pid()));
            me.receive();
            lock.send(Request::Release);
        });
    }
}

/// Section 3.2 of the paper on observers.
fn observed_later() {
    let receiver = actor::spawn(|me| {
        let (_, from) = me.receive_if(|(tag, _)| *tag == 'A');
        if from == 'p' {
            me.receive_if(|(tag, _)| *tag == 'B');
        }
    });
    sender(&receiver, [('B', 'p'), ('A', 'p')]);
    sender(&receiver, [('A', 'q')]);
    sender(&receiver, [('B', 's')]);
}

fn one_receive(n: usize) {
    let receiver = actor::spawn(|me| {
        me.receive();
    });
    (0..n).for_each(|i| sender(&receiver, [i]));
}

fn one_look(n: usize) {
    let receiver = actor::spawn(|me| {
        me.try_receive();
    });
    (0..n).for_each(|i| sender(&receiver, [i]));
}

#[test]
fn without_observers_all_deliveries_are_ordered() {
    let optimal = |f: fn(usize), n| count(Algorithm::Optimal, move || f(n));
    assert_eq!([2, 3, 4].map(|n| optimal(not_selective, n)), [2, 6, 24]);
    assert_eq!([2, 3, 4].map(|n| optimal(selective, n)), [2, 6, 24]);
    assert_eq!([2, 3, 4].map(|n| optimal(lock, n)), [4, 30, 336]);
}

#[test]
fn with_observers_only_those_that_a_receive_decides_between() {
    let observers = |f: fn(usize), n| count(Algorithm::Observers, move || f(n));
    assert_eq!([2, 3, 4].map(|n| observers(not_selective, n)), [2, 6, 24]);
    assert_eq!([2, 3, 4, 8].map(|n| observers(selective, n)), [1, 1, 1, 1]);
    assert_eq!([2, 3, 4].map(|n| observers(lock, n)), [2, 6, 24]);
    assert_eq!([2, 3, 4].map(|n| observers(one_receive, n)), [2, 3, 4]);
    assert_eq!(observers(one_look, 2), 3);
    assert_eq!(count(Algorithm::Observers, observed_later), 3);
}

#[test]
fn the_other_explorers_run_at_least_as_many() {
    for program in
        [|| not_selective(3), || selective(3), || lock(2), || one_look(2), observed_later]
    {
        let optimal = count(Algorithm::Optimal, program);
        assert!(count(Algorithm::Source, program) >= optimal);
        assert!(count(Algorithm::Dpor, program) >= optimal);
        assert!(count(Algorithm::Naive, program) >= optimal);
        assert!(count(Algorithm::Observers, program) <= optimal);
    }
}

#[test]
fn the_order_of_one_sender_is_kept() {
    let found = outcomes(|put| {
        let me = actor::me();
        sender(&me.pid(), [1, 2]);
        sender(&me.pid(), [10]);
        put([me.receive(), me.receive(), me.receive()]);
    });
    assert_eq!(found, BTreeSet::from([[1, 2, 10], [1, 10, 2], [10, 1, 2]]));
}

#[test]
fn a_selective_receive_skips_and_leaves_the_rest_in_order() {
    let found = outcomes(|put| {
        let me = actor::me();
        sender(&me.pid(), [1, 2, 3, 4]);
        let even = me.receive_if(|n| n % 2 == 0);
        let big = me.receive_map(|n| (*n > 2).then(|| n * 100));
        put([even, big, me.receive(), me.receive()]);
    });
    assert_eq!(found, BTreeSet::from([[2, 300, 1, 4]]));
}

#[test]
fn a_time_out_fires_or_not() {
    let found = outcomes(|put| {
        let me = actor::me();
        sender(&me.pid(), [1]);
        put(me.receive_timeout(Duration::from_secs(1)));
    });
    assert_eq!(found, BTreeSet::from([None, Some(1)]));
}

#[test]
fn without_time_nothing_is_found_only_if_there_is_nothing() {
    let found = outcomes(|put| {
        let me = actor::me();
        me.pid().send(1);
        let odd = me.receive_timeout_if(Duration::ZERO, |n| n % 2 == 1);
        let even = me.receive_timeout_if(Duration::ZERO, |n| n % 2 == 0);
        put((odd, even, me.try_receive_map(|n: &u32| Some(*n))));
    });
    assert_eq!(found, BTreeSet::from([(Some(1), None, None)]));
}

#[test]
fn an_endless_time_out_never_fires() {
    let found = outcomes(|put| {
        let me = actor::me();
        sender(&me.pid(), [1]);
        put(me.receive_timeout_map(Duration::MAX, |n| Some(*n)));
    });
    assert_eq!(found, BTreeSet::from([Some(1)]));
}

#[test]
fn a_polling_loop_that_yields_is_finite() {
    let found = outcomes(|put| {
        let me = actor::me();
        sender(&me.pid(), [1]);
        let message = loop {
            match me.try_receive() {
                Some(message) => break message,
                None => thread::yield_now(),
            }
        };
        put(message);
    });
    assert_eq!(found, BTreeSet::from([1]));
}

#[test]
fn messages_to_the_dead_are_lost() {
    for algorithm in SYSTEMATIC {
        let executions = count(algorithm, || {
            let dead = actor::spawn(|_: &Me<String>| {});
            dead.send("hello".to_owned());
            dead.send("anybody?".to_owned());
        });
        assert_eq!(executions, 1);
    }
}

#[test]
fn pids_are_told_apart() {
    fn can_be_a_key<T: Clone + Eq + std::hash::Hash + Send + Sync>(_: &T) {}
    mazurka::check(|| {
        let [a, b] = [(); 2].map(|()| actor::spawn(|_: &Me<u8>| {}));
        can_be_a_key(&a);
        assert!(a == a.clone() && a != b && a.id() != b.id());
        let set: BTreeSet<_> = [&a, &b, &a].map(Pid::id).into();
        assert_eq!(set.len(), 2);
        assert_eq!(format!("{a:?}"), "Pid(1)");
        assert_eq!(actor::me::<u8>().pid(), actor::me().pid());
        assert_eq!(actor::me::<u8>().pid().name().as_deref(), Some("main"));
    });
}

#[test]
fn a_process_has_one_mailbox() {
    let verdict = Check::new().run(|| {
        actor::me::<u8>();
        actor::me::<u16>();
    });
    assert!(verdict.violations[0].message.contains("another type"), "{verdict:?}");
}

#[test]
fn actors_share_memory_with_threads() {
    let found = outcomes(|put| {
        let me = actor::me();
        let shared = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&shared);
        let main = me.pid();
        thread::spawn(move || {
            main.send("ready");
            theirs.store(1, SeqCst);
        });
        let theirs = Arc::clone(&shared);
        let counter = actor::spawn(move |me: &Me<u32>| {
            let n = me.receive();
            theirs.fetch_add(n, SeqCst);
        });
        me.receive();
        counter.send(2);
        put(shared.load(SeqCst));
    });
    assert_eq!(found, BTreeSet::from([0, 1, 2, 3]));
}

#[test]
fn a_monitor_is_told_of_the_end_whenever_it_comes() {
    let found = outcomes(|put| {
        let me = actor::me();
        let worker = actor::spawn_named("worker", |me: &Me<()>| me.receive());
        let other = worker.clone();
        thread::spawn(move || other.send(()));
        me.monitor(&worker, Some);
        let early = me.try_receive();
        let down = early.clone().unwrap_or_else(|| me.receive()).expect("what was sent");
        assert_eq!((down.id, down.name.as_deref()), (worker.id(), Some("worker")));
        assert_eq!(down.reason, Reason::Normal);
        put(early.is_some());
    });
    assert_eq!(found, BTreeSet::from([false, true]));
}

#[test]
fn the_news_of_an_end_comes_after_what_was_sent_before() {
    let found = outcomes(|put| {
        let me = actor::me();
        let main = me.pid();
        let builder = Builder::new().monitored_by(&me, |_: Down| 0);
        builder.spawn(move |_: &Me<()>| [1, 2].into_iter().for_each(|n| main.send(n)));
        sender(&me.pid(), [7]);
        put([(); 4].map(|()| me.receive()));
    });
    let expected = [[1, 2, 0, 7], [1, 2, 7, 0], [1, 7, 2, 0], [7, 1, 2, 0]];
    assert_eq!(found, BTreeSet::from(expected));
}

#[test]
fn between_the_last_message_and_the_end_others_may_act() {
    let found = outcomes(|put| {
        let me = actor::me();
        let main = me.pid();
        let worker = actor::spawn(move |_: &Me<()>| main.send(None));
        assert_eq!(me.receive(), None);
        me.monitor(&worker, Some);
        put(me.try_receive().is_some());
    });
    assert_eq!(found, BTreeSet::from([false, true]));
}

#[test]
fn everybody_is_told_once() {
    let found = outcomes(|put| {
        let me = actor::me();
        let builder = Builder::new().monitored_by(&me, |_: Down| 1).monitored_by(&me, |_| 2);
        let worker = builder.spawn(|me: &Me<()>| me.receive());
        let theirs = worker.clone();
        let other = thread::spawn(move || {
            let me = actor::me();
            me.monitor(&theirs, |down| down.id);
            assert_eq!(me.receive(), theirs.id());
            me.try_receive()
        });
        worker.send(());
        put([me.receive(), me.receive()]);
        assert_eq!(other.join().unwrap(), None);
        assert_eq!(me.try_receive(), None);
    });
    assert_eq!(found, BTreeSet::from([[1, 2]]));
}

#[test]
fn ends_are_ordered_with_each_other() {
    let found = outcomes(|put| {
        let me = actor::me();
        let workers = ["a", "b"].map(|name| {
            let builder = Builder::new().name(name).monitored_by(&me, |down: Down| down.name);
            builder.spawn(|me: &Me<()>| me.receive())
        });
        workers.iter().for_each(|worker| worker.send(()));
        put([me.receive(), me.receive()].map(Option::unwrap));
    });
    let expected = [["a", "b"], ["b", "a"]].map(|names| names.map(str::to_owned));
    assert_eq!(found, BTreeSet::from(expected));
}

#[test]
fn a_panic_is_a_violation_unless_somebody_receives_the_news() {
    let crash = |me: &Me<()>| {
        me.receive();
        panic!("on purpose");
    };
    for algorithm in SYSTEMATIC {
        let nobody = run(algorithm, || actor::spawn_named("worker", crash).send(()));
        assert_eq!(nobody.violations.len(), 1, "{algorithm}");
        assert!(nobody.violations[0].message.contains("'worker' panicked"), "{nobody:?}");

        let received = run(algorithm, || {
            let me = actor::me();
            let worker = Builder::new().monitored_by(&me, |down: Down| down).spawn(crash);
            worker.send(());
            let Reason::Panicked(message) = me.receive().reason else { panic!("it has panicked") };
            assert!(message.contains("on purpose"), "{message}");
        });
        assert_eq!(received.violations, [], "{algorithm}");

        let ignored = run(algorithm, || {
            let me = actor::me();
            Builder::new().monitored_by(&me, |_: Down| ()).spawn(crash).send(());
        });
        assert_eq!(ignored.violations.len(), 1, "{algorithm}");
    }
}

#[test]
fn a_link_takes_others_along() {
    for algorithm in SYSTEMATIC {
        let verdict = run(algorithm, || {
            let me = actor::me();
            let down = |down: Down| down;
            let builder = Builder::new().name("parent").monitored_by(&me, down);
            let parent = builder.spawn(|me: &Me<u8>| {
                let builder = Builder::new().name("child").linked_to(me);
                let child = builder.spawn(|me: &Me<u8>| assert_eq!(me.receive(), 0));
                child.send(1);
                me.receive();
            });
            let down = me.receive();
            let Reason::Panicked(message) = down.reason else { panic!("it has panicked") };
            assert!(message.contains("the linked actor 'child' has panicked"), "{message}");
            parent.send(1);
        });
        assert_eq!(verdict.violations, [], "{algorithm}");

        let later = run(algorithm, || {
            let me = actor::me();
            let child = Builder::new()
                .monitored_by(&me, |down: Down| down)
                .spawn(|me: &Me<()>| me.receive());
            actor::spawn_named("linker", move |me: &Me<u8>| {
                me.link(&child);
                panic!("on purpose");
            });
            let reason = me.receive().reason;
            let Reason::Panicked(message) = reason else { panic!("it is taken along") };
            assert!(message.contains("the linked actor 'linker' has panicked"), "{message}");
        });
        assert_eq!(later.violations, [], "{algorithm}");
    }
}

#[test]
fn names_are_found_once_they_are_given() {
    let found = outcomes(|put| {
        let me = actor::me();
        let main = me.pid();
        thread::spawn(move || actor::register("main", &main).unwrap());
        let other = thread::spawn(|| actor::whereis("main").map(|main| main.send(1)).is_some());
        let is_found = other.join().unwrap();
        put((is_found, me.try_receive()));
    });
    assert_eq!(found, BTreeSet::from([(false, None), (true, Some(1))]));
}

#[test]
fn a_name_belongs_to_one() {
    let found = outcomes(|put| {
        let me = actor::me::<u8>();
        let [a, b] = [(); 2].map(|()| {
            let pid = me.pid();
            thread::spawn(move || actor::register("server", &pid).is_ok())
        });
        put((a.join().unwrap(), b.join().unwrap()));
        actor::unregister("server");
        assert_eq!(actor::whereis::<u8>("server"), None);
        actor::register("server", &me.pid()).unwrap();
    });
    assert_eq!(found, BTreeSet::from([(false, true), (true, false)]));
}

#[test]
fn waiting_for_ever_is_a_deadlock_unless_it_is_allowed() {
    let server = || {
        let server = actor::spawn_named("server", |me: &Me<u8>| {
            loop {
                me.receive_if(|n| *n > 1);
            }
        });
        server.send(1);
    };
    let verdict = Check::new().run(server);
    assert_eq!(verdict.violations[0].kind, ViolationKind::Deadlock);
    let message = &verdict.violations[0].message;
    assert!(message.contains("'server' waits for a message"), "{message}");
    assert!(message.contains("does not want the one that is there"), "{message}");
    let verdict = Check::new().allow_idle_receivers(true).run(server);
    assert_eq!((verdict.executions, verdict.violations.len()), (1, 0));
    // Whoever joins an idle thread is idle too; whoever waits for something else is stuck.
    let joined = || drop(thread::spawn(|| actor::me::<u8>().receive()).join());
    assert_eq!(Check::new().allow_idle_receivers(true).run(joined).violations, []);
    let parked = || {
        actor::spawn(|me: &Me<()>| me.receive());
        thread::park();
    };
    let verdict = Check::new().allow_idle_receivers(true).run(parked);
    assert_eq!(verdict.violations[0].kind, ViolationKind::Deadlock);
    assert!(!verdict.violations[0].message.contains("a message"), "{verdict:?}");
}

#[test]
fn a_pattern_must_not_use_operations() {
    let verdict = Check::new().run(|| {
        let me = actor::me();
        let shared = Arc::new(AtomicU32::new(1));
        sender(&me.pid(), [1]);
        me.receive_if(move |n| *n == shared.load(SeqCst));
    });
    let message = &verdict.violations[0].message;
    assert!(message.contains("'main' panicked") && message.contains("pattern"), "{message}");
}

#[test]
fn a_pattern_that_panics_does_so_in_the_receive() {
    for algorithm in SYSTEMATIC {
        let verdict = run(algorithm, || {
            let me = actor::me();
            sender(&me.pid(), [1]);
            sender(&me.pid(), [2]);
            me.receive_if(|n| {
                assert_ne!(*n, 2, "not this one");
                true
            });
        });
        assert_eq!(verdict.violations.len(), 1, "{algorithm}");
        let message = &verdict.violations[0].message;
        assert!(message.contains("'main' panicked") && message.contains("not this"), "{message}");
    }
}

#[test]
fn what_is_never_received_is_dropped() {
    let token = Arc::new(());
    let inside = Arc::clone(&token);
    let verdict = Check::new().allow_idle_receivers(true).run(move || {
        let idle = actor::spawn(|me: &Me<Arc<()>>| {
            me.receive_if(|_| false);
        });
        actor::register("idle", &idle).unwrap();
        idle.send(Arc::clone(&inside));
        let dead = actor::spawn(|_: &Me<Arc<()>>| {});
        dead.send(Arc::clone(&inside));
        sender(&dead, [Arc::clone(&inside)]);
    });
    assert_eq!(verdict.violations, []);
    assert_eq!(Arc::strong_count(&token), 1);
}

#[test]
fn a_message_to_somebody_of_another_execution_wakes_nobody() {
    static OLD: Mutex<Option<Pid<u32>>> = Mutex::new(None);
    fn waiting() -> Pid<u32> {
        actor::spawn(|me| assert_eq!(me.receive(), 1))
    }
    let verdict = run(Algorithm::Observers, || *OLD.lock().unwrap() = Some(waiting()));
    assert_eq!((verdict.executions, verdict.violations), (1, vec![]));
    let old = OLD.lock().unwrap().take().unwrap();
    let verdict = run(Algorithm::Observers, move || {
        // The same process as the old one, and waiting as that did when its execution was over.
        waiting();
        old.send(1);
    });
    assert_eq!((verdict.executions, verdict.violations), (1, vec![]));
}

#[test]
fn nothing_is_left_in_the_mailboxes_of_the_execution_before() {
    for algorithm in SYSTEMATIC {
        let verdict = run(algorithm, || {
            let me = actor::me::<u32>();
            let other = actor::spawn(|me: &Me<u32>| {
                assert_eq!(me.receive_if(|n| *n > 1), 2);
                assert_eq!(me.try_receive_if(|n| *n > 2), None);
            });
            for n in [1, 2] {
                sender(&other, [n]);
                sender(&me.pid(), [n]);
            }
            me.receive_if(|n| *n == 1);
        });
        assert_eq!(verdict.violations, [], "{algorithm}");
        assert!(verdict.executions > 1, "{algorithm}");
    }
}
