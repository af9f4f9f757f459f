//! Markings to look for.

use std::fmt;

use crate::Net;

/// A marking to look for: which places are to hold a token, and which are not. Others may or may
/// not.
///
/// It is written as the names of the places, with a `!` before those that are to be empty:
///
/// ```
/// use mazurka_petri::{Goal, Net};
///
/// let mut net = Net::default();
/// net.add_place("on", false);
/// net.add_place("off", true);
/// let goal = Goal::parse("on, !off", &net).unwrap();
/// assert_eq!(goal.to_string(), "`on` marked, `off` empty");
/// assert!(Goal::parse("dim", &net).unwrap_err().to_string().contains("no place `dim`"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The places, their names, and whether they are to hold a token.
    pub(crate) wanted: Vec<(usize, String, bool)>,
}

/// A place that the net does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPlace {
    name: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 12;
        write!(f, "the net has no place `{}`; its places are ", self.name)?;
        for (i, name) in self.known.iter().take(MOST).enumerate() {
            write!(f, "{}`{name}`", if i == 0 { "" } else { ", " })?;
        }
        match self.known.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl std::error::Error for UnknownPlace {}

impl Goal {
    /// Reads a marking.
    pub fn parse(text: &str, net: &Net) -> Result<Goal, UnknownPlace> {
        let mut wanted = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, is_marked) = match word.strip_prefix('!') {
                Some(name) => (name.trim(), false),
                None => (word, true),
            };
            let index = net.places().iter().position(|place| place.name == name);
            let index = index.ok_or_else(|| UnknownPlace {
                name: name.to_owned(),
                known: net.places().iter().map(|place| place.name.clone()).collect(),
            })?;
            wanted.push((index, name.to_owned(), is_marked));
        }
        Ok(Goal { wanted })
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (_, name, is_marked)) in self.wanted.iter().enumerate() {
            let joint = if i == 0 { "" } else { ", " };
            write!(f, "{joint}`{name}` {}", if *is_marked { "marked" } else { "empty" })?;
        }
        Ok(())
    }
}
