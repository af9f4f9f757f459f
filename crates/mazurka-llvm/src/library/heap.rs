//! The heap.

use mazurka_core::verdict::ViolationKind;

use super::runtime;
use crate::machine::{Call, Run, Stop};
use crate::memory::Fault;

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
    ("_Znwm", new),
    ("_Znam", new),
    ("_ZnwmRKSt9nothrow_t", malloc),
    ("_ZnamRKSt9nothrow_t", malloc),
    ("_ZnwmSt11align_val_t", new),
    ("_ZnamSt11align_val_t", new),
    ("_ZdlPv", free),
    ("_ZdaPv", free),
    ("_ZdlPvm", free),
    ("_ZdaPvm", free),
    ("_ZdlPvSt11align_val_t", free),
    ("_ZdlPvmSt11align_val_t", free),
];

fn malloc(call: &mut Call<'_>) -> Result<(), Stop> {
    let memory = call.allocate(call.int(0), false);
    call.give(memory);
    Ok(())
}

fn new(call: &mut Call<'_>) -> Result<(), Stop> {
    let memory = call.allocate(call.int(0), false);
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
    check_start(call, old)?;
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

/// That an address is one that `free` would take.
fn check_start(call: &mut Call<'_>, address: u64) -> Result<(), Stop> {
    match call.machine.memory.can_free(address) {
        Ok(()) => Ok(()),
        Err(fault) => Err(call.fault(address, 1, fault)),
    }
}

fn free(call: &mut Call<'_>) -> Result<(), Stop> {
    match call.pointer(0) {
        0 => Ok(()),
        address => release(call, address),
    }
}

/// Frees an object. To do so is dependent on every access to it, so it counts as a write of all
/// of it.
fn release(call: &mut Call<'_>, address: u64) -> Result<(), Stop> {
    check_start(call, address)?;
    call.free(address)
}

fn aligned_alloc(call: &mut Call<'_>) -> Result<(), Stop> {
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
