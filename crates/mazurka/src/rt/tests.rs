//! The machine, driven by hand.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};

use mazurka_core::model::{
    Action, Edge, Ending, Machine, Op, Performed, ProcessId, Program, Step, When,
};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::{LineKind, RustMachine, RustProgram, Tuning, replay_recorded};
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use crate::thread;

fn start<'a, F: Fn() + Send + Sync + 'a>(f: F) -> RustMachine<'a> {
    let f: &'a F = Box::leak(Box::new(f));
    RustProgram::new(f, Tuning::default()).start().unwrap()
}

fn enabled(machine: &RustMachine<'_>) -> Vec<usize> {
    let all = (0..machine.processes()).map(ProcessId::new);
    all.filter(|p| machine.is_enabled(*p)).map(ProcessId::index).collect()
}

fn step(machine: &mut RustMachine<'_>, process: usize) -> Result<Performed, Box<Violation>> {
    let mut performed = Performed::default();
    machine.step(Step::of(ProcessId::new(process)), &mut performed)?;
    Ok(performed)
}

/// Steps the first enabled process until there is none.
fn finish(machine: &mut RustMachine<'_>) -> Result<Ending, Box<Violation>> {
    while let Some(process) = enabled(machine).first().copied() {
        step(machine, process)?;
    }
    Ok(machine.ending())
}

fn stuck(ending: Ending) -> Violation {
    match ending {
        Ending::Stuck(violation) => *violation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn creating_and_joining_are_edges_and_not_steps() {
    let mut machine = start(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::clone(&x);
        x.store(1, SeqCst);
        let child = thread::spawn(move || y.store(2, SeqCst));
        child.join().unwrap();
        assert_eq!(x.load(SeqCst), 2);
    });
    assert_eq!(enabled(&machine), [0]);
    let first = step(&mut machine, 0).unwrap();
    assert_eq!(first.edges, [Edge { from: ProcessId::MAIN, to: ProcessId::new(1) }]);
    assert_eq!(first.actions.len(), 1);
    // The main one waits for an edge now.
    assert_eq!(enabled(&machine), [1]);
    assert_eq!(machine.next(ProcessId::MAIN), None);
    let second = step(&mut machine, 1).unwrap();
    assert_eq!(second.edges, [Edge { from: ProcessId::new(1), to: ProcessId::MAIN }]);
    assert_eq!((second.actions[0].before, second.actions[0].after), (1, 2));
    assert_eq!(machine.next(ProcessId::MAIN).unwrap().op, Op::Read);
    step(&mut machine, 0).unwrap();
    assert_eq!(machine.ending(), Ending::Finished);
}

#[test]
fn ids_do_not_depend_on_the_schedule() {
    let mut machine = start(|| {
        let flag = Arc::new(AtomicBool::new(false));
        for _ in 0..2 {
            let flag = Arc::clone(&flag);
            thread::spawn(move || {
                flag.load(SeqCst);
                thread::spawn(move || flag.store(true, SeqCst));
            });
        }
    });
    step(&mut machine, 1).unwrap();
    step(&mut machine, 2).unwrap();
    assert_eq!(enabled(&machine), [3, 4]);
    machine.rewind(0).unwrap();
    step(&mut machine, 2).unwrap();
    // The child of the second one keeps its number.
    assert_eq!(enabled(&machine), [1, 4]);
}

#[test]
fn statics_start_afresh_in_every_execution() {
    static COUNTER: AtomicUsize = AtomicUsize::new(7);
    let mut machine = start(|| {
        assert_eq!(COUNTER.fetch_add(1, SeqCst), 7);
        assert_eq!(COUNTER.load(SeqCst), 8);
    });
    for _ in 0..3 {
        assert_eq!(finish(&mut machine), Ok(Ending::Finished));
        machine.rewind(0).unwrap();
    }
}

#[test]
fn two_checks_may_use_one_static_at_once() {
    static COUNTER: AtomicUsize = AtomicUsize::new(0);
    let body = || {
        for expected in 0..3 {
            assert_eq!(COUNTER.fetch_add(1, SeqCst), expected);
        }
    };
    let mut first = start(body);
    let mut second = start(body);
    for _ in 0..3 {
        step(&mut first, 0).unwrap();
        step(&mut second, 0).unwrap();
    }
    assert_eq!(first.ending(), Ending::Finished);
    assert_eq!(second.ending(), Ending::Finished);
}

#[test]
fn a_step_that_is_impossible_is_an_error() {
    let mut machine = start(|| AtomicUsize::new(0).store(1, SeqCst));
    assert!(step(&mut machine, 5).is_err());
    step(&mut machine, 0).unwrap();
    let error = step(&mut machine, 0).unwrap_err();
    assert_eq!(error.kind, ViolationKind::Nondeterminism);
    assert!(error.message.contains("has ended"), "{}", error.message);
}

#[test]
fn a_program_that_changes_its_mind_is_told_apart() {
    let calls = StdUsize::new(0);
    let mut machine = start(|| {
        let x = AtomicUsize::new(0);
        x.store(1, SeqCst);
        match calls.fetch_add(1, Relaxed) {
            0 => x.store(2, SeqCst),
            _ => drop(x.load(SeqCst)),
        }
        x.store(3, SeqCst);
    });
    for _ in 0..3 {
        step(&mut machine, 0).unwrap();
    }
    let error = machine.rewind(2).unwrap_err();
    assert_eq!(error.kind, ViolationKind::Nondeterminism);
    let (before, after) = error.message.split_once("and now").unwrap();
    assert!(before.contains("'main'  store of object 0"), "{}", error.message);
    assert!(after.contains("'main'  load of object 0"), "{}", error.message);
    assert!(after.contains("HashMap"), "{}", error.message);
}

#[test]
fn a_failed_assertion_is_told_with_its_place() {
    let mut machine = start(|| {
        let x = AtomicUsize::new(0);
        assert_eq!(x.load(SeqCst), 1, "x is wrong");
    });
    let error = step(&mut machine, 0).unwrap_err();
    assert_eq!(error.kind, ViolationKind::Panic);
    assert!(error.message.starts_with("thread 'main' panicked at "), "{}", error.message);
    assert!(error.message.contains("tests.rs"), "{}", error.message);
    assert!(error.message.contains("x is wrong"), "{}", error.message);
    machine.rewind(0).unwrap();
    assert!(step(&mut machine, 0).is_err());
}

#[test]
fn a_childs_panic_goes_to_who_joins() {
    let mut machine = start(|| {
        let child = thread::spawn(|| {
            AtomicUsize::new(0).load(SeqCst);
            panic!("the child's fault");
        });
        let payload = child.join().unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"the child's fault"));
    });
    assert_eq!(finish(&mut machine), Ok(Ending::Finished));
}

#[test]
fn a_panic_that_follows_from_a_childs_names_that() {
    let mut machine = start(|| {
        let child = thread::spawn(|| {
            AtomicUsize::new(0).load(SeqCst);
            panic!("the child's fault");
        });
        child.join().unwrap();
    });
    let error = finish(&mut machine).unwrap_err();
    assert!(error.message.contains("'main' panicked"), "{}", error.message);
    assert!(error.message.contains("the child's fault"), "{}", error.message);
}

#[test]
fn a_panic_that_nobody_can_learn_of_is_a_violation() {
    // The handle is gone before the panic.
    let mut machine = start(|| {
        drop(thread::spawn(|| {
            AtomicUsize::new(0).load(SeqCst);
            panic!("unheard");
        }));
    });
    assert!(finish(&mut machine).unwrap_err().message.contains("unheard"));
    // The handle goes after it.
    let mut machine = start(|| {
        let child = thread::spawn(|| {
            AtomicUsize::new(0).load(SeqCst);
            panic!("unheard");
        });
        AtomicUsize::new(0).load(SeqCst);
        drop(child);
        AtomicUsize::new(0).load(SeqCst);
    });
    step(&mut machine, 1).unwrap();
    assert!(step(&mut machine, 0).unwrap_err().message.contains("unheard"));
    assert_eq!(enabled(&machine), [0], "the main thread goes on");
    // The handle stays for ever.
    let mut machine = start(|| {
        std::mem::forget(thread::spawn(|| {
            AtomicUsize::new(0).load(SeqCst);
            panic!("unheard");
        }));
    });
    let violation = stuck(finish(&mut machine).unwrap());
    assert_eq!(violation.kind, ViolationKind::Panic);
}

fn deadlock() {
    let a = Arc::new(Mutex::new(0).with_label("a"));
    let b = Arc::new(Mutex::new(0).with_label("b"));
    let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
    let child = thread::Builder::new().name("other".into()).spawn(move || {
        let _b = b2.lock().unwrap();
        let _a = a2.lock().unwrap();
    });
    let guard = a.lock().unwrap();
    drop(b.lock().unwrap());
    drop(guard);
    child.unwrap().join().unwrap();
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let mut machine = start(deadlock);
    step(&mut machine, 0).unwrap();
    step(&mut machine, 1).unwrap();
    assert!(enabled(&machine).is_empty());
    let violation = stuck(machine.ending());
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    let message = &violation.message;
    assert!(message.contains("'main' waits for lock `b` ("), "{message}");
    assert!(message.contains("held by 'other' since "), "{message}");
    assert!(message.contains("'other' waits for lock `a` ("), "{message}");
    // It is torn down, and can be run again another way.
    machine.rewind(1).unwrap();
    assert_eq!(finish(&mut machine), Ok(Ending::Finished));
}

#[test]
fn a_lock_is_a_waiting_update() {
    let mut machine = start(|| {
        let lock = Mutex::new(());
        drop(lock.lock());
    });
    let next = *machine.next(ProcessId::MAIN).unwrap();
    assert_eq!((next.op, next.when, next.waits), (Op::Update, When::Equals(0), true));
    let done = step(&mut machine, 0).unwrap();
    assert_eq!(done.actions, [next.performed(0, 1)]);
    let next = *machine.next(ProcessId::MAIN).unwrap();
    let done = step(&mut machine, 0).unwrap();
    assert_eq!((next.op, done.actions[0]), (Op::Write, next.performed(1, 0)));
}

#[test]
fn a_panic_poisons_the_mutex_that_it_leaves() {
    let mut machine = start(|| {
        let lock = Arc::new(Mutex::new(1));
        let theirs = Arc::clone(&lock);
        let child = thread::spawn(move || {
            let mut guard = theirs.lock().unwrap();
            *guard = 2;
            panic!("with the lock held");
        });
        assert!(child.join().is_err());
        let guard = lock.lock().unwrap_err().into_inner();
        assert_eq!(*guard, 2);
        drop(guard);
        assert!(lock.is_poisoned());
        lock.clear_poison();
        assert!(lock.lock().is_ok());
    });
    assert_eq!(finish(&mut machine), Ok(Ending::Finished));
}

#[test]
fn another_thread_can_panic_while_one_unwinds() {
    struct StoresWhenDropped(Arc<AtomicUsize>);
    impl Drop for StoresWhenDropped {
        fn drop(&mut self) {
            assert!(thread::panicking());
            self.0.store(1, SeqCst);
            self.0.store(2, SeqCst);
        }
    }
    let mut machine = start(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let children: Vec<_> = (0..2)
            .map(|_| {
                let x = Arc::clone(&x);
                thread::spawn(move || {
                    let _store = StoresWhenDropped(x.clone());
                    x.load(SeqCst);
                    panic!("one of two");
                })
            })
            .collect();
        x.load(SeqCst);
        assert!(!thread::panicking());
        for child in children {
            assert!(child.join().is_err());
        }
    });
    // Both unwind at once, step by step in turns, and so does the main one not.
    for process in [1, 2, 0, 1, 2, 2, 1] {
        step(&mut machine, process).unwrap();
    }
    assert_eq!(machine.ending(), Ending::Finished);
    assert!(!std::thread::panicking());
    // Torn down in the middle.
    machine.rewind(3).unwrap();
    machine.rewind(0).unwrap();
    assert!(!std::thread::panicking());
}

#[test]
fn a_second_panic_in_a_destructor_does_not_abort() {
    struct PanicsWhenDropped;
    impl Drop for PanicsWhenDropped {
        fn drop(&mut self) {
            panic!("the second");
        }
    }
    let mut machine = start(|| {
        let _bomb = PanicsWhenDropped;
        AtomicUsize::new(0).load(SeqCst);
        panic!("the first");
    });
    let error = step(&mut machine, 0).unwrap_err();
    assert!(error.message.contains("already unwinding"), "{}", error.message);
    machine.rewind(0).unwrap();
    drop(machine);
    assert!(!std::thread::panicking(), "nothing of that is left");
    // And panics work as before.
    assert!(std::panic::catch_unwind(|| panic!("an ordinary one")).is_err());
}

#[test]
fn destructors_may_do_anything_in_a_teardown() {
    struct Busy {
        lock: Arc<Mutex<i32>>,
        flag: Arc<AtomicBool>,
        child: Option<thread::JoinHandle<()>>,
    }
    impl Drop for Busy {
        fn drop(&mut self) {
            self.flag.store(true, SeqCst);
            *self.lock.lock().unwrap() += 1;
            thread::spawn(|| ());
            while !self.flag.load(SeqCst) {
                thread::yield_now();
            }
            if let Some(child) = self.child.take() {
                child.join().unwrap();
            }
        }
    }
    let mut machine = start(|| {
        let lock = Arc::new(Mutex::new(0));
        let flag = Arc::new(AtomicBool::new(false));
        let held = Arc::clone(&lock);
        let waits = Arc::clone(&flag);
        let child = thread::spawn(move || {
            let _guard = held.lock().unwrap();
            while !waits.load(SeqCst) {
                thread::yield_now();
            }
        });
        let _busy = Busy { lock: lock.clone(), flag, child: Some(child) };
        let guard = lock.lock();
        let again = lock.lock();
        drop((guard, again));
    });
    for _ in 0..3 {
        for prefix in [0, 1] {
            step(&mut machine, prefix).unwrap();
            machine.rewind(0).unwrap();
        }
    }
    drop(machine);
    assert!(!std::thread::panicking());
}

#[test]
fn catching_everything_does_not_stop_a_teardown() {
    let mut machine = start(|| {
        let x = AtomicUsize::new(0);
        loop {
            let _ = std::panic::catch_unwind(AssertUnwindSafe(|| x.load(SeqCst)));
        }
    });
    step(&mut machine, 0).unwrap();
    machine.rewind(0).unwrap();
    step(&mut machine, 0).unwrap();
}

#[test]
fn a_spin_loop_waits_for_a_change() {
    let mut machine = start(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&flag);
        thread::spawn(move || theirs.store(true, SeqCst));
        while !flag.load(SeqCst) {
            thread::yield_now();
        }
    });
    step(&mut machine, 0).unwrap();
    assert_eq!(enabled(&machine), [1], "nothing has changed yet");
    step(&mut machine, 1).unwrap();
    assert_eq!(enabled(&machine), [0]);
    let done = step(&mut machine, 0).unwrap();
    let guard = Action::new(Op::Read, done.actions[0].on).when(When::Differs(0)).guarding();
    assert_eq!(done.actions[1..], [guard.performed(1, 1)]);
    assert_eq!(machine.ending(), Ending::Finished);
}

#[test]
fn to_spin_for_ever_is_a_livelock() {
    let mut machine = start(|| {
        let flag = AtomicBool::new(false).with_label("never");
        thread::scope(|s| {
            s.spawn(|| {
                while !flag.load(SeqCst) {
                    crate::hint::spin_loop();
                }
            });
        });
    });
    let violation = stuck(finish(&mut machine).unwrap());
    assert_eq!(violation.kind, ViolationKind::Livelock, "{violation}");
    assert!(violation.message.contains("`never`"), "{violation}");
}

#[test]
fn an_assumption_stops_its_thread_only() {
    let reached = StdUsize::new(0);
    let mut machine = start(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&x);
        thread::spawn(move || theirs.store(1, SeqCst));
        crate::assume(x.load(SeqCst) == 1);
        reached.fetch_add(1, Relaxed);
    });
    step(&mut machine, 0).unwrap();
    step(&mut machine, 1).unwrap();
    assert_eq!(machine.ending(), Ending::AssumptionFailed);
    machine.rewind(0).unwrap();
    step(&mut machine, 1).unwrap();
    assert_eq!(finish(&mut machine), Ok(Ending::Finished));
    assert_eq!(reached.load(Relaxed), 1);
}

#[test]
fn sixty_four_threads_are_fine() {
    let mut machine = start(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..100)
            .map(|_| {
                let x = Arc::clone(&x);
                thread::spawn(move || x.fetch_add(1, SeqCst))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(x.load(SeqCst), 100);
    });
    assert_eq!(finish(&mut machine), Ok(Ending::Finished));
}

#[test]
fn a_recording_tells_the_execution_in_the_users_words() {
    let main = || {
        let x = Arc::new(AtomicUsize::new(3).with_label("x"));
        let theirs = Arc::clone(&x);
        let child = thread::Builder::new()
            .name("adder".into())
            .spawn(move || theirs.fetch_add(1, SeqCst))
            .unwrap();
        x.compare_exchange(3, 9, SeqCst, SeqCst).ok();
        child.join().unwrap();
    };
    let program = RustProgram::new(&main, Tuning::default());
    let recording = replay_recorded(&program, &"1-0".parse().unwrap());
    let lines: Vec<_> =
        recording.lines.iter().map(|l| (l.kind == LineKind::Operation, l.text.as_str())).collect();
    assert_eq!(
        lines,
        [
            (false, "spawn('adder')"),
            (true, "x.fetch_add(1) → 3"),
            (false, "end"),
            (true, "x.compare_exchange(3, 9) → Err(4)"),
            (false, "join('adder')"),
            (false, "end"),
        ]
    );
    assert_eq!(recording.names, ["'main'", "'adder'"]);
    assert_eq!(recording.violation, None);
    let mut places = recording.lines.iter().filter_map(|line| line.place.as_ref());
    assert!(places.all(|place| place.file.ends_with("tests.rs")));
}

#[test]
fn scoped_threads_may_borrow() {
    let seen = StdMutex::new(Vec::new());
    let mut machine = start(|| {
        let x = AtomicUsize::new(0);
        let local = 5;
        let sum = thread::scope(|s| {
            let a = s.spawn(|| x.fetch_add(local, SeqCst));
            s.spawn(|| x.fetch_add(1, SeqCst));
            a.join().unwrap()
        });
        seen.lock().unwrap().push((sum, x.into_inner()));
    });
    finish(&mut machine).unwrap();
    machine.rewind(0).unwrap();
    step(&mut machine, 2).unwrap();
    finish(&mut machine).unwrap();
    // Torn down in the middle of the scope, as if the execution did not end by itself.
    machine.rewind(1).unwrap();
    machine.runtime_mut().never_ends = true;
    drop(machine);
    assert_eq!(*seen.lock().unwrap(), [(0, 6), (1, 6)]);
}

#[test]
fn thread_locals_are_dropped_when_their_thread_ends() {
    struct Logs(&'static AtomicUsize);
    impl Drop for Logs {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    static DROPS: AtomicUsize = AtomicUsize::new(0);
    crate::thread_local! {
        static KEY: Logs = Logs(&DROPS);
    }
    let mut machine = start(|| {
        let child = thread::spawn(|| KEY.with(|_| ()));
        child.join().unwrap();
        assert_eq!(DROPS.load(SeqCst), 1);
    });
    assert_eq!(finish(&mut machine), Ok(Ending::Finished));
}

/// `cargo test --release -p mazurka --lib -- --ignored --nocapture rate`
#[test]
#[ignore = "measures, and asserts nothing"]
fn rate_of_executions() {
    let mut machine = start(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let spawn = |i| {
            let x = Arc::clone(&x);
            thread::spawn(move || x.store(i, SeqCst))
        };
        let threads = [spawn(0), spawn(1), spawn(2)];
        for thread in threads {
            thread.join().unwrap();
        }
    });
    let mut performed = Performed::default();
    let begin = std::time::Instant::now();
    const ROUNDS: u32 = 1_000_000;
    for _ in 0..ROUNDS {
        machine.rewind(0).unwrap();
        for process in 1..=3 {
            performed.clear();
            machine.step(Step::of(ProcessId::new(process)), &mut performed).unwrap();
        }
    }
    println!("{:.0} executions per second", f64::from(ROUNDS) / begin.elapsed().as_secs_f64());
}

#[test]
fn what_a_destructor_does_in_a_teardown_is_no_step_to_be_taken_again() {
    /// Stores when it is dropped.
    struct Storing(Arc<AtomicUsize>);
    impl Drop for Storing {
        fn drop(&mut self) {
            self.0.store(1, SeqCst);
        }
    }
    let mut machine = start(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let storing = || Storing(Arc::clone(&x));
        drop(storing());
        let _at_the_end = storing();
        x.load(SeqCst);
        x.load(SeqCst);
    });
    for _ in 0..2 {
        step(&mut machine, 0).unwrap();
    }
    // The teardown drops the second one in the very place in which the first step was taken.
    machine.rewind(1).unwrap();
    let performed = step(&mut machine, 0).unwrap();
    assert_eq!(performed.actions[0].op, Op::Read);
    assert_eq!(finish(&mut machine), Ok(Ending::Finished));
    assert_eq!(machine.len(), 4);
}
