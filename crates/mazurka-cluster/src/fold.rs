//! Adding up the results. See the [crate](crate) for why every execution counts once.

use std::collections::{BTreeMap, HashMap, HashSet};

use mazurka_core::explore::{Division, Explored, Part, sum_up};
use mazurka_core::search::{Estimate, Options};
use mazurka_core::verdict::{Bound, Restart, Verdict, Violation, ViolationKind};

use crate::message::{PartName, PartResult};

/// How many workers must have failed to explore a part until the job fails.
const MOST_FAILURES: u32 = 3;

/// The maximum number of warnings.
const MOST_WARNINGS: usize = 64;

/// The sum of all results so far. It is a function of the sequence of results alone.
#[derive(Debug)]
pub struct Fold {
    /// The parts that belong to the search and have no result yet, as bytes.
    open: BTreeMap<PartName, Vec<u8>>,
    division: Division,
    verdict: Verdict,
    /// The keys of the violations and warnings.
    known: HashSet<String>,
    failures: HashMap<PartName, u32>,
    /// The whole search after the last lesson.
    lessons: Option<Part>,
    options: Options<'static>,
    /// The number of results that counted, and of those that did not.
    pub(crate) counted: u64,
    pub(crate) ignored: u64,
}

impl Fold {
    /// Returns the sum of no results.
    pub fn new(options: &Options<'static>) -> Self {
        let verdict = Verdict { algorithm: options.algorithm, ..Verdict::default() };
        Fold {
            open: BTreeMap::from([(PartName::WHOLE, Part::start().to_bytes())]),
            division: Division::default(),
            verdict,
            known: HashSet::new(),
            failures: HashMap::new(),
            lessons: None,
            options: options.clone(),
            counted: 0,
            ignored: 0,
        }
    }

    /// Adds the result with this number in the stream. Returns the parts that have become open.
    pub fn add(&mut self, number: u64, result: PartResult) -> Vec<(PartName, Vec<u8>)> {
        if self.is_over() || !self.open.contains_key(&result.part) {
            self.ignored += 1;
            return Vec::new();
        }
        let Explored { verdict, rest, starts_over } = match result.outcome {
            Ok(explored) => explored,
            Err(reason) => {
                self.fail(result.part, reason);
                return Vec::new();
            }
        };
        self.counted += 1;
        let explored = self.open.remove(&result.part).unwrap_or_default();
        if let Some(lesson) = starts_over {
            let Verdict { executions, blocked, elapsed, .. } = self.verdict;
            let mut restarts = std::mem::take(&mut self.verdict.restarts);
            restarts.push(Restart { lesson, executions, blocked, elapsed });
            let algorithm = self.options.algorithm;
            let notes = rest.as_ref().map_or(&[][..], Part::notes).to_vec();
            self.verdict = Verdict { algorithm, restarts, notes, ..Verdict::default() };
            self.known.clear();
            self.open.clear();
            self.division = Division::default();
            self.lessons.clone_from(&rest);
        }
        self.count(verdict, result.keys);
        let parts = match (starts_over, Part::from_bytes(&explored)) {
            (None, Ok(part)) => self.division.settle(&part, rest, result.parts.max(1) as usize),
            _ => rest.into_iter().collect(),
        };
        self.division.count(self.verdict.executions.saturating_add(self.verdict.blocked));
        let named = (0..).zip(parts).map(|(part_number, part)| {
            (PartName { result: number, number: part_number }, part.to_bytes())
        });
        let named: Vec<_> = named.collect();
        self.open.extend(named.iter().cloned());
        match self.is_over() {
            true => Vec::new(),
            false => named,
        }
    }

    /// Adds the findings of a part.
    fn count(&mut self, mut found: Verdict, keys: Vec<String>) {
        let mut keys = keys.into_iter();
        let mut is_new = |_: &Violation| keys.next().is_some_and(|key| self.known.insert(key));
        found.violations.retain(&mut is_new);
        found.warnings.retain(is_new);
        found.warnings.truncate(MOST_WARNINGS.saturating_sub(self.verdict.warnings.len()));
        let restarts = std::mem::take(&mut self.verdict.restarts);
        let notes = std::mem::take(&mut self.verdict.notes);
        let weak_access = self.verdict.weak_access.take().or(found.weak_access.take());
        let so_far = std::mem::take(&mut self.verdict);
        self.verdict =
            Verdict { restarts, notes, weak_access, ..sum_up(vec![so_far, found], &self.options) };
    }

    /// Notes that a part could not be explored.
    fn fail(&mut self, part: PartName, reason: String) {
        let failures = self.failures.entry(part).or_default();
        *failures += 1;
        if *failures >= MOST_FAILURES {
            let message = format!("{MOST_FAILURES} workers could not explore a part: {reason}");
            self.verdict.violations = vec![Violation::new(ViolationKind::Unsupported, message)];
            self.verdict.stopped = Some(Bound::Violation);
        }
    }

    /// Returns whether the search is complete, or was stopped by a violation.
    pub fn is_over(&self) -> bool {
        self.open.is_empty() || self.verdict.stopped == Some(Bound::Violation)
    }

    /// Returns the open parts, as bytes.
    pub fn open(&self) -> &BTreeMap<PartName, Vec<u8>> {
        &self.open
    }

    /// Returns the whole search with what workers have learnt about the program, if that is anything.
    pub fn lessons(&self) -> Option<&Part> {
        self.lessons.as_ref()
    }

    /// Returns an estimate of the number of executions, including those that end early.
    pub fn estimate(&self) -> Option<Estimate> {
        self.division.estimate()
    }

    /// Returns the findings so far.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(part: PartName, executions: u64, rest: Option<Part>) -> PartResult {
        let verdict = Verdict { executions, ..Verdict::default() };
        let outcome = Ok(Explored { verdict, rest, starts_over: None });
        PartResult { part, outcome, keys: Vec::new(), parts: 1 }
    }

    #[test]
    fn the_first_result_of_a_part_counts() {
        let mut fold = Fold::new(&Options::default());
        let unknown = PartName { result: 5, number: 0 };
        assert!(fold.add(1, result(unknown, 100, None)).is_empty());
        let left = fold.add(2, result(PartName::WHOLE, 3, Some(Part::start())));
        assert_eq!(left[0].0, PartName { result: 2, number: 0 });
        assert!(fold.add(3, result(PartName::WHOLE, 4, Some(Part::start()))).is_empty());
        assert!(!fold.is_over());
        fold.add(4, result(left[0].0, 2, None));
        fold.add(5, result(left[0].0, 2, None));
        assert!(fold.is_over());
        assert_eq!((fold.verdict().executions, fold.counted, fold.ignored), (5, 2, 3));
    }

    #[test]
    fn a_lesson_closes_the_search_before() {
        let mut fold = Fold::new(&Options::default());
        let left = fold.add(1, result(PartName::WHOLE, 3, Some(Part::start())));
        let mut lesson = result(left[0].0, 0, Some(Part::start()));
        let explored = lesson.outcome.as_mut().unwrap();
        explored.starts_over = Some(mazurka_core::model::Lesson::HiddenAddresses);
        let whole = fold.add(2, lesson);
        assert_eq!((whole.len(), fold.verdict().executions), (1, 0));
        fold.add(3, result(left[0].0, 9, None));
        fold.add(4, result(whole[0].0, 7, None));
        assert!(fold.is_over());
        assert_eq!((fold.verdict().executions, fold.verdict().restarts.len()), (7, 1));
    }

    #[test]
    fn a_part_that_nobody_can_explore_ends_the_job() {
        let mut fold = Fold::new(&Options::default());
        for number in 1..=MOST_FAILURES {
            assert!(!fold.is_over());
            let failed = Err("no such branch".to_owned());
            let part = PartName::WHOLE;
            fold.add(
                number.into(),
                PartResult { part, outcome: failed, keys: Vec::new(), parts: 1 },
            );
        }
        assert!(fold.is_over());
        assert!(fold.verdict().violations[0].message.contains("no such branch"));
    }
}
