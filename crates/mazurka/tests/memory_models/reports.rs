//! What reports say about reads of old values.

use mazurka::sync::atomic::AtomicU32;
use mazurka::sync::atomic::Ordering::Relaxed;
use mazurka::{Check, MemoryModel, thread};

fn message_passing() {
    let data = AtomicU32::new(0).with_label("data");
    let flag = AtomicU32::new(0).with_label("flag");
    thread::scope(|s| {
        s.spawn(|| {
            data.store(1, Relaxed);
            data.store(2, Relaxed);
            flag.store(1, Relaxed);
        });
        s.spawn(|| {
            if flag.load(Relaxed) == 1 {
                assert_eq!(data.load(Relaxed), 2);
            }
        });
    });
}

#[test]
fn a_read_of_an_old_value_names_the_stores_that_it_missed() {
    let check = Check::new().memory_model(MemoryModel::Rc11);
    let (verdict, found) = check.report(message_passing);
    let schedule = verdict.violations[0].schedule.to_string();
    let (again, replayed) = check.replay(&schedule).report(message_passing);
    assert_eq!(again.violations[0].message, verdict.violations[0].message);
    for report in [&found[0], &replayed[0]] {
        let text = format!("{report:#}");
        let is_old = |line: &&str| line.contains("data.load") && line.contains("; not yet ");
        let line = text.lines().find(is_old).unwrap_or_else(|| panic!("{text}"));
        assert!(line.contains("not yet data.store(2"), "{text}");
        assert!(line.contains(", line 13"), "{text}");
        let json = report.to_json();
        assert!(json.contains(r#""missed":["#), "{json}");
        assert_eq!(json.matches(r#""reads_from":"#).count(), 2, "{json}");
    }
}
