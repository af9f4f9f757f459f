//! The result of a check: violations, statistics, and whether the check was complete.

mod saved;

pub use crate::model::{
    MissingSynchronisation, ParseKindError, ParseScheduleError, Schedule, Violation, ViolationKind,
};

use std::time::Duration;

use crate::algorithm::Algorithm;
use crate::model::Lesson;

/// The bound on preemptions that a search has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PreemptionLevel {
    /// The bound.
    pub bound: u32,
    /// Whether every class that some schedule within the bound reaches was explored. Otherwise this
    /// holds for the bound that is smaller by 1.
    pub is_explored: bool,
}

/// The size of the explored part of an unfolding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnfoldingStatistics {
    /// The number of events that are not cut-offs. If the cache is bounded, events that were
    /// evicted and found again count again.
    pub events: u64,
    /// The number of cut-offs.
    pub cut_offs: u64,
    /// The number of explored maximal configurations, including those that end in cut-offs or in a
    /// failed assumption.
    pub maximal_configurations: u64,
    /// The maximum number of events that were kept at the same time.
    pub most_events: usize,
    /// Whether cut-offs were used. They need a machine that can fingerprint its state.
    pub has_cut_offs: bool,
}

/// The statistics of samples, and an estimate of the classes that they missed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SamplingStatistics {
    /// The seed.
    pub seed: u64,
    /// The number of samples that ran to their end.
    pub samples: u64,
    /// The number of distinct classes (Mazurkiewicz traces) among them.
    pub classes: u64,
    /// The number of classes with exactly one sample.
    pub once: u64,
    /// The number of classes with exactly two samples.
    pub twice: u64,
    /// The bug depth `d` of `pct`, and a lower bound on the probability that one sample finds a given
    /// bug of this depth: `1 / (n k^(d-1))` for `n` processes and `k` steps.
    pub guarantee: Option<(u32, f64)>,
}

impl SamplingStatistics {
    /// Returns the Good–Turing estimate of the probability that the next sample is in a class that
    /// no sample has shown yet. It is 1 if there are no samples.
    ///
    /// ```
    /// use mazurka_core::verdict::SamplingStatistics;
    ///
    /// let statistics = SamplingStatistics { samples: 100, once: 5, ..Default::default() };
    /// assert_eq!(statistics.unseen_probability(), 0.05);
    /// ```
    pub fn unseen_probability(&self) -> f64 {
        match self.samples {
            0 => 1.0,
            samples => self.once as f64 / samples as f64,
        }
    }

    /// Returns a lower-bound estimate of the number of classes that no sample has shown. This is
    /// Chao's estimator, which follows from the Good–Turing frequencies.
    pub fn unseen_classes(&self) -> f64 {
        let (once, twice) = (self.once as f64, self.twice as f64);
        match self.twice {
            0 => once * (once - 1.0).max(0.0) / 2.0,
            _ => once * once / (2.0 * twice),
        }
    }
}

/// A restart of a search that learnt something that it needs from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restart {
    /// The lesson that it learnt.
    pub lesson: Lesson,
    /// The number of executions since the search last started. They are not included in
    /// [`Verdict::executions`], but count towards limits.
    pub executions: u64,
    /// The number of executions that had ended early.
    pub blocked: u64,
    /// The time from the beginning of the check to the restart.
    pub elapsed: Duration,
}

impl std::fmt::Display for Restart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let runs = self.executions + self.blocked;
        let plural = if runs == 1 { "" } else { "s" };
        let seconds = self.elapsed.as_secs_f64();
        write!(
            f,
            "the search started over after {runs} execution{plural} ({seconds:.1} s): {}",
            self.lesson
        )
    }
}

/// The result of a check, with its statistics.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The explorer that was used.
    pub algorithm: Algorithm,
    /// The number of executions that ran to their end and were not redundant, including failed
    /// ones. If the search [started over](Verdict::restarts), only later executions count.
    pub executions: u64,
    /// The number of executions that ended early: every enabled process was asleep, or an
    /// assumption failed.
    pub blocked: u64,
    /// The number of steps, without those that only replayed a known prefix.
    pub events: u64,
    /// The length of the longest execution.
    pub max_depth: usize,
    /// For `data-centric`: the number of locations at which it ordered all writes, because it took
    /// too long to find out which orders matter. It then runs more executions than there are
    /// observation functions, and misses none.
    pub ordered_locations: u64,
    /// The duration of the check, from its beginning.
    pub elapsed: Duration,
    /// The restarts of the search, and their reasons. Limits on time and on executions count from
    /// the beginning of the check.
    pub restarts: Vec<Restart>,
    /// The violations; at most one unless the check was asked to keep going.
    pub violations: Vec<Violation>,
    /// Findings that may be intended: data races, if they are not violations. At most one for each
    /// location. Each worker records at most 64, not counting predicted data races.
    pub warnings: Vec<Violation>,
    /// Notes for the user about how the program was explored.
    pub notes: Vec<Note>,
    /// The first atomic access that is weaker than `SeqCst`, if the memory model is `auto` and there is
    /// one, and how it was treated.
    pub weak_access: Option<Box<WeakAccess>>,
    /// The statistics of the unfolding, if `unfolding` explored the program.
    pub unfolding: Option<UnfoldingStatistics>,
    /// The statistics of the samples, if an explorer sampled the program.
    pub sampling: Option<SamplingStatistics>,
    /// The number of samples that an exhaustive search ran to find violations early. They are not
    /// included in [`Verdict::executions`].
    pub scouts: u64,
    /// The largest number of processes in an execution such that a permutation of some of them counts as
    /// the same execution; see [`Options::symmetry`](crate::search::Options::symmetry). It is 0 if there
    /// are no such processes.
    pub twins: u32,
    /// The bound on preemptions that was reached, if preemptions were bounded. Samplers do not set it,
    /// nor does `naive` with a fixed bound.
    pub preemptions: Option<PreemptionLevel>,
    /// The reason why the check is incomplete; `None` if it is complete.
    pub stopped: Option<Bound>,
}

impl Verdict {
    /// Returns whether every execution was covered. A check that stopped at a violation is not
    /// complete.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Adds the note that executions count as one if they differ by a permutation of threads, if some do.
    pub fn note_symmetry(&mut self) {
        if self.twins > 1 {
            self.notes.push(Note::Symmetry(self.twins));
        }
    }

    /// Returns the number of executions per second, including executions that ended early.
    pub fn rate(&self) -> f64 {
        (self.executions + self.blocked) as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// An atomic access that is weaker than `SeqCst`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WeakAccess {
    /// Where it is in the source, if the machine knows.
    pub place: Option<String>,
    /// How it was treated.
    pub treated: Treated,
}

/// How accesses that are weaker than `SeqCst` were treated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Treated {
    /// As they are: `graphs` explored the program under RC11.
    #[default]
    AsWritten,
    /// As `SeqCst`, because the user has chosen an explorer of schedules, or a bound on preemptions.
    AsSeqCst,
    /// As `SeqCst`, because `graphs` cannot explore the program for this reason.
    Unsupported(String),
}

impl std::fmt::Display for WeakAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.place {
            Some(place) => write!(f, "the atomic access at {place} is weaker than `SeqCst`")?,
            None => f.write_str("an atomic access is weaker than `SeqCst`")?,
        }
        match &self.treated {
            Treated::AsWritten => {
                f.write_str(": the program was checked under the memory model `rc11`")
            }
            Treated::AsSeqCst => f.write_str(
                ", but every access was treated as `SeqCst`: executions that only weaker orderings \
                 allow were not checked. The memory model `rc11` checks them; `sc` hides this note",
            ),
            Treated::Unsupported(reason) => write!(
                f,
                ", but every access was treated as `SeqCst`: executions that only weaker orderings \
                 allow were not checked, because {reason}"
            ),
        }
    }
}

/// A note about how a program was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// `unfolding` was to use cut-offs, but the machine cannot fingerprint its state.
    NoFingerprint,
    /// `optimal` explored the program instead of `unfolding`: objects get their names only when
    /// processes first use them, so states cannot be distinguished reliably.
    LateNames,
    /// Mazurkiewicz traces were explored instead of the classes of the explorer, because preemptions are
    /// bounded.
    PreemptionBound,
    /// `optimal` explored the program instead of `data-centric`: ranges of memory overlap in part, a
    /// read covers many others, a condition is on memory that is accessed in several sizes, atomics of
    /// several sizes overlap, an object is freed while another process may access it, a step waits for several
    /// locations at once or branches on one of several accesses, a loop waits for a location that is accessed
    /// together with others, a process waits at a barrier, independent operations are on one channel, or
    /// `data-centric` cannot determine what some events observe.
    Overlap,
    /// `optimal` explored the program instead of `event-driven`: a handler waits for another
    /// handler by other means than a lock, or for several things at once.
    HandlersWait,
    /// `unfolding` went on after a step that failed. It may have missed other violations.
    OthersMayFail,
    /// Every execution was blocked, so nothing was proved.
    OnlyBlocked,
    /// Executions that differ by a permutation of symmetric threads, of which there are this many, count as
    /// one.
    Symmetry(u32),
    /// Several workers were requested, but the explorer cannot share its work, preemptions are
    /// bounded, or the machines of the program [disagree](crate::model::Program::for_workers) on ids.
    WorksAlone,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Note::Symmetry(threads) => {
                return write!(
                    f,
                    "executions that differ by a permutation of symmetric threads count as one; there \
                     are {threads} such threads"
                );
            }
            Note::NoFingerprint => {
                "there are no cut-offs, because Mazurka cannot compare the states of this program: \
                 infinite executions are cut only at the depth limit"
            }
            Note::LateNames => {
                "`optimal` explored this program instead of `unfolding`, which cannot compare its \
                 states reliably: one place in the source creates several objects, and Mazurka \
                 learns of them only when a thread first uses them. Call `introduce` on them in the \
                 main thread, or check without cut-offs"
            }
            Note::PreemptionBound => {
                "Mazurkiewicz traces were explored, as `optimal` does, because preemptions are bounded"
            }
            Note::Overlap => {
                "`optimal` explored this program instead of `data-centric`, because ranges of memory \
                 overlap in part, a read covers many others, a condition is on memory that is \
                 accessed in several sizes, atomics of several sizes overlap, an object is freed while another process may access it, \
                 a step waits for several locations at once or branches on one of several accesses, \
                 a loop waits for a location that is accessed together with others, a process waits at \
                 a barrier, independent operations are on one channel, \
                 or `data-centric` cannot determine what some events observe"
            }
            Note::HandlersWait => {
                "`optimal` explored this program instead of `event-driven`, because a handler waits \
                 for another handler by other means than a lock, or for several things at once"
            }
            Note::OthersMayFail => {
                "`unfolding` may miss violations of a program in which a step fails; `optimal` finds all"
            }
            Note::OnlyBlocked => {
                "nothing was proved: every execution was blocked by an assumption that failed. Weaken \
                 the assumptions of the program until some execution reaches its end"
            }
            Note::WorksAlone => {
                "one worker did all the work: only `observers`, `optimal`, `data-centric`, `graphs` and \
                 `naive` can share it, without a bound on preemptions, and the samplers"
            }
        })
    }
}

/// The reason why a check is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The check found a violation and was not asked to keep going.
    Violation,
    /// The limit on executions was reached.
    Executions,
    /// Some execution exceeded the depth limit and was cut.
    Depth,
    /// The time limit was reached.
    Time,
    /// Some schedule exceeded the bound on preemptions and was skipped.
    Preemptions,
    /// The executions were sampled.
    Samples,
    /// The check was interrupted.
    Interrupted,
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Bound::Violation => "it stopped at the first violation",
            Bound::Executions => "the limit on executions was reached",
            Bound::Depth => "some executions were cut at the depth limit",
            Bound::Time => "the time limit was reached",
            Bound::Preemptions => "schedules with more preemptions than the bound were skipped",
            Bound::Samples => "executions were sampled, not enumerated",
            Bound::Interrupted => "it was interrupted",
        })
    }
}
