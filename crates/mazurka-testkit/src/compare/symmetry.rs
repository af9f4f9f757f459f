//! Comparison of symmetry reduction with the oracle.
//!
//! The oracle knows all traces of a program. A permutation of [twins](Machine::twin) turns a trace into
//! another one; the traces that permutations make out of one are its orbit. With `symmetry`,
//!
//! * `naive`, `dpor` and `source` must run an execution of every orbit;
//! * `optimal` must count exactly one execution of every orbit;
//! * `observers` must count exactly one execution of every orbit of classes that no observer
//!   distinguishes. For locations where processes wait in vain, classes may be finer: see
//!   [`Class::observed_with_vain_waits`](crate::oracle::Class::observed_with_vain_waits).
//!
//! An object that gets its name late may have several names. Then an explorer may order more than it has to, and
//! at least one execution of every orbit must count.
//!
//! All must report the violations of the program, except that a message may name another twin.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mazurka_core::execution::Execution;
use mazurka_core::explore::{Sharing, explore, explore_with_workers};
use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program, Step, Ways};
use mazurka_core::search::{Algorithm, Monitor, Options};
use mazurka_core::verdict::{Schedule, Verdict, Violation, ViolationKind};

use super::saved;
use crate::oracle::{self, Behaviour, Class, Finding, Outcome, Refused, Trace};
use crate::script::{LatelyNamed, Script, ScriptMachine, ScriptProgram};
use crate::shrink::shrink;

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// All explorers agree with the oracle.
    Agreed {
        /// The number of traces.
        traces: usize,
        /// The number of orbits of traces.
        orbits: usize,
        /// The number of orbits of classes that no observer distinguishes.
        classes: usize,
        /// The numbers of executions of `optimal` and of `observers` that repeat another one, and do not
        /// count.
        repeated: [u64; 2],
    },
    /// The program has no twins, or cannot be enumerated.
    Skipped,
    /// The differences.
    Disagreed(Vec<String>),
}

impl Compared {
    /// Returns whether some explorer disagrees with the oracle.
    pub fn is_disagreement(&self) -> bool {
        matches!(self, Compared::Disagreed(_))
    }
}

/// Compares the explorers on a program that has at most `limit` interleavings.
pub fn compare(script: &Script, limit: u64) -> Compared {
    let program = match ScriptProgram::new(script) {
        Ok(program) => program,
        Err(error) => return Compared::Disagreed(vec![format!("it cannot be run: {error}")]),
    };
    let twins = program.twins();
    let behaviour = match oracle::enumerate(&program, limit) {
        _ if twins.is_empty() => return Compared::Skipped,
        Ok(behaviour) => behaviour,
        Err(Refused::Inconsistent(error)) => return Compared::Disagreed(vec![error]),
        Err(_) => return Compared::Skipped,
    };
    let orbits = match Orbits::of(&program, &behaviour, &twins) {
        Ok(orbits) => orbits,
        Err(error) => return Compared::Disagreed(vec![error]),
    };
    let known = Known { script, program: &program, behaviour: &behaviour, orbits: &orbits };
    let mut differences = Vec::new();
    let mut repeated = [0; 2];
    for run in Run::all() {
        let (again, found) = run.differences(known);
        differences.extend(found.into_iter().map(|difference| format!("{run:?}: {difference}")));
        if run == Run::of(Algorithm::Optimal) {
            repeated[0] = again;
        } else if run == Run::of(Algorithm::Observers) {
            repeated[1] = again;
        }
    }
    match differences.is_empty() {
        true => Compared::Agreed {
            traces: behaviour.traces.len(),
            orbits: orbits.count(&orbits.of_traces),
            classes: orbits.count(&orbits.of_classes),
            repeated,
        },
        false => Compared::Disagreed(differences),
    }
}

/// Describes a disagreement for people: the differences, and the smallest program that shows them.
pub fn report(script: &Script, limit: u64) -> String {
    let smallest = shrink(script, |script| compare(script, limit).is_disagreement());
    match compare(&smallest, limit) {
        Compared::Disagreed(differences) => format!("{}\n\n{smallest}", differences.join("\n")),
        other => format!("it does not always disagree: {other:?}\n\n{smallest}"),
    }
}

/// The orbits of the traces of a program.
struct Orbits {
    /// A trace of the same orbit, for each trace.
    of_traces: HashMap<u128, u128>,
    /// A trace of the same orbit of classes that no observer distinguishes, for each trace.
    of_classes: HashMap<u128, u128>,
    /// The same for classes that may be finer, as waiting in vain for a location orders the writes to it.
    of_finer_classes: HashMap<u128, u128>,
}

impl Orbits {
    /// Computes the orbits by exchanging neighbours in an execution of each trace.
    fn of(
        program: &ScriptProgram,
        behaviour: &Behaviour,
        twins: &[(ProcessId, ProcessId)],
    ) -> Result<Self, String> {
        let mut of_traces: HashMap<u128, u128> =
            behaviour.traces.keys().map(|trace| (*trace, *trace)).collect();
        for (trace, class) in &behaviour.traces {
            for swap in twins {
                let swapped = swapped(program, &class.example, *swap)?;
                if !behaviour.traces.contains_key(&swapped) {
                    let example = &class.example;
                    return Err(format!("{example} with {swap:?} exchanged is no execution"));
                }
                unite(&mut of_traces, *trace, swapped);
            }
        }
        let of = |class: fn(&Class) -> u128| {
            let (mut orbits, mut by_class) = (of_traces.clone(), HashMap::new());
            for (trace, example) in &behaviour.traces {
                let other = *by_class.entry(class(example)).or_insert(*trace);
                unite(&mut orbits, *trace, other);
            }
            orbits
        };
        let of_classes = of(|class| class.observed);
        let of_finer_classes = of(|class| class.observed_with_vain_waits);
        Ok(Orbits { of_traces, of_classes, of_finer_classes })
    }

    fn count(&self, parents: &HashMap<u128, u128>) -> usize {
        parents.keys().map(|trace| root(parents, *trace)).collect::<HashSet<_>>().len()
    }
}

fn root(parents: &HashMap<u128, u128>, mut trace: u128) -> u128 {
    while parents[&trace] != trace {
        trace = parents[&trace];
    }
    trace
}

fn unite(parents: &mut HashMap<u128, u128>, first: u128, second: u128) {
    let (first, second) = (root(parents, first), root(parents, second));
    parents.insert(first, second);
}

/// Returns the trace of an execution in which two processes are exchanged.
fn swapped(
    program: &ScriptProgram,
    schedule: &Schedule,
    (a, b): (ProcessId, ProcessId),
) -> Result<u128, String> {
    let swap = |process: ProcessId| match process {
        _ if process == a => b,
        _ if process == b => a,
        _ => process,
    };
    let start = || program.start().expect("the oracle has started it, too");
    let (mut before, mut after) = (start(), start());
    let mut trace = Trace::new(after.processes());
    let (mut expected, mut performed) = (Performed::default(), Performed::default());
    for (len, step) in schedule.steps().iter().enumerate() {
        expected.clear();
        let _ = before.step(*step, &mut expected);
        let process = swap(step.process);
        if !after.is_enabled(process) {
            return Err(format!("{schedule}: with {a} and {b} exchanged, {process} is stuck"));
        }
        // A process that notifies another one chooses it by its number, which is that of a bit.
        let ways = after.alternatives(process);
        let mut choice = step.choice;
        if let Some(notified) = notified(&expected).filter(|_| ways > 1) {
            for other in 0..ways {
                performed.clear();
                let _ = after.step(Step { process, choice: other }, &mut performed);
                if self::notified(&performed) == Some(swap(notified)) {
                    choice = other;
                }
                after.rewind(len).expect("scripts can always go back");
            }
        }
        performed.clear();
        let step = Step { process, choice };
        let _ = after.step(step, &mut performed);
        trace.push(step, &performed).map_err(|_| "it is too long".to_owned())?;
    }
    Ok(trace.canonical())
}

/// Returns the process that a step notifies, if it notifies one.
fn notified(performed: &Performed) -> Option<ProcessId> {
    let action = performed.actions.first().filter(|action| action.ways == Ways::PerBit)?;
    let bits = action.before & !action.after;
    (bits != 0).then(|| ProcessId::new(bits.trailing_zeros() as usize))
}

#[derive(Clone, Copy)]
struct Known<'a> {
    script: &'a Script,
    program: &'a ScriptProgram,
    behaviour: &'a Behaviour,
    orbits: &'a Orbits,
}

/// The options of an exploration.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Run {
    algorithm: Algorithm,
    late_names: bool,
    workers: Option<NonZeroUsize>,
    saved_after: Option<u64>,
}

impl Run {
    fn of(algorithm: Algorithm) -> Self {
        Run { algorithm, late_names: false, workers: None, saved_after: None }
    }

    fn all() -> Vec<Run> {
        let [optimal, observers] = [Algorithm::Optimal, Algorithm::Observers].map(Run::of);
        let variants = |run: Run| {
            let together = Run { workers: NonZeroUsize::new(3), ..run };
            let saved = Run { saved_after: Some(2), ..together };
            [run, Run { late_names: true, ..run }, together, saved]
        };
        let naive = Run::of(Algorithm::Naive);
        let together = Run { workers: NonZeroUsize::new(3), ..naive };
        let others = [Algorithm::Dpor, Algorithm::Source].map(Run::of).into_iter();
        let others = others.chain([naive, together]);
        [variants(optimal), variants(observers)].concat().into_iter().chain(others).collect()
    }

    /// Returns the number of executions that repeat another one, and the differences between the explorer and the oracle.
    fn differences(self, known: Known<'_>) -> (u64, Vec<String>) {
        let mut watcher = Watcher { ends: Vec::new(), reported: BTreeSet::new() };
        let explored = catch_unwind(AssertUnwindSafe(|| match self.late_names {
            false => self.explore(known.program, known.behaviour, &mut watcher),
            true => {
                let program = LatelyNamed { script: known.script, program: known.program };
                self.explore(&program, known.behaviour, &mut watcher)
            }
        }));
        match explored {
            Ok(verdict) => match self.check(known, &verdict, &watcher) {
                Ok(repeated) => (repeated, Vec::new()),
                Err(difference) => (0, vec![difference]),
            },
            Err(payload) => {
                let message = payload.downcast_ref::<String>().map(String::as_str);
                let message = message.or(payload.downcast_ref::<&str>().copied());
                (0, vec![format!("it panicked: {}", message.unwrap_or_default())])
            }
        }
    }

    fn explore<P>(self, program: &P, behaviour: &Behaviour, watcher: &mut Watcher) -> Verdict
    where
        P: Program<Machine: AsRef<ScriptMachine>>,
    {
        let options = Options {
            algorithm: self.algorithm,
            symmetry: Some(true),
            keep_going: true,
            max_executions: Some(20 * behaviour.interleavings + 10),
            ..Options::default()
        };
        let mut machine = program.start().expect("the oracle has started it, too");
        let Some(workers) = self.workers else { return explore(&mut machine, &options, watcher) };
        if let Some(executions) = self.saved_after {
            return saved(program, workers, executions, &options, watcher);
        }
        let sharing = Sharing::Always { seed: behaviour.interleavings };
        explore_with_workers(program, &mut machine, workers, sharing, &options, watcher)
    }

    fn check(self, known: Known<'_>, verdict: &Verdict, watcher: &Watcher) -> Result<u64, String> {
        let Known { program, behaviour, orbits, .. } = known;
        if let Some(bound) = verdict.stopped {
            return Err(format!("it is incomplete: {bound}"));
        }
        // After a restart, only the later executions count.
        let counted = (verdict.executions + verdict.blocked) as usize;
        let ends = &watcher.ends[watcher.ends.len().saturating_sub(counted)..];
        // The oracle does not model observations of overlapping locations.
        let observes = self.algorithm == Algorithm::Observers && !program.has_halves();
        let (parents, finer) = match observes {
            true => (&orbits.of_classes, &orbits.of_finer_classes),
            false => (&orbits.of_traces, &orbits.of_traces),
        };
        let counts_one = matches!(self.algorithm, Algorithm::Optimal | Algorithm::Observers);
        let mut found = HashSet::new();
        let mut times: HashMap<u128, u32> = HashMap::new();
        let mut repeated = 0;
        for (schedule, counts) in ends {
            let Some(trace) = maximal(program, behaviour, schedule)? else { continue };
            if *counts || !counts_one {
                found.insert(root(parents, trace));
                *times.entry(root(finer, trace)).or_default() += 1;
            } else {
                repeated += 1;
            }
        }
        let covers_orbits = self.algorithm != Algorithm::Observers || !program.has_halves();
        for (trace, class) in behaviour.traces.iter().filter(|_| covers_orbits) {
            if !found.contains(&root(parents, *trace)) {
                return Err(format!("it runs nothing of the orbit of {}", class.example));
            }
        }
        let is_exact = counts_one && covers_orbits && !self.late_names;
        if let Some((trace, times)) = times.iter().find(|(_, times)| is_exact && **times > 1) {
            let example = &behaviour.traces[trace].example;
            return Err(format!("it counts {times} executions of the orbit of {example}"));
        }
        self.check_violations(known, verdict, watcher)?;
        Ok(repeated)
    }

    fn check_violations(
        self,
        known: Known<'_>,
        verdict: &Verdict,
        watcher: &Watcher,
    ) -> Result<(), String> {
        let Known { program, behaviour, .. } = known;
        let is_race = |violation: &&Violation| violation.kind == ViolationKind::DataRace;
        let others = verdict.violations.iter().filter(|violation| !is_race(violation));
        let reported: BTreeSet<_> = others.map(|v| v.kind).collect();
        let expected: BTreeSet<_> = behaviour.violations.iter().map(|(kind, _)| *kind).collect();
        if reported != expected {
            return Err(format!("it reports {reported:?}, and the oracle {expected:?}"));
        }
        let races = |found: &BTreeSet<Finding>| found.contains(&Finding::DATA_RACE);
        // If there are other failures as well, a data race may come second.
        let must_race = behaviour.has(|found| found.len() == 1 && races(found));
        let has_race = watcher.reported.contains(&ViolationKind::DataRace);
        if (must_race && !has_race) || (has_race && !behaviour.has(races)) {
            return Err(format!("it reports a data race: {has_race}"));
        }
        for violation in &verdict.violations {
            let mut machine = program.start().expect("the oracle has started it, too");
            let mut failure = None;
            for step in violation.schedule.steps() {
                if !machine.enabled_steps().contains(step) {
                    return Err(format!("{}: step {step} is not possible", violation.schedule));
                }
                failure = failure.or(machine.step(*step, &mut Performed::default()).err());
            }
            if let Ending::Stuck(stuck) = machine.ending() {
                failure = failure.or(Some(stuck).filter(|_| machine.enabled_steps().is_empty()));
            }
            let same = |other: &Violation| other.kind == violation.kind;
            if !is_race(&violation) && !failure.as_deref().is_some_and(same) {
                let schedule = &violation.schedule;
                return Err(format!("{schedule} leads to {failure:?} instead of {violation}"));
            }
        }
        Ok(())
    }
}

/// Returns the trace of an execution, or `None` if some process can go on after it.
fn maximal(
    program: &ScriptProgram,
    behaviour: &Behaviour,
    schedule: &[Step],
) -> Result<Option<u128>, String> {
    let mut machine = program.start().expect("the oracle has started it, too");
    let mut trace = Trace::new(machine.processes());
    let mut performed = Performed::default();
    for step in schedule {
        if !machine.enabled_steps().contains(step) {
            return Err(format!("it takes step {step}, which is not possible"));
        }
        performed.clear();
        let _ = machine.step(*step, &mut performed);
        trace.push(*step, &performed).map_err(|_| "it is too long".to_owned())?;
    }
    if !machine.enabled_steps().is_empty() {
        return Ok(None);
    }
    let trace_id = trace.canonical();
    let class = behaviour.traces.get(&trace_id).ok_or("the oracle knows no such trace")?;
    match Outcome::of(&machine, &trace) == class.outcome {
        true => Ok(Some(trace_id)),
        false => Err("it ends in another way than the oracle's".to_owned()),
    }
}

/// Notes all executions.
struct Watcher {
    /// The executions, and whether each counts.
    ends: Vec<(Vec<Step>, bool)>,
    reported: BTreeSet<ViolationKind>,
}

impl<M: AsRef<ScriptMachine>> Monitor<M> for Watcher {
    fn ended(
        &mut self,
        _machine: &M,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        self.ends.push((execution.steps().collect(), ending.is_some()));
        self.reported.extend(violation.map(|violation| violation.kind));
    }
}
