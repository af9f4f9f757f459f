//! Shrinking of failing scripts.

use crate::script::{Pattern, Script, Statement};

/// Makes a failing script smaller as long as it still fails.
///
/// The result is minimal: it does not fail if any process, statement or branch is removed.
pub fn shrink(script: &Script, mut still_fails: impl FnMut(&Script) -> bool) -> Script {
    let mut smallest = script.clone();
    // A removal may make another one possible that was not before.
    while let Some(smaller) = candidates(&smallest)
        .into_iter()
        .find(|script| script.check().is_ok() && still_fails(script))
    {
        smallest = smaller;
    }
    smallest
}

/// Returns all scripts that are one piece smaller, those that are much smaller first.
fn candidates(script: &Script) -> Vec<Script> {
    let mut found = Vec::new();
    for process in 0..script.processes.len() {
        found.extend(without_process(script, process));
    }
    for (process, block) in script.processes.iter().enumerate() {
        for smaller in smaller_blocks(block) {
            let mut candidate = script.clone();
            candidate.processes[process] = smaller;
            found.push(candidate);
        }
    }
    for queue in 0..script.channels.len() {
        if script.channels[queue].capacity.is_some() {
            let mut candidate = script.clone();
            candidate.channels[queue].capacity = None;
            found.push(candidate);
        }
    }
    let unused = script.channels.len().checked_sub(1).map(|last| {
        let mut candidate = script.clone();
        candidate.channels.truncate(last);
        candidate
    });
    found.extend(unused);
    found
}

/// Returns the script without a process and without the statements that refer to it.
fn without_process(script: &Script, process: usize) -> Option<Script> {
    if script.processes.len() < 2 {
        return None;
    }
    let mut candidate = script.clone();
    candidate.processes.remove(process);
    for block in &mut candidate.processes {
        forget(block, process as u8);
    }
    Some(candidate)
}

fn forget(block: &mut Vec<Statement>, process: u8) {
    block.retain_mut(|statement| match statement {
        Statement::Spawn(named) | Statement::Join(named) | Statement::Unpark(named) => {
            let is_named = *named == process;
            if *named > process {
                *named -= 1;
            }
            !is_named
        }
        Statement::If(_, _, then, otherwise) => {
            forget(then, process);
            forget(otherwise, process);
            true
        }
        Statement::While(_, _, body) => {
            forget(body, process);
            true
        }
        _ => true,
    });
}

fn smaller_blocks(block: &[Statement]) -> Vec<Vec<Statement>> {
    let with = |at: usize, replacement: &[Statement]| {
        let (before, behind) = (&block[..at], &block[at + 1..]);
        [before, replacement, behind].concat()
    };
    let mut found = Vec::new();
    if block.len() > 2 {
        found.push(block[block.len() / 2..].to_vec());
        found.push(block[..block.len() / 2].to_vec());
    }
    for (at, statement) in block.iter().enumerate() {
        found.push(with(at, &[]));
        match statement {
            Statement::If(register, constant, then, otherwise) => {
                found.push(with(at, then));
                found.push(with(at, otherwise));
                for then in smaller_blocks(then) {
                    let smaller = Statement::If(*register, *constant, then, otherwise.clone());
                    found.push(with(at, &[smaller]));
                }
                for otherwise in smaller_blocks(otherwise) {
                    let smaller = Statement::If(*register, *constant, then.clone(), otherwise);
                    found.push(with(at, &[smaller]));
                }
            }
            Statement::While(register, constant, body) => {
                found.push(with(at, body));
                for body in smaller_blocks(body) {
                    found.push(with(at, &[Statement::While(*register, *constant, body)]));
                }
            }
            Statement::Await(wanted) if wanted.len() > 1 => {
                for left_out in 0..wanted.len() {
                    let mut fewer = wanted.clone();
                    fewer.remove(left_out);
                    found.push(with(at, &[Statement::Await(fewer)]));
                }
            }
            Statement::Choose(register, count) if *count > 1 => {
                found.push(with(at, &[Statement::Choose(*register, count - 1)]));
            }
            Statement::Take(register, mailbox, pattern) if *pattern != Pattern::Any => {
                found.push(with(at, &[Statement::Take(*register, *mailbox, Pattern::Any)]));
            }
            Statement::TryTake(register, mailbox, pattern) if *pattern != Pattern::Any => {
                found.push(with(at, &[Statement::TryTake(*register, *mailbox, Pattern::Any)]));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_is_left() {
        let script: Script = "
            channel q0 capacity 1
            process 0 {
                spawn 1
                lock m0
                write x0 1
                unlock m0
                join 1
            }
            process 1 {
                r0 = read x0
                if r0 == 1 {
                    r1 = read x1
                    park
                } else {
                    send q0 1
                }
            }
            process 2 {
                write x1 1
                unpark 1
            }
        "
        .parse()
        .unwrap();
        let has = |script: &Script, wanted: &str| script.to_string().contains(wanted);
        let smallest = shrink(&script, |script| has(script, "park\n") && has(script, "write x1"));
        let expected = "process 0 {\n    park\n}\nprocess 1 {\n    write x1 1\n}\n";
        assert_eq!(smallest.to_string(), expected);
    }
}
