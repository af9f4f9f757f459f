//! Instructions of later releases, as those of Erlang/OTP 25.
//!
//! Erlang/OTP 26 and 27 differ from 25 in a few instructions:
//!
//! | later | here |
//! |---|---|
//! | `bs_match` with a list of commands | one instruction for each command |
//! | `executable_line` | `line` |
//!
//! A command does not test how many bits there are: the commands `ensure_at_least` and `ensure_exactly`
//! do that before anything is read.

use super::RawInstruction;
use crate::beam::{Container, Operand};

const GET_INTEGER: u32 = 117;
const GET_BINARY: u32 = 119;
const SKIP_BITS: u32 = 120;
const TEST_TAIL: u32 = 121;
const LINE: u32 = 153;
const GET_TAIL: u32 = 165;
const MATCH: u32 = 182;
const EXECUTABLE_LINE: u32 = 183;

/// Tests that so many bits are left, and behind them a multiple of so many. Not an instruction of files.
pub(super) const TEST_BITS: u32 = 1000;
/// Tests that the next bits are a number. Not an instruction of files.
pub(super) const MATCH_NUMBER: u32 = 1001;

/// Replaces the instructions of later releases. The error says why that is not possible.
pub(super) fn lower(
    raw: Vec<RawInstruction>,
    container: &Container,
) -> Result<Vec<RawInstruction>, String> {
    let is_newer = |opcode: u32| matches!(opcode, MATCH | EXECUTABLE_LINE);
    if !raw.iter().any(|(opcode, _)| is_newer(*opcode)) {
        return Ok(raw);
    }
    let mut lowered: Vec<RawInstruction> = Vec::with_capacity(raw.len());
    for (opcode, mut o) in raw {
        match opcode {
            MATCH => lower_match(&o, container, &mut lowered)
                .ok_or_else(|| format!("it has a malformed `bs_match` ({o:?})"))?,
            EXECUTABLE_LINE => {
                o.truncate(1);
                lowered.push((LINE, o));
            }
            opcode => lowered.push((opcode, o)),
        }
    }
    Ok(lowered)
}

fn lower_match(
    o: &[Operand],
    container: &Container,
    lowered: &mut Vec<RawInstruction>,
) -> Option<()> {
    let [fail, context, Operand::List(commands)] = o else { return None };
    let mut rest = &commands[..];
    while let [command, arguments @ ..] = rest {
        let Operand::Atom(command) = command else { return None };
        let command = container.atoms.get((*command as usize).checked_sub(1)?)?.as_str();
        let at = || vec![fail.clone(), context.clone()];
        let (opcode, operands, count) = match (command, arguments) {
            ("ensure_at_least", [bits, unit, ..]) => {
                (TEST_BITS, [at(), vec![bits.clone(), unit.clone()]].concat(), 2)
            }
            ("ensure_exactly", [bits, ..]) => (TEST_TAIL, [at(), vec![bits.clone()]].concat(), 1),
            ("integer" | "binary", [live, flags, size, unit, to, ..]) => {
                let opcode = if command == "integer" { GET_INTEGER } else { GET_BINARY };
                let operands = [live, size, unit, flags, to].map(Operand::clone).to_vec();
                (opcode, [at(), operands].concat(), 5)
            }
            ("skip", [bits, ..]) => {
                let operands = vec![bits.clone(), Operand::Unsigned(1), Operand::Unsigned(0)];
                (SKIP_BITS, [at(), operands].concat(), 1)
            }
            ("get_tail", [live, _unit, to, ..]) => {
                (GET_TAIL, vec![context.clone(), to.clone(), live.clone()], 3)
            }
            ("=:=", [_live, bits, value, ..]) => {
                (MATCH_NUMBER, [at(), vec![bits.clone(), value.clone()]].concat(), 3)
            }
            _ => return None,
        };
        lowered.push((opcode, operands));
        rest = &arguments[count..];
    }
    Some(())
}
