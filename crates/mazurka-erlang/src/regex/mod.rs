//! The regular expressions of PCRE, which Erlang's `re` uses.
//!
//! A pattern is parsed into a tree and compiled to a small program. A backtracking matcher runs the
//! program, so it finds the match and the captures that PCRE finds. Features of PCRE that are not
//! implemented (recursion, conditionals, character properties) are refused by name.
//!
//! No crate covers this. `regex` has no backreferences and no lookaround. `fancy-regex` has both, but
//! matches `&str` only: `re` matches bytes with the character tables of Latin-1 unless the option
//! `unicode` is given, reports byte offsets, and has PCRE's rules for `$`, newlines, empty matches and
//! the captures of groups that did not take part. `pcre2` needs a C compiler to build. The differential
//! tests compare this module with the real `re`.

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
