//! A monitor that compares an exploration with the oracle.

use std::collections::{BTreeSet, HashMap, HashSet};

use mazurka_core::execution::Execution;
use mazurka_core::model::{Ending, Machine, Performed, Program, Step};
use mazurka_core::search::{Algorithm, Monitor};
use mazurka_core::verdict::{Note, Restart, Schedule, Verdict, Violation, ViolationKind};

use super::{Known, Run};
use crate::oracle::{Behaviour, Class, Finding, Observations, Outcome, Trace};
use crate::script::{ScriptMachine, ScriptProgram};

impl Run {
    /// Returns whether no execution may be redundant. An explorer that cannot distinguish two
    /// objects treats independent steps as dependent, and may run more than necessary.
    fn is_exact(self) -> bool {
        let tells_objects_apart = !self.late_names || self.algorithm == Algorithm::Unfolding;
        let orders_more = [Algorithm::Unfolding, Algorithm::DataCentric].contains(&self.algorithm);
        if self.has_halves && orders_more {
            return false;
        }
        self.sleep_sets && tells_objects_apart && self.algorithm != Algorithm::EmDpor
    }

    /// Returns the key of the class of executions of which one must be run.
    fn to_cover(self, trace: u128, class: &Class) -> u128 {
        match self.algorithm {
            Algorithm::Observers if self.has_halves => 0,
            // It may know that a location is awaited for only one of its names.
            Algorithm::Observers if self.late_names => class.observed_without_waits,
            Algorithm::Observers => class.observed,
            // It is compared with the observation functions instead.
            Algorithm::DataCentric => 0,
            _ => trace,
        }
    }

    /// Returns the key of the class of executions of which at most one may be run, if no execution
    /// may be redundant.
    fn not_to_repeat(self, trace: u128, class: &Class) -> u128 {
        match self.algorithm {
            Algorithm::Observers if !self.has_halves => class.observed_with_vain_waits,
            _ => trace,
        }
    }
}

/// Checks every execution of an exploration against the oracle.
pub(super) struct Watcher<'a> {
    behaviour: &'a Behaviour,
    algorithm: Algorithm,
    reported_data_race: bool,
    /// Replays every execution, so that the comparison does not rely on the machine of the
    /// explorer.
    replay: ScriptMachine,
    performed: Performed,
    /// The canonical form of the trace of each execution, or `None` if some process was still
    /// enabled.
    executions: Vec<Option<u128>>,
    observations: &'a Observations,
    /// Whether `data-centric` may run more executions than there are traces.
    orders_more: bool,
    /// Whether the program has read locks, and an execution in which a process waits forever.
    has_readers_and_deadlocks: bool,
    /// For `data-centric`, the digests of the observation function of each execution: with waiting,
    /// and without it.
    observed: Vec<Option<[u128; 2]>>,
    differences: Vec<String>,
    /// The number of executions before the current part, if the search is divided.
    part: Option<usize>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(program: &ScriptProgram, known: Known<'a>, algorithm: Algorithm) -> Self {
        Watcher {
            behaviour: known.behaviour,
            observations: known.observations,
            orders_more: known.orders_more,
            has_readers_and_deadlocks: known.has_readers
                && known.behaviour.has(|found| found.iter().any(Finding::is_deadlock)),
            observed: Vec::new(),
            algorithm,
            reported_data_race: false,
            replay: program.start().expect("the oracle has started it, too"),
            performed: Performed::default(),
            executions: Vec::new(),
            differences: Vec::new(),
            part: None,
        }
    }

    /// Begins a part of a divided search. If it starts over, only its own executions do not count.
    pub(super) fn begin_part(&mut self) {
        self.part = Some(self.executions.len());
    }

    /// Returns the maximum number of executions that an explorer may need after it last started
    /// over.
    pub(super) fn most_executions(&self) -> u64 {
        2 * self.behaviour.interleavings + 1
    }

    /// Returns the number of interleavings of the program.
    pub(super) fn interleavings(&self) -> u64 {
        self.behaviour.interleavings
    }

    /// Returns the differences between the explorer and the oracle.
    pub(super) fn differences(&self) -> &[String] {
        &self.differences
    }

    /// Records a difference, unless there are already 5.
    pub(super) fn differ(&mut self, difference: impl FnOnce() -> String) {
        if self.differences.len() < 5 {
            self.differences.push(difference());
        }
    }

    /// Replays an execution.
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
            self.observed.push(None);
            return Ok(());
        }
        let observed = match self.algorithm {
            Algorithm::DataCentric if !self.observations.functions.is_empty() => {
                let without_waits = self.observations.digest_without_waits(&trace);
                Some([self.observations.digest(&trace), without_waits])
            }
            _ => None,
        };
        self.observed.push(observed);
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
            // It orders additions, and so finds the race in another execution.
            None if self.algorithm == Algorithm::DataCentric
                && findings.iter().all(|finding| *finding == Finding::DATA_RACE) =>
            {
                Ok(())
            }
            Some(violation) if findings.iter().any(|f| f.kind == violation.kind) => Ok(()),
            Some(violation)
                if matches!(self.algorithm, Algorithm::Observers | Algorithm::DataCentric)
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

    /// Checks the result of the whole exploration.
    pub(super) fn check(&mut self, verdict: &Verdict, run: Run) {
        let starts_over = [Algorithm::Observers, Algorithm::DataCentric, Algorithm::Unfolding];
        // With overlapping locations, every explorer may learn of an overlap late.
        if starts_over.contains(&run.algorithm) || run.has_halves {
            // After a restart, only the later executions count.
            let counted = (verdict.executions + verdict.blocked) as usize;
            self.executions.drain(..self.executions.len().saturating_sub(counted));
            self.observed.drain(..self.observed.len().saturating_sub(counted));
        }
        if let Some(bound) = verdict.stopped {
            self.differ(|| format!("it is incomplete: {bound}"));
        }
        if verdict.executions + verdict.blocked >= self.most_executions() {
            self.differ(|| format!("it runs {} executions", verdict.executions));
        }
        self.check_coverage(run);
        self.check_repetition(run);
        self.check_counts(verdict, run);
        // Otherwise, `optimal` has explored the program.
        let by_observation = !verdict.notes.contains(&Note::Overlap);
        if run.algorithm == Algorithm::DataCentric && !run.has_halves && by_observation {
            self.check_observations(run);
        }
        self.check_violations(verdict);
    }

    /// Checks that the explorer reports all violations of the program and no others.
    ///
    /// A data race is reported for each pair of processes and location, and the executions that
    /// show it depend on the explorer. At least one must be reported if there is one.
    fn check_violations(&mut self, verdict: &Verdict) {
        let is_race = |violation: &&Violation| violation.kind == ViolationKind::DataRace;
        let others = verdict.violations.iter().filter(|violation| !is_race(violation));
        let reported: BTreeSet<_> = others.map(|v| (v.kind, v.message.clone())).collect();
        let expected = &self.behaviour.violations;
        for (kind, message) in expected.difference(&reported) {
            self.differ(|| format!("it does not report: {kind}: {message}"));
        }
        for (kind, message) in reported.difference(expected) {
            self.differ(|| format!("it reports, and the oracle does not: {kind}: {message}"));
        }
        let races = |findings: &BTreeSet<Finding>| findings.contains(&Finding::DATA_RACE);
        if verdict.violations.iter().any(|v| is_race(&v)) && !self.behaviour.has(races) {
            self.differ(|| "it reports a data race, and the oracle does not".to_owned());
        }
        for violation in &verdict.violations {
            self.check_schedule(violation);
        }
    }

    /// Checks that the schedule of a violation leads to it, and to no other failure before.
    fn check_schedule(&mut self, violation: &Violation) {
        self.replay.rewind(0).expect("scripts can always go back");
        let mut failure = None;
        for step in violation.schedule.steps() {
            if !self.replay.enabled_steps().contains(step) {
                let schedule = &violation.schedule;
                return self.differ(|| format!("{schedule}: step {step} is not possible"));
            }
            self.performed.clear();
            let result = self.replay.step(*step, &mut self.performed);
            failure = failure.or(result.err());
        }
        if let Ending::Stuck(stuck) = self.replay.ending() {
            failure = failure.or(Some(stuck).filter(|_| self.replay.enabled_steps().is_empty()));
        }
        let same = |other: &Violation| {
            (other.kind, &other.message) == (violation.kind, &violation.message)
        };
        if violation.kind != ViolationKind::DataRace && !failure.as_deref().is_some_and(same) {
            let schedule = &violation.schedule;
            self.differ(|| format!("{schedule} leads to {failure:?} instead of {violation}"));
        }
    }

    /// Checks that the explorer has run every execution that it must run.
    ///
    /// `observers` need not run a trace that no observer distinguishes from another one. It must
    /// still see every ending.
    fn check_coverage(&mut self, run: Run) {
        let behaviour = self.behaviour;
        // If there are other failures as well, a data race may come second.
        let must_race =
            behaviour.has(|found| found.len() == 1 && found.contains(&Finding::DATA_RACE));
        if must_race && !self.reported_data_race {
            self.differ(|| "it reports no data race".to_owned());
        }
        let to_cover = |(trace, class)| run.to_cover(trace, class);
        let seen: HashSet<u128> = self.seen().map(to_cover).collect();
        let endings: HashSet<_> = self.seen().map(|(_, class)| class.outcome.ending()).collect();
        for (trace, class) in &behaviour.traces {
            let example = &class.example;
            if !endings.contains(&class.outcome.ending()) {
                self.differ(|| format!("it never sees how {example} ends"));
            } else if !seen.contains(&to_cover((*trace, class))) {
                self.differ(|| format!("it never runs what is equivalent to {example}"));
            }
        }
    }

    /// Returns the traces of the executions that came to an end.
    fn seen(&self) -> impl Iterator<Item = (u128, &'a Class)> {
        let traces = &self.behaviour.traces;
        let ended = self.executions.iter().flatten();
        ended.filter_map(|trace| traces.get(trace).map(|class| (*trace, class)))
    }

    /// Checks that no execution was redundant.
    fn check_repetition(&mut self, run: Run) {
        let behaviour = self.behaviour;
        let mut runs: HashMap<u128, (&Class, u64)> = HashMap::new();
        for (trace, class) in self.seen() {
            runs.entry(run.not_to_repeat(trace, class)).or_insert((class, 0)).1 += 1;
        }
        let finished = self.executions.iter().flatten().count() as u64;
        let unfinished = self.executions.len() as u64 - finished;
        let traces = behaviour.traces.len();
        match run.algorithm {
            Algorithm::Naive => {
                let all = behaviour.interleavings;
                if finished != all {
                    self.differ(|| format!("it runs {finished} of {all} interleavings"));
                }
            }
            // It may run two executions of one trace with different orders of additions.
            Algorithm::DataCentric => {}
            _ if run.is_exact() => {
                for (class, runs) in runs.into_values().filter(|(_, runs)| *runs > 1) {
                    let example = &class.example;
                    self.differ(|| format!("it runs what is equivalent to {example} {runs} times"));
                }
            }
            _ => {}
        }
        let is_never_blocked = match run.algorithm {
            Algorithm::Naive => true,
            Algorithm::Optimal | Algorithm::Observers | Algorithm::EventDriven => run.is_exact(),
            // A process that waits for readers that never release a lock may have been left out
            // unnecessarily.
            Algorithm::DataCentric => run.is_exact() && !self.has_readers_and_deadlocks,
            Algorithm::Unfolding => run.is_exact() && run.unfolding.alternatives.is_none(),
            Algorithm::Dpor
            | Algorithm::Source
            | Algorithm::EmDpor
            | Algorithm::Graphs
            | Algorithm::Random
            | Algorithm::Pct
            | Algorithm::Pos
            | Algorithm::Surw => false,
        };
        if is_never_blocked && unfinished > 0 {
            self.differ(|| {
                format!("{unfinished} executions were blocked, next to {traces} traces")
            });
        }
        let all = match self.has_readers_and_deadlocks {
            true => finished as usize,
            false => self.executions.len(),
        };
        let is_bounded = match run.algorithm {
            Algorithm::Observers => run.is_exact(),
            Algorithm::DataCentric => run.is_exact() && !self.orders_more,
            _ => false,
        };
        if is_bounded && all > traces {
            self.differ(|| format!("it runs {all} executions, and there are {traces} traces"));
        }
    }

    /// Checks that every observation function was found, and none twice.
    fn check_observations(&mut self, run: Run) {
        let mut met: HashMap<u128, u64> = HashMap::new();
        for [observed, without_waits] in self.observed.iter().flatten() {
            let digest = if run.is_exact() { observed } else { without_waits };
            *met.entry(*digest).or_default() += 1;
        }
        for (digest, function) in &self.observations.functions {
            let digest = if run.is_exact() { *digest } else { function.without_waits };
            let (example, times) = (&function.example, met.get(&digest).copied().unwrap_or(0));
            match times {
                0 => self.differ(|| format!("it never observes what {example} observes")),
                1 => {}
                _ if !run.is_exact() => {}
                _ => self.differ(|| format!("it observes what {example} observes {times} times")),
            }
        }
    }

    fn check_counts(&mut self, verdict: &Verdict, run: Run) {
        let behaviour = self.behaviour;
        // The parts of an object with a late name may be accessed in any order.
        if verdict.notes.contains(&Note::LateNames) && !run.has_halves {
            self.differ(|| "it gives up, since it cannot tell objects apart".to_owned());
        }
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
    fn started_over(&mut self, _restart: &Restart) {
        if let Some(start) = self.part {
            self.executions.truncate(start);
            self.observed.truncate(start);
        }
    }

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
