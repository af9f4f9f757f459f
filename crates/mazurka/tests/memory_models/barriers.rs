//! Arrivals at a barrier commute under every memory model, unless the program asks for the leader.

use mazurka::sync::Barrier;
use mazurka::sync::atomic::{AtomicU32, Ordering::Relaxed};
use mazurka::{Coherence, MemoryModel, Verdict, thread};

use super::with;

/// Checks a program under every model with both coherences. Returns the numbers of graphs without repetitions.
fn graphs(f: impl Fn() + Send + Sync) -> Vec<u64> {
    let mut counts = Vec::new();
    for model in MemoryModel::ALL {
        for coherence in Coherence::ALL {
            let Verdict { executions, blocked, violations, .. } = with(model, coherence, &f);
            assert!(violations.is_empty(), "{model} {coherence}: {violations:?}");
            assert_eq!(blocked, 0, "{model} {coherence}");
            counts.push(executions);
        }
    }
    counts.sort_unstable();
    counts.dedup();
    counts
}

#[test]
fn a_barrier_has_one_graph() {
    for (threads, rounds) in [(2, 1), (5, 1), (3, 3)] {
        let counts = graphs(|| {
            let barrier = Barrier::new(threads);
            thread::scope(|s| {
                for _ in 0..threads {
                    s.spawn(|| {
                        for _ in 0..rounds {
                            barrier.wait();
                        }
                    });
                }
            });
        });
        assert_eq!(counts, [1], "{threads} threads, {rounds} rounds");
    }
}

#[test]
fn a_barrier_synchronises() {
    let counts = graphs(|| {
        let (barrier, x) = (Barrier::new(3), [const { AtomicU32::new(0) }; 3]);
        let (barrier, x) = (&barrier, &x);
        thread::scope(|s| {
            for me in 0..3 {
                s.spawn(move || {
                    x[me].store(1, Relaxed);
                    barrier.wait();
                    assert!(x.iter().all(|x| x.load(Relaxed) > 0));
                    barrier.wait();
                    x[me].store(2, Relaxed);
                });
            }
        });
    });
    assert_eq!(counts, [1]);
}

#[test]
fn each_thread_can_be_the_leader() {
    let counts = graphs(|| {
        let barrier = Barrier::new(3);
        let wait = || u32::from(barrier.wait().is_leader());
        let leaders: u32 = thread::scope(|s| {
            let others = [(); 3].map(|()| s.spawn(wait));
            others.map(|other| other.join().unwrap()).iter().sum()
        });
        assert_eq!(leaders, 1);
    });
    assert_eq!(counts, [6]);
}
