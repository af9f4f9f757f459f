//! Explanations in words.

use super::DecisiveRead;
use super::attempt::Run;
use crate::{Line, LineKind, Recording};

/// The maximum number of decisive choices that are described.
const MOST: usize = 3;

/// A choice that decides between failing and passing, in terms of the steps of the failing run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Decisive {
    /// The first step comes before the second.
    Order(usize, usize),
    /// The first write comes before the second in coherence order.
    Coherence(usize, usize),
    /// A read reads from a write and not from another one.
    Read(DecisiveRead),
}

/// The difference between a failing run and a passing one.
#[derive(Default)]
pub(super) struct Difference {
    pub(super) decisive: Vec<Decisive>,
    /// Whether all of that has to be different. Otherwise a single difference suffices.
    pub(super) together: bool,
    /// The passing run that is nearest to the failing one.
    pub(super) passing: Option<Run>,
}

impl Difference {
    /// Returns sentences about the difference, given the recording of the failing run.
    pub(super) fn describe(&self, recording: &Recording) -> Vec<String> {
        let parts: Vec<String> =
            self.decisive.iter().filter_map(|one| one.describe(recording)).collect();
        if parts.is_empty() || (self.together && parts.len() < self.decisive.len()) {
            return Vec::new();
        }
        // The last ones are nearest to the failure.
        let shown = match self.together {
            true => &parts[..],
            false => &parts[parts.len().saturating_sub(MOST)..],
        };
        let has_reads = self.decisive.iter().any(|one| matches!(one, Decisive::Read(_)));
        let (what, change) = match has_reads {
            false => ("orders", "reversed"),
            true => ("choices", "different"),
        };
        let otherwise = match (parts.len(), self.together) {
            (1, _) if has_reads => "If it reads the latter, it passes.".to_owned(),
            (1, _) => "If the second comes first, it passes.".to_owned(),
            (2, true) => format!("If both {what} are {change}, it passes."),
            (all, true) => format!("If all {all} {what} are {change}, it passes."),
            (all, false) if all > shown.len() => {
                let more = match all - shown.len() {
                    1 => "or one other".to_owned(),
                    more => format!("or of {more} others"),
                };
                format!("If a single one of these {what}, {more}, is {change}, it passes.")
            }
            (_, false) => format!("If a single one of these {what} is {change}, it passes."),
        };
        let link = if has_reads { "; and " } else { ", and " };
        vec![format!("It fails because {}.", shown.join(link)), otherwise]
    }
}

impl Decisive {
    fn describe(&self, recording: &Recording) -> Option<String> {
        let step = |step: usize| describe(recording, step);
        let write = |write: Option<usize>| match write {
            None => Some("the initial value".to_owned()),
            Some(write) => step(write),
        };
        Some(match *self {
            Decisive::Order(first, second) => {
                format!("{} comes before {}", step(first)?, step(second)?)
            }
            Decisive::Coherence(first, second) => {
                format!("{} comes before {} in coherence order", step(first)?, step(second)?)
            }
            Decisive::Read(DecisiveRead { read, reads_from, instead }) => {
                // The first operation of a step is the one that has a choice.
                let from = recording.lines.partition_point(|line| line.step < read);
                let own = recording.lines[from..].iter().take_while(|line| line.step == read);
                let line = { own }.find(|line| line.kind == LineKind::Operation)?;
                let read = describe_line(recording, line, &format!("step {}, ", read + 1));
                format!("{read} reads {}, and not {}", write(reads_from)?, write(instead)?)
            }
        })
    }
}

/// Returns how a step is described: `balance → 100` (step 1, thread 2, a.c:14).
pub(super) fn describe(recording: &Recording, step: usize) -> Option<String> {
    describe_as(recording, step, &format!("step {}, ", step + 1))
}

/// Returns how a step is described that comes after the schedule.
pub(super) fn describe_later(recording: &Recording, step: usize) -> Option<String> {
    describe_as(recording, step, "")
}

fn describe_as(recording: &Recording, step: usize, number: &str) -> Option<String> {
    operation(recording, step).map(|line| describe_line(recording, line, number))
}

fn describe_line(recording: &Recording, line: &Line, number: &str) -> String {
    let place = line.place.as_ref().map(|place| format!(", {}:{}", place.file, place.line));
    let text = line.text.lines().next().unwrap_or_default();
    let name = name(recording, line.process.index());
    format!("`{text}` ({number}{name}{})", place.unwrap_or_default())
}

/// Returns the line of the operation of a step, or its first line if it has no operation.
pub(super) fn operation(recording: &Recording, step: usize) -> Option<&Line> {
    let from = recording.lines.partition_point(|line| line.step < step);
    let mut own = recording.lines[from..].iter().take_while(|line| line.step == step);
    let is_operation = |line: &&Line| line.kind == LineKind::Operation;
    own.clone().filter(is_operation).last().or_else(|| own.next())
}

/// Returns the name of a process.
pub(super) fn name(recording: &Recording, process: usize) -> String {
    recording.names.get(process).cloned().unwrap_or_else(|| format!("process {process}"))
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::ProcessId;

    use super::*;

    #[test]
    fn orders_beyond_the_third_are_counted() {
        let line = |step| Line {
            process: ProcessId::new(0),
            place: None,
            text: format!("x = {step}"),
            kind: LineKind::Operation,
            step,
            object: None,
        };
        let recording = Recording {
            lines: (0..6).map(line).collect(),
            names: vec!["main".to_owned()],
            ..Recording::default()
        };
        let last = |orders: usize| {
            let decisive = (0..orders).map(|step| Decisive::Order(step, step + 1)).collect();
            let difference = Difference { decisive, ..Difference::default() };
            difference.describe(&recording).pop().unwrap()
        };
        assert_eq!(last(3), "If a single one of these orders is reversed, it passes.");
        assert_eq!(
            last(4),
            "If a single one of these orders, or one other, is reversed, it passes."
        );
        assert_eq!(
            last(5),
            "If a single one of these orders, or of 2 others, is reversed, it passes."
        );
    }
}
