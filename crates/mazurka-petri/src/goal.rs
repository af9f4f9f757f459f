//! Goals: the markings to look for.

use std::fmt;

use crate::Net;

/// A marking to look for: places that hold a token, and places that are empty. A place that it does
/// not name may be either.
///
/// It is written as the names of the places, with a `!` before the name of an empty place:
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
/// assert!(Goal::parse("on, !on", &net).is_err());
/// assert!(Goal::parse("", &net).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The places, their names, and whether they must hold a token.
    pub(crate) wanted: Vec<(usize, String, bool)>,
}

/// A text that does not describe a marking of the net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalError {
    /// The text names no place.
    Empty,
    /// The text requires one place both to hold a token and to be empty.
    Contradiction(String),
    /// The net has no place of this name.
    UnknownPlace {
        /// The name in the text.
        name: String,
        /// The names of the places.
        known: Vec<String>,
    },
}

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 12;
        let (name, known) = match self {
            GoalError::Empty => {
                return f.write_str("a marking needs the name of a place, as in `critical,!idle`");
            }
            GoalError::Contradiction(name) => {
                return write!(f, "place `{name}` cannot both hold a token and be empty");
            }
            GoalError::UnknownPlace { name, known } => (name, known),
        };
        write!(f, "the net has no place `{name}`; its places are ")?;
        for (i, name) in known.iter().take(MOST).enumerate() {
            write!(f, "{}`{name}`", if i == 0 { "" } else { ", " })?;
        }
        match known.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl std::error::Error for GoalError {}

impl Goal {
    /// Parses a marking of a net.
    pub fn parse(text: &str, net: &Net) -> Result<Goal, GoalError> {
        let mut wanted: Vec<(usize, String, bool)> = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, is_marked) = match word.strip_prefix('!') {
                Some(name) => (name.trim(), false),
                None => (word, true),
            };
            let index = net.places().iter().position(|place| place.name == name);
            let index = index.ok_or_else(|| GoalError::UnknownPlace {
                name: name.to_owned(),
                known: net.places().iter().map(|place| place.name.clone()).collect(),
            })?;
            match wanted.iter().find(|(place, ..)| *place == index) {
                Some((.., before)) if *before != is_marked => {
                    return Err(GoalError::Contradiction(name.to_owned()));
                }
                Some(_) => {}
                None => wanted.push((index, name.to_owned(), is_marked)),
            }
        }
        match wanted.is_empty() {
            true => Err(GoalError::Empty),
            false => Ok(Goal { wanted }),
        }
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
