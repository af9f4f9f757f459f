//! What a failing check says, from end to end.

use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use mazurka::sync::{Condvar, Mutex};
use mazurka::{Check, Report, ViolationKind, thread};

fn lost_update() {
    let counter = Arc::new(AtomicUsize::new(0));
    let threads = ["first", "second"].map(|name| {
        let counter = Arc::clone(&counter);
        let body = move || counter.store(counter.load(SeqCst) + 1, SeqCst);
        thread::Builder::new().name(name.to_owned()).spawn(body).unwrap()
    });
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(counter.load(SeqCst), 2);
}

fn report(body: impl Fn() + Send + Sync) -> Report {
    // An explanation must not depend on the speed of the machine.
    let (verdict, mut reports) = Check::new().explain(Duration::from_secs(60)).report(body);
    assert_eq!((verdict.violations.len(), reports.len()), (1, 1));
    reports.remove(0)
}

#[test]
fn objects_and_threads_have_the_names_that_the_source_gives_them() {
    let text = report(lost_update).to_string();
    for expected in [
        "thread 'main' panicked at",
        "  left: 1\n right: 2\n",
        "main                  first                 second\n",
        "◆ counter.load() → 0",
        "◆ counter.store(1)",
        "✗ panic",
        "\nTo see it again:\n  MAZURKA_REPLAY=1-2x2-1-0 ",
    ] {
        assert!(text.contains(expected), "no \"{expected}\" in\n{text}");
    }
}

#[test]
fn a_check_panics_with_the_plain_report() {
    let payload = catch_unwind(|| mazurka::check(lost_update)).unwrap_err();
    let text = payload.downcast_ref::<String>().unwrap();
    assert!(text.starts_with("Mazurka found a panic after 2 executions:\n"), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn a_report_can_be_replayed() {
    let found = report(lost_update);
    let schedule = found.schedule().to_string();
    let (_, again) = Check::new().replay(&schedule).report(lost_update);
    assert!(again[0].to_string().starts_with("Mazurka replayed a schedule, and found a panic:"));
    assert_eq!(again[0].violation().unwrap().message, found.violation().unwrap().message);
    let (verdict, other) = Check::new().replay("1x2-2x2-0").report(lost_update);
    assert!(verdict.violations.is_empty() && other[0].violation().is_none());
    assert!(other[0].to_string().contains("of 5 steps: it does not fail"), "{}", other[0]);
    let (_, misfit) = Check::new().replay("1x2-1").report(lost_update);
    let text = misfit[0].to_string();
    assert!(text.contains("Its step 3 of 3 is `1`, but 'first' has ended."), "{text}");
}

#[test]
fn a_deadlock_is_laid_out() {
    let report = report(|| {
        let (left, right) = (Mutex::new(0), Mutex::new(0));
        thread::scope(|s| {
            s.spawn(|| *left.lock().unwrap() += *right.lock().unwrap());
            s.spawn(|| *right.lock().unwrap() += *left.lock().unwrap());
        });
    });
    assert_eq!(report.violation().unwrap().kind, ViolationKind::Deadlock);
    let text = report.to_string();
    for expected in [
        "  'thread 1' waits for lock `left` (Mutex created at ",
        "      held by  'thread 2' since ",
        "✗ waits at lock(right)",
        "✗ waits at lock(left)",
    ] {
        assert!(text.contains(expected), "no \"{expected}\" in\n{text}");
    }
}

struct Shared(UnsafeCell<u32>);
// SAFETY: not safe at all, which is the point.
unsafe impl Sync for Shared {}

#[test]
fn a_data_race_shows_both_accesses_whether_or_not_the_check_goes_on() {
    for keep_going in [false, true] {
        let (_, reports) = Check::new().keep_going(keep_going).report(|| {
            let cell = Shared(UnsafeCell::new(0));
            let cell = &cell;
            let after = AtomicUsize::new(0);
            thread::scope(|s| {
                // SAFETY: none; but only one thread runs at a time.
                s.spawn(move || cell.0.with_mut(|x| unsafe { *x += 1 }));
                // SAFETY: as above.
                cell.0.with(|x| unsafe { *x });
            });
            after.store(1, SeqCst);
        });
        let text = reports[0].to_string();
        for expected in [
            "  the memory     `cell` (UnsafeCell created at ",
            "  first access   '",
            "  second access  '",
            "✗ read(cell)",
            "✗ write(cell)",
        ] {
            assert!(text.contains(expected), "no \"{expected}\" in\n{text}");
        }
        assert!(!text.contains("after.store"), "{text}");
    }
}

/// Returns the explanation of the violation that a closure leads to, and checks that a replay of the
/// schedule of the report leads to the same violation.
fn explanation(body: impl Fn() + Send + Sync) -> String {
    let found = report(&body);
    let explanation = found.explanation().expect("it is explained");
    assert_eq!(explanation.schedule, *found.schedule());
    let why = explanation.text();
    assert!(found.to_string().contains(why.split_whitespace().next().unwrap()), "{found}");
    let (verdict, _) = Check::new().replay(&found.schedule().to_string()).report(&body);
    assert_eq!(verdict.violations[0].kind, found.violation().unwrap().kind);
    if let Some(passing) = &explanation.passing {
        let (verdict, _) = Check::new().replay(&passing.to_string()).report(&body);
        assert_eq!(verdict.violations, []);
    }
    why
}

#[test]
fn a_violation_is_explained_by_the_orders_that_decide() {
    let why = explanation(lost_update);
    assert!(why.contains("It fails because `counter.load() → 0` (step "), "{why}");
    assert!(why.contains("comes before `counter.store(1)` (step "), "{why}");
    let (_, reports) = Check::new().explain(Duration::ZERO).report(lost_update);
    assert!(reports[0].explanation().is_none());
}

#[test]
fn a_deadlock_is_explained_by_its_cycle() {
    let why = explanation(|| {
        let (left, right) = (Mutex::new(0), Mutex::new(0));
        thread::scope(|s| {
            s.spawn(|| *left.lock().unwrap() += *right.lock().unwrap());
            s.spawn(|| *right.lock().unwrap() += *left.lock().unwrap());
        });
    });
    assert!(
        why.contains("The threads wait in a cycle: 'thread 1' waits for what 'thread 2'"),
        "{why}"
    );
}

#[test]
fn a_lost_wake_up_is_explained_by_the_notification_that_came_too_early() {
    let why = explanation(|| {
        let (lock, ready) = (Mutex::new(()), Condvar::new());
        thread::scope(|s| {
            s.spawn(|| drop(ready.wait(lock.lock().unwrap())));
            s.spawn(|| ready.notify_one());
        });
    });
    assert!(why.contains("The notification `notify_one(ready) → nobody` (step "), "{why}");
    assert!(why.contains("so no thread received it."), "{why}");
}

#[test]
fn a_data_race_is_explained_by_what_is_missing() {
    let why = explanation(|| {
        let cell = Shared(UnsafeCell::new(0));
        let cell = &cell;
        thread::scope(|s| {
            // SAFETY: none; but only one thread runs at a time.
            s.spawn(move || cell.0.with_mut(|x| unsafe { *x += 1 }));
            // SAFETY: as above.
            cell.0.with(|x| unsafe { *x });
        });
    });
    assert!(why.contains("Nothing orders "), "{why}");
    assert!(why.contains("no lock, join or message leads from the first to the second"), "{why}");
}

/// A thread sets `data` and then `flag`, but the other one may see these stores in another order.
fn message_passing() {
    let (data, flag) = (&AtomicUsize::new(0), &AtomicUsize::new(0));
    thread::scope(|s| {
        s.spawn(|| {
            data.store(1, Relaxed);
            flag.store(1, Relaxed);
        });
        s.spawn(|| {
            if flag.load(Relaxed) == 1 {
                assert_eq!(data.load(Relaxed), 1);
            }
        });
    });
}

#[test]
fn under_a_memory_model_the_reads_that_decide_are_named() {
    let why = explanation(message_passing);
    for part in [
        "It fails because `flag.load() → 1` (step ",
        " reads `flag.store(1)` (step ",
        ", and not the initial value; and `data.load() → 0` (step ",
        " reads the initial value, and not `data.store(1)` (step ",
        "If a single one of these choices is different, it passes.",
    ] {
        assert!(why.contains(part), "no `{part}` in {why}");
    }
    let report = report(message_passing);
    let explanation = report.explanation().unwrap();
    let [flag, data] = explanation.reads[..] else { panic!("{explanation:?}") };
    assert!(flag.reads_from.is_some() && flag.instead.is_none(), "{explanation:?}");
    assert!(data.reads_from.is_none() && data.instead.is_some(), "{explanation:?}");
    assert!(!explanation.together && explanation.orders.is_empty(), "{explanation:?}");
    let json = report.to_json();
    let member = format!(
        r#""orders":[],"reads":[{{"step":{},"from":{},"instead":0}},{{"step":{},"from":0,"instead":{}}}]"#,
        flag.read + 1,
        flag.reads_from.unwrap() + 1,
        data.read + 1,
        data.instead.unwrap() + 1
    );
    assert!(json.contains(&member), "no {member} in {json}");
}

#[test]
fn under_a_memory_model_orders_of_stores_and_of_locks_decide() {
    let why = explanation(|| {
        let x = &AtomicUsize::new(0);
        thread::scope(|s| {
            s.spawn(|| x.store(1, Relaxed));
            s.spawn(|| x.store(2, Relaxed));
        });
        assert_eq!(x.load(Relaxed), 1);
    });
    assert!(why.contains("`x.store(1)` (step "), "{why}");
    assert!(why.contains(" comes before `x.store(2)` (step "), "{why}");
    assert!(why.contains(" in coherence order. If the second comes first, it passes."), "{why}");
    let why = explanation(|| {
        let (weak, balance) = (&AtomicUsize::new(0), &Mutex::new(100));
        thread::scope(|s| {
            s.spawn(|| {
                weak.store(1, Relaxed);
                *balance.lock().unwrap() = 0;
            });
            s.spawn(|| assert_eq!(*balance.lock().unwrap(), 100));
        });
    });
    assert!(why.contains("It fails because `lock(balance)` (step "), "{why}");
    assert!(why.contains(" comes before `lock(balance)` (step "), "{why}");
}

/// The execution would pass with one read of a new value, but no single read can be different.
#[test]
fn under_a_memory_model_choices_decide_together() {
    let why = explanation(|| {
        let (x, y) = (&AtomicUsize::new(0), &AtomicUsize::new(0));
        thread::scope(|s| {
            s.spawn(|| {
                x.store(1, Relaxed);
                y.store(1, Relaxed);
            });
            let seen = (x.load(Relaxed), y.load(Relaxed));
            assert_eq!(seen, (1, 1));
        });
    });
    assert!(why.contains("; and "), "{why}");
    assert!(why.ends_with("If both choices are different, it passes."), "{why}");
}

#[test]
fn a_deadlock_and_a_data_race_under_a_memory_model_are_explained() {
    let why = explanation(|| {
        let (weak, left, right) = (AtomicUsize::new(0), Mutex::new(0), Mutex::new(0));
        thread::scope(|s| {
            s.spawn(|| {
                weak.store(1, Relaxed);
                *left.lock().unwrap() += *right.lock().unwrap();
            });
            s.spawn(|| *right.lock().unwrap() += *left.lock().unwrap());
        });
    });
    assert!(why.contains("The threads wait in a cycle: "), "{why}");
    let why = explanation(|| {
        let (flag, cell) = (&AtomicUsize::new(0), &Shared(UnsafeCell::new(0)));
        thread::scope(|s| {
            s.spawn(move || {
                // SAFETY: none; but only one thread runs at a time.
                cell.0.with_mut(|x| unsafe { *x = 1 });
                flag.store(1, Relaxed);
            });
            if flag.load(Relaxed) == 1 {
                // SAFETY: as above.
                cell.0.with(|x| unsafe { *x });
            }
        });
    });
    assert!(why.contains("Nothing orders "), "{why}");
}

#[test]
fn a_page_has_the_explanation() {
    let directory = std::env::temp_dir().join(format!("mazurka-page-{}", std::process::id()));
    let check = Check::new().html(&directory).name("explained");
    let payload = catch_unwind(|| check.check(lost_update)).unwrap_err();
    let text = payload.downcast_ref::<String>().unwrap();
    assert!(text.contains("It fails because "), "{text}");
    let pages: Vec<_> = std::fs::read_dir(&directory).unwrap().collect();
    let page = std::fs::read_to_string(pages[0].as_ref().unwrap().path()).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(pages.len(), 1);
    assert!(page.contains("It fails because "), "the page has no explanation");
}

#[test]
fn json_has_every_step() {
    let json = report(lost_update).to_json();
    for expected in [
        r#""kind":"panic","message":"thread 'main' panicked"#,
        r#"\n  left: 1\n right: 2""#,
        r#""schedule":"1-2x2-1-0","#,
        r#""explanation":{"#,
        r#""threads":["main","first","second"]"#,
        r#""thread":"first","operation":"counter.load() → 0","file":""#,
    ] {
        assert!(json.contains(expected), "no {expected} in\n{json}");
    }
}

#[test]
fn namesakes_are_told_apart() {
    let text = report(|| {
        let both: Vec<_> = (0..2).map(|_| Mutex::new(0).with_label("fork")).collect();
        thread::scope(|s| {
            for n in 0..2 {
                let both = &both;
                let body = move || *both[n].lock().unwrap() += *both[1 - n].lock().unwrap();
                thread::Builder::new().name("diner".to_owned()).spawn_scoped(s, body).unwrap();
            }
        });
    })
    .to_string();
    for expected in ["'diner' waits", "'diner#2' waits", "lock(fork)", "lock(fork#2)"] {
        assert!(text.contains(expected), "no \"{expected}\" in\n{text}");
    }
}

/// Two threads each start one: who starts theirs first is a matter of the schedule, and so are the numbers
/// that these get.
fn children_of_two() {
    let (arrivals, log) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let parents = [1, 2].map(|parent| {
        let (arrivals, log) = (Arc::clone(&arrivals), Arc::clone(&log));
        thread::spawn(move || {
            let arrival = arrivals.fetch_add(1, SeqCst);
            let child = thread::spawn(move || {
                log.store(log.load(SeqCst) * 100 + parent * 10 + arrival, SeqCst);
            });
            child.join().unwrap();
        })
    });
    parents.into_iter().for_each(|parent| parent.join().unwrap());
    let log = log.load(SeqCst);
    assert!(![1120, 2011].contains(&log), "{log}");
}

#[test]
fn a_schedule_means_the_same_to_a_check_that_has_run_nothing_else() {
    let (verdict, reports) = Check::new().keep_going(true).report(children_of_two);
    assert_eq!((verdict.violations.len(), reports.len()), (2, 2));
    for (violation, report) in verdict.violations.iter().zip(&reports) {
        let text = report.to_string();
        assert!(!text.contains("was not so"), "{text}");
        let replayed = Check::new().replay(&violation.schedule.to_string()).run(children_of_two);
        assert_eq!(replayed.violations[0].message, violation.message);
    }
}
