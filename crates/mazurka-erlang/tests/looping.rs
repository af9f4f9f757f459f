//! Programs that go on for ever: `unfolding` comes to an end with them, since it knows their states.
//!
//! What it sees on the way is compared with a search through all states.

mod common;

use std::collections::{BTreeSet, HashSet};

use common::{program, program_of};
use mazurka_core::execution::Execution;
use mazurka_core::explore::Checkable;
use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program, Step};
use mazurka_core::search::{Algorithm, CutOffOrder, Monitor, Options, UnfoldingOptions};
use mazurka_core::verdict::{Verdict, Violation};
use mazurka_erlang::{ErlangMachine, ErlangProgram};
use mazurka_testkit::catalogue;

/// All that is seen of a program.
#[derive(Default, PartialEq, Eq, Debug)]
struct Seen {
    /// What processes are at.
    places: BTreeSet<String>,
    /// What goes wrong.
    failures: BTreeSet<String>,
}

impl Seen {
    fn look(&mut self, machine: &ErlangMachine) {
        // Who a process is depends on how many were there before it.
        let places = machine.describe_processes();
        self.places
            .extend(places.iter().filter_map(|place| Some(place.split_once(' ')?.1.to_owned())));
    }

    fn fails(&mut self, violation: &Violation) {
        let line = violation.message.lines().next().unwrap_or_default();
        let what = line.split_once(' ').map_or(line, |(_, what)| what);
        self.failures.insert(what.to_owned());
    }
}

/// Goes through all states.
fn search(program: &ErlangProgram) -> (Seen, usize) {
    let mut machine = program.start().unwrap();
    let (mut seen, mut states) = (Seen::default(), HashSet::new());
    let mut performed = Performed::default();
    // At each depth, who is to be tried next.
    let mut path = vec![0];
    states.insert(machine.fingerprint().unwrap());
    seen.look(&machine);
    while let Some(next) = path.last_mut() {
        let process = *next;
        if process == machine.processes() {
            path.pop();
            if !path.is_empty() {
                machine.rewind(path.len() - 1).unwrap();
            }
            continue;
        }
        *next += 1;
        if !machine.is_enabled(ProcessId::new(process)) {
            continue;
        }
        performed.clear();
        let step = Step { process: ProcessId::new(process), choice: 0 };
        if let Err(violation) = machine.step(step, &mut performed) {
            seen.fails(&violation);
        }
        assert_eq!(performed.lesson, None, "it is known by now that lives matter");
        seen.look(&machine);
        assert!(states.len() < 3_000, "there are too many states");
        // The others go on when one has failed.
        if states.insert(machine.fingerprint().unwrap()) {
            path.push(0);
        } else {
            machine.rewind(path.len() - 1).unwrap();
        }
    }
    (seen, states.len())
}

/// Looks at the states on the way of every execution.
struct Watcher {
    replay: ErlangMachine,
    seen: Seen,
}

impl Monitor<ErlangMachine> for Watcher {
    fn ended(
        &mut self,
        _machine: &ErlangMachine,
        execution: &Execution,
        _ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        self.replay.rewind(0).unwrap();
        self.seen.look(&self.replay);
        let mut performed = Performed::default();
        for step in execution.steps() {
            performed.clear();
            if let Err(violation) = self.replay.step(step, &mut performed) {
                self.seen.fails(&violation);
            }
            self.seen.look(&self.replay);
        }
    }
}

fn unfold(program: &ErlangProgram, unfolding: UnfoldingOptions) -> (Verdict, Seen) {
    let mut watcher = Watcher { replay: program.start().unwrap(), seen: Seen::default() };
    let mut machine = program.start().unwrap();
    let options = Options {
        algorithm: Algorithm::Unfolding,
        keep_going: true,
        unfolding,
        max_executions: Some(100_000),
        ..Options::default()
    };
    let verdict = ErlangProgram::explore(&mut machine, &options, &mut watcher);
    (verdict, watcher.seen)
}

/// Checks a program, and returns what goes wrong in it.
fn check(program: ErlangProgram) -> BTreeSet<String> {
    let program = program.ignore_deadlocks(true).never_after(1000);
    // What one machine learns about the program, the next one knows.
    let options = Options { max_executions: Some(3), max_depth: Some(50), ..Options::default() };
    ErlangProgram::explore(&mut program.start().unwrap(), &options, &mut ());
    let (all, states) = search(&program);
    for order in [CutOffOrder::Size, CutOffOrder::Total] {
        let (verdict, seen) = unfold(&program, UnfoldingOptions { order, ..Default::default() });
        println!("{states} states, {} executions, {:?}", verdict.executions, verdict.unfolding);
        assert!(verdict.is_complete(), "{:?} {:?}", verdict.stopped, verdict.notes);
        assert_eq!(seen, all);
        assert_eq!(verdict.violations.is_empty(), all.failures.is_empty());
        let cut_offs = verdict.unfolding.map_or(0, |unfolding| unfolding.cut_offs);
        assert!(cut_offs > 0 || !all.failures.is_empty());
    }
    all.failures
}

fn lock(call: &str) -> BTreeSet<String> {
    check(program_of(&catalogue::directory().join("lock_forever.erl"), call))
}

#[test]
fn a_lock_that_is_used_for_ever_is_proved() {
    assert!(lock("lock_forever:test(2)").is_empty());
}

#[test]
fn a_lock_that_is_given_back_too_soon_is_found_out() {
    let failures = lock("lock_forever:wrong(2)");
    assert!(failures.iter().any(|failure| failure.contains("badarg")), "{failures:?}");
}

#[test]
fn what_comes_back_to_where_it_was_is_proved() {
    let calls =
        ["calls(1)", "calls(2)", "requests()", "timers()", "tables()", "stale()", "relations()"];
    for call in calls {
        let failures = check(program("forever", &format!("forever:{call}")));
        assert!(failures.is_empty(), "{call}: {failures:?}");
    }
}

#[test]
fn what_goes_wrong_after_some_rounds_is_found() {
    let failures = check(program("forever", "forever:counts()"));
    assert!(failures.iter().any(|failure| failure.contains("too_many")), "{failures:?}");
}
