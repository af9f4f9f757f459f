//! Whether the explorers agree with the oracle.
//!
//! | explorer | must run |
//! |---|---|
//! | `naive` | every interleaving, once |
//! | `dpor` | every trace; with sleep sets, none twice |
//! | `source` | every trace, none twice |
//! | `optimal` | every trace, none twice, and nothing else |
//! | `observers` | no trace twice, and enough of them to see every final local state and all that can go wrong |
//!
//! If objects get their names only as processes come upon them, an explorer may do more than that,
//! but must still run every trace.
//!
//! Writes that nobody observes order nothing for `observers`, so it finds data races in executions
//! in which the oracle sees none: it must find one if there is any in the program.
//!
//! All must count so, stay complete, and report what the oracle found wrong with each trace. In
//! equivalent executions the same things go wrong, but not in the same order, and an explorer
//! reports only the first of them: so it must report one of them, and nothing else.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mazurka_core::explore::{Algorithm, Execution, Monitor, Options, explore};
use mazurka_core::model::{Ending, Machine, Performed, Program, Step};
use mazurka_core::verdict::{Schedule, Verdict, Violation, ViolationKind};

use crate::oracle::{self, Behaviour, Finding, Outcome, Refused, Trace};
use crate::script::{LateNames, Script, ScriptMachine, ScriptProgram};
use crate::shrink::shrink;

/// What came out of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Everybody agrees.
    Agreed {
        /// How many interleavings the program has.
        interleavings: u64,
        /// How many traces it has.
        traces: usize,
    },
    /// The program cannot be enumerated.
    Skipped(Refused),
    /// What differs, a line each.
    Disagreed(Vec<String>),
}

impl Compared {
    /// Whether somebody disagrees.
    pub fn is_disagreement(&self) -> bool {
        matches!(self, Compared::Disagreed(_))
    }
}

/// Runs some explorers (or [all](Algorithm::ALL)) on a program that has at most `limit`
/// interleavings.
pub fn compare(script: &Script, limit: u64, algorithms: &[Algorithm]) -> Compared {
    let program = match ScriptProgram::new(script) {
        Ok(program) => program,
        Err(error) => return Compared::Disagreed(vec![format!("it cannot be run: {error}")]),
    };
    let behaviour = match oracle::enumerate(&program, limit) {
        Ok(behaviour) => behaviour,
        Err(Refused::Inconsistent(error)) => return Compared::Disagreed(vec![error]),
        Err(refused) => return Compared::Skipped(refused),
    };
    let mut differences = Vec::new();
    for run in algorithms.iter().flat_map(|algorithm| Run::all(*algorithm)) {
        differences.extend(run.differences(script, &program, &behaviour));
    }
    match differences.is_empty() {
        true => Compared::Agreed {
            interleavings: behaviour.interleavings,
            traces: behaviour.traces.len(),
        },
        false => Compared::Disagreed(differences),
    }
}

/// A way of exploring.
#[derive(Clone, Copy)]
struct Run {
    algorithm: Algorithm,
    sleep_sets: bool,
    /// Whether objects get their names only as processes come upon them.
    late_names: bool,
}

impl Run {
    /// All ways to use an explorer.
    fn all(algorithm: Algorithm) -> Vec<Run> {
        let run = Run { algorithm, sleep_sets: true, late_names: false };
        let late_names = Run { late_names: true, ..run };
        match algorithm {
            // It does not look at names.
            Algorithm::Naive => vec![run],
            Algorithm::Dpor => vec![run, late_names, Run { sleep_sets: false, ..run }],
            Algorithm::Source | Algorithm::Optimal | Algorithm::Observers => vec![run, late_names],
        }
    }

    /// What the explorer does otherwise than the oracle.
    fn differences(
        self,
        script: &Script,
        program: &ScriptProgram,
        behaviour: &Behaviour,
    ) -> Vec<String> {
        let mut watcher = Watcher::new(program, behaviour, self.algorithm);
        let explored = catch_unwind(AssertUnwindSafe(|| match self.late_names {
            false => self.explore(program.start(), &mut watcher),
            true => self.explore(LateNames::start(script, program), &mut watcher),
        }));
        match explored {
            Ok(verdict) => watcher.check(&verdict, self),
            Err(payload) => {
                let message = payload.downcast_ref::<String>().map(String::as_str);
                let message = message.or(payload.downcast_ref::<&str>().copied());
                watcher.differences.push(format!("it panicked: {}", message.unwrap_or_default()));
            }
        }
        watcher.differences.iter().map(|difference| format!("{self}: {difference}")).collect()
    }

    fn explore<M: Machine + AsRef<ScriptMachine>>(
        self,
        machine: Result<M, Box<Violation>>,
        watcher: &mut Watcher<'_>,
    ) -> Verdict {
        let options = Options {
            algorithm: self.algorithm,
            sleep_sets: self.sleep_sets,
            keep_going: true,
            // None needs more than this: stop one that has lost its way.
            max_executions: Some(2 * watcher.behaviour.interleavings + 1),
            ..Options::default()
        };
        let mut machine = machine.expect("the oracle has started it, too");
        explore(&mut machine, &options, watcher)
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.algorithm)?;
        match (self.sleep_sets, self.late_names) {
            (false, _) => write!(f, " without sleep sets"),
            (true, true) => write!(f, " with late names"),
            (true, false) => Ok(()),
        }
    }
}

/// Watches an exploration, and checks every execution against the oracle.
struct Watcher<'a> {
    behaviour: &'a Behaviour,
    algorithm: Algorithm,
    reported_data_race: bool,
    /// Runs every execution again, so that what the explorer's own machine says is not trusted.
    replay: ScriptMachine,
    performed: Performed,
    /// The executions: the canonical forms of their traces, or none if a process could still go
    /// on.
    executions: Vec<Option<u128>>,
    differences: Vec<String>,
}

impl<'a> Watcher<'a> {
    fn new(program: &ScriptProgram, behaviour: &'a Behaviour, algorithm: Algorithm) -> Self {
        Watcher {
            behaviour,
            algorithm,
            reported_data_race: false,
            replay: program.start().expect("the oracle has started it, too"),
            performed: Performed::default(),
            executions: Vec::new(),
            differences: Vec::new(),
        }
    }

    /// Notes a difference, unless there are many already.
    fn differ(&mut self, difference: impl FnOnce() -> String) {
        if self.differences.len() < 5 {
            self.differences.push(difference());
        }
    }

    /// Runs an execution again.
    fn run(&mut self, steps: &[Step]) -> Result<Trace, String> {
        self.replay.rewind(0).expect("scripts can always go back");
        let mut trace = Trace::new(self.replay.processes());
        for step in steps {
            if !self.replay.enabled_steps().contains(step) {
                return Err(format!("it takes step {step}, which is not possible"));
            }
            self.performed.clear();
            let _ = self.replay.step(*step, &mut self.performed);
            trace.push(*step, &self.performed).map_err(|_| "it is too long".to_owned())?;
        }
        Ok(trace)
    }

    fn check_execution(
        &mut self,
        machine: &ScriptMachine,
        steps: &[Step],
        reported: Option<&Violation>,
    ) -> Result<(), String> {
        let trace = self.run(steps)?;
        if self.replay.state() != machine.state() {
            return Err("its machine is not in the state that its steps lead to".to_owned());
        }
        if !self.replay.enabled_steps().is_empty() {
            self.executions.push(None);
            return Ok(());
        }
        let canonical = trace.canonical();
        self.executions.push(Some(canonical));
        let Some(class) = self.behaviour.traces.get(&canonical) else {
            return Err("the oracle knows no such trace".to_owned());
        };
        let expected = &class.outcome;
        if Outcome::of(&self.replay, &trace) != *expected {
            return Err("it ends in another way than the oracle's".to_owned());
        }
        let findings = &expected.findings;
        match reported {
            None if findings.is_empty() => Ok(()),
            Some(violation) if findings.iter().any(|f| f.kind == violation.kind) => Ok(()),
            Some(violation)
                if self.algorithm == Algorithm::Observers
                    && violation.kind == ViolationKind::DataRace
                    && self.behaviour.has(|findings| findings.contains(&Finding::DATA_RACE)) =>
            {
                Ok(())
            }
            reported => {
                let reported = reported.map(|violation| violation.to_string());
                Err(format!("it is reported as {reported:?}, and the oracle found {findings:?}"))
            }
        }
    }

    /// Checks what the whole exploration came to.
    fn check(&mut self, verdict: &Verdict, run: Run) {
        if run.algorithm == Algorithm::Observers {
            // It may have started over, and counts only what came after that.
            let counted = (verdict.executions + verdict.blocked) as usize;
            self.executions.drain(..self.executions.len().saturating_sub(counted));
        }
        if let Some(bound) = verdict.stopped {
            self.differ(|| format!("it is incomplete: {bound}"));
        }
        self.check_coverage(run);
        self.check_repetition(run);
        self.check_counts(verdict);
        for violation in &verdict.violations {
            let classes = self.behaviour.traces.values();
            let mut findings = classes.flat_map(|class| &class.outcome.findings);
            if !findings.any(|finding| finding.kind == violation.kind) {
                self.differ(|| format!("it reports {violation}, and the oracle does not"));
            }
        }
    }

    /// Whether everything was seen that must be.
    ///
    /// `observers` need not run a trace if another one looks the same to all processes, and has
    /// the same things wrong with it.
    fn check_coverage(&mut self, run: Run) {
        let behaviour = self.behaviour;
        let ending = |outcome: &Outcome| {
            let mut findings = outcome.findings.clone();
            findings.remove(&Finding::DATA_RACE);
            (outcome.state.locals(), outcome.assumption_failed, findings)
        };
        // Next to something else that goes wrong, a data race may come second.
        let must_race =
            behaviour.has(|found| found.len() == 1 && found.contains(&Finding::DATA_RACE));
        if must_race && !self.reported_data_race {
            self.differ(|| "it reports no data race".to_owned());
        }
        let traces: HashSet<u128> = self.executions.iter().copied().flatten().collect();
        let classes = traces.iter().filter_map(|canonical| behaviour.traces.get(canonical));
        let endings: HashSet<_> = classes.map(|class| ending(&class.outcome)).collect();
        for (canonical, class) in &behaviour.traces {
            let is_seen = match run.algorithm {
                Algorithm::Observers => endings.contains(&ending(&class.outcome)),
                _ => traces.contains(canonical),
            };
            if !is_seen {
                self.differ(|| format!("it never runs the trace of {}", class.example));
            }
        }
    }

    /// Whether nothing was run in vain.
    fn check_repetition(&mut self, run: Run) {
        let behaviour = self.behaviour;
        let mut runs: HashMap<u128, u64> = HashMap::new();
        for canonical in self.executions.iter().flatten() {
            *runs.entry(*canonical).or_default() += 1;
        }
        let finished: u64 = runs.values().sum();
        let unfinished = self.executions.len() as u64 - finished;
        // Who cannot tell two objects apart takes independent steps for dependent ones, and so may
        // do more than is needed.
        let is_exact = run.sleep_sets && !run.late_names;
        match run.algorithm {
            Algorithm::Naive => {
                let all = behaviour.interleavings;
                if finished != all {
                    self.differ(|| format!("it runs {finished} of {all} interleavings"));
                }
            }
            _ if is_exact => {
                for (canonical, runs) in runs.into_iter().filter(|(_, runs)| *runs > 1) {
                    if let Some(class) = behaviour.traces.get(&canonical) {
                        let example = &class.example;
                        self.differ(|| format!("it runs the trace of {example} {runs} times"));
                    }
                }
            }
            _ => {}
        }
        let is_never_blocked = match run.algorithm {
            Algorithm::Naive => true,
            Algorithm::Optimal => is_exact,
            Algorithm::Dpor | Algorithm::Source | Algorithm::Observers => false,
        };
        if is_never_blocked && unfinished > 0 {
            let traces = behaviour.traces.len();
            self.differ(|| {
                format!("{unfinished} executions were blocked, next to {traces} traces")
            });
        }
    }

    fn check_counts(&mut self, verdict: &Verdict) {
        let behaviour = self.behaviour;
        let counts = |canonical: &&Option<u128>| {
            let class = canonical.and_then(|canonical| behaviour.traces.get(&canonical));
            class.is_some_and(|class| !class.outcome.assumption_failed)
        };
        let finished = self.executions.iter().filter(counts).count() as u64;
        let blocked = self.executions.len() as u64 - finished;
        let (executions, counted) = (verdict.executions, verdict.blocked);
        if (executions, counted) != (finished, blocked) {
            self.differ(|| {
                format!(
                    "it counts {executions} executions and {counted} blocked, \
                     but there were {finished} and {blocked}"
                )
            });
        }
    }
}

impl<M: AsRef<ScriptMachine>> Monitor<M> for Watcher<'_> {
    fn ended(
        &mut self,
        machine: &M,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        let steps: Vec<Step> = execution.steps().collect();
        let stuck = match ending {
            Some(Ending::Stuck(violation)) => Some(&**violation),
            _ => None,
        };
        let reported = violation.or(stuck);
        self.reported_data_race |= reported.is_some_and(|v| v.kind == ViolationKind::DataRace);
        if let Err(error) = self.check_execution(machine.as_ref(), &steps, reported) {
            let schedule: Schedule = steps.iter().copied().collect();
            self.differ(|| format!("{schedule}: {error}"));
        }
    }
}

/// A disagreement as it is shown to people: what differs, and the smallest program that shows it.
///
/// The program comes last, in the text form, so that it can be pasted into a regression test.
pub fn report(script: &Script, limit: u64, algorithms: &[Algorithm]) -> String {
    let compare = |script: &Script| compare(script, limit, algorithms);
    let smallest = shrink(script, |script| compare(script).is_disagreement());
    let differences = match compare(&smallest) {
        Compared::Disagreed(differences) => differences.join("\n"),
        other => format!("it does not always disagree: {other:?}"),
    };
    format!("{differences}\n\n{smallest}")
}
