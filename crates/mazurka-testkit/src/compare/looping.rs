//! Comparison of `unfolding` with cut-offs with a search of all states.
//!
//! With any cache size, `unfolding` must find every reachable local state, every ending and every
//! violation, and it must terminate.

use std::collections::BTreeSet;

use mazurka_core::execution::Execution;
use mazurka_core::explore::explore;
use mazurka_core::model::{Ending, Machine, Performed, Program};
use mazurka_core::search::{Algorithm, CutOffOrder, Monitor, Options, UnfoldingOptions};
use mazurka_core::verdict::{Verdict, Violation, ViolationKind};

use crate::oracle::states::{self, Reachable, Refused};
use crate::script::{Script, ScriptMachine, ScriptProgram};

/// The sizes of the cache to try.
const CACHES: [Option<usize>; 4] = [Some(0), Some(1), Some(10), None];

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Everything was found with every cache size.
    Agreed {
        /// The reachable states.
        reachable: Reachable,
        /// The number of maximal configurations with an unbounded cache.
        configurations: u64,
    },
    /// There are too many states or configurations.
    Skipped(String),
    /// The differences, one per line.
    Disagreed(Vec<String>),
}

/// Explores a program that has at most `states` states with cut-offs and all options, if that takes
/// no more than this number of `executions`.
pub fn compare(script: &Script, states: usize, executions: u64) -> Compared {
    let program = match ScriptProgram::new(script) {
        Ok(program) => program,
        Err(error) => return Compared::Disagreed(vec![format!("it cannot be run: {error}")]),
    };
    let reachable = match states::search(&program, states) {
        Ok(reachable) => reachable,
        Err(Refused::TooMany) => return Compared::Skipped(format!("more than {states} states")),
        Err(Refused::FailsAtStart(violation)) => return Compared::Skipped(violation.to_string()),
    };
    let mut configurations = 0;
    let mut differences = Vec::new();
    for (cache, order) in CACHES
        .into_iter()
        .flat_map(|cache| [CutOffOrder::Size, CutOffOrder::Total].map(|order| (cache, order)))
    {
        let unfolding = UnfoldingOptions { cache, order, ..UnfoldingOptions::default() };
        let options = Options {
            algorithm: Algorithm::Unfolding,
            keep_going: true,
            max_executions: Some(executions),
            unfolding,
            ..Options::default()
        };
        let (verdict, seen) = run(&program, &options);
        if verdict.executions + verdict.blocked >= executions {
            return Compared::Skipped(format!("more than {executions} executions"));
        }
        configurations = verdict.executions + verdict.blocked;
        let found = differences_of(&verdict, &seen, &reachable);
        let name = format!("cache {cache:?}, order {order:?}");
        differences.extend(found.into_iter().map(|difference| format!("{name}: {difference}")));
    }
    match differences.is_empty() {
        true => Compared::Agreed { reachable, configurations },
        false => Compared::Disagreed(differences),
    }
}

fn run(program: &ScriptProgram, options: &Options<'_>) -> (Verdict, Reachable) {
    let mut machine = program.start().expect("the search has started it, too");
    let replay = program.start().expect("the search has started it, too");
    let mut watcher = Watcher { replay, seen: Reachable::default() };
    let verdict = explore(&mut machine, options, &mut watcher);
    (verdict, watcher.seen)
}

fn differences_of(verdict: &Verdict, seen: &Reachable, expected: &Reachable) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(bound) = verdict.stopped {
        found.push(format!("it is incomplete: {bound}"));
    }
    for local in expected.locals.difference(&seen.locals).take(3) {
        found.push(format!("it never sees process {} as {:?}", local.0, local));
    }
    for end in expected.ends.difference(&seen.ends).take(3) {
        found.push(format!("it never ends as {end:?}"));
    }
    for end in seen.ends.difference(&expected.ends).take(3) {
        found.push(format!("it ends as {end:?}, which is impossible"));
    }
    let reported: BTreeSet<_> = verdict.violations.iter().map(|v| v.kind).collect();
    let races = |kinds: &BTreeSet<_>| kinds.contains(&ViolationKind::DataRace);
    let without_races = |kinds: &BTreeSet<ViolationKind>| {
        let others = kinds.iter().copied().filter(|kind| *kind != ViolationKind::DataRace);
        others.collect::<BTreeSet<_>>()
    };
    if seen.violations != without_races(&expected.violations) {
        let (seen, expected) = (&seen.violations, &expected.violations);
        found.push(format!("it sees {seen:?} and there is {expected:?}"));
    }
    let others = verdict.violations.iter().filter(|v| v.kind != ViolationKind::DataRace);
    let others: BTreeSet<_> = others.map(|v| (v.kind, v.message.clone())).collect();
    if others != expected.first_violations {
        let expected = &expected.first_violations;
        found.push(format!("it reports {others:?} and there is {expected:?}"));
    }
    if races(&reported) != races(&expected.violations)
        && (races(&reported) || expected.violations.len() == 1)
    {
        found.push(format!("it reports {reported:?} and there is {:?}", expected.violations));
    }
    found
}

/// A monitor that collects the states of every execution.
struct Watcher {
    replay: ScriptMachine,
    seen: Reachable,
}

impl Monitor<ScriptMachine> for Watcher {
    fn ended(
        &mut self,
        _machine: &ScriptMachine,
        execution: &Execution,
        _ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        self.replay.rewind(0).expect("scripts can always go back");
        self.seen.add(self.replay.state());
        let mut performed = Performed::default();
        for step in execution.steps() {
            performed.clear();
            if let Err(violation) = self.replay.step(step, &mut performed) {
                self.seen.violations.insert(violation.kind);
            }
            self.seen.add(self.replay.state());
        }
        if self.replay.enabled_steps().is_empty() {
            self.seen.add_end(&self.replay);
        }
    }
}
