//! Schedules and their text form.

use std::fmt;
use std::str::FromStr;

use super::Step;

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
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Schedule(Vec<Step>);

impl Schedule {
    /// Returns the steps.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }
}

impl FromIterator<Step> for Schedule {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Schedule(steps.into_iter().collect())
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, run) in self.0.chunk_by(|a, b| a == b).enumerate() {
            if i > 0 {
                f.write_str("-")?;
            }
            write!(f, "{}", run[0])?;
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
             joined by `-`, each with an optional `.choice` and `xcount`",
            self.part
        )
    }
}

impl std::error::Error for ParseScheduleError {}

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut steps = Vec::new();
        for part in text.trim().split('-').filter(|part| !part.is_empty()) {
            let error = || ParseScheduleError { part: part.to_owned() };
            let (step, count) = part.split_once('x').unwrap_or((part, "1"));
            let step: Step = step.parse().map_err(|_| error())?;
            let count: usize = count.parse().map_err(|_| error())?;
            if count > 1_000_000 {
                return Err(error());
            }
            steps.extend(std::iter::repeat_n(step, count));
        }
        Ok(Schedule(steps))
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
    fn an_empty_text_is_the_empty_schedule() {
        assert_eq!("".parse(), Ok(Schedule::default()));
    }
}
