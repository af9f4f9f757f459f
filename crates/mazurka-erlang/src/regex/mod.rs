//! Regular expressions, as `re` has them: those of PCRE.
//!
//! A pattern is parsed into a tree, which is turned into a small program, which is run with
//! backtracking: so what is matched first, and what is captured, is what PCRE matches and captures. What
//! PCRE has and is not here (recursion, conditions, properties of characters) is refused by name.
//!
//! It is our own because the crates that backtrack match texts of Unicode only. `re` matches bytes, with
//! the tables of Latin-1, unless it is told otherwise, and its rules for `$`, newlines and captures are
//! PCRE's: to translate patterns and positions for one of these crates, and the differences that would be
//! left, came to as much.

mod class;
mod compile;
mod parse;
mod run;

pub(crate) use run::{Match, TooLong, Wanted};

use compile::Instruction;

/// How a pattern is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Flags {
    pub(crate) caseless: bool,
    pub(crate) multiline: bool,
    pub(crate) dot_all: bool,
    pub(crate) extended: bool,
    pub(crate) ungreedy: bool,
    pub(crate) dollar_end_only: bool,
    pub(crate) no_auto_capture: bool,
    pub(crate) unicode: bool,
}

/// Why a pattern cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Problem {
    /// It is wrong: what PCRE says, and where.
    Wrong(&'static str, usize),
    /// It is right, but needs something that is not here.
    Unsupported(&'static str),
}

/// A pattern, ready to be run.
pub(crate) struct Regex {
    program: Vec<Instruction>,
    /// How many slots there are: two for each group, then those of loops.
    slots: usize,
    pub(crate) groups: usize,
    /// Names of groups, in the order of the alphabet.
    pub(crate) names: Vec<(String, usize)>,
    flags: Flags,
}

impl Regex {
    pub(crate) fn new(pattern: &[u32], flags: Flags) -> Result<Regex, Problem> {
        let parsed = parse::parse(pattern, flags)?;
        let mut names = parsed.names;
        names.sort();
        let (program, slots) = compile::compile(&parsed.tree, parsed.groups)?;
        Ok(Regex { program, slots, groups: parsed.groups, names, flags })
    }

    /// Whether subjects are texts of Unicode.
    pub(crate) fn is_unicode(&self) -> bool {
        self.flags.unicode
    }
}
