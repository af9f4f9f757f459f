//! `surw`: a selectively uniform random walk.
//!
//! Zhao, Wolff, Mathur and Roychoudhury, *Selectively Uniform Concurrency Testing* (ASPLOS 2025).
//! Each sample selects interesting events, and samples the interleavings of these uniformly. Here,
//! the interesting events of a sample are the accesses to one object that at least two processes
//! have accessed before, chosen at random.
//!
//! The walk first draws the process that performs the next interesting event. The probability of a
//! process is proportional to the number of interesting events that it still has to perform,
//! including those of the processes that it will create. All other processes move at random, but
//! wait at their own interesting events. If that leaves no process, the events come in another order
//! than assumed, and the walk draws again among the enabled processes.
//!
//! The paper counts the events of each process in one run beforehand. Here, the count of a process is the
//! largest in any known sample. In the first sample, no event is interesting.
//!
//! Draws depend on the order of objects and processes. Their ids may depend on other samples, so both are
//! in the order in which the samples have first used them.

use std::collections::HashMap;

use super::{Policy, Random, SamplingOptions, entry};
use crate::model::{Machine, ObjectId, Performed, ProcessId};

/// The number of accesses to an object by each process.
type Counts = Vec<(ProcessId, u64)>;

/// The policy of `surw`.
#[derive(Debug, Default)]
pub(crate) struct Surw {
    /// The accesses to each object in earlier samples.
    known: Vec<(ObjectId, Counts)>,
    /// The place of each object in `known`.
    places: HashMap<ObjectId, usize>,
    /// The accesses in this sample, in the order of first accesses.
    counted: Vec<(ObjectId, ProcessId, u64)>,
    /// The place of each pair in `counted`.
    counted_at: HashMap<(ObjectId, ProcessId), usize>,
    /// The number of processes in the initial state.
    initial: usize,
    /// The creator of each process that did not exist initially.
    creators: Vec<Option<ProcessId>>,
    /// The processes that this sample has created, with their creators.
    created: Vec<(ProcessId, ProcessId)>,
    /// Whether the process exists in this sample.
    exists: Vec<bool>,
    /// The object whose accesses are interesting in this sample.
    object: Option<ObjectId>,
    /// The interesting events that each process still has to perform.
    left: Counts,
    /// The process that performs the next interesting event.
    intended: Option<ProcessId>,
    /// Buffers.
    weights: Vec<u64>,
    heirs: Vec<ProcessId>,
    free: Vec<ProcessId>,
}

/// What a sample teaches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The counts that are larger than the known ones, in the order of first accesses.
    counts: Vec<(ObjectId, ProcessId, u64)>,
    /// The processes whose creators were not known, with their creators.
    created: Vec<(ProcessId, ProcessId)>,
}

impl Policy for Surw {
    type Gain = Seen;

    fn new(_options: &SamplingOptions) -> Self {
        Surw::default()
    }

    fn begin(&mut self, initial: usize, random: &mut Random) {
        self.counted.clear();
        self.counted_at.clear();
        self.created.clear();
        self.exists.clear();
        self.exists.resize(initial, true);
        self.initial = initial;
        self.intended = None;
        let is_shared = |counts: &Counts| counts.len() > 1;
        let shared = || self.known.iter().filter(|(_, counts)| is_shared(counts));
        let picked = random.below(shared().count() as u64) as usize;
        let chosen = shared().nth(picked);
        self.object = chosen.map(|(object, _)| *object);
        self.left.clear();
        if let Some((_, counts)) = chosen {
            self.left.extend_from_slice(counts);
        }
    }

    fn choose(
        &mut self,
        machine: &dyn Machine,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId {
        let Some(object) = self.object else { return random.pick(enabled) };
        if self.intended.is_none() {
            self.intended = self.draw(|_| true, random);
        }
        let is_interesting = |process: ProcessId| {
            machine.next(process).is_some_and(|action| action.on.object == object)
        };
        let intended = self.intended;
        let is_free =
            |process: &&ProcessId| Some(**process) == intended || !is_interesting(**process);
        self.free.clear();
        self.free.extend(enabled.iter().filter(is_free));
        if !self.free.is_empty() {
            return random.pick(&self.free);
        }
        // The intended process cannot move: draw among those that can.
        let drawn = self.draw(|process| enabled.contains(&process), random);
        let drawn = drawn.unwrap_or_else(|| random.pick(enabled));
        self.intended = Some(drawn);
        drawn
    }

    fn took(&mut self, _machine: &dyn Machine, process: ProcessId, performed: &Performed) {
        for action in &performed.actions {
            let counted = &mut self.counted;
            let place = *self.counted_at.entry((action.on.object, process)).or_insert_with(|| {
                counted.push((action.on.object, process, 0));
                counted.len() - 1
            });
            counted[place].2 += 1;
        }
        if performed.actions.iter().any(|action| Some(action.on.object) == self.object) {
            if let Some((_, left)) = self.left.iter_mut().find(|(of, _)| *of == process) {
                *left = left.saturating_sub(1);
            }
            self.intended = None;
        }
        let initial = self.initial;
        for edge in performed.edges.iter().filter(|edge| edge.to.index() >= initial) {
            // The first edge to a process is from its creator.
            if !std::mem::replace(entry(&mut self.exists, edge.to), true) {
                self.created.push((edge.to, edge.from));
                // The events of the new process were those of its creator so far.
                self.intended.take_if(|intended| *intended == edge.from);
            }
        }
    }

    fn ended(&mut self, _steps: usize) -> Seen {
        let known = |object: &ObjectId, process: &ProcessId| {
            let (_, counts) = &self.known[*self.places.get(object)?];
            counts.iter().find(|(of, _)| of == process).map(|(_, count)| *count)
        };
        let is_more = |(object, process, count): &&(ObjectId, ProcessId, u64)| {
            known(object, process).is_none_or(|known| *count > known)
        };
        let is_new = |(process, _): &&(ProcessId, ProcessId)| {
            self.creators.get(process.index()).is_none_or(Option::is_none)
        };
        Seen {
            counts: self.counted.iter().filter(is_more).copied().collect(),
            created: self.created.iter().filter(is_new).copied().collect(),
        }
    }

    fn learn(&mut self, seen: &Seen) {
        for (object, process, count) in &seen.counts {
            let known = &mut self.known;
            let place = *self.places.entry(*object).or_insert_with(|| {
                known.push((*object, Vec::new()));
                known.len() - 1
            });
            let counts = &mut known[place].1;
            match counts.iter_mut().find(|(of, _)| of == process) {
                Some((_, known)) => *known = (*known).max(*count),
                None => counts.push((*process, *count)),
            }
        }
        for (process, creator) in &seen.created {
            entry(&mut self.creators, *process).get_or_insert(*creator);
        }
    }
}

impl Surw {
    /// Draws the process of the next interesting event among those that exist and are `eligible`.
    fn draw(
        &mut self,
        eligible: impl Fn(ProcessId) -> bool,
        random: &mut Random,
    ) -> Option<ProcessId> {
        self.weights.clear();
        self.heirs.clear();
        for (process, left) in self.left.iter().filter(|(_, left)| *left > 0) {
            // Find the ancestor that exists. Creators form a tree, so this ends.
            let mut heir = *process;
            while !self.exists.get(heir.index()).is_some_and(|exists| *exists) {
                match self.creators.get(heir.index()).copied().flatten() {
                    Some(creator) => heir = creator,
                    None => break,
                }
            }
            if eligible(heir) {
                match self.heirs.iter().position(|known| *known == heir) {
                    Some(place) => self.weights[place] += left,
                    None => {
                        self.heirs.push(heir);
                        self.weights.push(*left);
                    }
                }
            }
        }
        random.pick_weighted(&self.weights).map(|place| self.heirs[place])
    }
}
