//! The rows of the table of an execution.

use crate::recording::{Line, LineKind, Place, Recording};
use mazurka_core::verdict::{Violation, ViolationKind};

/// One row of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// Its number in the schedule, counted from 1.
    pub(crate) step: Option<usize>,
    pub(crate) place: String,
    pub(crate) process: usize,
    pub(crate) text: String,
    /// Whether this is the failure.
    pub(crate) failing: bool,
    /// Whether its order is [decisive](crate::Explanation::orders).
    pub(crate) decisive: bool,
    /// Whether there was a context switch before it.
    pub(crate) switch: bool,
    pub(crate) kind: LineKind,
}

impl Row {
    pub(crate) fn is_operation(&self) -> bool {
        self.kind == LineKind::Operation
    }
}

/// The maximum length of a place. The beginning of a longer one is cut.
const LONGEST_PLACE: usize = 24;

/// The maximum length of a text that repeats the headline.
const LONGEST_BRIEF: usize = 40;

pub(crate) fn rows(recording: &Recording, violation: Option<&Violation>) -> Vec<Row> {
    let failing = failing(recording, violation);
    // Ends and joins after the failure are of no interest.
    let last = recording.lines.iter().rposition(|line| {
        !matches!(line.kind, LineKind::End | LineKind::Local | LineKind::Spawn(_))
    });
    let end = match violation {
        Some(_) if recording.misfit.is_none() => last.map_or(0, |last| last + 1),
        _ => recording.lines.len(),
    };
    let mut rows: Vec<Row> = Vec::with_capacity(end);
    let places = Places::of(recording);
    let mut last: Option<&Line> = None;
    for (index, line) in recording.lines[..end].iter().enumerate() {
        let is_operation = line.kind == LineKind::Operation;
        let first_of_step = last.is_none_or(|last| last.step != line.step);
        let moved = last.is_some_and(|last| last.process != line.process);
        rows.push(Row {
            step: is_operation.then_some(line.step + 1),
            place: line.place.as_ref().map(|place| places.show(place)).unwrap_or_default(),
            process: line.process.index(),
            text: brief(line, violation),
            failing: failing.contains(&index),
            decisive: false,
            // If a process continues within a step of another one, the scheduler did not choose it.
            switch: moved && (is_operation || first_of_step),
            kind: line.kind,
        });
        last = Some(line);
    }
    rows
}

/// Returns the text of a line, shortened if the headline has it in full: a failure, or the resource
/// that a process waits for.
fn brief(line: &Line, violation: Option<&Violation>) -> String {
    let text = line.text.as_str();
    let is_long = text.contains('\n') || text.chars().count() > LONGEST_BRIEF;
    match (line.kind, violation) {
        (LineKind::Stuck, _) => text.split(", ").next().unwrap_or_default().to_owned(),
        (LineKind::Failure, Some(violation)) if is_long => violation.kind.to_string(),
        _ => text.to_owned(),
    }
}

/// Returns the lines of the failure.
fn failing(recording: &Recording, violation: Option<&Violation>) -> Vec<usize> {
    let Some(violation) = violation else { return Vec::new() };
    let lines = || recording.lines.iter().enumerate();
    let of_kind = |kind| move |(index, line): (usize, &Line)| (line.kind == kind).then_some(index);
    let found: Vec<usize> = match (violation.kind, violation.accesses) {
        (ViolationKind::DataRace, Some((first, second))) => lines()
            .filter(|(_, line)| line.kind == LineKind::Operation)
            .filter(|(_, line)| line.step == first || line.step == second)
            .map(|(index, _)| index)
            .collect(),
        (ViolationKind::Deadlock | ViolationKind::Livelock, _) => {
            lines().filter_map(of_kind(LineKind::Stuck)).collect()
        }
        _ => {
            let failures: Vec<_> = lines().filter_map(of_kind(LineKind::Failure)).collect();
            // Other processes may have failed as a consequence.
            let named = failures.iter().copied().find(|index| {
                let name = &recording.names[recording.lines[*index].process.index()];
                violation.message.starts_with(&format!("thread {name} "))
            });
            named.or(failures.last().copied()).into_iter().collect()
        }
    };
    match (found.is_empty(), lines().filter_map(of_kind(LineKind::Operation)).next_back()) {
        (true, Some(last)) if violation.kind != ViolationKind::Nondeterminism => vec![last],
        _ => found,
    }
}

/// The form of places: in full if they are short, and without directories if the file names are
/// unique.
enum Places {
    Full,
    Names,
    Tails,
}

impl Places {
    fn of(recording: &Recording) -> Self {
        let places = || recording.lines.iter().filter_map(|line| line.place.as_ref());
        if places().all(|place| full(place).chars().count() <= LONGEST_PLACE) {
            return Places::Full;
        }
        let mut files: Vec<&str> = places().map(|place| place.file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        let mut names: Vec<&str> = files.iter().copied().map(name).collect();
        names.sort_unstable();
        names.dedup();
        match names.len() == files.len() {
            true => Places::Names,
            false => Places::Tails,
        }
    }

    fn show(&self, place: &Place) -> String {
        match self {
            Places::Names => tail(&format!("{}:{}", name(&place.file), place.line)),
            Places::Full | Places::Tails => tail(&full(place)),
        }
    }
}

fn full(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

fn name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// Returns the end of a text that is too long.
fn tail(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST_PLACE {
        return text.to_owned();
    }
    let tail: String = text.chars().skip(length + 1 - LONGEST_PLACE).collect();
    // Start at the name of a directory, if there is one.
    let from = tail.find(['/', '\\']).filter(|at| *at < tail.len() / 2).unwrap_or(0);
    format!("…{}", &tail[from..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::lost_update;

    fn shown(files: [&str; 2]) -> [String; 2] {
        let mut recording = lost_update();
        recording.lines.truncate(2);
        for (line, file) in recording.lines.iter_mut().zip(files) {
            line.place = Some(Place { file: file.to_owned(), line: 7, column: 1 });
        }
        let places = Places::of(&recording);
        [0, 1].map(|index| places.show(recording.lines[index].place.as_ref().unwrap()))
    }

    #[test]
    fn places_are_as_long_as_they_need_to_be() {
        assert_eq!(shown(["src/bank.rs", "src/a.rs"]), ["src/bank.rs:7", "src/a.rs:7"]);
        let long = "crates/a-rather-long-name/src/where.rs";
        assert_eq!(shown([long, "src/a.rs"]), ["where.rs:7", "a.rs:7"]);
        assert_eq!(shown([long, "src/where.rs"]), ["…/src/where.rs:7", "src/where.rs:7"]);
        let endless = "a_file_with_a_name_without_any_end_to_it.rs";
        let [shortened, _] = shown([endless, endless]);
        assert_eq!(shortened.chars().count(), LONGEST_PLACE);
        assert!(shortened.starts_with('…') && shortened.ends_with("_to_it.rs:7"), "{shortened}");
    }
}
