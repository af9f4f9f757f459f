//! Checks and replays of a subject, on the small programs of the test kit.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program};
use mazurka_core::search::{DataRaces, Options};
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};
use mazurka_report::{Explanation, Line, LineKind, Misfit, Recording, Run, Subject, explain};
use mazurka_testkit::script::{Script, ScriptMachine, ScriptProgram};

struct Scripts(ScriptProgram);

impl Scripts {
    fn new(text: &str) -> Self {
        Scripts(ScriptProgram::new(&text.parse::<Script>().unwrap()).unwrap())
    }
}

impl Program for Scripts {
    type Machine = ScriptMachine;

    fn start(&self) -> Result<ScriptMachine, Box<Violation>> {
        self.0.start()
    }
}

impl Subject for Scripts {
    fn name(&self) -> String {
        "script".to_owned()
    }

    fn record(&self, schedule: &Schedule) -> Recording {
        let mut machine = self.start().unwrap();
        let mut recording = Recording {
            names: (0..machine.processes()).map(|p| format!("'p{p}'")).collect(),
            ..Recording::default()
        };
        for (index, step) in schedule.steps().iter().enumerate() {
            if !machine.is_enabled(step.process) {
                recording.misfit = Some(Misfit { step: index, instead: "it cannot".to_owned() });
                return recording;
            }
            let mut performed = Performed::default();
            let result = machine.step(*step, &mut performed);
            recording.lines.push(Line {
                process: step.process,
                place: None,
                // A choice performs no action.
                text: performed.actions.first().map_or_else(String::new, |a| format!("{:?}", a.op)),
                kind: LineKind::Operation,
                step: index,
                object: None,
            });
            if let Err(violation) = result {
                let schedule = schedule.steps()[..=index].iter().copied().collect();
                recording.violation = Some(Violation { schedule, ..*violation });
                return recording;
            }
        }
        let can_go_on = |p| machine.is_enabled(ProcessId::new(p));
        if !(0..machine.processes()).any(can_go_on)
            && let Ending::Stuck(violation) = machine.ending()
        {
            recording.violation = Some(Violation { schedule: schedule.clone(), ..*violation });
        }
        recording
    }

    fn replay_command(&self, schedule: &Schedule) -> String {
        format!("again {schedule}")
    }
}

fn lost_update() -> Scripts {
    let body = "{\n r0 = read x0\n write x0 r0+1\n r0 = read x0\n assert r0 == 1\n}";
    Scripts::new(&format!("process 0 {body}\nprocess 1 {body}"))
}

#[test]
fn a_check_reports_with_the_line_that_replays() {
    let subject = lost_update();
    let run = Run::check(&subject, &Options::default(), &mut ());
    let reports = run.reports(&subject);
    assert_eq!(reports.len(), 1);
    let report = &reports[0];
    assert_eq!(report.violation().unwrap().kind, ViolationKind::Panic);
    assert_eq!(report.replay_command(), format!("again {}", report.schedule()));
    assert!(report.to_string().contains(&report.replay_command()), "{report}");

    let again = Run::replay(&subject, report.schedule(), &Options::default());
    assert_eq!(again.taken, *report.schedule());
    let replayed = &again.reports(&subject)[0];
    assert_eq!(replayed.violation().unwrap().kind, ViolationKind::Panic);
    assert!(!replayed.to_string().contains("To see it again"), "{replayed}");
}

#[test]
fn a_replay_goes_on_where_the_schedule_ends() {
    let subject =
        Scripts::new("process 0 {\n write x0 1\n write x0 2\n}\nprocess 1 {\n write x0 3\n}");
    let run = Run::replay(&subject, &"1-0".parse().unwrap(), &Options::default());
    assert_eq!(run.taken.to_string(), "1-0x2");
    let text = run.reports(&subject)[0].to_string();
    assert!(text.starts_with("Mazurka replayed a schedule of 3 steps: it does not fail"), "{text}");
    assert!(text.contains("The schedule has 2 steps only"), "{text}");
}

#[test]
fn a_schedule_of_another_program_does_not_fit() {
    let subject = Scripts::new("process 0 {\n write x0 1\n}\nprocess 1 {\n write x0 3\n}");
    let run = Run::replay(&subject, &"1-1".parse().unwrap(), &Options::default());
    let text = run.reports(&subject)[0].to_string();
    assert!(text.contains("step 2 of 2 is `1`, but it cannot"), "{text}");
}

#[test]
fn warnings_are_reports_that_end_with_the_second_access() {
    let subject =
        Scripts::new("process 0 {\n write d0 1\n write x0 1\n}\nprocess 1 {\n write d0 3\n}");
    let options = Options { data_races: DataRaces::Warn, ..Options::default() };
    let run = Run::check(&subject, &options, &mut ());
    assert!(run.reports(&subject).is_empty());
    let warnings = run.warnings(&subject);
    assert_eq!(warnings.len(), 1);
    let (_, second) = warnings[0].violation().unwrap().accesses.unwrap();
    assert_eq!(warnings[0].recording().lines.len(), second + 1);
    let accesses = warnings[0].accesses().unwrap();
    assert!(accesses.contains("first access") && accesses.contains("'p1'"), "{accesses}");
}

/// Finds the first violation of a program and explains it.
fn explained(text: &str) -> (Violation, Explanation) {
    let subject = Scripts::new(text);
    let options = Options { data_races: DataRaces::Report, ..Options::default() };
    let run = Run::check(&subject, &options, &mut ());
    let violation = run.verdict.violations[0].clone();
    let explanation = explain(&subject, &violation, Duration::from_secs(60));
    (violation, explanation.expect("the violation occurs again"))
}

/// Ctrl-C ends the search for an explanation. The violation is reported as it was found.
#[test]
fn an_explanation_that_is_stopped() {
    let subject =
        Scripts::new("process 0 {\n write x0 1\n}\nprocess 1 {\n r0 = read x0\n assert r0 == 1\n}");
    for stop in [false, true] {
        let run = Run::check(&subject, &Options::default(), &mut ());
        let run = run.explained_until(&subject, Duration::from_secs(60), &AtomicBool::new(stop));
        let reports = run.reports(&subject);
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].explanation().is_none(), stop);
    }
}

#[test]
fn a_read_that_comes_too_early_is_explained_by_the_write_to_come() {
    let (_, explanation) = explained(
        "process 0 {\n write x0 1\n}
         process 1 {\n r0 = read x0\n assert r0 == 1\n}",
    );
    assert!(explanation.passing.is_some(), "{explanation:?}");
    let text = explanation.text();
    assert!(text.starts_with("It fails because `"), "{text}");
    assert!(text.ends_with("which has yet to come. If that comes first, it passes."), "{text}");
}

#[test]
fn explanations_are_true() {
    for seed in 1..=200 {
        let script = mazurka_testkit::random::script(seed);
        let Ok(program) = ScriptProgram::new(&script) else { continue };
        let subject = Scripts(program);
        let options = Options {
            data_races: DataRaces::Ignore,
            max_executions: Some(2_000),
            ..Options::default()
        };
        let run = Run::check(&subject, &options, &mut ());
        let Some(violation) = run.verdict.violations.first() else { continue };
        let Some(explanation) = explain(&subject, violation, Duration::from_secs(5)) else {
            panic!("seed {seed}: {violation:?} does not occur again\n{script}");
        };
        // The schedule fails in the same way, with at most as many context switches.
        let replay = Run::replay(&subject, &explanation.schedule, &options);
        let again = replay.verdict.violations.first();
        assert_eq!(again.map(|v| v.kind), Some(violation.kind), "seed {seed}\n{script}");
        let switches = |schedule: &Schedule| {
            schedule.steps().windows(2).filter(|pair| pair[0].process != pair[1].process).count()
        };
        assert!(switches(&explanation.schedule) <= switches(&violation.schedule), "seed {seed}");
        // The other schedule passes.
        if let Some(passing) = &explanation.passing {
            let replay = Run::replay(&subject, passing, &options);
            assert!(replay.verdict.violations.is_empty(), "seed {seed}: {passing}\n{script}");
        }
        for (first, second) in &explanation.orders {
            let steps = explanation.schedule.steps();
            assert!(first < second && *second < steps.len(), "seed {seed}");
            assert_ne!(steps[*first].process, steps[*second].process, "seed {seed}");
        }
    }
}

#[test]
fn a_deadlock_is_explained_by_its_cycle() {
    let (violation, explanation) = explained(
        "process 0 {\n lock m0\n lock m1\n unlock m1\n unlock m0\n}
         process 1 {\n lock m1\n lock m0\n unlock m0\n unlock m1\n}",
    );
    assert_eq!(violation.kind, ViolationKind::Deadlock);
    let text = explanation.text();
    assert!(text.starts_with("The threads wait in a cycle: "), "{text}");
    assert!(text.contains("'p0' waits for what 'p1' acquired"), "{text}");
}

#[test]
fn a_data_race_is_explained_by_its_locks() {
    let (violation, explanation) = explained(
        "process 0 {\n lock m0\n write d0 1\n unlock m0\n}
         process 1 {\n write d0 2\n}",
    );
    assert_eq!(violation.kind, ViolationKind::DataRace);
    let text = explanation.text();
    assert!(text.starts_with("Nothing orders `"), "{text}");
    assert!(text.contains("holds no lock"), "{text}");
}
