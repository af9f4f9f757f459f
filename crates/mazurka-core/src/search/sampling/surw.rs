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
//! The paper counts the events of each process in one run beforehand. Here, the counts are those of
//! the last sample in which the process has accessed the object. In the first sample, no event is
//! interesting.

use std::collections::BTreeMap;

use super::{Policy, Random, SamplingOptions, entry};
use crate::model::{Machine, ObjectId, Performed, ProcessId};

/// The policy of `surw`.
#[derive(Debug, Default)]
pub(crate) struct Surw {
    /// The accesses to each object by each process, in earlier samples.
    known: BTreeMap<ObjectId, Vec<u64>>,
    /// The accesses in this sample.
    counted: BTreeMap<ObjectId, Vec<u64>>,
    /// The number of processes in the initial state.
    initial: Option<usize>,
    /// The creator of each process that did not exist initially.
    creators: Vec<Option<ProcessId>>,
    /// Whether the process exists in this sample.
    exists: Vec<bool>,
    /// The object whose accesses are interesting in this sample.
    object: Option<ObjectId>,
    /// The interesting events that each process still has to perform.
    left: Vec<u64>,
    /// The process that performs the next interesting event.
    intended: Option<ProcessId>,
    /// Buffers.
    weights: Vec<u64>,
    free: Vec<ProcessId>,
}

impl Policy for Surw {
    fn new(_options: &SamplingOptions) -> Self {
        Surw::default()
    }

    fn begin(&mut self, random: &mut Random) {
        self.counted.clear();
        self.exists.clear();
        self.intended = None;
        let is_shared = |counts: &Vec<u64>| counts.iter().filter(|count| **count > 0).count() > 1;
        let shared: Vec<ObjectId> =
            self.known.iter().filter(|(_, counts)| is_shared(counts)).map(|(o, _)| *o).collect();
        self.object = (!shared.is_empty()).then(|| random.pick(&shared));
        self.left.clear();
        if let Some(counts) = self.object.and_then(|object| self.known.get(&object)) {
            self.left.extend_from_slice(counts);
        }
    }

    fn choose<M: Machine>(
        &mut self,
        machine: &M,
        enabled: &[ProcessId],
        random: &mut Random,
    ) -> ProcessId {
        // The machine knows only the initial processes before its first step.
        self.initial.get_or_insert_with(|| machine.processes());
        let Some(object) = self.object else { return random.pick(enabled) };
        for process in enabled {
            *entry(&mut self.exists, *process) = true;
        }
        if self.intended.is_none() {
            self.weigh(|_| true);
            self.intended = random.pick_weighted(&self.weights).map(ProcessId::new);
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
        self.weigh(|process| enabled.contains(&process));
        let drawn = random.pick_weighted(&self.weights).map(ProcessId::new);
        self.intended = Some(drawn.unwrap_or_else(|| random.pick(enabled)));
        self.intended.unwrap_or(enabled[0])
    }

    fn took<M: Machine>(&mut self, _machine: &M, process: ProcessId, performed: &Performed) {
        for action in &performed.actions {
            *entry(self.counted.entry(action.on.object).or_default(), process) += 1;
        }
        if performed.actions.iter().any(|action| Some(action.on.object) == self.object) {
            let left = entry(&mut self.left, process);
            *left = left.saturating_sub(1);
            self.intended = None;
        }
        let initial = self.initial.unwrap_or(usize::MAX);
        for edge in performed.edges.iter().filter(|edge| edge.to.index() >= initial) {
            // The first edge to a process is from its creator.
            if !std::mem::replace(entry(&mut self.exists, edge.to), true) {
                entry(&mut self.creators, edge.to).get_or_insert(edge.from);
                // The events of the new process were those of its creator so far.
                self.intended.take_if(|intended| *intended == edge.from);
            }
        }
    }

    fn ended(&mut self, _steps: usize) {
        for (object, counts) in &self.counted {
            let known = self.known.entry(*object).or_default();
            for (process, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                *entry(known, ProcessId::new(process)) = *count;
            }
        }
    }
}

impl Surw {
    /// Computes the weight of each process that exists and is `eligible`.
    fn weigh(&mut self, eligible: impl Fn(ProcessId) -> bool) {
        self.weights.clear();
        self.weights.resize(self.left.len().max(self.exists.len()), 0);
        for process in (0..self.left.len()).filter(|process| self.left[*process] > 0) {
            // Find the ancestor that exists. Creators form a tree, so this ends.
            let mut heir = ProcessId::new(process);
            while !self.exists.get(heir.index()).is_some_and(|exists| *exists) {
                match self.creators.get(heir.index()).copied().flatten() {
                    Some(creator) => heir = creator,
                    None => break,
                }
            }
            if eligible(heir) {
                self.weights[heir.index()] += self.left[process];
            }
        }
    }
}
