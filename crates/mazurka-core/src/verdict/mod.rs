//! What a check found: violations, statistics, and whether it saw everything.

pub use crate::model::{ParseKindError, ParseScheduleError, Schedule, Violation, ViolationKind};

use std::time::Duration;

use crate::algorithm::Algorithm;
use crate::model::Lesson;

/// How large an unfolding was, as far as it was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnfoldingStatistics {
    /// How many events were found that are no cut-offs. If the cache is bounded, events that were
    /// forgotten and found again count again.
    pub events: u64,
    /// How many cut-offs were found.
    pub cut_offs: u64,
    /// How many maximal configurations were explored, those that end in cut-offs or in a failed
    /// assumption included.
    pub maximal_configurations: u64,
    /// The most events that were kept at any time.
    pub most_events: usize,
    /// Whether events were cut off at all: that takes a machine that can tell its state.
    pub has_cut_offs: bool,
}

/// That a search started over, since it learnt something that it should have known from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Restart {
    /// What it learnt.
    pub lesson: Lesson,
    /// How many executions it had run since it last started. They are not among
    /// [`Verdict::executions`], but count towards limits.
    pub executions: u64,
    /// How many of its executions had ended early.
    pub blocked: u64,
    /// How long after the beginning of the check that was.
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

/// What a check found, with its statistics.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Who explored.
    pub algorithm: Algorithm,
    /// Executions that ran to their end and were not redundant; those that failed count too. If the
    /// search [started over](Verdict::restarts), those since then.
    pub executions: u64,
    /// Executions that ended early: every process that could go on was asleep, or an assumption
    /// failed.
    pub blocked: u64,
    /// How many steps were taken for the first time: steps that only led back to a known state
    /// do not count.
    pub events: u64,
    /// The length of the longest execution.
    pub max_depth: usize,
    /// For `data-centric`: at how many locations it ordered all writes, because it took too long to
    /// find out which orders matter. It then runs more executions than there are observation
    /// functions, and misses none.
    pub ordered_locations: u64,
    /// How long the check took, from its beginning.
    pub elapsed: Duration,
    /// Each time that the search started over, and why. Limits on time and on executions count from
    /// the beginning of the check.
    pub restarts: Vec<Restart>,
    /// What was found; at most one unless the check was told to keep going.
    pub violations: Vec<Violation>,
    /// What may be meant, and need not be: data races, if they are not violations. One for each
    /// location, and not more than a few dozen.
    pub warnings: Vec<Violation>,
    /// What else the user should know about how the program was explored.
    pub notes: Vec<Note>,
    /// What there is to say of the unfolding, if it was explored.
    pub unfolding: Option<UnfoldingStatistics>,
    /// Why the check did not look at everything; `None` if it did.
    pub stopped: Option<Bound>,
}

impl Verdict {
    /// Whether every execution was covered. A check that stopped at a violation is not complete.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Executions per second, those that ended early included.
    pub fn rate(&self) -> f64 {
        (self.executions + self.blocked) as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Something about how a program was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// `unfolding` was to cut off what leads to known states, but the machine cannot tell its state.
    NoFingerprint,
    /// `unfolding` left the program to `optimal`: objects get their names only when somebody comes
    /// upon them, so that states cannot be told apart.
    LateNames,
    /// `unfolding` left the program to `optimal`, since it cannot bound preemptions.
    PreemptionBound,
    /// `data-centric` left the program to `source`, since it cannot bound preemptions.
    BoundWithoutSchedules,
    /// `data-centric` left the program to `optimal`: accesses of different sizes overlap, a step waits
    /// for several locations at once, or it cannot tell what some events observe.
    Overlap,
    /// `event-driven` left the program to `optimal`: a handler waits for something else than a lock
    /// that another handler brings about, or for several things at once.
    HandlersWait,
    /// Every execution was blocked, so that nothing was proved.
    OnlyBlocked,
    /// There were to be several workers, but the explorer cannot share its work, or preemptions are
    /// bounded.
    WorksAlone,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Note::NoFingerprint => {
                "nothing was cut off, since the program cannot tell its state: executions that go \
                 on for ever are cut at the depth limit only"
            }
            Note::LateNames => {
                "`unfolding` left this program to `optimal`, since it cannot tell its states apart \
                 reliably: one place in the source creates several objects, of which Mazurka learns \
                 only when a thread comes upon them. Call `introduce` on them in the main thread, or \
                 check without cut-offs"
            }
            Note::PreemptionBound => {
                "`unfolding` left this program to `optimal`, since it cannot bound preemptions"
            }
            Note::BoundWithoutSchedules => {
                "`data-centric` left this program to `source`, since it cannot bound preemptions"
            }
            Note::Overlap => {
                "`data-centric` left this program to `optimal`, since accesses of different sizes \
                 overlap, a step waits for several locations at once, or it cannot tell what some \
                 events observe"
            }
            Note::HandlersWait => {
                "`event-driven` left this program to `optimal`, since a handler waits for something \
                 that another one brings about and that is not a lock, or for several things at once"
            }
            Note::OnlyBlocked => {
                "nothing was proved: every execution was blocked by an assumption that failed. Weaken \
                 the assumptions of the program until some execution reaches its end"
            }
            Note::WorksAlone => {
                "one worker did all of it: only `observers` and `optimal` can share their work, and \
                 only without a bound on preemptions"
            }
        })
    }
}

/// Why a check stopped before it had seen everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It found a violation and was not told to keep going.
    Violation,
    /// It ran as many executions as it was allowed.
    Executions,
    /// Some execution was longer than allowed, and was cut.
    Depth,
    /// The time was up.
    Time,
    /// Some schedule had more preemptions than allowed, and was left out.
    Preemptions,
    /// Somebody asked it to stop.
    Interrupted,
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Bound::Violation => "it stopped at the first violation",
            Bound::Executions => "the limit on executions was reached",
            Bound::Depth => "some executions were cut at the depth limit",
            Bound::Time => "the time limit was reached",
            Bound::Preemptions => "schedules with more preemptions than the bound were left out",
            Bound::Interrupted => "it was interrupted",
        })
    }
}
