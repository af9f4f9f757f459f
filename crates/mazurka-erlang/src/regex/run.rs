//! Running a program on a subject.

use super::Regex;
use super::class::{Kind, other_case};
use super::compile::Instruction;
use super::parse::Assertion;

/// Where the groups of a match are; the first is the match itself.
pub(crate) type Match = Vec<Option<(usize, usize)>>;

/// What else a match must be like.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) anchored: bool,
    pub(crate) not_empty: bool,
    pub(crate) not_empty_at_start: bool,
}

/// How a search ends that takes too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLong;

/// So many steps are taken for one place.
const PATIENCE: u64 = 10_000_000;

/// What to do when the program has failed.
#[derive(Clone, Copy)]
enum Choice {
    Try { pc: usize, at: usize },
    Restore { slot: usize, before: usize },
}

const UNSET: usize = usize::MAX;

struct Run<'a> {
    regex: &'a Regex,
    subject: &'a [u32],
    start: usize,
    wanted: Wanted,
    slots: Vec<usize>,
    choices: Vec<Choice>,
    patience: u64,
}

impl Regex {
    /// The first match from a place on.
    pub(crate) fn find(
        &self,
        subject: &[u32],
        start: usize,
        wanted: Wanted,
    ) -> Result<Option<Match>, TooLong> {
        let slots = vec![UNSET; self.slots];
        let choices = Vec::new();
        let mut run = Run { regex: self, subject, start, wanted, slots, choices, patience: 0 };
        for at in start..=subject.len() {
            run.slots.fill(UNSET);
            run.choices.clear();
            run.patience = PATIENCE;
            if run.run(0, at, true)?.is_some() {
                let group = |i: usize| {
                    let (from, to) = (run.slots[2 * i], run.slots[2 * i + 1]);
                    (from != UNSET && to != UNSET).then_some((from, to))
                };
                return Ok(Some((0..=self.groups).map(group).collect()));
            }
            if wanted.anchored {
                break;
            }
        }
        Ok(None)
    }
}

impl Run<'_> {
    fn same(a: u32, b: u32, caseless: bool) -> bool {
        a == b || caseless && other_case(a) == b
    }

    fn save(&mut self, slot: usize, value: usize) {
        let before = std::mem::replace(&mut self.slots[slot], value);
        self.choices.push(Choice::Restore { slot, before });
    }

    /// Runs from a place in the program up to an `Accept`. Where that is in the subject, if it comes
    /// to one.
    fn run(&mut self, pc: usize, at: usize, is_whole: bool) -> Result<Option<usize>, TooLong> {
        let floor = self.choices.len();
        let (mut pc, mut at) = (pc, at);
        loop {
            self.patience = self.patience.checked_sub(1).ok_or(TooLong)?;
            let next = self.subject.get(at).copied();
            let holds = match &self.regex.program[pc] {
                Instruction::Char { c, caseless } => {
                    at += 1;
                    next.is_some_and(|next| Self::same(next, *c, *caseless))
                }
                Instruction::Any { newline } => {
                    at += 1;
                    next.is_some_and(|next| *newline || next != 10)
                }
                Instruction::Class(class) => {
                    at += 1;
                    next.is_some_and(|next| class.contains(next))
                }
                Instruction::Split(first, other) => {
                    self.choices.push(Choice::Try { pc: *other, at });
                    pc = *first;
                    continue;
                }
                Instruction::Jump(to) => {
                    pc = *to;
                    continue;
                }
                Instruction::Save(slot) => {
                    self.save(*slot, at);
                    true
                }
                Instruction::Progress { slot, out } => {
                    if self.slots[*slot] == at {
                        pc = *out;
                        continue;
                    }
                    true
                }
                Instruction::BackReference { group, caseless } => {
                    match self.same_as_group(*group, at, *caseless) {
                        Some(end) => {
                            at = end;
                            true
                        }
                        None => false,
                    }
                }
                Instruction::Assertion(assertion) => self.holds(*assertion, at),
                Instruction::Back(width) => match at.checked_sub(*width) {
                    Some(back) => {
                        at = back;
                        true
                    }
                    None => false,
                },
                Instruction::Inner { end, looks, negated } => {
                    let (end, looks, negated) = (*end, *looks, *negated);
                    let height = self.choices.len();
                    let inner = self.run(pc + 1, at, false)?;
                    if negated || inner.is_none() {
                        self.undo_to(height);
                    } else {
                        self.forget_tries(height);
                    }
                    if inner.is_some() != negated {
                        at = if looks { at } else { inner.unwrap_or(at) };
                        pc = end;
                        continue;
                    }
                    false
                }
                Instruction::Accept => {
                    if !is_whole || self.is_wanted(at) {
                        return Ok(Some(at));
                    }
                    false
                }
            };
            if holds {
                pc += 1;
                continue;
            }
            // Back to the last choice.
            loop {
                if self.choices.len() == floor {
                    return Ok(None);
                }
                match self.choices.pop() {
                    Some(Choice::Try { pc: other, at: there }) => {
                        (pc, at) = (other, there);
                        break;
                    }
                    Some(Choice::Restore { slot, before }) => self.slots[slot] = before,
                    None => return Ok(None),
                }
            }
        }
    }

    fn undo_to(&mut self, height: usize) {
        while self.choices.len() > height {
            if let Some(Choice::Restore { slot, before }) = self.choices.pop() {
                self.slots[slot] = before;
            }
        }
    }

    /// Keeps what was captured, but tries nothing else.
    fn forget_tries(&mut self, height: usize) {
        let mut kept = height;
        for index in height..self.choices.len() {
            if matches!(self.choices[index], Choice::Restore { .. }) {
                self.choices[kept] = self.choices[index];
                kept += 1;
            }
        }
        self.choices.truncate(kept);
    }

    fn is_wanted(&self, end: usize) -> bool {
        let start = self.slots[0];
        let Wanted { not_empty, not_empty_at_start, .. } = self.wanted;
        start != end || !(not_empty || not_empty_at_start && start == self.start)
    }

    fn same_as_group(&self, group: usize, at: usize, caseless: bool) -> Option<usize> {
        let (from, to) = (self.slots[2 * group], self.slots[2 * group + 1]);
        if from == UNSET || to == UNSET {
            return None;
        }
        let found = self.subject.get(at..at + (to - from))?;
        let wanted = &self.subject[from..to];
        let is_same = found.iter().zip(wanted).all(|(a, b)| Self::same(*a, *b, caseless));
        is_same.then_some(at + (to - from))
    }

    fn holds(&self, assertion: Assertion, at: usize) -> bool {
        let len = self.subject.len();
        let is_newline = |at: usize| self.subject.get(at) == Some(&10);
        match assertion {
            Assertion::Start { lines } => at == 0 || lines && at < len && is_newline(at - 1),
            Assertion::End { lines, only } => {
                at == len || lines && is_newline(at) || !only && at + 1 == len && is_newline(at)
            }
            Assertion::WordBoundary(is) => {
                let is_word =
                    |at: usize| self.subject.get(at).is_some_and(|c| Kind::Word.contains(*c));
                let before = at > 0 && is_word(at - 1);
                (before != is_word(at)) == is
            }
            Assertion::Here => at == self.start,
        }
    }
}
