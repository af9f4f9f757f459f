//! Revisits: a write that is added late lets an earlier read read from it.

use super::added::Added;
use super::events::{NO_STEP, push_access};
use super::observed::can_revisit;
use super::{Attempt, Graphs, Lineage, Move, Scripted};
use crate::memory::{Event, EventId, Graph, INITIAL, Kind, Model};
use crate::search::Coherence;

/// A write that may revisit reads. It is the last event of its graph.
#[derive(Clone, Copy)]
pub(super) struct Revisitor {
    pub(super) write: EventId,
    /// The first of its events that are not in the graph before its step is taken.
    pub(super) first: EventId,
}

/// Returns whether a read that is not in the prefix of a write may be revisited: everything that would be
/// deleted has been added maximally.
fn is_revisitable(
    graph: &Graph,
    by: Revisitor,
    read: EventId,
    coherence: Coherence,
    added: &mut Added,
) -> bool {
    let from = graph.first_after(graph.event(read).stamp);
    added.is_maximal(graph, read, by.write, coherence)
        && (from..by.first).all(|e| {
            !added.is_deleted(graph, read, e) || added.is_maximal(graph, e, by.write, coherence)
        })
}

/// Returns the events that are deleted if a read is revisited.
fn deleted(
    graph: &Graph,
    by: Revisitor,
    read: EventId,
    added: &Added,
) -> impl Iterator<Item = EventId> {
    let first = graph.first_after(graph.event(read).stamp);
    (first..by.first).filter(move |e| added.is_deleted(graph, read, *e))
}

/// Returns the read that reads exclusively from the same write as the step of a write, if there is one. It
/// is revisited or deleted: no two read-modify-writes read from one write.
fn rival(graph: &Graph, by: Revisitor) -> Option<EventId> {
    let write = graph.event(by.write);
    let own = write.is_exclusive.then(|| by.write - 1).filter(|own| *own >= by.first)?;
    let reader = graph.exclusive_reader(write.location, graph.event(own).reads_from)?;
    (reader < by.first).then_some(reader)
}

/// Returns whether a write comes last in the witness of the events that remain if a read is revisited. Nothing
/// follows it then, and nothing follows the read.
fn comes_last(graph: &Graph, by: Revisitor, read: EventId, added: &Added) -> bool {
    let write = graph.event(by.write);
    if !write.is_exclusive {
        return true;
    }
    let source = graph.event(by.write - 1).reads_from;
    let later = &graph.coherence(write.location)[graph.position(write.location, source)..];
    later.iter().all(|other| *other == by.write || added.is_deleted(graph, read, *other))
}

/// Returns the position that a write has in coherence order if a read is revisited and reads from it, if it is
/// known without a search that there is only one, and that the graph is consistent then: the last one. The
/// graph need not be restricted to find this out.
///
/// Nothing follows the write and the read then, so that they are in no cycle. The write has no other position if
/// it is part of a read-modify-write, or if the write before it happens before it, or is read by an event that
/// does.
fn only_position(graph: &Graph, by: Revisitor, read: EventId, added: &Added) -> Option<usize> {
    let Event { location, is_exclusive, .. } = *graph.event(by.write);
    let remains = |e: &&EventId| **e != by.write && !added.is_deleted(graph, read, **e);
    let mut remaining = graph.coherence(location).iter().filter(remains);
    let is_only = match is_exclusive {
        true => comes_last(graph, by, read, added),
        false => remaining.next_back().is_none_or(|last| {
            let mut reads = graph.reads(location).iter();
            graph.happens_before(*last, by.write)
                || reads.any(|read| {
                    graph.event(*read).reads_from == *last && graph.happens_before(*read, by.write)
                })
        }),
    };
    is_only.then(|| 1 + graph.coherence(location).iter().filter(remains).count())
}

/// Marks the events that remain if a read is revisited: those that were added before it, and the prefix
/// of the write.
fn mark_kept(graph: &Graph, by: Revisitor, read: EventId, added: &Added, kept: &mut Vec<bool>) {
    kept.clear();
    kept.resize(by.first as usize, true);
    kept[read as usize] = false;
    for e in deleted(graph, by, read, added) {
        kept[e as usize] = false;
    }
    kept.resize(graph.events().len(), false);
}

impl Graphs {
    /// Replaces a move to try all revisits by the single ones.
    pub(super) fn plan_all(&mut self, revisits: Move) {
        match revisits {
            Move::Revisits(attempt) => self.plan_revisits(attempt),
            Move::RevisitsBy(write) => self.plan_revisits_by(write),
            _ => {}
        }
    }

    /// Plans the revisits by the write of an attempt.
    fn plan_revisits(&mut self, attempt: Attempt) {
        self.renew_witness(attempt);
        let (events, edges) = self.size();
        if let Some(by) = self.add_revisitor(attempt) {
            let found = self.find_revisits(by);
            let moves = found.into_iter().map(|(r, position)| Move::Revisit(attempt, r, position));
            self.extend_moves(moves);
        }
        self.lineage_mut().graph.truncate(events, edges);
    }

    /// Makes the witness consistent with the read of an attempt, if it is one of a read-modify-write. The witness
    /// may have changed since the move was found, and [`Added::is_maximal_read`] relies on it.
    fn renew_witness(&mut self, attempt: Attempt) {
        let frame = self.lineage().frames.last().expect("the frame of the move");
        if let Some(action) = frame.action
            && self.coherence == Coherence::Observed
            && attempt.reads_from.is_some()
        {
            let location = self.lineage_mut().graph.intern(action.on);
            let is_consistent = self.can_read(&action, location, attempt);
            debug_assert!(is_consistent, "a revisit was not possible");
        }
    }

    /// The same for a write that is in the graph already.
    fn plan_revisits_by(&mut self, write: EventId) {
        let found = self.find_revisits(Revisitor { write, first: write });
        let moves = found.into_iter().map(|(r, position)| Move::RevisitBy(write, r, position));
        self.extend_moves(moves);
    }

    fn extend_moves(&mut self, moves: impl Iterator<Item = Move>) {
        let frame = self.lineage_mut().frames.last_mut().expect("the frame of the move");
        frame.moves.extend(moves);
    }

    fn size(&self) -> (usize, usize) {
        let graph = &self.lineage().graph;
        (graph.events().len(), graph.edges())
    }

    /// Adds the events of an attempt, for now.
    fn add_revisitor(&mut self, attempt: Attempt) -> Option<Revisitor> {
        let model = self.model;
        let lineage = self.lineage_mut();
        let action = lineage.frames.last()?.action?;
        let graph = &mut lineage.graph;
        let first = graph.events().len() as EventId;
        let location = graph.intern(action.on);
        let position = graph.coherence(location).len() + 1;
        let write = push_access(graph, &action, location, attempt, position, model)?;
        Some(Revisitor { write, first })
    }

    /// Returns the reads that a write may revisit, each with the positions of the write in coherence
    /// order for which the graph is consistent then.
    fn find_revisits(&mut self, by: Revisitor) -> Vec<(EventId, usize)> {
        let Graphs { model, coherence, lineages, scratch, kept, names, rest, added, .. } = self;
        let (model, coherence) = (*model, *coherence);
        let graph = &lineages.last().expect("there is a lineage").graph;
        let location = graph.event(by.write).location;
        let rival = rival(graph, by);
        let may_be_revisited =
            |read: &EventId| *read < by.first && !graph.is_in_prefix(*read, by.write);
        let reads = graph.reads(location).iter().copied().filter(may_be_revisited);
        let mut found = Vec::new();
        let Some(earliest) = reads.clone().map(|read| graph.event(read).stamp).min() else {
            return found;
        };
        added.restart(graph, by.write, earliest);
        for read in reads {
            let keeps_rival =
                || rival.is_some_and(|e| e != read && !added.is_deleted(graph, read, e));
            if keeps_rival() || !is_revisitable(graph, by, read, coherence, added) {
                continue;
            }
            if coherence == Coherence::Observed {
                let is_read = |e: &EventId| graph.event(*e).kind == Kind::Read;
                let mut is_maximal = |added: &mut Added, e: EventId| {
                    let scratch = (&mut *rest, &mut *kept, &mut *names);
                    added.is_maximal_read(graph, e, by.write, scratch, model)
                };
                let from = graph.first_after(graph.event(read).stamp);
                let are_maximal = is_maximal(added, read)
                    && (from..by.first)
                        .filter(is_read)
                        .all(|e| !added.is_deleted(graph, read, e) || is_maximal(added, e));
                if !are_maximal {
                    continue;
                }
            }
            // Whether an event comes before that of an elder is known of the rest of the graph alone.
            let of = [by.write, read].map(|e| graph.event(e).process);
            if !of.iter().any(|process| graph.has_elder(*process))
                && let Some(position) = match coherence {
                    Coherence::Total => only_position(graph, by, read, added),
                    Coherence::Observed => comes_last(graph, by, read, added).then_some(0),
                }
            {
                found.push((read, position));
                continue;
            }
            mark_kept(graph, by, read, added, kept);
            scratch.restrict(graph, kept, names);
            scratch.forget_edges_after(graph, read);
            match coherence {
                Coherence::Total => {
                    try_positions(graph, scratch, names, by, read, model, &mut found);
                }
                Coherence::Observed => {
                    if can_revisit(graph, scratch, names, by, read, model) {
                        found.push((read, 0));
                    }
                }
            }
        }
        found
    }

    /// Begins a lineage in which a read reads from the write of an attempt. The machine has taken the
    /// first `at` steps of the parent. Returns how many of them remain.
    pub(super) fn revisit(
        &mut self,
        attempt: Attempt,
        read: EventId,
        position: usize,
        at: usize,
    ) -> usize {
        let (events, edges) = self.size();
        let by = self.add_revisitor(attempt).expect("the revisit was planned");
        let steps = self.lineage().steps.len();
        let at = self.branch(by, read, steps, at);
        let write = *self.lineages[self.lineages.len() - 2].graph.event(by.write);
        self.script.push_back(Scripted::Write(attempt, position));
        self.script_read(&write, read);
        let parent = self.lineages.len() - 2;
        self.lineages[parent].graph.truncate(events, edges);
        at
    }

    /// The same for a write that is in the graph already.
    pub(super) fn revisit_by(
        &mut self,
        write: EventId,
        read: EventId,
        position: usize,
        at: usize,
    ) -> usize {
        let by = Revisitor { write, first: write };
        // The step of the write is the last one.
        let last = self.lineage().steps.len() - 1;
        let at = self.branch(by, read, last, at);
        self.script.push_back(Scripted::Again(last));
        self.lineage_mut().moved = Some((write, position));
        let write = *self.lineages[self.lineages.len() - 2].graph.event(write);
        self.script_read(&write, read);
        at
    }

    fn script_read(&mut self, write: &Event, read: EventId) {
        let read = self.lineages[self.lineages.len() - 2].graph.event(read);
        self.script.push_back(Scripted::Read {
            process: read.process,
            stamp: read.stamp,
            writer: write.process,
            index: write.index,
        });
    }

    /// Begins a lineage with the events that remain of the first `steps` steps if a read is revisited.
    fn branch(&mut self, by: Revisitor, read: EventId, steps: usize, at: usize) -> usize {
        let mut new = self.spare.pop().unwrap_or_default();
        let mut kept = std::mem::take(&mut self.kept);
        let parent = self.lineages.last().expect("there is a lineage");
        self.added.restart(&parent.graph, by.write, parent.graph.event(read).stamp);
        mark_kept(&parent.graph, by, read, &self.added, &mut kept);
        let is_gone = |step: &usize| !kept[parent.steps[*step].first as usize];
        let shared = (0..steps).find(is_gone).unwrap_or(steps);
        let boundary = match parent.steps.get(shared) {
            Some(step) => step.first,
            None => by.first,
        };
        let edges = parent.steps.get(shared).map_or(parent.graph.edges(), |step| step.edges);
        let at = at.min(shared);
        self.script.extend((at..shared).map(Scripted::Repeat));
        for (e, event) in parent.graph.events().iter().enumerate().skip(boundary as usize) {
            if !kept[e] {
                continue;
            }
            if event.step == NO_STEP {
                self.script.push_back(Scripted::BlockAgain(e as EventId));
            } else if (event.step as usize) < steps
                && parent.steps[event.step as usize].first == e as EventId
            {
                self.script.push_back(Scripted::Again(event.step as usize));
            }
        }
        kept.iter_mut().skip(boundary as usize).for_each(|kept| *kept = false);
        let Lineage { graph, names, .. } = &mut new;
        graph.restrict(&parent.graph, &kept, names);
        graph.truncate(graph.events().len(), edges);
        graph.is_reordered = true;
        // The read keeps its stamp, and what is added now comes later.
        graph.least_stamp = graph.least_stamp.max(parent.graph.event(read).stamp + 1);
        new.steps.clear();
        new.steps.extend_from_slice(&parent.steps[..shared]);
        rename_steps(&mut new, &self.names_of_steps(shared));
        new.frames.clear();
        new.shared = shared;
        new.moved = None;
        new.renamed.clear();
        self.kept = kept;
        self.lineages.push(new);
        at
    }

    /// Returns the first events of the first `steps` steps.
    fn names_of_steps(&self, steps: usize) -> Vec<EventId> {
        self.lineage().steps[..steps].iter().map(|step| step.first).collect()
    }
}

/// Gives the steps the new names of their events.
fn rename_steps(lineage: &mut Lineage, firsts: &[EventId]) {
    for (step, first) in lineage.steps.iter_mut().zip(firsts) {
        step.first = lineage.names[*first as usize];
    }
}

/// Adds the events of a step before its write to the rest of a graph, where the events that they read from
/// have these names.
pub(super) fn push_own_reads(
    graph: &Graph,
    rest: &mut Graph,
    names: &[EventId],
    by: Revisitor,
    model: &dyn Model,
) {
    for own in by.first..by.write {
        let event = graph.event(own);
        let reads_from = match event.reads_from {
            INITIAL => INITIAL,
            write => names[write as usize],
        };
        rest.push(Event { reads_from, ..*event }, 0, model);
    }
}

/// Collects the positions that a write may have in coherence order if it is read by a revisited read.
fn try_positions(
    graph: &Graph,
    rest: &mut Graph,
    names: &[EventId],
    by: Revisitor,
    read: EventId,
    model: &dyn Model,
    found: &mut Vec<(EventId, usize)>,
) {
    let (events, edges) = (rest.events().len(), rest.edges());
    push_own_reads(graph, rest, names, by, model);
    let write = *graph.event(by.write);
    let (start, start_edges) = (rest.events().len(), rest.edges());
    let positions = match write.is_exclusive {
        true => {
            let position = rest.position_of(start as EventId - 1) + 1;
            position..=position
        }
        false => 1..=rest.coherence(write.location).len() + 1,
    };
    for position in positions.rev() {
        let w = rest.push(write, position, model);
        let is_lowest = position <= rest.floor(w);
        if rest.is_canonical(w) && model.admits(rest, w) {
            let event = Event { reads_from: w, is_exclusive: false, ..*graph.event(read) };
            let r = rest.push(event, 0, model);
            if rest.is_canonical(r) && model.admits(rest, r) {
                found.push((read, position));
            }
        }
        rest.truncate(start, start_edges);
        if is_lowest {
            break;
        }
    }
    rest.truncate(events, edges);
}
