//! The table of explorers.

use std::fmt;
use std::str::FromStr;

/// Calls the macro `$use` with the table of explorers. A new explorer is a module of
/// [`explore`](crate::explore), and a row here:
///
/// * the variant of [`Algorithm`], its name on the command line, and a one-line summary;
/// * the [strategy](crate::search::strategy::Strategy), by its path in `explore`;
/// * `every trace`, if it runs an execution of every Mazurkiewicz trace with an accurate happens-before
///   relation;
/// * `needs orderings`, if it explores accesses under a memory model instead of schedules, and takes only
///   [machines with memory orderings](crate::model::Machine::has_memory_orderings);
/// * `only samples`, if it never explores a program completely;
/// * if several workers can share the search, the way in which they do;
/// * if it reduces, the strategy that explores if preemptions are bounded, and a
///   [note](crate::verdict::Note) if the classes differ;
/// * if it may give up on a program, the strategy that explores instead, and the note that says so.
macro_rules! explorers {
    ($use:ident) => {
        $use! {
            Naive, "naive",
                "every interleaving; slow, and the yardstick for the others",
                naive::Naive, every trace,
                workers share Pieces<Naive>;
            Dpor, "dpor",
                "persistent sets, as in Flanagan and Godefroid's DPOR",
                dpor::classic::Dpor, every trace,
                bounded bounded::BoundedTraces;
            Source, "source",
                "source sets with sleep sets",
                dpor::source::Source, every trace,
                bounded bounded::BoundedTraces;
            Optimal, "optimal",
                "exactly one execution per Mazurkiewicz trace (wakeup trees)",
                dpor::optimal::Traces, every trace,
                workers share Forks<AllConflicts>,
                bounded bounded::BoundedTraces;
            Observers, "observers",
                "like optimal, but races that no operation observes do not count; the default",
                dpor::observers::Observers, every trace,
                workers share Forks<ObservedConflicts>,
                bounded bounded::BoundedObservers;
            DataCentric, "data-centric",
                "exactly one execution per observation function: which read observes which write",
                data_centric::DataCentric,
                workers share Children,
                bounded bounded::BoundedTraces => PreemptionBound,
                otherwise dpor::optimal::Traces => Overlap;
            Unfolding, "unfolding",
                "configurations of the unfolding: like optimal, but leaves out known states, so that \
                 programs may loop for ever",
                unfolding::Unfolding, every trace,
                bounded bounded::BoundedTraces => PreemptionBound,
                otherwise dpor::optimal::Traces => LateNames;
            EmDpor, "em-dpor",
                "dependence-covering sets: events are reordered only if need be, as in EM-DPOR",
                event_loops::em_dpor::EmDpor,
                bounded bounded::BoundedTraces => PreemptionBound;
            EventDriven, "event-driven",
                "one execution per order of conflicting accesses and locks, whatever that of posts",
                event_loops::event_driven::EventDriven,
                bounded bounded::BoundedTraces => PreemptionBound,
                otherwise dpor::optimal::Traces => HandlersWait;
            Graphs, "graphs",
                "exactly one execution per execution graph that the memory model allows",
                graphs::Graphs, needs orderings,
                workers share Pieces<Graphs>;
            Random, "random",
                "samples: a random walk over the enabled processes",
                sampling::Sampler<sampling::Uniform>, only samples;
            Pct, "pct",
                "samples: random priorities that change at few points (PCT)",
                sampling::Sampler<sampling::Pct>, only samples;
            Pos, "pos",
                "samples: random priorities that change after races (partial order sampling)",
                sampling::Sampler<sampling::Pos>, only samples;
            Surw, "surw",
                "samples: a walk that is uniform over the accesses to one object (SURW)",
                sampling::Sampler<sampling::Surw>, only samples;
        }
    };
}
pub(crate) use explorers;

/// Defines [`Algorithm`] from the table.
macro_rules! define_algorithm {
    ($(
        $variant:ident, $name:literal, $summary:literal, $strategy:ty
        $(, every $trace:ident)?
        $(, needs $orderings:ident)?
        $(, only $samples:ident)?
        $(, workers share $work:ty)?
        $(, bounded $bounded:ty $(=> $bound:ident)?)?
        $(, otherwise $otherwise:ty => $note:ident)?
    ;)*) => {
        /// The explorer to use.
        ///
        /// ```
        /// use mazurka_core::search::Algorithm;
        ///
        /// assert_eq!("source".parse(), Ok(Algorithm::Source));
        /// assert_eq!(Algorithm::Optimal.name(), "optimal");
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Algorithm {
            $(#[doc = $summary] $variant,)*
        }

        impl Algorithm {
            const COUNT: usize = [$($name),*].len();

            /// Every explorer.
            pub const EVERY: [Algorithm; Algorithm::COUNT] = [$(Algorithm::$variant),*];

            /// The explorers that sample: they never explore a program completely.
            pub const SAMPLERS: [Algorithm; 4] =
                [Algorithm::Random, Algorithm::Pct, Algorithm::Pos, Algorithm::Surw];

            /// The number of explorers that explore all schedules.
            const SCHEDULING: usize = {
                let (mut count, mut i) = (0, 0);
                while i < Algorithm::COUNT {
                    count += Algorithm::EVERY[i].explores_all_schedules() as usize;
                    i += 1;
                }
                count
            };

            /// The explorers that [explore schedules](Self::explores_schedules) and do not only
            /// [sample](Self::samples). They take every program.
            pub const ALL: [Algorithm; Algorithm::SCHEDULING] = {
                let mut all = [Algorithm::Naive; Algorithm::SCHEDULING];
                let (mut count, mut i) = (0, 0);
                while i < Algorithm::COUNT {
                    if Algorithm::EVERY[i].explores_all_schedules() {
                        all[count] = Algorithm::EVERY[i];
                        count += 1;
                    }
                    i += 1;
                }
                all
            };

            /// Returns its name, as users write it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Algorithm::$variant => $name,)*
                }
            }

            /// Returns a one-line summary.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Algorithm::$variant => $summary,)*
                }
            }

            /// Returns whether the explorer is one of the [samplers](Self::SAMPLERS).
            pub const fn samples(self) -> bool {
                match self {
                    $(Algorithm::$variant => {
                        const SAMPLES: &[&str] = &[$(stringify!($samples))?];
                        !SAMPLES.is_empty()
                    })*
                }
            }

            const fn explores_all_schedules(self) -> bool {
                self.explores_schedules() && !self.samples()
            }

            /// Returns whether it explores schedules, which are sequentially consistent. Other explorers
            /// take only
            /// [machines with memory orderings](crate::model::Machine::has_memory_orderings).
            pub const fn explores_schedules(self) -> bool {
                match self {
                    $(Algorithm::$variant => {
                        const NEEDS: &[&str] = &[$(stringify!($orderings))?];
                        NEEDS.is_empty()
                    })*
                }
            }

            /// Returns whether it runs an execution of every Mazurkiewicz trace with an accurate
            /// happens-before relation.
            pub const fn runs_every_trace(self) -> bool {
                match self {
                    $(Algorithm::$variant => {
                        const RUNS: &[&str] = &[$(stringify!($trace))?];
                        !RUNS.is_empty()
                    })*
                }
            }

            /// Returns whether the explorer can treat executions that differ by a permutation of
            /// [twins](crate::model::Machine::twin) as one.
            pub const fn may_reduce_symmetry(self) -> bool {
                match self {
                    Algorithm::Naive
                    | Algorithm::Dpor
                    | Algorithm::Source
                    | Algorithm::Optimal
                    | Algorithm::Observers
                    | Algorithm::Graphs => true,
                    // These do not follow the order of twins: they compute happens-before by themselves,
                    // or compare states.
                    Algorithm::DataCentric
                    | Algorithm::Unfolding
                    | Algorithm::EmDpor
                    | Algorithm::EventDriven => false,
                    // A permutation makes no schedule more likely.
                    Algorithm::Random | Algorithm::Pct | Algorithm::Pos | Algorithm::Surw => false,
                }
            }

            /// Returns whether several workers can [share](crate::explore::explore_with_workers)
            /// its search tree. Samplers have none, but several workers can share the samples.
            pub const fn shares_work(self) -> bool {
                match self {
                    $(Algorithm::$variant => {
                        const WORK: &[&str] = &[$(stringify!($work))?];
                        !WORK.is_empty()
                    })*
                }
            }
        }
    };
}

explorers!(define_algorithm);

// The table has no room for the attribute that would derive this.
#[allow(clippy::derivable_impls)]
impl Default for Algorithm {
    fn default() -> Self {
        Algorithm::Observers
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no explorer has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownAlgorithm(String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no explorer `{}`; there are ", self.0)?;
        for (i, algorithm) in Algorithm::EVERY.into_iter().enumerate() {
            let joint = match i {
                0 => "",
                i if i + 1 == Algorithm::EVERY.len() => " and ",
                _ => ", ",
            };
            write!(f, "{joint}{algorithm}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.trim();
        let found = Algorithm::EVERY.into_iter().find(|a| a.name().eq_ignore_ascii_case(wanted));
        found.ok_or_else(|| UnknownAlgorithm(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_lists_the_right_ones() {
        let error = "optmal".parse::<Algorithm>().unwrap_err().to_string();
        assert!(error.contains("no explorer `optmal`"), "{error}");
        assert!(error.ends_with("pos and surw"), "{error}");
    }
}
