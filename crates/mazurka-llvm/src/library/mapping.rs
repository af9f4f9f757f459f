//! Memory of the system: `mmap` of anonymous memory, and what goes with it.

use mazurka_core::verdict::ViolationKind;

use crate::machine::{Call, Run, Stop};

const EINVAL: i32 = 22;
const ENOMEM: i32 = 12;
const PAGE: u64 = 4096;
/// `MAP_ANONYMOUS`.
const ANONYMOUS: u64 = 0x20;
/// `PROT_READ | PROT_WRITE`.
const READ_WRITE: u64 = 3;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("mmap", map),
    ("mmap64", map),
    ("munmap", unmap),
    ("mprotect", |call| {
        check_protection(call, call.int(2))?;
        done(call)
    }),
    ("madvise", done),
    ("posix_madvise", done),
    ("mlock", done),
    ("munlock", done),
    ("mlockall", done),
    ("munlockall", done),
];

fn done(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(0);
    Ok(())
}

fn unsupported<T>(call: &Call<'_>, message: &str) -> Result<T, Stop> {
    Err(call.violation(ViolationKind::Unsupported, message))
}

fn check_protection(call: &Call<'_>, protection: u64) -> Result<(), Stop> {
    match protection & READ_WRITE == READ_WRITE {
        true => Ok(()),
        false => unsupported(call, "memory that cannot be read and written is not supported"),
    }
}

fn fail(call: &mut Call<'_>, error: i32) -> Result<(), Stop> {
    call.set_errno(error)?;
    call.give(u64::MAX);
    Ok(())
}

fn map(call: &mut Call<'_>) -> Result<(), Stop> {
    let (len, protection, flags) = (call.int(1), call.int(2), call.int(3));
    if flags & ANONYMOUS == 0 {
        return unsupported(call, "`mmap` of a file is not supported: there are no files");
    }
    if len == 0 {
        return fail(call, EINVAL);
    }
    check_protection(call, protection)?;
    let Some(len) = len.checked_next_multiple_of(PAGE) else { return fail(call, ENOMEM) };
    match call.allocate(len, true) {
        0 => fail(call, ENOMEM),
        memory => {
            call.give(memory);
            Ok(())
        }
    }
}

fn unmap(call: &mut Call<'_>) -> Result<(), Stop> {
    let (address, len) = (call.pointer(0), call.int(1));
    let Some(len) = len.checked_next_multiple_of(PAGE).filter(|len| *len > 0) else {
        return fail(call, EINVAL);
    };
    if call.size_of(address).is_some_and(|size| size != len) {
        return unsupported(call, "`munmap` of a part of what was mapped is not supported");
    }
    call.free(address)?;
    done(call)
}
