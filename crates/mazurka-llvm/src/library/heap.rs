//! The heap.

#[cfg(doc)]
use mazurka_core::model::Location;
use mazurka_core::verdict::ViolationKind;

use super::runtime;
use crate::machine::{Call, LIFE, Run, Stop, Undefined};
use crate::memory::{Fault, NEW, NEW_ARRAY};

const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("reallocarray", reallocarray),
    ("free", free),
    ("cfree", free),
    ("aligned_alloc", aligned_alloc),
    ("memalign", aligned_alloc),
    ("valloc", malloc),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", malloc_usable_size),
    ("_Znwm", |call| new(call, NEW)),
    ("_Znam", |call| new(call, NEW_ARRAY)),
    ("_ZnwmRKSt9nothrow_t", |call| allocate(call, NEW)),
    ("_ZnamRKSt9nothrow_t", |call| allocate(call, NEW_ARRAY)),
    ("_ZnwmSt11align_val_t", |call| new(call, NEW)),
    ("_ZnamSt11align_val_t", |call| new(call, NEW_ARRAY)),
    ("_ZdlPv", |call| release_as(call, NEW)),
    ("_ZdaPv", |call| release_as(call, NEW_ARRAY)),
    ("_ZdlPvm", |call| release_as(call, NEW)),
    ("_ZdaPvm", |call| release_as(call, NEW_ARRAY)),
    ("_ZdlPvSt11align_val_t", |call| release_as(call, NEW)),
    ("_ZdaPvSt11align_val_t", |call| release_as(call, NEW_ARRAY)),
    ("_ZdlPvmSt11align_val_t", |call| release_as(call, NEW)),
    ("_ZdaPvmSt11align_val_t", |call| release_as(call, NEW_ARRAY)),
    ("_ZdlPvRKSt9nothrow_t", |call| release_as(call, NEW)),
    ("_ZdaPvRKSt9nothrow_t", |call| release_as(call, NEW_ARRAY)),
];

fn malloc(call: &mut Call<'_>) -> Result<(), Stop> {
    allocate(call, 0)
}

fn allocate(call: &mut Call<'_>, flags: u8) -> Result<(), Stop> {
    let memory = call.allocate_as(call.int(0), false, flags);
    call.give(memory);
    Ok(())
}

fn new(call: &mut Call<'_>, flags: u8) -> Result<(), Stop> {
    let memory = call.allocate_as(call.int(0), false, flags);
    if memory == 0 {
        return Err(match call.machine.code.function_named(runtime::BAD_ALLOC) {
            Some(throws) => Stop::Run(throws, Vec::new()),
            None => {
                let message = format!("there is no memory for {} bytes", call.int(0));
                call.violation(ViolationKind::InvalidMemory, message)
            }
        });
    }
    call.give(memory);
    Ok(())
}

fn calloc(call: &mut Call<'_>) -> Result<(), Stop> {
    let memory = match call.int(0).checked_mul(call.int(1)) {
        Some(size) => call.allocate(size, true),
        None => 0,
    };
    call.give(memory);
    Ok(())
}

fn realloc(call: &mut Call<'_>) -> Result<(), Stop> {
    resize(call, call.int(1))
}

fn reallocarray(call: &mut Call<'_>) -> Result<(), Stop> {
    match call.int(1).checked_mul(call.int(2)) {
        Some(size) => resize(call, size),
        None => Ok(()),
    }
}

fn resize(call: &mut Call<'_>, size: u64) -> Result<(), Stop> {
    let old = call.pointer(0);
    if old == 0 {
        let memory = call.allocate(size, false);
        call.give(memory);
        return Ok(());
    }
    let kept = call.size_of(old).unwrap_or(0).min(size);
    // It reads the first word before it ends the life of the object.
    check_start(call, old, kept.clamp(1, 8) as u32)?;
    let mut bytes = vec![0; kept as usize];
    call.read_bytes(old, &mut bytes)?;
    let memory = call.allocate(size, false);
    if memory != 0 {
        call.write_bytes(memory, &bytes)?;
        release(call, old)?;
    }
    call.give(memory);
    Ok(())
}

/// Checks that an address is one that `free` would take. If it is not, the call fails at an access to the
/// first `len` bytes, or to the [life](Location::life) of the object.
fn check_start(call: &mut Call<'_>, address: u64, len: u32) -> Result<(), Stop> {
    match call.machine.memory.can_free(address) {
        Ok(()) => Ok(()),
        Err(fault) => Err(call.fault(address, len, fault)),
    }
}

fn free(call: &mut Call<'_>) -> Result<(), Stop> {
    release_as(call, 0)
}

/// Returns what allocates memory with these flags, and what frees it.
fn names(flags: u8) -> (&'static str, &'static str) {
    match flags & (NEW | NEW_ARRAY) {
        NEW => ("new", "delete"),
        NEW_ARRAY => ("new[]", "delete[]"),
        _ => ("malloc", "free"),
    }
}

/// Frees the argument, which must have been allocated by the function that belongs to this one.
fn release_as(call: &mut Call<'_>, flags: u8) -> Result<(), Stop> {
    let address = call.pointer(0);
    if address == 0 {
        return Ok(());
    }
    check_start(call, address, LIFE)?;
    let object = call.machine.memory.object_at(address).map_or(0, |object| object.flags);
    if object & (NEW | NEW_ARRAY) != flags
        && !call.machine.options.allow.contains(Undefined::MismatchedFree)
    {
        let (allocated, freed) = (names(object).0, names(flags).1);
        let memory = call.machine.describe_object(address);
        let message = format!("{memory} by `{allocated}` is freed by `{freed}`");
        return Err(call.violation(ViolationKind::InvalidMemory, message));
    }
    call.free(address)
}

/// Frees an object.
fn release(call: &mut Call<'_>, address: u64) -> Result<(), Stop> {
    check_start(call, address, LIFE)?;
    call.free(address)
}

/// The alignment that every block has.
const ALIGNMENT: u64 = crate::memory::address::BIAS;

/// Returns a violation if blocks are not aligned as much as the program asks for.
fn check_alignment(call: &Call<'_>, align: u64) -> Result<(), Stop> {
    if align <= ALIGNMENT {
        return Ok(());
    }
    let message = format!("an alignment of {align} bytes is asked for; {ALIGNMENT} are supported");
    Err(call.violation(ViolationKind::Unsupported, message))
}

fn aligned_alloc(call: &mut Call<'_>) -> Result<(), Stop> {
    check_alignment(call, call.int(0))?;
    let memory = call.allocate(call.int(1), false);
    call.give(memory);
    Ok(())
}

fn posix_memalign(call: &mut Call<'_>) -> Result<(), Stop> {
    let (align, size) = (call.int(1), call.int(2));
    if !align.is_power_of_two() || align % 8 != 0 {
        call.give_int(EINVAL);
        return Ok(());
    }
    check_alignment(call, align)?;
    let memory = call.allocate(size, false);
    if memory == 0 {
        call.give_int(ENOMEM);
        return Ok(());
    }
    call.write(call.pointer(0), 8, memory)
}

fn malloc_usable_size(call: &mut Call<'_>) -> Result<(), Stop> {
    let address = call.pointer(0);
    if address == 0 {
        return Ok(());
    }
    match call.size_of(address) {
        Some(size) => call.give(size),
        None => return Err(call.fault(address, 1, Fault::NoObject)),
    }
    Ok(())
}
