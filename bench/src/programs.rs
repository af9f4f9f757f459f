//! The programs, each written once, for all three tools.
//!
//! [`Program`] says what there is; the macro `programs` holds the source text, and is expanded once per
//! tool against that tool's mirror of `std`. The only type that all three take from `std` itself is
//! `Arc`: loom's own makes every clone and drop a scheduling point, which the others do not, and the
//! programs would no longer be the same.
//!
//! Main joins every thread. Shuttle ends an execution when main returns, Mazurka and loom run the
//! other threads to their end first: only joined do the three explore the same thing.

/// A program that takes one parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Program {
    /// `n` threads store to one variable; main reads it in the end.
    LastWrite,
    /// Two threads add two variables up, `n` times each.
    FibBench,
    /// `n` threads increment a counter under one mutex.
    MutexCounter,
    /// One thread writes a variable, `n` threads read it.
    Readers,
    /// `n` threads that each write a variable of their own.
    NothingShared,
    /// `n` threads send one message each; main receives them all.
    Senders,
    /// `n` threads store to one variable, one more reads it.
    FloatingRead,
    /// Thread `i` (1 … `n`) does one compare-exchange of one variable from `i - 1` to `i`.
    CasRot,
    /// Two threads; each writes its own variable, then reads the other's.
    StoreBuffering,
}

/// A program with its parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    pub(crate) program: Program,
    pub(crate) n: usize,
}

impl Program {
    /// All of them, with the parameters to run them with.
    pub(crate) const ALL: [(Program, &'static [usize]); 9] = [
        (Program::LastWrite, &[3, 4, 9]),
        (Program::FibBench, &[2, 3, 4, 5]),
        (Program::MutexCounter, &[3, 4, 8]),
        (Program::Readers, &[2, 3, 10]),
        (Program::NothingShared, &[4, 16]),
        (Program::Senders, &[3, 4]),
        (Program::FloatingRead, &[3, 6]),
        (Program::CasRot, &[3, 4, 8]),
        (Program::StoreBuffering, &[2]),
    ];

    /// Its name, as users write it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Program::LastWrite => "lastwrite",
            Program::FibBench => "fib_bench",
            Program::MutexCounter => "mutex_counter",
            Program::Readers => "readers",
            Program::NothingShared => "nothing_shared",
            Program::Senders => "senders",
            Program::FloatingRead => "floating_read",
            Program::CasRot => "casrot",
            Program::StoreBuffering => "store_buffering",
        }
    }

    /// How many threads it has, main included.
    pub(crate) const fn threads(self, n: usize) -> usize {
        match self {
            Program::FibBench | Program::StoreBuffering => 3,
            Program::Readers | Program::FloatingRead => n + 2,
            _ => n + 1,
        }
    }

    /// How many Mazurkiewicz traces it has: what an optimal explorer runs. Formulas, and for
    /// `fib_bench` and `casrot` an independent enumeration; never what Mazurka prints.
    pub(crate) fn traces(self, n: usize) -> u64 {
        match self {
            Program::LastWrite | Program::MutexCounter | Program::Senders => factorial(n),
            Program::FloatingRead => factorial(n + 1),
            Program::Readers => 1 << n,
            Program::NothingShared => 1,
            Program::StoreBuffering => 3,
            Program::FibBench => [1, 3, 19, 141, 1107, 8953][n],
            Program::CasRot => [1, 1, 2, 5, 14, 43, 144, 523, 2048][n],
        }
    }
}

fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// The source text of all programs, against the mirror of `std` that the crate `$tool` has.
macro_rules! programs {
    ($tool:ident) => {
        pub(crate) mod $tool {
            use std::sync::Arc;

            use ::$tool::sync::atomic::{AtomicUsize, Ordering::SeqCst};
            use ::$tool::sync::{Mutex, mpsc};
            use ::$tool::thread::{self, JoinHandle};

            use super::Program;

            /// Runs `program` once.
            pub(crate) fn run(program: Program, n: usize) {
                match program {
                    Program::LastWrite => last_write(n),
                    Program::FibBench => fib_bench(n),
                    Program::MutexCounter => mutex_counter(n),
                    Program::Readers => readers(n),
                    Program::NothingShared => nothing_shared(n),
                    Program::Senders => senders(n),
                    Program::FloatingRead => floating_read(n),
                    Program::CasRot => cas_rot(n),
                    Program::StoreBuffering => store_buffering(),
                }
            }

            /// Spawns a thread that does `f` with one more reference to `shared`.
            fn spawn_with<T, F>(shared: &Arc<T>, f: F) -> JoinHandle<()>
            where
                T: Send + Sync + 'static,
                F: FnOnce(&T) + Send + 'static,
            {
                let shared = Arc::clone(shared);
                thread::spawn(move || f(&shared))
            }

            fn join(threads: Vec<JoinHandle<()>>) {
                for thread in threads {
                    thread.join().unwrap();
                }
            }

            fn last_write(n: usize) {
                let x = Arc::new(AtomicUsize::new(0));
                join((1..=n).map(|i| spawn_with(&x, move |x| x.store(i, SeqCst))).collect());
                assert!((1..=n).contains(&x.load(SeqCst)));
            }

            fn fib_bench(n: usize) {
                let sums = Arc::new((AtomicUsize::new(1), AtomicUsize::new(1)));
                let add = move |to: &AtomicUsize, from: &AtomicUsize| {
                    for _ in 0..n {
                        to.store(to.load(SeqCst) + from.load(SeqCst), SeqCst);
                    }
                };
                join(vec![
                    spawn_with(&sums, move |(i, j)| add(i, j)),
                    spawn_with(&sums, move |(i, j)| add(j, i)),
                ]);
                let (mut bound, mut next) = (1, 1);
                for _ in 0..2 * n + 1 {
                    (bound, next) = (next, bound + next);
                }
                assert!(sums.0.load(SeqCst) <= bound && sums.1.load(SeqCst) <= bound);
            }

            fn mutex_counter(n: usize) {
                let counter = Arc::new(Mutex::new(0));
                let increment = |counter: &Mutex<usize>| *counter.lock().unwrap() += 1;
                join((0..n).map(|_| spawn_with(&counter, increment)).collect());
                assert_eq!(*counter.lock().unwrap(), n);
            }

            fn readers(n: usize) {
                let x = Arc::new(AtomicUsize::new(0));
                let mut threads = vec![spawn_with(&x, |x| x.store(1, SeqCst))];
                let read = |x: &AtomicUsize| assert!(x.load(SeqCst) <= 1);
                threads.extend((0..n).map(|_| spawn_with(&x, read)));
                join(threads);
            }

            fn nothing_shared(n: usize) {
                let own = |_| thread::spawn(|| AtomicUsize::new(0).store(1, SeqCst));
                join((0..n).map(own).collect());
            }

            fn senders(n: usize) {
                let (sender, receiver) = mpsc::channel();
                let send = |i| {
                    let sender = sender.clone();
                    thread::spawn(move || sender.send(i).unwrap())
                };
                let threads = (1..=n).map(send).collect();
                let sum: usize = (0..n).map(|_| receiver.recv().unwrap()).sum();
                join(threads);
                assert_eq!(sum, n * (n + 1) / 2);
            }

            fn floating_read(n: usize) {
                let x = Arc::new(AtomicUsize::new(0));
                let store = |i| spawn_with(&x, move |x| x.store(i, SeqCst));
                let mut threads: Vec<_> = (1..=n).map(store).collect();
                threads.push(spawn_with(&x, move |x| assert!(x.load(SeqCst) <= n)));
                join(threads);
            }

            fn cas_rot(n: usize) {
                let x = Arc::new(AtomicUsize::new(0));
                let rotate = |i| {
                    spawn_with(&x, move |x| {
                        let _ = x.compare_exchange(i - 1, i, SeqCst, SeqCst);
                    })
                };
                join((1..=n).map(rotate).collect());
            }

            fn store_buffering() {
                let variables = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
                let exchange = |mine: &AtomicUsize, other: &AtomicUsize| {
                    mine.store(1, SeqCst);
                    other.load(SeqCst);
                };
                // That both read 0 is impossible; loom reports it nevertheless, so that an
                // assertion would end its search early.
                join(vec![
                    spawn_with(&variables, move |(x, y)| exchange(x, y)),
                    spawn_with(&variables, move |(x, y)| exchange(y, x)),
                ]);
            }
        }
    };
}

programs!(mazurka);
programs!(loom);
programs!(shuttle);
