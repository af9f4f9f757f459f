//! Deadlocks, lost notifications, and data races.

use std::collections::BTreeMap;

use mazurka_core::model::{Action, Location, Op, ProcessId};
use mazurka_core::verdict::ViolationKind;

use super::attempt::Run;
use super::sentences::{describe, name, operation};
use crate::{LineKind, Recording};

/// Returns whether an action acquires a lock.
fn locks(action: &Action) -> bool {
    action.waits && matches!(action.op, Op::Update) && action.after != 0
}

/// Returns the locks that are held after the first `len` events: the process, and the event that
/// acquired it.
fn held(run: &Run, len: usize) -> BTreeMap<Location, (ProcessId, usize)> {
    let mut held = BTreeMap::new();
    for (index, event) in run.events[..len].iter().enumerate() {
        for action in &event.actions {
            if locks(action) {
                held.insert(action.on, (event.step.process, index));
            } else if action.op == Op::Write {
                held.remove(&action.on);
            }
        }
    }
    held
}

/// Returns the events of a process that a lock protects, if the process acquires the lock in `event`.
pub(super) fn section(run: &Run, event: usize) -> Option<Vec<usize>> {
    let process = run.process(event);
    let lock = run.events[event].actions.iter().find(|action| locks(action))?.on;
    let releases = |event: &usize| {
        let mut actions = run.events[*event].actions.iter();
        actions.any(|action| action.on == lock && action.op == Op::Write)
    };
    let own = (event + 1..run.events.len()).filter(|event| run.process(*event) == process);
    Some(own.take_while(|event| !releases(event)).collect())
}

/// Explains why processes are stuck: by a cycle of locks, or by a notification that came too early.
pub(super) fn stuck(run: &Run, recording: &Recording, kind: ViolationKind) -> Vec<String> {
    if kind != ViolationKind::Deadlock {
        return Vec::new();
    }
    cycle(run, recording).or_else(|| lost_notification(run, recording)).into_iter().collect()
}

/// Describes a cycle of processes that wait for locks of each other.
fn cycle(run: &Run, recording: &Recording) -> Option<String> {
    let held = held(run, run.events.len());
    let waits_for = |process: ProcessId| {
        let (_, pending) = run.waiting.iter().find(|(waiter, _)| *waiter == process)?;
        held.get(&pending.on).copied()
    };
    let follow = |start: ProcessId| {
        let mut cycle = vec![start];
        loop {
            let (holder, _) = waits_for(*cycle.last()?)?;
            if holder == start {
                return Some(cycle);
            }
            if cycle.contains(&holder) {
                return None;
            }
            cycle.push(holder);
        }
    };
    let cycle = run.waiting.iter().find_map(|(process, _)| follow(*process))?;
    let parts: Option<Vec<String>> = cycle
        .iter()
        .map(|process| {
            let (holder, event) = waits_for(*process)?;
            let waiter = name(recording, process.index());
            let what = describe(recording, event)?;
            Some(format!(
                "{waiter} waits for what {} acquired by {what}",
                name(recording, holder.index())
            ))
        })
        .collect();
    Some(match cycle.len() {
        1 => format!("A thread waits for itself: {}.", parts?.join("")),
        _ => format!("The threads wait in a cycle: {}.", listed(&parts?)),
    })
}

/// Returns a list in words: `a, b, and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [first @ .., last] if !first.is_empty() => format!("{}, and {last}", first.join(", ")),
        parts => parts.concat(),
    }
}

/// Describes a notification that came before the wait which it was meant for.
fn lost_notification(run: &Run, recording: &Recording) -> Option<String> {
    let stuck = recording.lines.iter().filter(|line| line.kind == LineKind::Stuck);
    stuck.map(|line| line.process).find_map(|process| {
        // The process has announced that it waits, by adding itself to the condition variable.
        let last = (0..run.events.len()).rev().find(|event| run.process(*event) == process)?;
        let waits_on = run.events[last]
            .actions
            .iter()
            .find(|action| action.op == Op::Add && !action.waits)?
            .on;
        let notifies = |event: &usize| {
            let vain = |action: &Action| action.on == waits_on && action.op == Op::Read;
            run.process(*event) != process && run.events[*event].actions.iter().any(vain)
        };
        let early = (0..last).rev().find(notifies)?;
        Some(format!(
            "The notification {} came before {}, so no thread received it.",
            describe(recording, early)?,
            describe(recording, last)?
        ))
    })
}

/// Explains a data race: which locks protect the two accesses.
pub(super) fn unordered(
    run: &Run,
    recording: &Recording,
    first: usize,
    second: usize,
) -> Vec<String> {
    let (Some(one), Some(other)) = (describe(recording, first), describe(recording, second)) else {
        return Vec::new();
    };
    let mut sentences = vec![format!(
        "Nothing orders {one} before {other}: no lock, join or message leads from the first to the second."
    )];
    let held_at = |event: usize| -> Vec<String> {
        let own = held(run, event.min(run.events.len()));
        let process = run.process(event);
        let own = own.values().filter(|(holder, _)| *holder == process);
        own.filter_map(|(_, by)| Some(format!("`{}`", operation(recording, *by)?.text))).collect()
    };
    if second < run.events.len() {
        let (one, other) = (held_at(first), held_at(second));
        let who = |event: usize| name(recording, run.process(event).index());
        let what = |held: &[String]| match held {
            [] => "holds no lock".to_owned(),
            held => format!("holds what {} acquired", held.join(" and ")),
        };
        if !one.is_empty() || !other.is_empty() {
            sentences.push(format!(
                "At its access, {} {}, and {} {}.",
                who(first),
                what(&one),
                who(second),
                what(&other)
            ));
        }
    }
    sentences
}
