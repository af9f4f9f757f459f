//! All candidate graphs of a program: all threads' events with all values that they may read, all `rf`,
//! and all `mo`.

use mazurka_core::memory::{INITIAL, Kind};
use mazurka_core::model::MemoryOrdering;

use super::program::{BARRIER, Instruction, Litmus, REGISTERS, VALUES, place};

/// An event of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Whose it is.
    pub thread: usize,
    /// Its rank among the events of its thread, from 1.
    pub index: u32,
    /// What it does.
    pub kind: Kind,
    /// Where, unless it is a fence.
    pub location: u32,
    /// Its ordering, or `None` if it is plain.
    pub ordering: Option<MemoryOrdering>,
    /// What it reads or writes.
    pub value: u64,
    /// Whether it is a part of a read-modify-write.
    pub is_exclusive: bool,
    /// Whether it is a part of the arrival at the barrier of a thread that does not use the result.
    pub is_arrival: bool,
    /// Whether its thread waits because of what it reads.
    pub is_blocked: bool,
    /// Whether its thread spins because of what it reads.
    pub spins: bool,
}

/// What a thread does in a candidate.
#[derive(Clone, Default, Debug)]
struct Trace {
    events: Vec<Event>,
    /// The threads that were joined, each with the number of events before.
    joins: Vec<(usize, usize)>,
    /// How many events there were up to each arrival at the barrier.
    arrivals: Vec<usize>,
    /// How the thread comes to a stop.
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum End {
    #[default]
    Ended,
    /// By a blocked read.
    Blocked,
    /// It spins on the location of its last event.
    Spins,
    /// It has read there again, and has seen nothing new.
    SpinsInVain,
    /// It has run a pure iteration of a loop, of this many reads.
    Retries(usize),
    /// It waits for a thread to end.
    Joins(usize),
    /// It waits at the barrier.
    Waits,
}

/// A graph that may be consistent.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The events, thread by thread.
    pub events: Vec<Event>,
    /// For each read the write that it reads from, or [`INITIAL`].
    pub reads_from: Vec<u32>,
    /// For each location its writes in coherence order.
    pub coherence: Vec<Vec<u32>>,
    /// Edges that joins and the barrier add to program order: so many events of the thread before the event.
    pub joined: Vec<(usize, u32, u32)>,
    /// The reads after which their threads spin for ever.
    pub spinning: Vec<u32>,
    /// The reads that see the value again on which their threads spin, and that are the last.
    pub in_vain: Vec<u32>,
    /// The reads of pure iterations: for ever, if they read from the last writes.
    pub retried: Vec<u32>,
}

/// A state of a thread, while its traces are enumerated.
#[derive(Clone)]
struct Walk {
    at: usize,
    registers: [u64; REGISTERS],
    trace: Trace,
}

impl Walk {
    /// Returns an event that comes next.
    fn event(
        &self,
        thread: usize,
        kind: Kind,
        location: u32,
        ordering: Option<MemoryOrdering>,
        value: u64,
    ) -> Event {
        Event {
            thread,
            index: self.trace.events.len() as u32 + 1,
            kind,
            location: place(location, thread),
            ordering,
            value,
            is_exclusive: false,
            is_arrival: false,
            is_blocked: false,
            spins: false,
        }
    }
}

/// A loop that reads until it finds a value.
struct Spin {
    at: u32,
    wanted: u64,
    failure: MemoryOrdering,
    /// The ordering and the new value, if the loop exchanges the value.
    success: Option<(MemoryOrdering, u64)>,
}

impl Spin {
    /// Goes on with one iteration.
    fn walk(&self, walk: Walk, thread: usize, open: &mut Vec<Walk>, found: &mut Vec<Trace>) {
        let read = |walk: &Walk, ordering, value| {
            walk.event(thread, Kind::Read, self.at, Some(ordering), value)
        };
        let last = walk.trace.events.last().filter(|event| event.spins).copied();
        if let Some(last) = last.filter(|_| self.success.is_some()) {
            // It waits for another value.
            let mut blocked = walk.trace.clone();
            let again = read(&walk, self.failure, last.value);
            blocked.events.push(Event { is_blocked: true, ..again });
            blocked.end = End::Blocked;
            found.push(blocked);
        } else if let Some(last) = last {
            let mut stuck = walk.trace.clone();
            stuck.end = End::Spins;
            found.push(stuck);
            let mut in_vain = walk.trace.clone();
            in_vain.events.push(read(&walk, self.failure, last.value));
            in_vain.end = End::SpinsInVain;
            found.push(in_vain);
        }
        // A thread that spins looks again only if it sees another value. More rounds than these need more
        // writes than programs have.
        if walk.trace.events.len() > 6 {
            return;
        }
        for value in (0..VALUES).filter(|value| last.is_none_or(|last| last.value != *value)) {
            let mut next = walk.clone();
            if value != self.wanted {
                let read = read(&walk, self.failure, value);
                next.trace.events.push(Event { spins: true, ..read });
                open.push(next);
                continue;
            }
            let is_exclusive = self.success.is_some();
            let ordering = self.success.map_or(self.failure, |(ordering, _)| ordering);
            next.trace.events.push(Event { is_exclusive, ..read(&walk, ordering, value) });
            if let Some((ordering, new)) = self.success {
                let write = next.event(thread, Kind::Write, self.at, Some(ordering), new);
                next.trace.events.push(Event { is_exclusive, ..write });
            }
            next.at += 1;
            open.push(next);
        }
    }
}

/// Returns all traces of a thread.
fn traces(program: &Litmus, thread: usize) -> Vec<Trace> {
    let mut found = Vec::new();
    let registers = [0; REGISTERS];
    let mut open = vec![Walk { at: 0, registers, trace: Trace::default() }];
    while let Some(mut walk) = open.pop() {
        let Some(instruction) = program.threads[thread].get(walk.at) else {
            found.push(walk.trace);
            continue;
        };
        let event = |walk: &Walk, kind, location, ordering, value| {
            walk.event(thread, kind, location, ordering, value)
        };
        match *instruction {
            Instruction::Load { from, ordering, register } => {
                for value in 0..VALUES {
                    let mut next = walk.clone();
                    next.at += 1;
                    next.registers[register] = value;
                    next.trace.events.push(event(&walk, Kind::Read, from, ordering, value));
                    open.push(next);
                }
            }
            Instruction::Store { to, ordering, value } => {
                let value = value.of(&walk.registers);
                walk.at += 1;
                let event = event(&walk, Kind::Write, to, ordering, value);
                walk.trace.events.push(event);
                open.push(walk);
            }
            Instruction::Unlock(to) => {
                walk.at += 1;
                let event = event(&walk, Kind::Write, to, Some(MemoryOrdering::Release), 0);
                walk.trace.events.push(event);
                open.push(walk);
            }
            Instruction::Fence(ordering) => {
                walk.at += 1;
                let event = event(&walk, Kind::Fence, 0, Some(ordering), 0);
                walk.trace.events.push(event);
                open.push(walk);
            }
            Instruction::Add { to, ordering, amount, register } => {
                for value in 0..VALUES {
                    let mut next = walk.clone();
                    next.at += 1;
                    next.registers[register] = value;
                    let read = event(&next, Kind::Read, to, Some(ordering), value);
                    next.trace.events.push(Event { is_exclusive: true, ..read });
                    let new = (value + amount) % VALUES;
                    let write = event(&next, Kind::Write, to, Some(ordering), new);
                    next.trace.events.push(Event { is_exclusive: true, ..write });
                    open.push(next);
                }
            }
            Instruction::Exchange { at, expected, new, success, failure, register } => {
                for value in 0..VALUES {
                    let mut next = walk.clone();
                    next.at += 1;
                    next.registers[register] = value;
                    let holds = value == expected;
                    let ordering = if holds { success } else { failure };
                    let read = event(&next, Kind::Read, at, Some(ordering), value);
                    next.trace.events.push(Event { is_exclusive: holds, ..read });
                    if holds {
                        let write = event(&next, Kind::Write, at, Some(ordering), new);
                        next.trace.events.push(Event { is_exclusive: true, ..write });
                    }
                    open.push(next);
                }
            }
            Instruction::Lock(at) => {
                for value in 0..VALUES {
                    let mut next = walk.clone();
                    next.at += 1;
                    let ordering = Some(MemoryOrdering::Acquire);
                    let read = event(&next, Kind::Read, at, ordering, value);
                    if value == 0 {
                        next.trace.events.push(Event { is_exclusive: true, ..read });
                        let write = event(&next, Kind::Write, at, ordering, 1);
                        next.trace.events.push(Event { is_exclusive: true, ..write });
                        open.push(next);
                    } else {
                        next.trace.events.push(Event { is_blocked: true, ..read });
                        next.trace.end = End::Blocked;
                        found.push(next.trace);
                    }
                }
            }
            Instruction::Wait { from, ordering, value: wanted } => {
                for value in 0..VALUES {
                    let mut next = walk.clone();
                    next.at += 1;
                    let read = event(&walk, Kind::Read, from, Some(ordering), value);
                    let is_blocked = value != wanted;
                    next.trace.events.push(Event { is_blocked, ..read });
                    if is_blocked {
                        next.trace.end = End::Blocked;
                        found.push(next.trace);
                    } else {
                        open.push(next);
                    }
                }
            }
            Instruction::WaitExchange { at, expected, other, new, success, failure, register } => {
                for value in 0..VALUES {
                    let mut next = walk.clone();
                    next.at += 1;
                    next.registers[register] = value;
                    let holds = value == expected;
                    let ordering = if holds { success } else { failure };
                    let read = event(&next, Kind::Read, at, Some(ordering), value);
                    let is_blocked = !holds && value != other;
                    next.trace.events.push(Event { is_exclusive: holds, is_blocked, ..read });
                    if holds {
                        let write = event(&next, Kind::Write, at, Some(ordering), new);
                        next.trace.events.push(Event { is_exclusive: true, ..write });
                    }
                    if is_blocked {
                        next.trace.end = End::Blocked;
                        found.push(next.trace);
                    } else {
                        open.push(next);
                    }
                }
            }
            Instruction::Agree { first, second, ordering, register } => {
                for (one, other) in (0..VALUES * VALUES).map(|i| (i / VALUES, i % VALUES)) {
                    let mut next = walk.clone();
                    next.at += 1;
                    next.registers[register] = other;
                    for (from, value) in [(first, one), (second, other)] {
                        let read = event(&next, Kind::Read, from, Some(ordering), value);
                        next.trace.events.push(read);
                    }
                    if one == other {
                        open.push(next);
                    } else {
                        next.trace.end = End::Retries(2);
                        found.push(next.trace);
                    }
                }
            }
            // An exchange that fails has seen another value than the load before it, so that these cannot
            // both be the last one.
            Instruction::Increment { at, success, failure, register } => {
                for value in 0..VALUES {
                    let mut next = walk.clone();
                    next.at += 1;
                    next.registers[register] = value;
                    let load = event(&next, Kind::Read, at, Some(failure), value);
                    next.trace.events.push(load);
                    let read = event(&next, Kind::Read, at, Some(success), value);
                    next.trace.events.push(Event { is_exclusive: true, ..read });
                    let write = event(&next, Kind::Write, at, Some(success), (value + 1) % VALUES);
                    next.trace.events.push(Event { is_exclusive: true, ..write });
                    open.push(next);
                }
            }
            Instruction::Await { from, ordering, value } => {
                let spin = Spin { at: from, wanted: value, failure: ordering, success: None };
                spin.walk(walk, thread, &mut open, &mut found);
            }
            Instruction::AwaitExchange { at, expected, new, success, failure } => {
                let spin = Spin { at, wanted: expected, failure, success: Some((success, new)) };
                spin.walk(walk, thread, &mut open, &mut found);
            }
            Instruction::Barrier(leads) => {
                let size = program.barrier_size();
                for value in 0..size {
                    let mut next = walk.clone();
                    next.at += 1;
                    let is_last = value + 1 == size;
                    if let Some(register) = leads {
                        next.registers[register] = u64::from(is_last);
                    }
                    let new = if is_last { 0 } else { value + 1 };
                    for (kind, value) in [(Kind::Read, value), (Kind::Write, new)] {
                        let ordering = Some(MemoryOrdering::AcqRel);
                        let part = event(&next, kind, BARRIER, ordering, value);
                        let is_arrival = leads.is_none();
                        next.trace.events.push(Event { is_exclusive: true, is_arrival, ..part });
                    }
                    next.trace.arrivals.push(next.trace.events.len());
                    if !is_last {
                        let end = End::Waits;
                        found.push(Trace { end, ..next.trace.clone() });
                    }
                    open.push(next);
                }
            }
            Instruction::Unless { register, holds, skip } => {
                walk.at += 1 + usize::from(walk.registers[register] != holds) * skip;
                open.push(walk);
            }
            Instruction::Join(other) => {
                let mut waits = walk.trace.clone();
                waits.end = End::Joins(other);
                found.push(waits);
                walk.trace.joins.push((other, walk.trace.events.len()));
                walk.at += 1;
                open.push(walk);
            }
        }
    }
    found
}

/// Returns how many combinations of what its threads may do a program has. Most of them have no candidate.
pub fn combinations(program: &Litmus) -> u64 {
    let threads = 0..program.threads.len();
    threads.fold(1, |all: u64, thread| all.saturating_mul(traces(program, thread).len() as u64))
}

/// Calls `found` with the candidates of a program, as long as it returns `true`.
pub fn for_each(program: &Litmus, mut found: impl FnMut(&Candidate) -> bool) {
    let traces: Vec<Vec<Trace>> =
        (0..program.threads.len()).map(|thread| traces(program, thread)).collect();
    let users: Vec<usize> =
        (0..program.threads.len()).filter(|thread| program.uses_barrier(*thread)).collect();
    let mut picked = Vec::new();
    let _ = pick(&traces, &users, &mut picked, &mut found);
}

fn pick<'a>(
    traces: &'a [Vec<Trace>],
    users: &[usize],
    picked: &mut Vec<&'a Trace>,
    found: &mut impl FnMut(&Candidate) -> bool,
) -> bool {
    let Some(options) = traces.get(picked.len()) else { return combine(picked, users, found) };
    for option in options {
        picked.push(option);
        let goes_on = pick(traces, users, picked, found);
        picked.pop();
        if !goes_on {
            return false;
        }
    }
    true
}

fn combine(traces: &[&Trace], users: &[usize], found: &mut impl FnMut(&Candidate) -> bool) -> bool {
    let has_ended = |thread: usize| traces[thread].end == End::Ended;
    // How many rounds of the barrier are complete.
    let rounds = users.iter().map(|user| traces[*user].arrivals.len()).min().unwrap_or(0);
    for trace in traces {
        let waits = trace.end == End::Waits;
        if trace.arrivals.len() > rounds + usize::from(waits)
            || waits && trace.arrivals.len() <= rounds
        {
            return true;
        }
        let joins_ended = trace.joins.iter().all(|(thread, _)| has_ended(*thread));
        let waits_rightly = match trace.end {
            End::Joins(thread) => !has_ended(thread),
            _ => true,
        };
        if !joins_ended || !waits_rightly {
            return true;
        }
    }
    let mut candidate = Candidate {
        events: Vec::new(),
        reads_from: Vec::new(),
        coherence: vec![Vec::new(); 16],
        joined: Vec::new(),
        spinning: Vec::new(),
        in_vain: Vec::new(),
        retried: Vec::new(),
    };
    for trace in traces {
        let start = candidate.events.len();
        candidate.events.extend_from_slice(&trace.events);
        for (thread, before) in &trace.joins {
            if start + before < candidate.events.len() {
                let event = (start + before) as u32;
                add_joined(traces, users, *thread, event, &mut candidate.joined);
            }
        }
        for (round, before) in trace.arrivals.iter().enumerate() {
            if start + before < candidate.events.len() {
                add_arrived(traces, users, round, (start + before) as u32, &mut candidate.joined);
            }
        }
        if trace.end == End::Spins {
            candidate.spinning.push(candidate.events.len() as u32 - 1);
        }
        if let End::Retries(reads) = trace.end {
            let end = candidate.events.len();
            candidate.retried.extend((end - reads..end).map(|read| read as u32));
        }
        if trace.end == End::SpinsInVain {
            candidate.in_vain.push(candidate.events.len() as u32 - 1);
        }
    }
    let reads: Vec<usize> = (0..candidate.events.len())
        .filter(|event| candidate.events[*event].kind == Kind::Read)
        .collect();
    candidate.reads_from = vec![INITIAL; candidate.events.len()];
    assign(&mut candidate, &reads, found)
}

/// Orders the events of a thread, and of those that it has joined itself, before an event. A thread
/// that only joins has no events that would pass these orders on.
fn add_joined(
    traces: &[&Trace],
    users: &[usize],
    thread: usize,
    event: u32,
    joined: &mut Vec<(usize, u32, u32)>,
) {
    joined.push((thread, u32::MAX, event));
    for (earlier, _) in &traces[thread].joins {
        add_joined(traces, users, *earlier, event, joined);
    }
    for round in 0..traces[thread].arrivals.len() {
        add_arrived(traces, users, round, event, joined);
    }
}

/// Orders the arrivals of a round of the barrier before an event.
fn add_arrived(
    traces: &[&Trace],
    users: &[usize],
    round: usize,
    event: u32,
    joined: &mut Vec<(usize, u32, u32)>,
) {
    for user in users {
        joined.push((*user, traces[*user].arrivals[round] as u32, event));
    }
}

/// Tries all writes that the reads may read from.
fn assign(
    candidate: &mut Candidate,
    reads: &[usize],
    found: &mut impl FnMut(&Candidate) -> bool,
) -> bool {
    let Some((read, rest)) = reads.split_first() else {
        for (number, event) in candidate.events.iter().enumerate() {
            if event.kind == Kind::Write {
                candidate.coherence[event.location as usize].push(number as u32);
            }
        }
        let goes_on = permute(candidate, 0, 0, found);
        candidate.coherence.iter_mut().for_each(Vec::clear);
        return goes_on;
    };
    let event = candidate.events[*read];
    if event.value == 0 {
        candidate.reads_from[*read] = INITIAL;
        if !assign(candidate, rest, found) {
            return false;
        }
    }
    for write in 0..candidate.events.len() {
        let other = candidate.events[write];
        let same =
            (other.kind, other.location, other.value) == (Kind::Write, event.location, event.value);
        if same {
            candidate.reads_from[*read] = write as u32;
            if !assign(candidate, rest, found) {
                return false;
            }
        }
    }
    true
}

/// Tries all orders of the writes to each location.
fn permute(
    candidate: &mut Candidate,
    location: usize,
    at: usize,
    found: &mut impl FnMut(&Candidate) -> bool,
) -> bool {
    if location == candidate.coherence.len() {
        return found(candidate);
    }
    let len = candidate.coherence[location].len();
    if at >= len {
        return permute(candidate, location + 1, 0, found);
    }
    for other in at..len {
        candidate.coherence[location].swap(at, other);
        let goes_on = permute(candidate, location, at + 1, found);
        candidate.coherence[location].swap(at, other);
        if !goes_on {
            return false;
        }
    }
    true
}
