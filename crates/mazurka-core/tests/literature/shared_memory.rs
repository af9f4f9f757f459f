//! Programs with shared memory.

use std::time::Duration;

use crate::toy::{Do, Process, Toy, run, sequence};
use mazurka_core::execution::Execution;
use mazurka_core::explore::explore;
use mazurka_core::model::Ending;
use mazurka_core::search::Algorithm::{DataCentric, Dpor, Naive, Observers, Optimal, Source};
use mazurka_core::search::{Monitor, Options, PreemptionBound};
use mazurka_core::verdict::{Bound, Violation};

fn counts(toy: Toy, algorithm: mazurka_core::search::Algorithm) -> (u64, u64) {
    let verdict = run(toy, algorithm);
    assert!(verdict.is_complete());
    (verdict.executions, verdict.blocked)
}

fn lastwrite(n: usize) -> Toy {
    let mut processes: Vec<Process> =
        (0..n).map(|i| sequence(vec![Do::Write(0, i as u64 + 1)])).collect();
    processes.push(sequence(vec![Do::Join(n), Do::Read(0)]));
    Toy::new(&[0], processes)
}

fn fib_bench(n: u64, joined: bool) -> Toy {
    let adder = |mine: u32, other: u32| -> Process {
        Box::new(move |history| {
            let done = history.len() as u64;
            if done == 3 * n {
                return None;
            }
            let last = history.len();
            Some(match done % 3 {
                0 => Do::Read(mine),
                1 => Do::Read(other),
                _ => Do::Write(mine, history[last - 1] + history[last - 2]),
            })
        })
    };
    let mut main = vec![Do::Read(0), Do::Read(1)];
    if joined {
        main.insert(0, Do::Join(2));
    }
    Toy::new(&[1, 1], vec![adder(0, 1), adder(1, 0), sequence(main)])
}

fn lastzero(n: u32) -> Toy {
    let walker: Process = Box::new(move |history| match history.last() {
        Some(0) => None,
        _ => (history.len() <= n as usize).then(|| Do::Read(n - history.len() as u32)),
    });
    let mut processes = vec![walker];
    for j in 1..=n {
        processes.push(Box::new(move |history: &[u64]| match history {
            [] => Some(Do::Read(j - 1)),
            [value] => Some(Do::Write(j, value + 1)),
            _ => None,
        }));
    }
    Toy::new(&vec![0; n as usize + 1], processes)
}

fn casrot(n: u64) -> Toy {
    Toy::new(&[0], (1..=n).map(|i| sequence(vec![Do::Swap(0, i - 1, i)])).collect())
}

fn mutex_counter(n: usize) -> Toy {
    let process = || sequence(vec![Do::Lock(0), Do::FetchAdd(1, 1), Do::Unlock(0)]);
    Toy::new(&[0, 0], (0..n).map(|_| process()).collect())
}

/// Lamport's second fast mutual exclusion algorithm, with assumptions instead of waiting.
/// Variables: x, y, then b[1..=n].
fn lamport(n: u64) -> Toy {
    lamport_as(n, TEXT)
}

/// Details that make no difference to what can happen in which order.
#[derive(Clone, Copy)]
struct Text {
    /// Whether the loop over all flags looks at one's own as well.
    reads_own_flag: bool,
    /// Whether the critical section writes to a variable, and reads it.
    uses_section: bool,
    /// Whether that loop goes from the last flag to the first.
    goes_down: bool,
    /// Whether the first two processes change places.
    is_swapped: bool,
}

const TEXT: Text =
    Text { reads_own_flag: true, uses_section: false, goes_down: false, is_swapped: false };

fn lamport_as(n: u64, text: Text) -> Toy {
    let process = move |place: u64| -> Process {
        let i = match place {
            1 | 2 if text.is_swapped => 3 - place,
            _ => place,
        };
        let b = move |j: u64| 1 + j as u32;
        Box::new(move |h: &[u64]| {
            let h = h.to_vec();
            let mut at = 0;
            // Walks through the algorithm as far as the history goes.
            let mut step = |what: Do| -> Result<u64, Do> {
                at += 1;
                h.get(at - 1).copied().ok_or(what)
            };
            let mut body = || -> Result<(), Do> {
                // Without going round: a process that has to start over waits for y to be 0.
                loop {
                    step(Do::Write(b(i), 1))?;
                    step(Do::Write(0, i))?;
                    if step(Do::Read(1))? != 0 {
                        step(Do::Write(b(i), 0))?;
                        if step(Do::Read(1))? != 0 {
                            return Err(Do::Block);
                        }
                        continue;
                    }
                    step(Do::Write(1, i))?;
                    if step(Do::Read(0))? != i {
                        step(Do::Write(b(i), 0))?;
                        for j in (1..=n).filter(|j| text.reads_own_flag || *j != i) {
                            let j = if text.goes_down { n + 1 - j } else { j };
                            if step(Do::Read(b(j)))? != 0 {
                                return Err(Do::Block);
                            }
                        }
                        if step(Do::Read(1))? != i {
                            if step(Do::Read(1))? != 0 {
                                return Err(Do::Block);
                            }
                            continue;
                        }
                    }
                    break;
                }
                if text.uses_section {
                    step(Do::Write(b(n + 1), i))?;
                    step(Do::Read(b(n + 1)))?;
                }
                step(Do::Write(1, 0))?;
                step(Do::Write(b(i), 0))?;
                Ok(())
            };
            body().err()
        })
    };
    Toy::new(&vec![0; n as usize + 3], (1..=n).map(process).collect())
}

#[test]
fn optimal_runs_one_execution_per_trace() {
    assert_eq!(counts(lastwrite(2), Optimal), (2, 0));
    assert_eq!(counts(lastwrite(7), Optimal), (5040, 0));
    for (n, traces) in [(1, 3), (2, 19), (3, 141), (4, 1107), (5, 8953)] {
        assert_eq!(counts(fib_bench(n, true), Optimal), (traces, 0), "fib_bench({n})");
    }
    assert_eq!(counts(fib_bench(3, false), Optimal), (1698, 0));
    assert_eq!(counts(fib_bench(4, false), Optimal), (19605, 0));
    for (n, traces) in [(4, 28), (5, 64), (6, 144), (7, 320), (8, 704), (9, 1536), (10, 3328)] {
        assert_eq!(counts(lastzero(n), Optimal), (traces, 0), "lastzero({n})");
    }
    for (n, traces) in [(4, 14), (6, 144), (8, 2048)] {
        assert_eq!(counts(casrot(n), Optimal), (traces, 0), "casrot({n})");
    }
    for (n, traces) in [(2, 2), (3, 6), (5, 120), (7, 5040)] {
        assert_eq!(counts(mutex_counter(n), Optimal), (traces, 0), "mutex_counter({n})");
    }
}

#[test]
fn source_runs_one_execution_per_trace_and_some_that_block() {
    assert_eq!(counts(lastwrite(7), Source), (5040, 0));
    assert_eq!(counts(fib_bench(3, false), Source), (1698, 0));
    let expected = [(4, 28, 7), (5, 64, 33), (6, 144, 131), (7, 320, 473), (8, 704, 1611)];
    for (n, traces, blocked) in expected {
        assert_eq!(counts(lastzero(n), Source), (traces, blocked), "lastzero({n})");
    }
    assert_eq!(counts(mutex_counter(5), Source), (120, 0));
}

#[test]
fn lamport_blocks_where_an_assumption_fails() {
    assert_eq!(counts(lamport(2), Optimal), (16, 16));
    assert_eq!(counts(lamport(2), Source), (16, 16));
    assert_eq!(counts(lamport(3), Optimal), (9216, 11525));
}

/// Counts the executions in which an assumption failed.
#[derive(Default)]
struct FailedAssumptions(u64);

impl<M: ?Sized> Monitor<M> for FailedAssumptions {
    fn ended(&mut self, _: &M, _: &Execution, ending: Option<&Ending>, _: Option<&Violation>) {
        self.0 += u64::from(ending == Some(&Ending::AssumptionFailed));
    }
}

/// How many runs of `source` are redundant is no property of the traces: these texts of one
/// algorithm have the same traces, and every one another number of redundant runs. So a number of
/// such runs that was published for a text which is not is no number to meet (2118 for this one).
///
/// It was looked for in a larger family: with all orders of the three processes, five orders of the
/// loop over the flags, with and without one's own, and seven critical sections, 420 texts have
/// exactly these traces, and from 1942 to 3209 redundant runs, but none 2118. Nor is it found by
/// choosing otherwise where Algorithm 1 leaves a choice: which initial to add (the last, the first,
/// the lowest, the highest), which planned step to take first, and whom to let run where nothing is
/// planned. Of the 64 combinations, 22 have exactly the published numbers for `lastzero`, and from
/// 1910 to 3859 for this text, but none 2118.
#[test]
fn how_many_runs_are_redundant_depends_on_the_text() {
    let redundant = |text| {
        let toy = || lamport_as(3, text);
        assert_eq!(counts(toy(), Optimal), (9216, 11525));
        let options = Options { algorithm: Source, keep_going: true, ..Options::default() };
        let mut failed = FailedAssumptions::default();
        let verdict = explore(&mut toy(), &options, &mut failed);
        assert_eq!((verdict.executions, failed.0), (9216, 11525));
        verdict.blocked - failed.0
    };
    let texts = [
        TEXT,
        Text { uses_section: true, ..TEXT },
        Text { reads_own_flag: false, ..TEXT },
        Text { goes_down: true, ..TEXT },
        Text { is_swapped: true, ..TEXT },
    ];
    assert_eq!(texts.map(redundant), [1976, 1945, 1973, 3209, 2195]);
}

#[test]
fn dpor_covers_every_trace() {
    assert_eq!(counts(lastwrite(4), Dpor).0, 24);
    assert_eq!(counts(mutex_counter(4), Dpor).0, 24);
    assert_eq!(counts(fib_bench(2, true), Dpor).0, 19);
    assert_eq!(counts(lastzero(4), Dpor).0, 28);
}

#[test]
fn naive_runs_every_interleaving() {
    // Two processes of three steps each, one after the other under a lock.
    assert_eq!(counts(mutex_counter(2), Naive), (2, 0));
    // Three writes in any order, a join, a read.
    assert_eq!(counts(lastwrite(3), Naive), (6, 0));
}

#[test]
fn both_orders_of_two_locks_and_the_deadlock_between_them() {
    let toy = || {
        let p = sequence(vec![Do::Lock(0), Do::Lock(1), Do::Unlock(1), Do::Unlock(0)]);
        let q = sequence(vec![Do::Lock(1), Do::Lock(0), Do::Unlock(0), Do::Unlock(1)]);
        Toy::new(&[0, 0], vec![p, q])
    };
    for algorithm in [Naive, Dpor, Source, Optimal] {
        let verdict = run(toy(), algorithm);
        assert_eq!(verdict.violations.len(), 1, "{algorithm}");
        if algorithm != Naive {
            assert_eq!(verdict.executions, 3, "{algorithm}");
        }
    }
}

#[test]
fn every_choice_is_explored_beside_every_order() {
    let toy = || {
        let chooser = sequence(vec![Do::Choose(3), Do::Write(0, 1)]);
        Toy::new(&[0], vec![chooser, sequence(vec![Do::Write(0, 2)])])
    };
    for algorithm in [Dpor, Source, Optimal] {
        assert_eq!(counts(toy(), algorithm), (6, 0), "{algorithm}");
    }
}

#[test]
fn a_failure_is_found_and_stops_the_check_unless_it_is_told_to_keep_going() {
    let toy = || {
        let careless: Process = Box::new(|history| match history {
            [] => Some(Do::Read(0)),
            [1] => Some(Do::Fail),
            _ => None,
        });
        Toy::new(&[0], vec![careless, sequence(vec![Do::Write(0, 1)])])
    };
    for algorithm in [Naive, Dpor, Source, Optimal] {
        let verdict = run(toy(), algorithm);
        assert!(verdict.is_complete());
        assert_eq!(verdict.violations.len(), 1, "{algorithm}");
        assert_eq!(verdict.violations[0].schedule.to_string(), "1-0x2", "{algorithm}");
        let options = Options { algorithm, ..Options::default() };
        let verdict = explore(&mut toy(), &options, &mut ());
        assert_eq!(verdict.stopped, Some(Bound::Violation));
    }
}

#[test]
fn bounds_make_a_check_incomplete() {
    let incomplete = |options: &Options<'_>| explore(&mut lastwrite(4), options, &mut ()).stopped;
    for algorithm in [Naive, Dpor, Source, Optimal] {
        let all = Options { algorithm, ..Options::default() };
        assert_eq!(incomplete(&all), None, "{algorithm}");
        let few = Options { max_executions: Some(3), ..all.clone() };
        assert_eq!(incomplete(&few), Some(Bound::Executions), "{algorithm}");
        let short = Options { max_depth: Some(3), ..all.clone() };
        assert_eq!(incomplete(&short), Some(Bound::Depth), "{algorithm}");
        let quick = Options { time_limit: Some(Duration::ZERO), ..all.clone() };
        let verdict = explore(&mut lastwrite(7), &quick, &mut ());
        assert_eq!(verdict.stopped, Some(Bound::Time), "{algorithm}");
    }
}

#[test]
fn a_bound_on_preemptions_leaves_schedules_out() {
    // Each process reads, then writes: without preemptions both writes come to 1.
    let toy = || {
        let increment = || -> Process {
            Box::new(|history| match history {
                [] => Some(Do::Read(0)),
                [value] => Some(Do::Write(0, value + 1)),
                _ => None,
            })
        };
        Toy::new(&[0], vec![increment(), increment()])
    };
    for (bound, interleavings) in [(0, 2), (1, 4), (2, 6), (3, 6)] {
        let options = Options {
            algorithm: Naive,
            preemption_bound: Some(PreemptionBound::AtMost(bound)),
            ..Options::default()
        };
        let verdict = explore(&mut toy(), &options, &mut ());
        assert_eq!(verdict.executions, interleavings, "{bound}");
        assert_eq!(verdict.is_complete(), bound >= 2, "{bound}");
    }
    for algorithm in [Dpor, Source, Optimal] {
        let options = Options {
            algorithm,
            preemption_bound: Some(PreemptionBound::AtMost(0)),
            ..Options::default()
        };
        let verdict = explore(&mut toy(), &options, &mut ());
        assert_eq!(verdict.stopped, Some(Bound::Preemptions), "{algorithm}");
        assert_eq!(verdict.executions, 2, "{algorithm}");
    }
}

fn floating_read(n: u64) -> Toy {
    let mut processes: Vec<Process> = (1..=n).map(|i| sequence(vec![Do::Write(0, i)])).collect();
    processes.push(sequence(vec![Do::Read(0)]));
    Toy::new(&[0], processes)
}

fn opt_lock(n: usize) -> Toy {
    let process = |id: u64| -> Process {
        Box::new(move |history: &[u64]| {
            // Rounds of three steps; a fourth one ends it.
            let (round, at) = (history.len() / 3, history.len() % 3);
            if round > 0 && at == 0 && history[history.len() - 1] == id {
                return Some(Do::Read(1));
            }
            if round > 0 && at == 1 && history[history.len() - 2] == id {
                return None;
            }
            (round < n).then_some(match at {
                0 => Do::Write(0, id),
                1 => Do::Write(1, 1),
                _ => Do::Read(0),
            })
        })
    };
    Toy::new(&[0, 0], vec![process(1), process(2)])
}

fn n_writes_a_read_two_threads(n: u64) -> Toy {
    let process = |id: u64| {
        let mut all: Vec<Do> = (0..n).map(|i| Do::Write(0, id * 100 + i)).collect();
        all.push(Do::Read(0));
        sequence(all)
    };
    Toy::new(&[0], vec![process(1), process(2)])
}

fn redundant_co(n: u64) -> Toy {
    let writer = |id: u64| sequence((0..n).map(|i| Do::Write(0, id * 100 + i)).collect());
    Toy::new(&[0], vec![writer(1), writer(2), sequence(vec![Do::Read(0), Do::Read(0)])])
}

#[test]
fn observers_ignore_what_nobody_sees() {
    for n in 2..8 {
        assert_eq!(counts(lastwrite(n), Observers), (n as u64, 0), "lastwrite({n})");
    }
    for n in [2, 6, 7, 8] {
        let expected = n * (1 << (n - 1)) + 1;
        assert_eq!(counts(floating_read(n), Observers), (expected, 0), "floating_read({n})");
    }
    let expected = [(2, 42, 26), (3, 126, 42), (4, 346, 58), (5, 922, 74), (6, 2430, 90)];
    for (n, optimal, observers) in expected {
        assert_eq!(counts(opt_lock(n), Optimal), (optimal, 0), "opt_lock({n})");
        assert_eq!(counts(opt_lock(n), Observers), (observers, 0), "opt_lock({n})");
    }
    for (n, optimal, observers) in [(5, 672, 20), (7, 9438, 28)] {
        assert_eq!(counts(n_writes_a_read_two_threads(n), Optimal), (optimal, 0), "{n}");
        assert_eq!(counts(n_writes_a_read_two_threads(n), Observers), (observers, 0), "{n}");
    }
    for (n, optimal, observers) in [(2, 90, 55), (3, 560, 181), (5, 16632, 991)] {
        assert_eq!(counts(redundant_co(n), Optimal), (optimal, 0), "redundant_co({n})");
        assert_eq!(counts(redundant_co(n), Observers), (observers, 0), "redundant_co({n})");
    }
    assert_eq!(counts(lamport(2), Observers), (14, 12));
    assert_eq!(counts(lamport(3), Observers), (5466, 6132));
}

#[test]
fn observers_run_the_same_where_everything_is_seen() {
    for (n, traces) in [(1, 3), (2, 19), (3, 141), (4, 1107)] {
        assert_eq!(counts(fib_bench(n, true), Observers), (traces, 0), "fib_bench({n})");
    }
    assert_eq!(counts(fib_bench(3, false), Observers), (1698, 0));
    for (n, traces) in [(4, 28), (5, 64), (6, 144), (7, 320)] {
        assert_eq!(counts(lastzero(n), Observers), (traces, 0), "lastzero({n})");
    }
    for (n, traces) in [(4, 14), (6, 144)] {
        assert_eq!(counts(casrot(n), Observers), (traces, 0), "casrot({n})");
    }
    assert_eq!(counts(mutex_counter(5), Observers), (120, 0));
}

#[test]
fn data_centric_runs_one_execution_per_observation_function() {
    for n in 1..=9 {
        assert_eq!(counts(lastwrite(n as usize), DataCentric), (n, 0), "lastwrite({n})");
        assert_eq!(counts(floating_read(n), DataCentric), (n + 1, 0), "floating_read({n})");
    }
    for (n, classes) in [(1, 3), (2, 19), (3, 141), (4, 1107), (5, 8953)] {
        assert_eq!(counts(fib_bench(n, true), DataCentric), (classes, 0), "fib_bench({n})");
    }
    assert_eq!(counts(fib_bench(3, false), DataCentric), (1698, 0));
    for (n, classes) in [(4, 28), (5, 64), (6, 144), (7, 320), (8, 704), (9, 1536), (10, 3328)] {
        assert_eq!(counts(lastzero(n), DataCentric), (classes, 0), "lastzero({n})");
    }
    for n in [5, 7, 10] {
        let toy = n_writes_a_read_two_threads(n);
        assert_eq!(counts(toy, DataCentric), (2 * n + 1, 0), "n_writes_a_read_two_threads({n})");
    }
    for (n, classes) in [(2, 19), (3, 37), (5, 91)] {
        let toy = redundant_co(n);
        assert_eq!(counts(toy, DataCentric), (classes, 0), "redundant_co({n})");
    }
    for n in [2, 3, 4, 5, 12] {
        assert_eq!(counts(opt_lock(n), DataCentric), (12 * n as u64 - 5, 0), "opt_lock({n})");
    }
}

#[test]
fn data_centric_orders_read_modify_writes_and_locks() {
    for (n, classes) in [(4, 14), (6, 144), (8, 2048)] {
        assert_eq!(counts(casrot(n), DataCentric), (classes, 0), "casrot({n})");
    }
    for (n, classes) in [(2, 2), (3, 6), (5, 120), (7, 5040)] {
        assert_eq!(counts(mutex_counter(n), DataCentric), (classes, 0), "mutex_counter({n})");
    }
    assert_eq!(counts(lamport(2), DataCentric), (12, 10));
    assert_eq!(counts(lamport(3), DataCentric), (3942, 4233));
}
