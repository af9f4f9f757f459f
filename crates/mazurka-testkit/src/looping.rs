//! Random small programs that may loop forever.
//!
//! They are derived from the programs of [`random`]: part of a process becomes a loop, and
//! statements that would count without bound are replaced. Most of the results have finitely many
//! states.

use fastrand::Rng;

use crate::random;
use crate::script::{Script, Statement, Value, Variable};

/// A register that random programs never set: it stays 0.
const ZERO: u8 = 3;

/// Returns the looping program of a seed.
pub fn script(seed: u64) -> Script {
    let mut random = Rng::with_seed(seed ^ 0x6c6f_6f70);
    let mut attempt = 0;
    loop {
        let mut script = random::script(seed.wrapping_add(attempt << 32));
        attempt += 1;
        let mut loops = 0;
        for block in &mut script.processes {
            tame(block);
            if random.u8(..3) > 0 {
                loops += usize::from(add_loop(block, &mut random));
            }
        }
        for channel in &mut script.channels {
            channel.capacity.get_or_insert(1);
        }
        if loops > 0 && script.check().is_ok() && random::starts(&script) {
            return script;
        }
    }
}

/// Replaces statements that count.
fn tame(block: &mut [Statement]) {
    for statement in block {
        match statement {
            Statement::FetchAdd(register, x, amount) => {
                *statement = Statement::Swap(*register, *x, Value::Constant(*amount));
            }
            Statement::Add(x, amount) => {
                *statement = Statement::Write(Variable::Atomic(*x), Value::Constant(*amount));
            }
            Statement::Write(_, value)
            | Statement::Swap(_, _, value)
            | Statement::Send(_, value)
            | Statement::TrySend(_, _, value)
            | Statement::Deliver(_, value) => {
                if let Value::Sum(register, _) = *value {
                    *value = Value::Sum(register, 0);
                }
            }
            Statement::If(_, _, then, otherwise) => {
                tame(then);
                tame(otherwise);
            }
            _ => {}
        }
    }
}

/// Turns a part of a block into a loop, if that part has a visible statement. Returns whether it
/// did.
fn add_loop(block: &mut Vec<Statement>, random: &mut Rng) -> bool {
    if block.is_empty() {
        return false;
    }
    let start = random.usize(..block.len());
    let end = random.usize(start + 1..=block.len());
    if !block[start..end].iter().any(Statement::is_visible) {
        return false;
    }
    let (register, constant) = match random.u8(..3) {
        0 => (random.u8(..2), random.i64(0..=1)),
        _ => (ZERO, 0),
    };
    let body: Vec<Statement> = block.drain(start..end).collect();
    block.insert(start, Statement::While(register, constant, body));
    true
}
