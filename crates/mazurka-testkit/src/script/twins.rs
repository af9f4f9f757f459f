//! The processes of a script that are interchangeable.

use mazurka_core::model::ProcessId;

use super::syntax::{Script, Statement};

/// Returns the previous [twin](mazurka_core::model::Machine::twin) of each process.
///
/// Neighbours are twins if they have the same statements, if they exist from the start or are spawned
/// one after the other, and if no process names one of them without the others: no process unparks
/// one, and a process that joins one joins all of them in a row.
pub(super) fn twins(script: &Script) -> Vec<Option<ProcessId>> {
    let mut twins = vec![None; script.processes.len()];
    let mut start = 0;
    while start < script.processes.len() {
        let is_copy = |process: &usize| {
            script.processes[*process] == script.processes[start]
                && is_like(script, start, *process)
        };
        let end = (start + 1..script.processes.len()).find(|process| !is_copy(process));
        let end = end.unwrap_or(script.processes.len());
        if !is_told_apart(script, start, end) {
            for (process, twin) in twins.iter_mut().enumerate().take(end).skip(start + 1) {
                *twin = Some(ProcessId::new(process - 1));
            }
        }
        start = end;
    }
    twins
}

/// Returns whether two processes are both spawned, or both exist from the start.
fn is_like(script: &Script, first: usize, second: usize) -> bool {
    let is_spawned = |process: usize| script.has(|it| *it == Statement::Spawn(process as u8));
    is_spawned(first) == is_spawned(second)
}

/// Returns whether some statement names one of the processes from `start` on without the others.
fn is_told_apart(script: &Script, start: usize, end: usize) -> bool {
    script.processes.iter().any(|block| tells_apart(block, start as u8, end as u8))
}

fn tells_apart(block: &[Statement], start: u8, end: u8) -> bool {
    // A row of statements that name the twins in their order.
    let is_row = |at: usize, named: fn(u8) -> Statement| {
        let row = block.get(at..at + usize::from(end - start));
        row.is_some_and(|row| row.iter().zip(start..).all(|(it, twin)| *it == named(twin)))
    };
    let mut at = 0;
    while let Some(statement) = block.get(at) {
        let is_one = |process: u8| (start..end).contains(&process);
        at += match statement {
            Statement::Unpark(process) if is_one(*process) => return true,
            Statement::Spawn(process) if is_one(*process) => match is_row(at, Statement::Spawn) {
                true => usize::from(end - start),
                false => return true,
            },
            Statement::Join(process) if is_one(*process) => match is_row(at, Statement::Join) {
                true => usize::from(end - start),
                false => return true,
            },
            Statement::If(_, _, then, otherwise) => {
                if tells_apart(then, start, end) || tells_apart(otherwise, start, end) {
                    return true;
                }
                1
            }
            Statement::While(_, _, body) if tells_apart(body, start, end) => return true,
            _ => 1,
        };
    }
    false
}
