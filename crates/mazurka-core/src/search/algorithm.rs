//! The registry of explorers.

use std::fmt;
use std::str::FromStr;

/// Which explorer to use.
///
/// ```
/// use mazurka_core::search::Algorithm;
///
/// assert_eq!("source".parse(), Ok(Algorithm::Source));
/// assert_eq!(Algorithm::Optimal.name(), "optimal");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Algorithm {
    /// Every interleaving.
    Naive,
    /// Persistent sets, as in Flanagan and Godefroid.
    Dpor,
    /// Source sets with sleep sets.
    Source,
    /// Exactly one execution per Mazurkiewicz trace.
    Optimal,
    /// The same, where races that nobody observes do not count.
    #[default]
    Observers,
    /// Exactly one execution per observation function.
    DataCentric,
    /// One execution per maximal configuration of the unfolding, with cut-offs.
    Unfolding,
    /// Dependence-covering sets, for programs with event queues.
    EmDpor,
    /// Exactly one execution per class, where the order of posts is no matter.
    EventDriven,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 9] = [
        Algorithm::Naive,
        Algorithm::Dpor,
        Algorithm::Source,
        Algorithm::Optimal,
        Algorithm::Observers,
        Algorithm::DataCentric,
        Algorithm::Unfolding,
        Algorithm::EmDpor,
        Algorithm::EventDriven,
    ];

    /// Its name, as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Naive => "naive",
            Algorithm::Dpor => "dpor",
            Algorithm::Source => "source",
            Algorithm::Optimal => "optimal",
            Algorithm::Observers => "observers",
            Algorithm::DataCentric => "data-centric",
            Algorithm::Unfolding => "unfolding",
            Algorithm::EmDpor => "em-dpor",
            Algorithm::EventDriven => "event-driven",
        }
    }

    /// Whether several workers can [share](crate::explore::explore_with_workers) what there is to explore.
    pub const fn shares_work(self) -> bool {
        matches!(self, Algorithm::Optimal | Algorithm::Observers)
    }

    /// What it explores, in a line.
    pub const fn summary(self) -> &'static str {
        match self {
            Algorithm::Naive => "every interleaving; slow, and the yardstick for the others",
            Algorithm::Dpor => "persistent sets, as in Flanagan and Godefroid's DPOR",
            Algorithm::Source => "source sets with sleep sets",
            Algorithm::Optimal => "exactly one execution per Mazurkiewicz trace (wakeup trees)",
            Algorithm::Observers => {
                "like optimal, but races that nobody observes do not count; the default"
            }
            Algorithm::DataCentric => {
                "exactly one execution per observation function: which read observes which write"
            }
            Algorithm::Unfolding => {
                "configurations of the unfolding: like optimal, but leaves out known states, so that \
                 programs may loop for ever"
            }
            Algorithm::EmDpor => {
                "dependence-covering sets: events are reordered only if need be, as in EM-DPOR"
            }
            Algorithm::EventDriven => {
                "one execution per order of conflicting accesses and locks, whatever that of posts"
            }
        }
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
        for (i, algorithm) in Algorithm::ALL.into_iter().enumerate() {
            let joint = match i {
                0 => "",
                i if i + 1 == Algorithm::ALL.len() => " and ",
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
        let found = Algorithm::ALL.into_iter().find(|a| a.name().eq_ignore_ascii_case(wanted));
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
        assert!(error.ends_with("em-dpor and event-driven"), "{error}");
    }
}
