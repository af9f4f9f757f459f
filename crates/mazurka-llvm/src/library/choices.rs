//! `__VERIFIER_nondet_…`: values that may be any.

use mazurka_core::verdict::ViolationKind;

use crate::machine::{Call, Run, Stop};

/// More values than these are too many to try.
const MOST: i64 = 1 << 20;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("__VERIFIER_nondet_bool", boolean),
    ("__VERIFIER_nondet__Bool", boolean),
    ("__VERIFIER_nondet_int", integer),
    ("__VERIFIER_nondet_uint", natural),
    ("__VERIFIER_nondet_unsigned", natural),
    ("__VERIFIER_nondet_long", integer),
    ("__VERIFIER_nondet_ulong", natural),
    ("__VERIFIER_nondet_longlong", integer),
    ("__VERIFIER_nondet_ulonglong", natural),
    ("__VERIFIER_nondet_short", integer),
    ("__VERIFIER_nondet_ushort", natural),
    ("__VERIFIER_nondet_char", integer),
    ("__VERIFIER_nondet_uchar", natural),
    ("__VERIFIER_nondet_size_t", natural),
];

fn boolean(call: &mut Call<'_>) -> Result<(), Stop> {
    let choice = call.choose(2)?;
    call.give(u64::from(choice));
    Ok(())
}

fn integer(call: &mut Call<'_>) -> Result<(), Stop> {
    choose(call, i64::MIN)
}

fn natural(call: &mut Call<'_>) -> Result<(), Stop> {
    choose(call, 0)
}

fn choose(call: &mut Call<'_>, least: i64) -> Result<(), Stop> {
    let Some((from, to)) = call.machine.options.nondet else {
        let message = "the program asks for any integer, which is too many to try: \
                       say from where to where (on the command line, by --nondet FROM..TO)";
        return Err(call.violation(ViolationKind::Unsupported, message));
    };
    let from = from.max(least);
    let count = to.saturating_sub(from).saturating_add(1);
    if !(1..=MOST).contains(&count) {
        let message = format!("there is no number from {from} to {to}, or there are too many");
        return Err(call.violation(ViolationKind::Unsupported, message));
    }
    let choice = call.choose(count as u32)?;
    call.give((from + i64::from(choice)) as u64);
    Ok(())
}
