//! Searches that learn something late, and start over.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use mazurka_core::explore::{Sharing, check, check_with_workers, explore};
use mazurka_core::model::{
    Action, Ending, Lesson, Machine, Performed, ProcessId, Program, Step, Violation, ViolationKind,
};
use mazurka_core::search::{Algorithm, Monitor, Options, SamplingOptions};
use mazurka_core::verdict::{Bound, Restart};

use crate::toy::{Do, Process, Toy, sequence};

/// Two writers of `x`, and a process that waits for `x` if it reads 1 in `y`. In the first execution of
/// `observers` it reads 0.
fn waits_late() -> Toy {
    let waiter: Process = Box::new(|history| match history {
        [] => Some(Do::Read(1)),
        [1] => Some(Do::Lock(0)),
        _ => None,
    });
    let writer = || sequence(vec![Do::Write(0, 0)]);
    Toy::new(&[0, 0], vec![writer(), writer(), waiter, sequence(vec![Do::Write(1, 1)])])
}

#[test]
fn the_verdict_says_why_the_search_started_over_and_limits_count_from_the_beginning() {
    let options = Options { algorithm: Algorithm::Observers, ..Options::default() };
    let all = explore(&mut waits_late(), &options, &mut ());
    assert!(all.is_complete() && all.violations.is_empty(), "{all:?}");
    let [restart] = all.restarts[..] else { panic!("{:?}", all.restarts) };
    assert_eq!(restart.lesson, Lesson::AwaitedWrites);
    assert!(restart.executions >= 1 && restart.elapsed <= all.elapsed, "{restart:?}");
    let text = restart.to_string();
    assert!(text.contains("started over") && text.ends_with("that others write to"), "{text}");
    let optimal = Options { algorithm: Algorithm::Optimal, ..Options::default() };
    let traces = explore(&mut waits_late(), &optimal, &mut ());
    assert!(traces.restarts.is_empty());

    let discarded = restart.executions + restart.blocked;
    for more in 1..all.executions {
        let max_executions = Some(discarded + more);
        let limited = Options { max_executions, ..options.clone() };
        let verdict = explore(&mut waits_late(), &limited, &mut ());
        assert_eq!((verdict.executions, verdict.stopped), (more, Some(Bound::Executions)));
        assert_eq!(verdict.restarts.len(), 1);
    }
}

/// The first execution that teaches something is the last one that an explorer comes to, which goes
/// through all orders of the updates before it turns the first step round. A scout comes there earlier.
#[test]
fn scouts_learn_early() {
    let waiter: Process = Box::new(|history| match history {
        [] => Some(Do::Read(1)),
        [0] => Some(Do::Lock(0)),
        _ => None,
    });
    let write = |location, value| sequence(vec![Do::Write(location, value)]);
    let mut processes = vec![write(1, 1), waiter, write(0, 0), write(0, 0)];
    processes.extend((0..7).map(|_| sequence(vec![Do::FetchAdd(2, 1)])));
    let options = Options { algorithm: Algorithm::Observers, scouts: true, ..Options::default() };
    let verdict = explore(&mut Toy::new(&[0, 0, 0], processes), &options, &mut ());
    let [restart] = verdict.restarts[..] else { panic!("{:?}", verdict.restarts) };
    assert_eq!((restart.lesson, restart.executions), (Lesson::AwaitedWrites, 1_000));
    assert!(verdict.executions > 2 * 5_040, "{verdict:?}");
}

/// A program whose machines learn something at a step of the last process, unless it is known.
struct Teaching {
    is_known: AtomicBool,
    starts: AtomicUsize,
    /// How long the step takes in which a machine learns.
    delay: Duration,
    fails: bool,
}

struct Pupil<'a> {
    toy: Toy,
    program: &'a Teaching,
    knew: bool,
}

const WRITERS: usize = 6;

impl Program for &'static Teaching {
    type Machine = Pupil<'static>;

    fn start(&self) -> Result<Pupil<'static>, Box<Violation>> {
        self.starts.fetch_add(1, Relaxed);
        let writer = |i| sequence(vec![Do::Write(0, i)]);
        let toy = Toy::new(&[0], (0..WRITERS as u64).map(writer).collect());
        Ok(Pupil { toy, program: self, knew: self.is_known.load(Relaxed) })
    }
}

impl Machine for Pupil<'_> {
    fn processes(&self) -> usize {
        self.toy.processes()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.toy.next(process)
    }

    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.toy.is_enabled(process)
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.toy.step(step, performed)?;
        if self.knew || step.process.index() + 1 < WRITERS {
            return Ok(());
        }
        self.knew = true;
        self.program.is_known.store(true, Relaxed);
        std::thread::sleep(self.program.delay);
        performed.lesson = Some(Lesson::Ends);
        match self.program.fails {
            true => Err(Box::new(Violation::new(ViolationKind::Nondeterminism, "unknown"))),
            false => Ok(()),
        }
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.toy.rewind(len)
    }

    fn ending(&self) -> Ending {
        self.toy.ending()
    }
}

fn teaching(delay: Duration, fails: bool) -> &'static Teaching {
    let (is_known, starts) = (AtomicBool::new(false), AtomicUsize::new(0));
    Box::leak(Box::new(Teaching { is_known, starts, delay, fails }))
}

#[derive(Default)]
struct Heard {
    ends: u64,
    restarts: Vec<Restart>,
}

impl<M> Monitor<M> for Heard {
    fn ended(
        &mut self,
        _: &M,
        _: &mazurka_core::execution::Execution,
        _: Option<&Ending>,
        _: Option<&Violation>,
    ) {
        self.ends += 1;
    }

    fn started_over(&mut self, restart: &Restart) {
        self.ends = 0;
        self.restarts.push(*restart);
    }
}

#[test]
fn a_machine_that_learns_is_replaced_once() {
    for (algorithm, fails) in Algorithm::ALL.into_iter().flat_map(|a| [(a, false), (a, true)]) {
        let program = teaching(Duration::ZERO, fails);
        let mut heard = Heard::default();
        let options = Options { algorithm, ..Options::default() };
        let verdict = check(&program, &options, &mut heard);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{algorithm}: {verdict:?}");
        assert_eq!(program.starts.load(Relaxed), 2, "{algorithm}");
        assert_eq!(heard.restarts, verdict.restarts, "{algorithm}");
        let lessons: Vec<Lesson> = verdict.restarts.iter().map(|restart| restart.lesson).collect();
        assert_eq!(lessons, [Lesson::Ends], "{algorithm}");
        assert_eq!(heard.ends, verdict.executions + verdict.blocked, "{algorithm}");
        let known = check(&program, &options, &mut ());
        assert_eq!(
            (known.executions, known.restarts.len()),
            (verdict.executions, 0),
            "{algorithm}"
        );
    }
}

#[test]
fn the_time_limit_counts_from_the_beginning() {
    let program = teaching(Duration::from_millis(200), false);
    let time_limit = Some(Duration::from_millis(100));
    let options = Options { algorithm: Algorithm::Naive, time_limit, ..Options::default() };
    let verdict = check(&program, &options, &mut ());
    assert_eq!((verdict.stopped, verdict.restarts.len()), (Some(Bound::Time), 1));
    assert_eq!(verdict.executions, 0, "the time was up when it started over");
    assert!(verdict.elapsed >= Duration::from_millis(200));
}

/// A program with two lessons that few schedules teach. No machine learns the second lesson once it knows
/// the first one, so that the order in which they are learnt matters.
#[derive(Clone, Default)]
struct Seldom {
    known: Arc<[AtomicBool; 2]>,
}

struct SeldomMachine {
    toy: Toy,
    schedule: Vec<Step>,
    /// What the machine knew at its start.
    knew: [bool; 2],
    known: Arc<[AtomicBool; 2]>,
}

impl Program for Seldom {
    type Machine = SeldomMachine;

    fn start(&self) -> Result<SeldomMachine, Box<Violation>> {
        let adder = |_| sequence(vec![Do::FetchAdd(0, 1), Do::FetchAdd(0, 1)]);
        let toy = Toy::new(&[0], (0..4).map(adder).collect());
        let knew = [0, 1].map(|lesson: usize| self.known[lesson].load(Relaxed));
        Ok(SeldomMachine { toy, schedule: Vec::new(), knew, known: self.known.clone() })
    }

    fn for_workers(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn apart(&self) -> Option<Self> {
        let copy = |lesson: usize| AtomicBool::new(self.known[lesson].load(Relaxed));
        Some(Seldom { known: Arc::new([0, 1].map(copy)) })
    }
}

impl Machine for SeldomMachine {
    fn processes(&self) -> usize {
        self.toy.processes()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.toy.next(process)
    }

    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.toy.is_enabled(process)
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.toy.step(step, performed)?;
        self.schedule.push(step);
        if self.schedule.len() < 8 {
            return Ok(());
        }
        let processes = self.schedule.iter().map(|step| step.process.index());
        let number = processes.fold(0, |number, process| 4 * number + process);
        let lesson = match (number % 389, self.knew) {
            (1..=2, [false, _]) => 0,
            (3..=4, [false, false]) => 1,
            _ => return Ok(()),
        };
        self.knew[lesson] = true;
        self.known[lesson].store(true, Relaxed);
        performed.lesson = Some([Lesson::Ends, Lesson::Hangups][lesson]);
        Ok(())
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.schedule.truncate(len);
        self.toy.rewind(len)
    }

    fn ending(&self) -> Ending {
        self.toy.ending()
    }
}

#[test]
fn samplers_learn_late_lessons_at_the_same_samples_with_any_number_of_workers() {
    let mut late = 0;
    for (algorithm, seed) in
        Algorithm::SAMPLERS.into_iter().flat_map(|a| (1..=8).map(move |s| (a, s)))
    {
        let sampling = SamplingOptions { seed, samples: Some(1_500), ..Default::default() };
        let options = Options { algorithm, sampling, ..Options::default() };
        let run = |workers: usize| {
            let workers = NonZeroUsize::new(workers).unwrap();
            let verdict = check_with_workers(
                &Seldom::default(),
                workers,
                Sharing::OnDemand,
                &options,
                &mut (),
            );
            let restarts = verdict.restarts.iter();
            let restarts: Vec<_> = restarts.map(|r| (r.lesson, r.executions, r.blocked)).collect();
            (restarts, verdict.executions, verdict.events, verdict.sampling)
        };
        let one = run(1);
        late += one.0.iter().filter(|(_, executions, _)| *executions > 256).count();
        for workers in [2, 4] {
            assert_eq!(run(workers), one, "{algorithm}, seed {seed}, {workers} workers");
        }
    }
    assert!(late > 3, "only {late} lessons were late");
}
