//! Explanations of deadlocks.

use std::fmt::Write;

use mazurka_core::model::Ending;
use mazurka_core::verdict::{Violation, ViolationKind};

use crate::machine::TraceMachine;
use crate::program::{Effect, NONE};

/// Returns how an execution has ended: every thread has ended or is idle without events, or some
/// threads wait forever.
pub(crate) fn ending(machine: &TraceMachine) -> Ending {
    let waiting = waiting(machine);
    if waiting.is_empty() {
        return Ending::Finished;
    }
    let mut message = match find_cycle(machine, &waiting) {
        Some(cycle) => {
            let threads: Vec<_> =
                cycle.iter().map(|p| machine.program.threads[*p].to_string()).collect();
            format!("the threads {} wait for each other:", threads.join(", "))
        }
        None => "threads wait for something that will not happen:".to_owned(),
    };
    for process in waiting {
        let _ = write!(message, "\n  {}", why_not(machine, process));
    }
    Ending::Stuck(Box::new(Violation::new(ViolationKind::Deadlock, message)))
}

/// Returns the threads that wait forever when no thread is enabled.
pub(crate) fn waiting(machine: &TraceMachine) -> Vec<usize> {
    let threads = 0..machine.threads.len();
    threads.filter(|process| machine.exists(*process) && is_waiting(machine, *process)).collect()
}

fn is_waiting(machine: &TraceMachine, process: usize) -> bool {
    !machine.threads[process].is_idle() && machine.pending(process).is_some()
}

/// Explains why a process cannot take its next step.
pub(crate) fn why_not(machine: &TraceMachine, process: usize) -> String {
    let program = &machine.program;
    let thread = program.threads[process];
    if !machine.exists(process) {
        return format!("thread {thread} was not forked: only thread 1 exists from the start");
    }
    let Some(code) = machine.pending(process) else {
        return format!("thread {thread} has no event to handle, or has ended");
    };
    let line = &program.lines[code.line as usize];
    let what = match code.effect {
        Effect::Lock(lock) => match machine.locks[lock as usize] {
            NONE => "can take the lock".to_owned(),
            holder if holder as usize == process => {
                "waits for a lock that it holds itself: locks are not re-entrant".to_owned()
            }
            holder => {
                format!("waits for a lock that thread {} holds", program.threads[holder as usize])
            }
        },
        Effect::Post { to, .. } => {
            let to = program.threads[to as usize];
            format!("cannot post to thread {to}, which has no queue, or has exited")
        }
        Effect::Wait { .. } => "waits to be notified".to_owned(),
        Effect::Await { .. } => "waits for its sources in dependence.txt".to_owned(),
        _ => "can go on".to_owned(),
    };
    format!("thread {thread} {what} (line {}: {})", line.number, line.text)
}

/// Returns a cycle of threads that wait for each other's locks.
fn find_cycle(machine: &TraceMachine, waiting: &[usize]) -> Option<Vec<usize>> {
    let holder = |process: usize| match machine.pending(process)?.effect {
        Effect::Lock(lock) => {
            let holder = machine.locks[lock as usize];
            (holder != NONE && waiting.contains(&(holder as usize))).then_some(holder as usize)
        }
        _ => None,
    };
    waiting.iter().find_map(|start| {
        let mut cycle = vec![*start];
        loop {
            let next = holder(*cycle.last()?)?;
            if next == *start {
                return Some(cycle);
            }
            if cycle.contains(&next) {
                return None;
            }
            cycle.push(next);
        }
    })
}
