//! The settings of single explorers: `unfolding`, the samplers, and scouts.

use mazurka_core::search::CutOffOrder;

use super::Check;
use crate::rt::Fingerprint;

impl Check {
    /// Lets [`unfolding`](crate::Algorithm::Unfolding) recognise states, so that it can cut off
    /// executions that lead to a known state. The check then terminates even if the program does not.
    ///
    /// Mazurka knows the values of atomics and locks, and the operation that each thread is at. It does
    /// not know the local variables of threads, or what is inside of mutexes, cells, channels and
    /// thread-locals. `tell` must return a number that stands for all of these: if it returns the same
    /// number in two states that are otherwise equal, then both states must have the same future.
    /// Otherwise the check may miss executions. If no such data matter, `tell` may always return 0, as
    /// in the example.
    ///
    /// If one line of the source creates several objects, such as the elements of an array, the main
    /// thread must introduce them, as in the example. Otherwise Mazurka uses
    /// [`optimal`](crate::Algorithm::Optimal) instead, and the verdict has a note.
    ///
    /// Mazurka calls `tell` between steps. It must not use the types of this crate. This setting has no
    /// environment variable; `MAZURKA_CUTOFFS=0` disables it.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use mazurka::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
    /// use mazurka::{Algorithm, Check, thread};
    ///
    /// // Peterson's algorithm in an endless loop. The threads are detached, so that a failed assertion
    /// // is a violation at once.
    /// let verdict = Check::new().algorithm(Algorithm::Unfolding).fingerprint(|| 0).run(|| {
    ///     let wants = Arc::new([const { AtomicBool::new(false) }; 2]);
    ///     wants.iter().for_each(AtomicBool::introduce);
    ///     let (turn, inside) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    ///     for me in 0..2 {
    ///         let (wants, turn, inside) = (wants.clone(), turn.clone(), inside.clone());
    ///         thread::spawn(move || loop {
    ///             wants[me].store(true, SeqCst);
    ///             turn.store(1 - me, SeqCst);
    ///             while wants[1 - me].load(SeqCst) && turn.load(SeqCst) != me {}
    ///             assert!(!inside.swap(true, SeqCst));
    ///             inside.store(false, SeqCst);
    ///             wants[me].store(false, SeqCst);
    ///         });
    ///     }
    /// });
    /// assert!(verdict.is_complete() && verdict.violations.is_empty());
    /// ```
    pub fn fingerprint(mut self, tell: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.settings.fingerprint = Some(Fingerprint::new(tell));
        self
    }

    /// Sets whether [`unfolding`](crate::Algorithm::Unfolding) cuts off executions that lead to a known
    /// state, if there is a [`fingerprint`](Check::fingerprint). By default it does.
    pub fn cutoffs(mut self, cutoffs: bool) -> Self {
        self.settings.unfolding.cut_offs = cutoffs;
        self
    }

    /// Sets the order by which [`unfolding`](crate::Algorithm::Unfolding) decides which of two events
    /// with the same state is a cut-off.
    pub fn cutoff_order(mut self, order: CutOffOrder) -> Self {
        self.settings.unfolding.order = order;
        self
    }

    /// Sets how many events [`unfolding`](crate::Algorithm::Unfolding) keeps beyond those that it needs.
    /// By default it keeps all.
    pub fn cache(mut self, events: usize) -> Self {
        self.settings.unfolding.cache = Some(events);
        self
    }

    /// Sets how many of the explored events an alternative of [`unfolding`](crate::Algorithm::Unfolding)
    /// is in conflict with: the paper's *k* for *k*-partial alternatives. By default it is all of them.
    /// With fewer, the search for an alternative is faster, but some executions are redundant.
    ///
    /// # Panics
    ///
    /// If `events` is 0.
    #[track_caller]
    pub fn alternatives(mut self, events: usize) -> Self {
        assert!(events > 0, "`Check::alternatives` must be at least 1");
        self.settings.unfolding.alternatives = Some(events);
        self
    }

    /// Sets the number of samples of an explorer that samples, such as [`pos`](crate::Algorithm::Pos). By
    /// default it is 10,000, or as many as a limit on time or executions allows.
    ///
    /// Samples are never complete, but the test passes if they find nothing.
    ///
    /// ```
    /// use mazurka::{Algorithm, Check};
    ///
    /// let verdict = Check::new().algorithm(Algorithm::Random).samples(100).seed(1).run(|| {
    ///     mazurka::choose(3);
    /// });
    /// assert_eq!(verdict.sampling.unwrap().classes, 3);
    /// assert!(!verdict.is_complete());
    /// ```
    ///
    /// # Panics
    ///
    /// If `samples` is 0.
    #[track_caller]
    pub fn samples(mut self, samples: u64) -> Self {
        assert!(samples > 0, "`Check::samples` must be at least 1");
        self.settings.sampling.samples = Some(samples);
        self
    }

    /// Sets the seed of an explorer that samples. The same seed runs the same samples. The default is 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.sampling.seed = seed;
        self
    }

    /// Sets the bug depth of [`pct`](crate::Algorithm::Pct), which changes priorities at one point less.
    /// The default is 3.
    ///
    /// # Panics
    ///
    /// If `depth` is 0.
    #[track_caller]
    pub fn bug_depth(mut self, depth: u32) -> Self {
        assert!(depth > 0, "`Check::bug_depth` must be at least 1");
        self.settings.sampling.bug_depth = depth;
        self
    }

    /// Sets whether a search runs samples besides its own executions, which find some violations long
    /// before the search reaches them. By default it does: a few after 1,000, 10,000, … executions, and a
    /// tenth of its time once it takes longer than a second.
    pub fn scout(mut self, scout: bool) -> Self {
        self.settings.no_scout = !scout;
        self
    }
}
