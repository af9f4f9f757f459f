//! Checks that have been run.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use mazurka_core::execution::Execution;
use mazurka_core::explore::{Sharing, check, check_with_workers};
use mazurka_core::model::{Ending, Program, Step};
use mazurka_core::search::{Algorithm, Monitor, Options};
use mazurka_core::verdict::{Note, Schedule, Verdict, Violation, ViolationKind};

use crate::{Report, Scripted, Subject};

/// A check that has been run, or a schedule that has been replayed.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was found.
    pub verdict: Verdict,
    /// The schedule to replay, if only that was run.
    pub asked: Option<Schedule>,
    /// In a replay, the steps that were taken: those of the schedule, and what came after them.
    pub taken: Schedule,
}

impl Run {
    /// Explores the executions of a subject.
    pub fn check<S: Subject>(
        subject: &S,
        options: &Options<'_>,
        monitor: &mut dyn Monitor<S::Machine>,
    ) -> Self {
        Run::of_check(subject, check(subject, options, monitor))
    }

    /// The same by several workers, whose machines must agree on names.
    pub fn check_by<S: Subject>(
        (workers, sharing): (NonZeroUsize, Sharing),
        subject: &S,
        options: &Options<'_>,
        monitor: &mut (dyn Monitor<S::Machine> + Send),
    ) -> Self {
        let verdict = check_with_workers(subject, workers, sharing, options, monitor);
        Run::of_check(subject, verdict)
    }

    /// Runs one schedule of a subject, and what comes after it if the schedule is too short.
    pub fn replay<S: Subject>(subject: &S, schedule: &Schedule, options: &Options<'_>) -> Self {
        let replay = || replay(subject, schedule, options);
        let plain = replay();
        if plain.is_misfit() {
            while subject.suppose() {
                let other = replay();
                // Any schedule may fit some program or other, but few of them fail.
                if !other.is_misfit() && !other.verdict.violations.is_empty() {
                    return other;
                }
            }
        }
        plain
    }

    /// Whether the schedule does not fit the program, which then may have other steps.
    fn is_misfit(&self) -> bool {
        let is_misfit = |violation: &Violation| violation.kind == ViolationKind::Nondeterminism;
        self.verdict.violations.iter().any(is_misfit)
    }

    fn of_check<S: Subject>(subject: &S, mut verdict: Verdict) -> Run {
        tell_races_once(subject, &mut verdict);
        if verdict.is_complete() && verdict.executions == 0 && verdict.blocked > 0 {
            verdict.notes.push(Note::OnlyBlocked);
        }
        Run { verdict, asked: None, taken: Schedule::default() }
    }

    /// A report on each violation; of a replay, on that.
    pub fn reports<S: Subject>(&self, subject: &S) -> Vec<Report> {
        let Some(asked) = &self.asked else {
            let violations = self.verdict.violations.iter();
            return violations.map(|violation| report_on(subject, violation)).collect();
        };
        let name = subject.name();
        let report = match self.violation_asked_for(asked) {
            Some(violation) if violation.schedule.steps().len() < asked.steps().len() => {
                // It may have failed early, or not fit the program; the recording tells.
                let recording = subject.record(asked);
                Report::on_violation(&name, violation, recording)
            }
            Some(violation) => report_on(subject, violation),
            None => {
                let recording = subject.record(&self.taken);
                Report::on_nothing(&name, self.taken.clone(), recording)
            }
        };
        let report = report.with_replay_command(|schedule| subject.replay_command(schedule));
        vec![report.replayed(asked)]
    }

    /// What a schedule that was asked for leads to: of several data races, the one at its end.
    fn violation_asked_for(&self, asked: &Schedule) -> Option<&Violation> {
        let violations = &self.verdict.violations;
        let ends_there = |violation: &&Violation| ends_at(violation, asked.steps().len());
        violations.iter().find(ends_there).or(violations.first())
    }

    /// A report on each warning.
    pub fn warnings<S: Subject>(&self, subject: &S) -> Vec<Report> {
        self.verdict.warnings.iter().map(|warning| report_on(subject, warning)).collect()
    }
}

fn report_on<S: Subject>(subject: &S, violation: &Violation) -> Report {
    let steps = violation.schedule.steps();
    // After a data race the execution may have gone on.
    let end = violation.accesses.map_or(steps.len(), |(_, second)| second + 1);
    let schedule = steps[..end.min(steps.len())].iter().copied().collect();
    let recording = subject.record(&schedule);
    let violation = Violation { schedule, ..violation.clone() };
    Report::on_violation(&subject.name(), &violation, recording)
        .with_replay_command(|schedule| subject.replay_command(schedule))
}

/// Leaves only one of all data races between the same two places of the source: different events
/// are no news to those who read it.
fn tell_races_once<S: Subject>(subject: &S, verdict: &mut Verdict) {
    let is_race = |violation: &Violation| violation.kind == ViolationKind::DataRace;
    if verdict.violations.iter().filter(|violation| is_race(violation)).count() < 2 {
        return;
    }
    let mut told = HashSet::new();
    verdict.violations.retain(|violation| {
        let places = is_race(violation).then(|| report_on(subject, violation).racing_places());
        places.flatten().is_none_or(|places| told.insert(places))
    });
}

/// A program that follows a schedule as long as that lasts.
struct ScriptedProgram<'a, P> {
    program: &'a P,
    schedule: &'a Schedule,
}

impl<P: Program> Program for ScriptedProgram<'_, P> {
    type Machine = Scripted<P::Machine>;

    fn start(&self) -> Result<Self::Machine, Box<Violation>> {
        Ok(Scripted::new(self.program.start()?, self.schedule.clone()))
    }
}

/// Runs one schedule. The plainest explorer does that: it needs to know only what is enabled.
fn replay<P: Program>(program: &P, schedule: &Schedule, options: &Options<'_>) -> Run {
    let program = ScriptedProgram { program, schedule };
    let options =
        Options { algorithm: Algorithm::Naive, max_executions: Some(1), ..options.clone() };
    let mut seen = Seen::default();
    let mut verdict = check(&program, &options, &mut seen);
    let is_early = |violation: &Violation| {
        violation.kind == ViolationKind::DataRace
            && violation.schedule.steps().len() < schedule.steps().len()
    };
    if verdict.violations.first().is_some_and(is_early) {
        // What the schedule is about may be another one.
        let options = Options { keep_going: true, ..options };
        let mut beyond = Seen::default();
        let all = check(&program, &options, &mut beyond);
        if all.violations.iter().any(|violation| ends_at(violation, schedule.steps().len())) {
            (verdict, seen) = (all, beyond);
        }
    }
    // The explorer does not see the choices that were made for it.
    let choose = |taken: &[Step]| {
        let given = schedule.steps().iter();
        let beyond = taken.iter().skip(given.len());
        given.take(taken.len()).chain(beyond).copied().collect::<Schedule>()
    };
    for violation in &mut verdict.violations {
        violation.schedule = choose(violation.schedule.steps());
    }
    Run { verdict, asked: Some(schedule.clone()), taken: choose(&seen.0) }
}

/// Whether the second access of a data race is the last of so many steps.
fn ends_at(violation: &Violation, steps: usize) -> bool {
    violation.accesses.is_some_and(|(_, second)| second + 1 == steps)
}

/// Takes note of the steps of an execution.
#[derive(Default)]
struct Seen(Vec<Step>);

impl<M: ?Sized> Monitor<M> for Seen {
    fn ended(&mut self, _: &M, execution: &Execution, _: Option<&Ending>, _: Option<&Violation>) {
        self.0 = execution.steps().collect();
    }
}
