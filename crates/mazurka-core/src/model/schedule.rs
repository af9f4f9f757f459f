//! Schedules and their text form.

use std::fmt;
use std::str::FromStr;

use super::{MemoryModel, Step, View};

/// The steps of an execution, in a text form that is short enough to paste.
///
/// Steps are joined by `-`. A run of equal steps is written once with its length:
///
/// ```
/// use mazurka_core::verdict::Schedule;
///
/// let schedule: Schedule = "1x3-2.1-1".parse().unwrap();
/// assert_eq!(schedule.steps().len(), 5);
/// assert_eq!(schedule.to_string(), "1x3-2.1-1");
/// ```
///
/// Under a memory model, a step may see another value than the one that memory holds, and may leave
/// another value behind than the one that it writes. `1<0` sees 0, and `1>5` leaves 5; see [`View`]. If
/// several choices of a write agree in the value, `^` and a number say which: `1<0^1` reads from the
/// write of 0 that is last but one in coherence order. The schedule then begins with the name of the model: `rc11:0-1<0`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Schedule {
    steps: Vec<Step>,
    /// The steps that do not see memory as it is, in order.
    views: Vec<(usize, View)>,
    /// The memory model, if there is one.
    model: Option<MemoryModel>,
}

impl Schedule {
    /// Returns the steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the memory model that the schedule is for; `None` if it is for an explorer of schedules.
    pub fn memory_model(&self) -> Option<MemoryModel> {
        self.model
    }

    /// Sets the memory model that the schedule is for.
    pub fn set_memory_model(&mut self, model: Option<MemoryModel>) {
        self.model = model;
    }

    /// Returns what a step sees of memory.
    pub fn view(&self, step: usize) -> View {
        let place = self.views.binary_search_by_key(&step, |(step, _)| *step);
        place.map_or(View::PRESENT, |place| self.views[place].1)
    }

    /// Returns the first `len` steps.
    pub fn first(&self, len: usize) -> Schedule {
        let views = self.views.iter().filter(|(step, _)| *step < len).copied().collect();
        Schedule { steps: self.steps.iter().take(len).copied().collect(), views, model: self.model }
    }

    /// Adds a step that sees memory in some way.
    pub fn push(&mut self, step: Step, view: View) {
        if view != View::PRESENT {
            self.views.push((self.steps.len(), view));
        }
        self.steps.push(step);
    }
}

impl FromIterator<Step> for Schedule {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Schedule { steps: steps.into_iter().collect(), ..Schedule::default() }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(model) = self.model {
            write!(f, "{model}:")?;
        }
        let all: Vec<(Step, View)> =
            self.steps.iter().enumerate().map(|(i, step)| (*step, self.view(i))).collect();
        for (i, run) in all.chunk_by(|a, b| a == b).enumerate() {
            if i > 0 {
                f.write_str("-")?;
            }
            let (step, view) = run[0];
            write!(f, "{step}")?;
            for (sign, value, rank) in
                [('<', view.sees, view.older), ('>', view.leaves, view.between)]
            {
                let Some(value) = value else { continue };
                write!(f, "{sign}{value}")?;
                if rank > 0 {
                    write!(f, "^{rank}")?;
                }
            }
            if run.len() > 1 {
                write!(f, "x{}", run.len())?;
            }
        }
        Ok(())
    }
}

/// A text that is not a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseScheduleError {
    part: String,
}

impl fmt::Display for ParseScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a part of a schedule; a schedule looks like `0-1x3-2.1`: process numbers \
             joined by `-`, each with an optional `.choice`, `<seen`, `>left` and `xcount`. A value that \
             is seen or left may have a `^rank`. The name of a memory model and a colon may come first",
            self.part
        )
    }
}

impl std::error::Error for ParseScheduleError {}

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut schedule = Schedule::default();
        let mut text = text.trim();
        if let Some((model, steps)) = text.split_once(':') {
            let error = |_| ParseScheduleError { part: format!("{model}:") };
            schedule.model = Some(model.parse().map_err(error)?);
            text = steps;
        }
        for part in text.split('-').filter(|part| !part.is_empty()) {
            let error = || ParseScheduleError { part: part.to_owned() };
            let number = |text: &str| text.parse::<u64>().map_err(|_| error());
            let (step, count) = part.split_once('x').unwrap_or((part, "1"));
            let (step, leaves) = step.split_once('>').map_or((step, None), |(s, v)| (s, Some(v)));
            let (step, sees) = step.split_once('<').map_or((step, None), |(s, v)| (s, Some(v)));
            // A value, and its rank.
            let ranked = |text: Option<&str>| match text.map(|text| text.split_once('^')) {
                None => Ok((None, 0)),
                Some(None) => Ok((text.map(number).transpose()?, 0)),
                Some(Some((value, rank))) => {
                    Ok((Some(number(value)?), rank.parse().map_err(|_| error())?))
                }
            };
            let ((sees, older), (leaves, between)) = (ranked(sees)?, ranked(leaves)?);
            let step: Step = step.parse().map_err(|_| error())?;
            let count: usize = count.parse().map_err(|_| error())?;
            if count > 1_000_000 {
                return Err(error());
            }
            for _ in 0..count {
                schedule.push(step, View { sees, leaves, older, between });
            }
        }
        Ok(schedule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_part_is_named() {
        let error = "1-2-a7".parse::<Schedule>().unwrap_err();
        assert!(error.to_string().starts_with("`a7` is not"), "{error}");
    }

    #[test]
    fn views_are_kept() {
        let text = "tso:0-1.1<0x2-2<7>5-1>3-2<7^2>5^1x2";
        let schedule: Schedule = text.parse().unwrap();
        assert_eq!(schedule.to_string(), text);
        assert_eq!(schedule.memory_model(), Some(MemoryModel::Tso));
        assert!("best:0-1".parse::<Schedule>().is_err());
        assert_eq!(schedule.view(0), View::PRESENT);
        assert_eq!(schedule.view(2), View { sees: Some(0), ..View::PRESENT });
        let both = View { sees: Some(7), leaves: Some(5), ..View::PRESENT };
        assert_eq!(schedule.view(3), both);
        assert_eq!(schedule.view(6), View { older: 2, between: 1, ..both });
        assert!("rc11:1<0^".parse::<Schedule>().is_err());
        assert_eq!(schedule.first(2).to_string(), "tso:0-1.1<0");
    }

    #[test]
    fn an_empty_text_is_the_empty_schedule() {
        assert_eq!("".parse(), Ok(Schedule::default()));
    }
}
