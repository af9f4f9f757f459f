//! Tests of the layout, with handmade recordings.

use mazurka_core::model::ProcessId;

use mazurka_core::verdict::{Schedule, Violation, ViolationKind};

use crate::style::Style;
use crate::{Line, LineKind, Misfit, Place};
use crate::{Recording, Report, text};

/// Returns a line of `process`. Steps count from 1, and 0 counts as step 1.
pub(crate) fn line(step: usize, process: usize, kind: LineKind, at: u32, text: &str) -> Line {
    Line {
        process: ProcessId::new(process),
        place: (at > 0).then(|| Place { file: "src/bank.rs".to_owned(), line: at, column: 9 }),
        text: text.to_owned(),
        kind,
        step: step.saturating_sub(1),
        object: None,
    }
}

fn operation(step: usize, process: usize, at: u32, text: &str) -> Line {
    line(step, process, LineKind::Operation, at, text)
}

fn spawn(process: usize, child: usize, at: u32, text: &str) -> Line {
    line(0, process, LineKind::Spawn(ProcessId::new(child)), at, text)
}

fn violation(kind: ViolationKind, message: &str, schedule: &str) -> Violation {
    let schedule = schedule.parse().unwrap();
    Violation { schedule, execution: 3, ..Violation::new(kind, message) }
}

pub(crate) fn lost_update() -> Recording {
    let message = "thread 'main' panicked at src/bank.rs:20:5: counted twice";
    Recording {
        lines: vec![
            spawn(0, 1, 10, "spawn('a')"),
            spawn(0, 2, 10, "spawn('b')"),
            operation(1, 1, 11, "counter.load() → 0"),
            operation(2, 2, 11, "counter.load() → 0"),
            operation(3, 2, 12, "counter.store(1)"),
            line(3, 2, LineKind::End, 0, "end"),
            operation(4, 1, 12, "counter.store(1)"),
            line(4, 1, LineKind::End, 0, "end"),
            line(4, 0, LineKind::Local, 15, "join('a')"),
            operation(5, 0, 19, "counter.load() → 1"),
            line(5, 0, LineKind::Failure, 20, "panic"),
        ],
        names: ["'main'", "'a'", "'b'"].map(str::to_owned).to_vec(),
        violation: Some(violation(ViolationKind::Panic, message, "1-2x2-1-0")),
        ..Recording::default()
    }
}

pub(crate) fn report(recording: Recording) -> Report {
    let violation = recording.violation.clone().unwrap();
    Report::on_violation("lost_update", &violation, recording)
        .with_replay_command(|schedule| format!("MAZURKA_REPLAY={schedule} cargo test"))
}

fn text(report: &Report) -> String {
    let style = Style { colour: false, width: 100, fold: true };
    text::render(report, &style, None).text
}

#[test]
fn a_schedule_is_a_table() {
    let text = text(&report(lost_update()));
    let (text, replay) = text.split_once("\nTo see it again:\n").unwrap();
    assert_eq!(
        text,
        "\
Mazurka found a panic after 3 executions:
thread 'main' panicked at src/bank.rs:20:5: counted twice

  step  source          main                  a                     b
        src/bank.rs:10  ○ spawn('a')
        src/bank.rs:10  ○ spawn('b')          │

                        │                     │                     │
     1  src/bank.rs:11  │                     ● counter.load() → 0  │
                        │                     │                     │
     2  src/bank.rs:11  │                     │                     ● counter.load() → 0
     3  src/bank.rs:12  │                     │                     ● counter.store(1)
                        │                     │                     ○ end
                        │                     │
     4  src/bank.rs:12  │                     ● counter.store(1)
                        │                     ○ end
        src/bank.rs:15  ○ join('a')
     5  src/bank.rs:19  ● counter.load() → 1
        src/bank.rs:20  ✗ panic
"
        .replace("│\n\n  ", "│\n  ")
    );
    assert!(replay.starts_with("  MAZURKA_REPLAY=1-2x2-1-0 cargo test"), "{replay}");
}

#[test]
fn threads_that_do_not_fit_make_a_list() {
    let mut recording = lost_update();
    recording.names = (0..3).map(|n| format!("'a-thread-with-a-long-name-{n}'")).collect();
    let report = report(recording);
    let style = Style { colour: false, width: 80, fold: true };
    let text = text::render(&report, &style, None).text;
    assert!(
        text.contains(
            "
  step  thread                         operation             source
        a-thread-with-a-long-name-0  ○ spawn('a')            src/bank.rs:10
                                     ○ spawn('b')            src/bank.rs:10
     1  a-thread-with-a-long-name-1  ● counter.load() → 0    src/bank.rs:11
     2  a-thread-with-a-long-name-2  ● counter.load() → 0    src/bank.rs:11
     3                               ● counter.store(1)      src/bank.rs:12
"
        ),
        "{text}"
    );
}

#[test]
fn a_text_may_reach_over_columns_to_its_right_but_not_over_the_edge() {
    let mut recording = lost_update();
    recording.lines[2].text = "counter.compare_exchange(0, 1) → Ok(0)".to_owned();
    recording.names.push("'c'".to_owned());
    recording.lines.insert(2, operation(1, 3, 30, "x.store(1)"));
    let report = report(recording);
    for width in 75..120 {
        let style = Style { colour: false, width, fold: true };
        let text = text::render(&report, &style, None).text;
        let table: Vec<_> = text.lines().filter(|l| l.contains(['●', '○', '│'])).collect();
        assert!(table.iter().all(|line| line.chars().count() <= width), "{width}\n{text}");
        assert!(text.contains("counter.compare_exchange(0, 1) → Ok(0)"), "{width}\n{text}");
    }
}

#[test]
fn the_middle_of_a_long_schedule_is_left_out() {
    let mut recording = lost_update();
    recording.lines =
        (1..=500).map(|n| operation(n, n / 5 % 3, 40, &format!("x.store({n})"))).collect();
    let report = report(recording);
    let text = text(&report);
    assert!(text.contains("… 445 more operations …"), "{text}");
    assert!(text.contains("x.store(15)") && !text.contains("x.store(16)"), "{text}");
    assert!(!text.contains("x.store(460)") && text.contains("x.store(461)"), "{text}");
    let whole = format!("{report:#}");
    assert!((1..=500).all(|n| whole.contains(&format!("x.store({n})"))));
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let message = "no thread can go on\n  'a' waits for lock `right` (Mutex created at \
                   src/bank.rs:3:9), held by 'b' since src/bank.rs:31:9, at src/bank.rs:22:9\n  \
                   'main' waits for the end of 'a', at src/bank.rs:40:7";
    let mut recording = lost_update();
    recording.violation = Some(violation(ViolationKind::Deadlock, message, "1-2"));
    recording.lines.truncate(4);
    recording.lines.push(line(2, 1, LineKind::Stuck, 22, "waits at lock(right)"));
    let text = text(&report(recording));
    assert!(
        text.starts_with(
            "\
Mazurka found a deadlock after 3 executions:
no thread can go on
  'a' waits for lock `right` (Mutex created at src/bank.rs:3:9)
      at       src/bank.rs:22:9
      held by  'b' since src/bank.rs:31:9
  'main' waits for the end of 'a'
      at       src/bank.rs:40:7
"
        ),
        "{text}"
    );
    assert!(text.contains("✗ waits at lock(right)"), "{text}");
}

#[test]
fn a_data_race_shows_both_accesses_and_where_the_memory_was_created() {
    let mut race = violation(ViolationKind::DataRace, "two threads access …", "1-2");
    race.accesses = Some((0, 1));
    let mut recording = Recording { violation: None, ..lost_update() };
    recording.lines.truncate(4);
    recording.lines[2].text = "read(cell)".to_owned();
    recording.lines[3].text = "write(cell)".to_owned();
    recording.lines[3].object = Some("`cell` (UnsafeCell created at src/bank.rs:5:9)".to_owned());
    let text = text(&Report::on_violation("race", &race, recording));
    assert!(
        text.contains(
            "
  the memory     `cell` (UnsafeCell created at src/bank.rs:5:9)
  first access   'a'  read(cell)   at src/bank.rs:11:9
  second access  'b'  write(cell)  at src/bank.rs:11:9
"
        ),
        "{text}"
    );
    assert_eq!(text.matches('✗').count(), 2, "{text}");
    assert!(!text.contains("not so when"), "{text}");
}

#[test]
fn a_replay_that_does_not_fail_says_so() {
    let recording = Recording { violation: None, ..lost_update() };
    let asked: Schedule = "1-2x2".parse().unwrap();
    let report = Report::on_nothing("bank", "1-2x2-1-0".parse().unwrap(), recording);
    let text = text(&report.replayed(&asked));
    assert!(
        text.starts_with("Mazurka replayed a schedule of 5 steps: it does not fail\n"),
        "{text}"
    );
    assert!(text.contains("The schedule has 3 steps only"), "{text}");
    assert!(text.contains("counter.store(1)") && !text.contains('✗'), "{text}");
}

#[test]
fn a_replay_that_does_not_fit_says_where() {
    let misfit = Some(Misfit { step: 5, instead: "'b' has ended".to_owned() });
    let recording = Recording { misfit, violation: None, ..lost_update() };
    let asked: Schedule = "1-2x2-1-0-2".parse().unwrap();
    let violation = violation(ViolationKind::Nondeterminism, "does not fit", "1-2x2-1-0");
    let report = Report::on_violation("bank", &violation, recording).replayed(&asked);
    let text = text(&report);
    let expected = "Mazurka cannot replay this schedule: it does not fit the program.\nIts step 6 of 6 is `2`, but 'b' has ended.\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("counter.store(1)") && !text.contains("To see it again"), "{text}");
}

#[test]
fn a_program_that_does_something_else_in_each_run_is_told_so() {
    let misfit = Some(Misfit { step: 5, instead: "'b' has ended".to_owned() });
    let recording = || Recording { misfit: misfit.clone(), violation: None, ..lost_update() };
    let message = "the program did not do the same as before";
    let of_kind = |kind| {
        let violation = violation(kind, message, "1-2x2-1-0");
        text(&Report::on_violation("bank", &violation, recording()))
    };
    // The message has both histories.
    let text = of_kind(ViolationKind::Nondeterminism);
    assert!(text.contains(message) && !text.contains("counter.store(1)"), "{text}");
    let text = of_kind(ViolationKind::Panic);
    assert!(text.contains(message) && text.contains("did not occur again"), "{text}");
}

#[test]
fn colours_are_around_the_text_and_not_in_its_width() {
    let report = report(lost_update());
    let style = Style { colour: true, width: 100, fold: true };
    let coloured = text::render(&report, &style, None).text;
    let mut plain = coloured.clone();
    for code in ["\x1b[1;31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"] {
        plain = plain.replace(code, "");
    }
    let trim = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(trim(&plain), trim(&text(&report)));
    assert_ne!(coloured, plain);
}
