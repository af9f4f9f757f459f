//! Instructions of earlier releases, as those of Erlang/OTP 25.
//!
//! Erlang/OTP 22 to 24 differ from 25 in a few instructions:
//!
//! | earlier | Erlang/OTP 25 |
//! |---|---|
//! | `init` of one slot | `init_yregs` of a list of slots |
//! | `make_fun2`, from registers to a register | `make_fun3`, which names them |
//! | `recv_mark`, `recv_set` | nothing: receives look at every message |
//! | `bs_init2`, `bs_init_bits`, `bs_append`, `bs_private_append`, then one `bs_put_…` for each segment | `bs_create_bin` with all segments |
//! | `bs_add`, `bs_utf8_size`, `bs_utf16_size`, which compute the size for `bs_init` | nothing: `bs_create_bin` does |
//!
//! Instructions that are not in the table and that Erlang/OTP 25 does not know either are from
//! Erlang/OTP 21 or before, and stay as they are: the interpreter refuses them by number.

use super::RawInstruction;
use crate::beam::{Container, Operand};

const INIT: u32 = 17;
const MOVE: u32 = 64;
const PUT_INTEGER: u32 = 89;
const PUT_BINARY: u32 = 90;
const PUT_STRING: u32 = 92;
const MAKE_FUN_2: u32 = 103;
const INIT_2: u32 = 109;
const ADD: u32 = 111;
const APPEND: u32 = 134;
const PRIVATE_APPEND: u32 = 135;
const INIT_BITS: u32 = 137;
const UTF8_SIZE: u32 = 144;
const PUT_UTF8: u32 = 145;
const UTF16_SIZE: u32 = 146;
const PUT_UTF16: u32 = 147;
const PUT_UTF32: u32 = 148;
const RECEIVE_MARK: u32 = 150;
const RECEIVE_SET: u32 = 151;
const LINE: u32 = 153;
const MAKE_FUN_3: u32 = 171;
const INIT_SLOTS: u32 = 172;
const CREATE_BINARY: u32 = 177;

/// Replaces the instructions of earlier releases. The error says why that is not possible.
pub(super) fn modernise(
    raw: Vec<RawInstruction>,
    container: &Container,
) -> Result<Vec<RawInstruction>, String> {
    let is_older = |opcode: u32| {
        matches!(
            opcode,
            INIT | PUT_INTEGER..=PUT_STRING
                | MAKE_FUN_2
                | INIT_2
                | ADD
                | APPEND
                | PRIVATE_APPEND
                | INIT_BITS
                | UTF8_SIZE..=RECEIVE_SET
        )
    };
    if !raw.iter().any(|(opcode, _)| is_older(*opcode)) {
        return Ok(raw);
    }
    let mut new: Vec<RawInstruction> = Vec::with_capacity(raw.len());
    // The place of the bit string to which segments are added.
    let mut open: Option<usize> = None;
    for (opcode, o) in raw {
        let is_put = matches!(opcode, PUT_INTEGER..=PUT_STRING | PUT_UTF8 | PUT_UTF16 | PUT_UTF32);
        if !is_put && opcode != LINE {
            open = None;
        }
        let size = |size: &Operand| size.clone();
        new.push(match opcode {
            INIT => (INIT_SLOTS, vec![Operand::List(o)]),
            MAKE_FUN_2 => (MAKE_FUN_3, make_fun(&o, container).ok_or("a function is malformed")?),
            RECEIVE_MARK | RECEIVE_SET => continue,
            ADD | UTF8_SIZE | UTF16_SIZE => {
                let to = o.last().cloned().ok_or("an instruction is malformed")?;
                (MOVE, vec![Operand::Unsigned(0), to])
            }
            INIT_2 | INIT_BITS => {
                open = Some(new.len());
                create(&o[0], &o[5], Vec::new())
            }
            APPEND => {
                open = Some(new.len());
                create(&o[0], &o[7], segment(PUT_BINARY, None, &o[4], &o[6], &o[5]))
            }
            PRIVATE_APPEND => {
                open = Some(new.len());
                create(&o[0], &o[5], segment(PUT_BINARY, None, &o[2], &o[4], &o[3]))
            }
            _ if is_put => {
                let new_segment = match opcode {
                    PUT_STRING => {
                        let flags = Operand::Unsigned(0);
                        segment(opcode, Some(size(&o[0])), &Operand::Unsigned(8), &flags, &o[1])
                    }
                    PUT_UTF8 | PUT_UTF16 | PUT_UTF32 => {
                        let one = Operand::Unsigned(1);
                        segment(opcode, Some(Operand::Unsigned(0)), &one, &o[1], &o[2])
                    }
                    _ => segment(opcode, Some(size(&o[1])), &o[2], &o[3], &o[4]),
                };
                let created = open.and_then(|open| new[open].1.last_mut());
                let Some(Operand::List(segments)) = created else {
                    return Err(format!("its instruction {opcode} adds to no bit string"));
                };
                segments.extend(new_segment);
                continue;
            }
            opcode => (opcode, o),
        });
    }
    Ok(new)
}

/// Returns the operands of `make_fun3` for those of `make_fun2`.
fn make_fun(o: &[Operand], container: &Container) -> Option<Vec<Operand>> {
    let Operand::Unsigned(number) = o.first()? else { return None };
    let free = container.lambdas.get(*number as usize)?.free;
    Some(vec![o[0].clone(), Operand::X(0), Operand::List((0..free).map(Operand::X).collect())])
}

/// Returns the instruction that creates a bit string of segments.
fn create(fail: &Operand, to: &Operand, segments: Vec<Operand>) -> RawInstruction {
    let nothing = Operand::Unsigned(0);
    let operands = vec![
        fail.clone(),
        nothing.clone(),
        nothing.clone(),
        nothing,
        to.clone(),
        Operand::List(segments),
    ];
    (CREATE_BINARY, operands)
}

/// Returns the operands of a segment. Its kind is the number of the instruction that puts it; without a
/// size, it is all of a bit string.
fn segment(
    kind: u32,
    size: Option<Operand>,
    unit: &Operand,
    flags: &Operand,
    value: &Operand,
) -> Vec<Operand> {
    // A list stands for `all`, which is not among the atoms of the file.
    let size = size.unwrap_or_else(|| Operand::List(Vec::new()));
    let [kind, number] = [kind, 0].map(|n| Operand::Unsigned(n.into()));
    vec![kind, number, unit.clone(), flags.clone(), value.clone(), size]
}
