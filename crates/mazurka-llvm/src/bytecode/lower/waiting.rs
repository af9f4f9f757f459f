//! Loops that wait for one location.

use std::collections::HashSet;

use super::flow::{Tables, falls_through, targets};
use crate::bytecode::{Op, Pc};

/// Returns whether an iteration of a loop may perform a single atomic access, and no other. The loop may then
/// wait for the location of that access. `ops` are the instructions of a function, which start at `entry`.
pub(super) fn waits(tables: &Tables<'_>, ops: &[Op], entry: Pc, head: usize) -> bool {
    let mut known = HashSet::new();
    let mut work = vec![(head + 1, false)];
    while let Some((at, has_access)) = work.pop() {
        if at == head && has_access {
            return true;
        }
        if at == head || at >= ops.len() || !known.insert((at, has_access)) {
            continue;
        }
        let op = &ops[at];
        let is_access = matches!(
            op,
            Op::Load { atomic: Some(_), .. }
                | Op::CompareExchange { .. }
                | Op::ReadModifyWrite { .. }
        );
        let is_more = matches!(op, Op::Store { atomic: Some(_), .. } | Op::Call { .. });
        if is_more || (is_access && has_access) {
            continue;
        }
        let has_access = has_access || is_access;
        if falls_through(op) {
            work.push((at + 1, has_access));
        }
        targets(tables, op, |pc| work.push(((pc - entry) as usize, has_access)));
    }
    false
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::MemoryOrdering;

    use super::*;

    const LOAD: Op = Op::Load {
        size: 4,
        aligned: true,
        atomic: Some(MemoryOrdering::SeqCst),
        d: 5,
        a: 6,
        offset: 0,
    };
    const HEAD: Op = Op::LoopHead { id: 0 };
    const AGAIN: Op = Op::JumpUnless { a: 5, to: 0 };
    const END: Op = Op::Return { a: 5, count: 1 };

    #[test]
    fn a_loop_waits_if_one_access_leads_back() {
        let tables = Tables { sites: &[], shapes: &[], switches: &[], pads: &[] };
        assert!(waits(&tables, &[HEAD, LOAD, AGAIN, END], 0, 0));
        assert!(waits(&tables, &[HEAD, LOAD, AGAIN, LOAD, AGAIN, END], 0, 0));
        assert!(!waits(&tables, &[HEAD, LOAD, LOAD, AGAIN, END], 0, 0));
        assert!(!waits(&tables, &[HEAD, AGAIN, END], 0, 0));
    }
}
