//! Running a process ahead, to find out whether it would only repeat itself.
//!
//! At the end of a round in which a process has changed nothing, it goes on alone, with the values that it has
//! read in memory, for [`ROUNDS`] rounds or until it does something else than to read them ([`Fate`]). Memory
//! holds what the process has read, and it does not get to see anything else. So its fate depends on its own
//! past alone, and not on what the other processes have done meanwhile.
//!
//! A process cannot be undone. So the execution is then run again, up to the same point, where the fate is
//! known. It is run again before, too: [digests](super::local_state) of local states can be compared only if the
//! process was suspended at each of its operations, which it is not in a replay.

use std::collections::HashMap;

use mazurka_core::model::{Action, Location, ObjectId, Op};

use super::local_state::mix;
use super::operation::suspend;
use super::process::State;
use super::replay::Moment;
use super::spin::{MANY_READS, identity};
use super::{Runtime, alive, local_state, with};

/// A process that has repeated itself so often is taken for one that does so for ever.
const ROUNDS: u32 = 500;

/// What a process does if the values that it has read stay the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It reads these locations for ever.
    Repeats(Box<[Location]>),
    /// It goes on for so many rounds. After that it does something else, or reads the same for ever.
    GoesOn(u32),
}

/// A process that runs ahead.
pub(super) struct Ahead {
    stage: Stage,
    /// What the process may read: what it has read before.
    known: Vec<Location>,
    /// What memory held there, and what the process sees instead.
    held: Vec<(ObjectId, u64, u64)>,
    /// What it has read since it runs ahead.
    read: Vec<Location>,
    /// How many operations it has performed in this round.
    operations: u32,
    /// The rounds so far.
    rounds: u32,
    /// Whether a round has ended, and no operation has begun since then.
    is_between_rounds: bool,
    /// The local state after the last round.
    state: Option<u64>,
    /// The number of the round after which the local state has not changed any more.
    settled: Option<u32>,
    /// A digest of the places in the source at which this round has performed operations.
    places: u64,
    /// These digests of the rounds so far.
    past_places: Vec<u64>,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The execution has to be run again before the process can run ahead.
    Wanted,
    Runs,
    /// The process has done something else.
    HasLeft,
}

impl Ahead {
    fn wanted() -> Self {
        Ahead {
            stage: Stage::Wanted,
            known: Vec::new(),
            held: Vec::new(),
            read: Vec::new(),
            operations: 0,
            rounds: 0,
            is_between_rounds: false,
            state: None,
            settled: None,
            places: 0,
            past_places: Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        self.stage != Stage::Runs || self.rounds >= ROUNDS
    }

    /// What has been found out, if anything.
    fn fate(self) -> Option<Fate> {
        match (self.stage, self.settled) {
            (Stage::Wanted, _) => None,
            (Stage::HasLeft, _) => Some(Fate::GoesOn(self.rounds)),
            (Stage::Runs, Some(0)) => Some(Fate::Repeats(self.read.into())),
            (Stage::Runs, Some(rounds)) => Some(Fate::GoesOn(rounds)),
            // If its local state never settles, it counts its rounds, or the digest is of no use. Then all that
            // is known is whether it has left one loop for another.
            (Stage::Runs, None) => Some(match rounds_before_last_loop(&self.past_places) {
                0 => Fate::Repeats(self.read.into()),
                rounds => Fate::GoesOn(rounds),
            }),
        }
    }

    /// Whether the process may do this without leaving its loop.
    fn may(&mut self, action: &Action) -> bool {
        // What is plain is ordered by something that is not.
        if action.plain && action.op == Op::Read {
            return true;
        }
        self.operations += 1;
        // A fence is no access. The loops of sequence locks have one in each round.
        if action.op == Op::Fence {
            return self.operations <= MANY_READS;
        }
        if !self.read.contains(&action.on) && self.known.contains(&action.on) {
            self.read.push(action.on);
        }
        // A round without an end is a loop without a yield, which is recognised once the process comes to it.
        self.operations <= MANY_READS && self.read.contains(&action.on)
    }

    /// The process is suspended in this local state.
    fn compare(&mut self, state: Option<u64>) {
        if state.is_some() && self.state == state {
            self.settled = Some(self.rounds - 1);
        }
        self.state = state;
    }
}

/// Returns how many rounds a process has run before its last loop: those at places at which it has not been
/// again. If it has come to the last loop late, it may still be in a part of a loop with many rounds.
fn rounds_before_last_loop(places: &[u64]) -> u32 {
    let last_at: HashMap<u64, usize> =
        places.iter().enumerate().map(|(round, places)| (*places, round)).collect();
    let (mut until, mut before) = (0, 0);
    for (round, places) in places.iter().enumerate().take(places.len() / 2) {
        until = until.max(last_at[places]);
        if until == round {
            before = round + 1;
        }
    }
    before as u32
}

/// Suspends the current process until the execution is torn down.
#[cold]
#[track_caller]
pub(super) fn stop() {
    with(|rt| {
        let current = rt.current;
        rt.processes[current].state = State::Stopped;
    });
    suspend();
    alive();
}

impl Runtime {
    /// The fate of the current process has to be found out.
    #[cold]
    pub(super) fn run_ahead(&mut self) {
        let mut ahead = Ahead::wanted();
        if self.is_exact {
            let watch = &self.processes[self.current].watch;
            for (on, value) in watch.known() {
                let now = &mut self.objects[on.object.0 as usize].value;
                ahead.held.push((on.object, std::mem::replace(now, *value), *value));
            }
            let known = watch.known().iter().map(|(on, _)| *on).chain(watch.looked());
            ahead.known.extend(known);
            (ahead.stage, ahead.is_between_rounds) = (Stage::Runs, true);
        }
        self.ahead = Some(Box::new(ahead));
        self.seeing = None;
        self.performed = None;
        self.replay.pause();
    }

    /// Adds an action of the current process to its past, and to that of the object.
    #[inline(always)]
    pub(super) fn blend(&mut self, action: &Action) {
        if self.tracks_past {
            self.blend_past(action);
        }
        if self.awaits.is_used && action.before != action.after {
            self.awaits.keep_values(action);
        }
    }

    #[inline(never)]
    fn blend_past(&mut self, action: &Action) {
        let object = &mut self.objects[action.on.object.0 as usize];
        let past = &mut self.processes[self.current].past;
        // A stored value follows from the past of the process that has stored it. It may be an address, which
        // differs in each run.
        let initial = if object.past == 0 { action.before } else { 0 };
        let words = [u64::from(action.on.object.0), initial, object.past];
        *past = words.into_iter().fold(*past, |past, word| mix(past, word as usize));
        if action.op != Op::Read {
            object.past = *past;
        }
    }

    /// Returns what decides on the fate of the current process, unless that is only known if the execution is
    /// run again.
    pub(super) fn moment(&mut self) -> Option<Moment> {
        let slot = &self.processes[self.current];
        let (at, past) = ((self.current, slot.steps), slot.past);
        if self.tuning.memory_orderings {
            return Some(Moment { past: None, at });
        }
        let is_tracked = std::mem::replace(&mut self.tracks_past, true);
        is_tracked.then_some(Moment { past: Some(past), at })
    }

    /// Whether there is nothing more to find out about the process that runs ahead, if there is one.
    pub(super) fn is_ahead_over(&self) -> bool {
        self.ahead.as_ref().is_some_and(|ahead| ahead.is_over())
    }

    /// The process that runs ahead has come to the end of a round.
    pub(super) fn end_round_ahead(&mut self) {
        let has_written = self.processes[self.current].watch.has_written();
        let Some(ahead) = &mut self.ahead else { return };
        if has_written && ahead.stage == Stage::Runs {
            ahead.stage = Stage::HasLeft;
        }
        if std::mem::take(&mut ahead.operations) > 0 && !ahead.is_over() {
            ahead.rounds += 1;
            ahead.is_between_rounds = true;
            ahead.past_places.push(std::mem::take(&mut ahead.places));
        }
    }

    /// The process that runs ahead has come to its next operation. Returns whether it goes on without being
    /// suspended.
    #[cold]
    pub(super) fn goes_ahead(&mut self) -> bool {
        let has_settled = self.ahead.as_ref().is_some_and(|ahead| ahead.settled.is_some());
        has_settled && self.begin_ahead()
    }

    /// The process that runs ahead is suspended. Returns whether it goes on.
    #[cold]
    pub(super) fn resumes_ahead(&mut self, process: usize) -> bool {
        self.current = process;
        let state = self.processes[process].state;
        let resumes = state == State::AtOperation && self.begin_ahead();
        self.current = super::runtime::NO_EVENT;
        if !resumes {
            self.leave_ahead();
        }
        resumes
    }

    /// Begins the next step of the current process, unless its fate is known.
    fn begin_ahead(&mut self) -> bool {
        let current = self.current;
        let slot = &self.processes[current];
        let action = slot.pending.action().copied();
        let place = identity(slot.pending.site);
        let can_go_on = self.is_possible(slot) && self.alternatives(slot) == 1;
        let has_written = slot.watch.has_written();
        let Some(ahead) = &mut self.ahead else { return false };
        if ahead.is_over() {
            return false;
        }
        if has_written || !can_go_on || !action.is_some_and(|it| ahead.may(&it)) {
            ahead.stage = Stage::HasLeft;
            return false;
        }
        ahead.places = mix(ahead.places, place);
        if std::mem::take(&mut ahead.is_between_rounds) && ahead.settled.is_none() {
            ahead.compare(local_state::digest(self.suspended_at, &self.processes[current]));
        }
        self.begin_again(current, 0);
        true
    }

    /// The process that runs ahead does something else, or something that cannot be tried.
    #[cold]
    pub(super) fn leave_ahead(&mut self) {
        if let Some(ahead) = &mut self.ahead
            && !ahead.is_over()
        {
            ahead.stage = Stage::HasLeft;
        }
    }

    /// Ends running ahead, and notes the fate of the process. Returns whether a process was run ahead, or has to
    /// be: then the execution must be run again.
    pub(super) fn conclude(&mut self) -> bool {
        let Some(ahead) = self.ahead.take() else { return false };
        // The other processes go on from here, in a teardown. What the process has stored after it has left its
        // loop stays: it may have taken a lock, or freed what a pointer pointed to.
        for (object, held, seen) in &ahead.held {
            let now = &mut self.objects[object.0 as usize].value;
            if now == seen {
                *now = *held;
            }
        }
        if let Some(fate) = ahead.fate() {
            self.replay.decide(fate);
        }
        self.violation = None;
        self.wanted = Default::default();
        self.resources.wanted = None;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::rounds_before_last_loop;

    #[test]
    fn a_process_that_comes_back_has_not_left_its_loop() {
        let rounds =
            |text: &str| rounds_before_last_loop(&text.bytes().map(u64::from).collect::<Vec<_>>());
        assert_eq!(rounds("aaaaaaaa"), 0);
        assert_eq!(rounds("abbbbbbb"), 1);
        assert_eq!(rounds("aabccccc"), 3);
        assert_eq!(rounds("abababab"), 0);
        assert_eq!(rounds("cabababa"), 1);
        assert_eq!(rounds("aaaaaaab"), 0, "there may be another loop around both");
    }
}
