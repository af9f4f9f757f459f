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
    ("__VERIFIER_nondet_unsigned_int", natural),
    ("__VERIFIER_nondet_unsigned_long", natural),
    ("__VERIFIER_nondet_unsigned_char", natural),
    ("__VERIFIER_nondet_u8", natural),
    ("__VERIFIER_nondet_u16", natural),
    ("__VERIFIER_nondet_u32", natural),
    ("__VERIFIER_nondet_u64", natural),
    ("__VERIFIER_nondet_s8", integer),
    ("__VERIFIER_nondet_s16", integer),
    ("__VERIFIER_nondet_s32", integer),
    ("__VERIFIER_nondet_s64", integer),
    ("__VERIFIER_nondet_uint8_t", natural),
    ("__VERIFIER_nondet_uint16_t", natural),
    ("__VERIFIER_nondet_uint32_t", natural),
    ("__VERIFIER_nondet_uint64_t", natural),
    ("__VERIFIER_nondet_int8_t", integer),
    ("__VERIFIER_nondet_int16_t", integer),
    ("__VERIFIER_nondet_int32_t", integer),
    ("__VERIFIER_nondet_int64_t", integer),
    ("__VERIFIER_nondet_loff_t", integer),
    ("__VERIFIER_nondet_float", anything),
    ("__VERIFIER_nondet_double", anything),
    ("__VERIFIER_nondet_pointer", anything),
    ("__VERIFIER_nondet_pchar", anything),
    // ESBMC's and CBMC's names.
    ("nondet_bool", boolean),
    ("nondet_int", integer),
    ("nondet_uint", natural),
    ("nondet_char", integer),
    ("nondet_uchar", natural),
    ("nondet_short", integer),
    ("nondet_ushort", natural),
    ("nondet_long", integer),
    ("nondet_ulong", natural),
    ("nondet_size_t", natural),
    ("nondet_float", anything),
    ("nondet_double", anything),
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

/// Returns an unknown value. The program may copy it. It is an error if its behaviour depends on it.
fn anything(call: &mut Call<'_>) -> Result<(), Stop> {
    call.machine.note_any_value();
    call.give_any();
    Ok(())
}

fn choose(call: &mut Call<'_>, least: i64) -> Result<(), Stop> {
    let Some((from, to)) = call.machine.options.nondet else { return anything(call) };
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
