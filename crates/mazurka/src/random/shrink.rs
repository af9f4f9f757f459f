//! Reduces a program on which the explorers disagree.

use super::compare::{Comparison, disagreement};
use super::program::{Do, Program};

/// Takes statements away for as long as the explorers still disagree.
pub(super) fn shrink(program: &Program, limit: u64) -> Program {
    let mut smallest = program.clone();
    let still_fails =
        |program: &Program| matches!(disagreement(program, limit), Comparison::Disagreement(_));
    while let Some(smaller) = candidates(&smallest).into_iter().find(still_fails) {
        smallest = smaller;
    }
    smallest
}

/// Returns the programs that are one piece smaller.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for thread in 0..program.threads.len() {
        for block in smaller_blocks(&program.threads[thread]) {
            let mut candidate = program.clone();
            candidate.threads[thread] = block;
            found.push(candidate);
        }
    }
    if let Some((count, block)) = &program.many {
        let fewer = (*count > 2).then(|| (count - 1, block.clone()));
        let smaller = smaller_blocks(block).into_iter().map(|block| (*count, block));
        let many = fewer.into_iter().chain(smaller).map(Some).chain([None]);
        found.extend(many.map(|many| Program { many, ..program.clone() }));
    }
    let simpler = [
        Program { bound: None, ..program.clone() },
        Program { joins: true, ..program.clone() },
        Program { spurious: false, ..program.clone() },
    ];
    found.extend(simpler.into_iter().filter(|candidate| candidate != program));
    let last_is_idle = program.threads.last().is_some_and(Vec::is_empty);
    if last_is_idle && program.threads.len() > 1 {
        let mut candidate = program.clone();
        candidate.threads.pop();
        found.push(candidate);
    }
    found
}

/// Returns the blocks without one statement, or with a smaller one.
fn smaller_blocks(block: &[Do]) -> Vec<Vec<Do>> {
    let mut found = Vec::new();
    for place in 0..block.len() {
        let mut without = block.to_vec();
        let mut removed = without.remove(place);
        let inside: Vec<Do> = removed.blocks().into_iter().flat_map(std::mem::take).collect();
        if !inside.is_empty() {
            let mut flat = without.clone();
            flat.splice(place..place, inside);
            found.push(flat);
        }
        found.push(without);
        let inner = block[place].clone().blocks().len();
        for which in 0..inner {
            let contents = block[place].clone().blocks()[which].clone();
            for smaller in smaller_blocks(&contents) {
                let mut candidate = block.to_vec();
                *candidate[place].blocks()[which] = smaller;
                found.push(candidate);
            }
        }
    }
    found
}
