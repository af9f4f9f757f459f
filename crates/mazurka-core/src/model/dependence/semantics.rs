//! Derives the table from a semantics of the operations.
//!
//! A few lines model each kind of location. In all small states, two processes perform two
//! operations in both orders. Operations that the table calls independent must commute in every
//! state. For each pair that it calls dependent, there must be a state in which the two do not
//! commute.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::mem::discriminant;

use super::{depend, dependent};
use crate::model::{Location, ObjectId, Op};

/// Runs a command of a process in a state. Returns the new state, the operation that it performs,
/// and the result for the process, or `None` if the process has to wait.
type Run<S, C> = fn(&S, usize, C) -> Option<(S, (Location, Op), u64)>;

/// Compares the table with all pairs of commands of the processes 0 and 1 in all states.
fn derive<S: PartialEq + Debug, C: Copy + Debug>(
    states: &[S],
    commands: [&[C]; 2],
    run: Run<S, C>,
) {
    let mut conflicts: BTreeMap<String, bool> = BTreeMap::new();
    for state in states {
        for (p, q) in [(0, 1), (1, 0)] {
            for (a, b) in commands[p].iter().flat_map(|a| commands[q].iter().map(move |b| (*a, *b)))
            {
                let Some((between, op_a, result_a)) = run(state, p, a) else { continue };
                let Some((end, op_b, result_b)) = run(&between, q, b) else { continue };
                let swapped = run(state, q, b).and_then(|(between, op, result)| {
                    let (end, other_op, other_result) = run(&between, p, a)?;
                    Some((end, other_op, other_result, op, result))
                });
                let commute = swapped == Some((end, op_a, result_a, op_b, result_b));
                let what = || format!("{a:?} performs {op_a:?} and {b:?} {op_b:?} in {state:?}");
                match depend(op_a, op_b) {
                    false => assert!(commute, "independent, but do not commute: {}", what()),
                    true => *conflicts.entry(key(op_a, op_b)).or_default() |= !commute,
                }
            }
        }
    }
    let needless: Vec<_> = conflicts.iter().filter(|(_, is_found)| !**is_found).collect();
    assert!(needless.is_empty(), "dependent, but commute in every state: {needless:?}");
}

/// Names a pair of operations in either order, with the relation of their messages.
fn key((here, a): (Location, Op), (there, b): (Location, Op)) -> String {
    let name = |op: Op| format!("{op:?}").split(' ').next().unwrap_or_default().to_owned();
    let relation = match (a, b) {
        (Op::Send { number, .. }, Op::Receive { number: taken })
        | (Op::Receive { number: taken }, Op::Send { number, .. }) => number == taken,
        _ => false,
    };
    let mut names = [name(a), name(b)];
    names.sort();
    format!("{names:?} {relation} {}", here == there)
}

fn at(start: u32, len: u32) -> Location {
    Location { object: ObjectId(0), start, len }
}

#[derive(Clone, Copy, Debug)]
struct Access {
    start: u32,
    len: u32,
    op: Op,
    operand: u64,
}

/// Accesses to two bytes.
fn access(state: &u64, _process: usize, access: Access) -> Option<(u64, (Location, Op), u64)> {
    let Access { start, len, op, operand } = access;
    let mask = ((1 << (8 * len)) - 1) << (8 * start);
    let before = (state & mask) >> (8 * start);
    let after = match op {
        Op::Write | Op::Update => operand,
        Op::Add => before + operand,
        _ => before,
    };
    let learns = if matches!(op, Op::Read | Op::Update) { before } else { 0 };
    let state = state & !mask | (after << (8 * start)) & mask;
    Some((state, (at(start, len), op), learns))
}

#[test]
fn accesses_to_memory_and_to_overlapping_ranges() {
    let states: Vec<u64> = [0, 1, 0xff].into_iter().flat_map(|low| [low, low | 0x100]).collect();
    let mut commands = Vec::new();
    for (start, len) in [(0, 1), (1, 1), (0, 2)] {
        for op in [Op::Read, Op::Write, Op::Update, Op::Add] {
            commands.extend([1, 2, 0x101].map(|operand| Access { start, len, op, operand }));
        }
    }
    derive(&states, [&commands, &commands], access);
}

#[test]
fn an_access_to_a_part_is_one_to_a_range_that_overlaps() {
    let (part, rest, whole) = (at(0, 1), at(1, 1), at(0, 2));
    for (op, noted) in
        [(Op::Read, Op::ReadPart), (Op::Write, Op::WritePart), (Op::Add, Op::WritePart)]
    {
        for other in [Op::Read, Op::Write, Op::Update, Op::Add] {
            let expected = depend((part, op), (whole, other));
            assert_eq!(dependent(noted, other), expected, "{op:?} of a part and {other:?}");
        }
        for (other, other_noted) in [(Op::Read, Op::ReadPart), (Op::Write, Op::WritePart)] {
            let expected = depend((part, op), (rest, other));
            assert_eq!(
                dependent(noted, other_noted),
                expected,
                "{op:?} and {other:?} of two parts"
            );
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
struct Channel {
    capacity: Option<u32>,
    messages: VecDeque<u64>,
    sent: u32,
    received: u32,
    senders: u32,
    is_closed: bool,
}

#[derive(Clone, Copy, Debug)]
enum OnChannel {
    Send { waits: bool },
    Receive { waits: bool },
    Hangup,
    Close,
}

fn on_channel(
    channel: &Channel,
    process: usize,
    command: OnChannel,
) -> Option<(Channel, (Location, Op), u64)> {
    let mut channel = channel.clone();
    let is_full =
        channel.capacity.is_some_and(|capacity| channel.messages.len() as u32 >= capacity);
    let (op, learns) = match command {
        OnChannel::Send { .. } if channel.is_closed => (Op::SendNone, 1),
        OnChannel::Send { waits } if is_full => match waits {
            true => return None,
            false => (Op::SendNone, 0),
        },
        OnChannel::Send { .. } => {
            let number = channel.sent;
            let freed_by = match channel.capacity {
                Some(capacity) if number >= capacity => number - capacity,
                _ => Op::NONE,
            };
            channel.messages.push_back(process as u64);
            channel.sent += 1;
            (Op::Send { number, freed_by }, 0)
        }
        OnChannel::Receive { waits } => match channel.messages.pop_front() {
            Some(message) => {
                channel.received += 1;
                (Op::Receive { number: channel.received - 1 }, message)
            }
            None if waits && channel.senders > 0 => return None,
            None => (Op::ReceiveNone, u64::from(channel.senders == 0)),
        },
        OnChannel::Hangup => {
            channel.senders = channel.senders.checked_sub(1)?;
            (Op::Hangup, 0)
        }
        OnChannel::Close => {
            channel.is_closed = true;
            (Op::Close, 0)
        }
    };
    Some((channel, (at(0, 1), op), learns))
}

#[test]
fn channels() {
    let mut states = Vec::new();
    for (capacity, length) in
        [(None, 0), (None, 1), (None, 2), (Some(1), 0), (Some(1), 1), (Some(2), 1)]
    {
        for (received, senders, is_closed) in [0, 1, 2]
            .into_iter()
            .flat_map(|r| (0..3).flat_map(move |s| [(r, s, false), (r, s, true)]))
        {
            let messages = (0..length).map(|message| 7 + message).collect();
            let sent = received + length as u32;
            states.push(Channel { capacity, messages, sent, received, senders, is_closed });
        }
    }
    let commands = [
        OnChannel::Send { waits: true },
        OnChannel::Send { waits: false },
        OnChannel::Receive { waits: true },
        OnChannel::Receive { waits: false },
        OnChannel::Hangup,
        OnChannel::Close,
    ];
    derive(&states, [&commands, &commands], on_channel);
}

#[derive(Clone, Copy, Debug)]
enum OnMailbox {
    Deliver(u32),
    Take { only: Option<u32>, waits: bool },
}

fn on_mailbox(
    // A slice would not be the state that `derive` passes.
    #[allow(clippy::ptr_arg)] mailbox: &Vec<u32>,
    _process: usize,
    command: OnMailbox,
) -> Option<(Vec<u32>, (Location, Op), u64)> {
    let mut mailbox = mailbox.clone();
    let op = match command {
        OnMailbox::Deliver(message) => {
            mailbox.push(message);
            Op::Deliver { message }
        }
        OnMailbox::Take { only, waits } => {
            let matches = |message: &u32| only.is_none_or(|only| only == *message);
            match mailbox.iter().position(matches) {
                Some(place) => Op::Take { message: mailbox.remove(place) },
                None if waits => return None,
                None => Op::TakeNone,
            }
        }
    };
    Some((mailbox, (at(0, 1), op), 0))
}

#[test]
fn mailboxes() {
    let states = [vec![], vec![3], vec![4], vec![3, 4], vec![4, 3]];
    let take = |only, waits| OnMailbox::Take { only, waits };
    let mut owner = vec![OnMailbox::Deliver(1)];
    for only in [None, Some(2), Some(3)] {
        owner.extend([take(only, true), take(only, false)]);
    }
    derive(&states, [&owner, &[OnMailbox::Deliver(2)]], on_mailbox);
}

#[derive(Clone, Copy, Debug)]
enum OnLoop {
    Post(u32),
    Dequeue,
}

fn on_loop(
    queue: &VecDeque<u32>,
    _: usize,
    command: OnLoop,
) -> Option<(VecDeque<u32>, (Location, Op), u64)> {
    let mut queue = queue.clone();
    let op = match command {
        OnLoop::Post(message) => {
            queue.push_back(message);
            Op::Post { message }
        }
        OnLoop::Dequeue => Op::Dequeue { message: queue.pop_front()? },
    };
    Some((queue, (at(0, 1), op), 0))
}

#[test]
fn queues_of_event_loops() {
    let states: [VecDeque<u32>; 3] = [VecDeque::new(), [3].into(), [3, 4].into()];
    derive(&states, [&[OnLoop::Dequeue, OnLoop::Post(1)], &[OnLoop::Post(2)]], on_loop);
}

#[test]
fn operations_of_different_kinds_are_dependent() {
    let kinds: [&[Op]; 4] = [
        &[
            Op::Read,
            Op::Write,
            Op::Update,
            Op::Add,
            Op::ReadPart,
            Op::WritePart,
            Op::CoverPart,
            Op::LifePart,
        ],
        &[Op::Receive { number: 1 }, Op::ReceiveNone, Op::SendNone, Op::Hangup, Op::Close],
        &[Op::Deliver { message: 1 }, Op::Take { message: 1 }, Op::TakeNone],
        &[Op::Post { message: 1 }, Op::Dequeue { message: 1 }],
    ];
    for (a, b) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y))) {
            let same_kind = discriminant(&a[0]) == discriminant(&b[0]);
            assert!(same_kind || dependent(x, y), "{x:?} and {y:?}");
        }
    }
}
