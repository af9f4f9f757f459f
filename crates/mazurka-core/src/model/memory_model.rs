//! The names of memory models.

use std::fmt;
use std::str::FromStr;

/// Which memory model a program is checked under.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MemoryModel {
    /// What the language promises: sequential consistency until the program performs an atomic access
    /// that is weaker than `SeqCst`, and [`Rc11`](MemoryModel::Rc11) from then on.
    #[default]
    Auto,
    /// Sequential consistency: `po ∪ rf ∪ mo ∪ fr` is acyclic.
    Sc,
    /// Total store order, as on x86: a read may overtake earlier writes of its thread.
    Tso,
    /// Partial store order, as on SPARC: writes to different locations may overtake each other, too.
    Pso,
    /// Release and acquire: `seq_cst` counts as acquire and release.
    Ra,
    /// The repaired model of C11 (RC11), with the release sequences of C++20.
    Rc11,
}

impl MemoryModel {
    /// The models themselves, without `auto`, which is one of them.
    pub const ALL: [MemoryModel; 5] =
        [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Ra, MemoryModel::Rc11];

    /// Returns its name, as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            MemoryModel::Auto => "auto",
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
            MemoryModel::Ra => "ra",
            MemoryModel::Rc11 => "rc11",
        }
    }

    /// Returns what it allows, in a line.
    pub const fn summary(self) -> &'static str {
        match self {
            MemoryModel::Auto => "sc while every atomic access is SeqCst, and then rc11",
            MemoryModel::Sc => "sequential consistency",
            MemoryModel::Tso => "total store order, as on x86",
            MemoryModel::Pso => "partial store order, as on SPARC",
            MemoryModel::Ra => "release and acquire; seq_cst counts as both",
            MemoryModel::Rc11 => "what C11, C++20 and Rust promise",
        }
    }
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no memory model has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownMemoryModel(String);

impl fmt::Display for UnknownMemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no memory model `{}`; there are auto, sc, tso, pso, ra and rc11",
            self.0
        )
    }
}

impl std::error::Error for UnknownMemoryModel {}

impl FromStr for MemoryModel {
    type Err = UnknownMemoryModel;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.trim();
        let all = [MemoryModel::Auto].into_iter().chain(MemoryModel::ALL);
        let found = { all }.find(|m| m.name().eq_ignore_ascii_case(wanted));
        found.ok_or_else(|| UnknownMemoryModel(name.to_owned()))
    }
}
