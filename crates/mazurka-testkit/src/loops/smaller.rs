//! Shrinking of failing programs with event loops.

use super::syntax::{Block, Loops, Statement};

/// Makes a failing program smaller as long as it still fails.
pub fn shrink(loops: &Loops, mut still_fails: impl FnMut(&Loops) -> bool) -> Loops {
    let mut smallest = loops.clone();
    while let Some(smaller) = candidates(&smallest).into_iter().find(|loops| still_fails(loops)) {
        smallest = smaller;
    }
    smallest
}

/// Returns all programs that have one statement less. A removed post or spawn also removes the
/// effect of what it starts.
fn candidates(loops: &Loops) -> Vec<Loops> {
    let mut found = Vec::new();
    let blocks = loops.threads.len() + loops.handlers.len();
    for block in 0..blocks {
        let code = match block.checked_sub(loops.threads.len()) {
            None => &loops.threads[block].code,
            Some(handler) => &loops.handlers[handler].1,
        };
        for smaller in smaller_blocks(code) {
            let mut candidate = loops.clone();
            match block.checked_sub(loops.threads.len()) {
                None => candidate.threads[block].code = smaller,
                Some(handler) => candidate.handlers[handler].1 = smaller,
            }
            tidy(&mut candidate);
            found.push(candidate);
        }
    }
    found
}

fn smaller_blocks(block: &Block) -> Vec<Block> {
    let mut found = Vec::new();
    for i in 0..block.len() {
        let mut without = block.clone();
        let removed = without.remove(i);
        found.push(without);
        if let Statement::Locked(_, inner) | Statement::IfZero(inner) = &removed {
            let mut unwrapped = block.clone();
            unwrapped.splice(i..=i, inner.iter().cloned());
            found.push(unwrapped);
            for smaller in smaller_blocks(inner) {
                let mut candidate = block.clone();
                match &mut candidate[i] {
                    Statement::Locked(_, inner) | Statement::IfZero(inner) => *inner = smaller,
                    _ => {}
                }
                found.push(candidate);
            }
        }
    }
    found
}

/// Clears handlers that are not posted any more.
fn tidy(loops: &mut Loops) {
    for handler in 0..loops.handlers.len() {
        if !loops.any(|statement| *statement == Statement::Post(handler)) {
            loops.handlers[handler].1.clear();
        }
    }
}
