//! Comparison of searches with a bound on preemptions with the oracle.
//!
//! For a bound of 0, 1, 2 and 3, an explorer must run the classes that some interleaving with at most
//! this many preemptions reaches, and no others. If the bound is raised until everything is explored,
//! it must run all classes, in the order of the preemptions that they need. Each class must count
//! once. `optimal` stands for the explorers that explore traces under a bound: they run the same code.

use std::collections::{BTreeSet, HashMap, HashSet};

use mazurka_core::execution::Execution;
use mazurka_core::explore::explore;
use mazurka_core::model::{Ending, Machine, Performed, Program, Step};
use mazurka_core::search::{Algorithm, Monitor, Options, PreemptionBound};
use mazurka_core::verdict::{Bound, PreemptionLevel, Restart, Verdict, Violation, ViolationKind};

use super::Compared;
use crate::oracle::{self, Behaviour, Class, Refused, Trace};
use crate::script::{LatelyNamed, Script, ScriptMachine, ScriptProgram};
use crate::shrink::shrink;

/// Runs `optimal` and `observers` with bounds on preemptions, on a program with at most `limit`
/// interleavings.
pub fn compare(script: &Script, limit: u64) -> Compared {
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
    let mut algorithms = vec![Algorithm::Naive, Algorithm::Optimal];
    // The oracle knows no observations of overlapping locations.
    algorithms.extend((!program.has_halves()).then_some(Algorithm::Observers));
    let numbers = (0..4).map(PreemptionBound::AtMost);
    let bounds: Vec<_> = numbers.chain([PreemptionBound::Auto]).collect();
    for algorithm in algorithms {
        for bound in &bounds {
            for late_names in [false, true] {
                let run = Run { algorithm, bound: *bound, late_names };
                differences.extend(run.differences(script, &program, &behaviour));
            }
        }
    }
    match differences.is_empty() {
        true => Compared::Agreed {
            interleavings: behaviour.interleavings,
            traces: behaviour.traces.len(),
            classes: behaviour.classes(),
        },
        false => Compared::Disagreed(differences),
    }
}

/// Describes a disagreement: the differences, and the smallest program that shows them.
pub fn report(script: &Script, limit: u64) -> String {
    let smallest = shrink(script, |script| compare(script, limit).is_disagreement());
    match compare(&smallest, limit) {
        Compared::Disagreed(differences) => format!("{}\n\n{smallest}", differences.join("\n")),
        other => format!("it does not always disagree: {other:?}\n\n{smallest}"),
    }
}

#[derive(Clone, Copy, Debug)]
struct Run {
    algorithm: Algorithm,
    bound: PreemptionBound,
    late_names: bool,
}

impl Run {
    fn differences(
        self,
        script: &Script,
        program: &ScriptProgram,
        behaviour: &Behaviour,
    ) -> Vec<String> {
        let mut ends = Ends {
            replay: program.start().expect("the oracle has started it, too"),
            performed: Performed::default(),
            traces: Vec::new(),
        };
        let verdict = match self.late_names {
            false => self.explore(program, &mut ends),
            true => self.explore(&LatelyNamed { script, program }, &mut ends),
        };
        let mut differences = Vec::new();
        self.check(behaviour, &ends.traces, &verdict, &mut differences);
        differences.truncate(5);
        differences.iter().map(|difference| format!("{self:?}: {difference}")).collect()
    }

    fn explore<P>(self, program: &P, ends: &mut Ends) -> Verdict
    where
        P: Program<Machine: AsRef<ScriptMachine>>,
    {
        let options = Options {
            algorithm: self.algorithm,
            preemption_bound: Some(self.bound),
            keep_going: true,
            ..Options::default()
        };
        let mut machine = program.start().expect("the oracle has started it, too");
        explore(&mut machine, &options, ends)
    }

    /// Returns the key of the class of a trace.
    fn key(self, trace: u128, class: &Class) -> u128 {
        match self.algorithm {
            Algorithm::Observers => class.observed,
            _ => trace,
        }
    }

    fn check(
        self,
        behaviour: &Behaviour,
        run: &[u128],
        verdict: &Verdict,
        differences: &mut Vec<String>,
    ) {
        // The fewest preemptions that lead to each class.
        let mut needed: HashMap<u128, (u32, &Class)> = HashMap::new();
        for (trace, class) in &behaviour.traces {
            let least = needed.entry(self.key(*trace, class)).or_insert((class.preemptions, class));
            if class.preemptions < least.0 {
                *least = (class.preemptions, class);
            }
        }
        let bound = self.bound.number().unwrap_or(u32::MAX);
        let mut met: HashSet<u128> = HashSet::new();
        let (mut executions, mut level) = (0, 0);
        for trace in run {
            let Some(class) = behaviour.traces.get(trace) else {
                differences.push("the oracle knows no such trace".to_owned());
                continue;
            };
            executions += u64::from(!class.outcome.assumption_failed);
            let key = self.key(*trace, class);
            let preemptions = needed[&key].0;
            if preemptions > bound {
                let example = &class.example;
                differences.push(format!("{example} needs {preemptions} preemptions"));
            }
            if preemptions < level && self.algorithm != Algorithm::Naive {
                differences.push(format!("{} comes late", class.example));
            }
            level = level.max(preemptions);
            // An object with two names makes two classes of one. The classes of `observers` depend on
            // the locations at which processes wait, also in vain.
            let is_exact = !self.late_names && self.algorithm == Algorithm::Optimal;
            if !met.insert(key) && is_exact {
                differences.push(format!("what is equivalent to {} counts twice", class.example));
            }
        }
        for (key, (preemptions, class)) in &needed {
            if *preemptions <= bound && !met.contains(key) {
                let example = &class.example;
                let traces = format!("{preemptions} preemptions lead to {example}");
                differences.push(format!("it never runs it, and {traces}"));
            }
        }
        if self.algorithm == Algorithm::Observers && !self.late_names {
            let vain = |trace: &u128| behaviour.traces[trace].observed_with_vain_waits;
            let distinct: HashSet<u128> = run.iter().map(vain).collect();
            if distinct.len() < run.len() {
                differences.push(format!("{} of {} classes", distinct.len(), run.len()));
            }
        }
        let is_over = needed.values().all(|(preemptions, _)| *preemptions <= bound);
        self.check_verdict(behaviour, verdict, executions, is_over, differences);
    }

    fn check_verdict(
        self,
        behaviour: &Behaviour,
        verdict: &Verdict,
        executions: u64,
        is_over: bool,
        differences: &mut Vec<String>,
    ) {
        if verdict.executions != executions {
            let counted = verdict.executions;
            differences.push(format!("it counts {counted} executions and runs {executions}"));
        }
        match verdict.stopped {
            None if is_over => {}
            // It cannot know that schedules with more preemptions are all redundant.
            Some(Bound::Preemptions) if self.bound != PreemptionBound::Auto => {}
            stopped => differences.push(format!("it stops at {stopped:?}; is it over? {is_over}")),
        }
        match verdict.preemptions {
            Some(PreemptionLevel { is_explored: true, .. }) => {}
            None if self.algorithm == Algorithm::Naive => {}
            level => differences.push(format!("it reaches {level:?}")),
        }
        if self.bound == PreemptionBound::Auto {
            let others = verdict.violations.iter().filter(|v| v.kind != ViolationKind::DataRace);
            let reported: BTreeSet<_> = others.map(|v| (v.kind, v.message.clone())).collect();
            if reported != behaviour.violations {
                differences.push(format!("it reports {reported:?}"));
            }
        }
    }
}

/// Collects the traces of the executions that count.
struct Ends {
    replay: ScriptMachine,
    performed: Performed,
    traces: Vec<u128>,
}

impl<M: AsRef<ScriptMachine>> Monitor<M> for Ends {
    fn ended(
        &mut self,
        _machine: &M,
        execution: &Execution,
        ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        if ending.is_none() {
            return;
        }
        self.replay.rewind(0).expect("scripts can always go back");
        let mut trace = Trace::new(self.replay.processes());
        let steps: Vec<Step> = execution.steps().collect();
        for step in steps {
            self.performed.clear();
            let _ = self.replay.step(step, &mut self.performed);
            trace.push(step, &self.performed).expect("the oracle has a trace of it, too");
        }
        self.traces.push(trace.canonical());
    }

    fn started_over(&mut self, _restart: &Restart) {
        self.traces.clear();
    }
}
