//! `std::lock`, and with it `std::scoped_lock`: several mutexes at once.
//!
//! The C++ library locks the first mutex and tries the others. If one of them is held it lets go of all,
//! and starts again with that one. Two threads can do so for each other for ever, and an explorer that
//! knows nothing of states would follow them.
//!
//! So here a thread is in the way of others once only. When a round has failed the thread waits until
//! the mutex is free that was not, and there the execution is given up, as by an assumption that does not
//! hold. Nothing is lost by that: a round that fails leaves nothing behind, so whatever would follow does
//! so too if the thread comes to the call only then, and that is an execution of its own. If the mutex is
//! never released, the thread waits for ever, as it would with the library.
//!
//! What remains to be seen of further rounds is that the mutexes are held now and then, by a thread that
//! only *tries* to lock one of them itself; but the standard lets it fail at any time anyway.

use mazurka_core::verdict::ViolationKind;

use super::mutex::{Mutex, let_go, lock_at, try_lock_at};
use crate::machine::thread::Status;
use crate::machine::{Call, LOCK_ALL, Run, Stop};

/// The types of mutexes that are `pthread_mutex_t`s, mangled.
const MUTEXES: [&str; 4] =
    ["St5mutex", "St15recursive_mutex", "St11timed_mutex", "St21recursive_timed_mutex"];

/// Where a `std::unique_lock` says whether it holds its mutex.
const OWNS: u64 = 8;

/// What takes the place of a function of the C++ library, if it is `std::lock` of mutexes, or of
/// `std::unique_lock`s, that are all of one type.
pub(super) fn find(function: &str) -> Option<(&'static str, Run)> {
    let types = function.strip_prefix("_ZSt4lockI")?.strip_suffix("EvRT_RT0_DpRT1_")?;
    // The types behind the first are told to be the same.
    let all_are = |rest: &str, same: &str| {
        let more = rest.strip_prefix(same).and_then(|rest| rest.strip_prefix('J'));
        more.and_then(|more| more.strip_suffix('E'))
            .is_some_and(|more| more.replace(same, "").is_empty())
    };
    MUTEXES.iter().find_map(|mutex| {
        if types.strip_prefix(mutex).is_some_and(|rest| all_are(rest, "S0_")) {
            return Some((LOCK_ALL, lock_mutexes as Run));
        }
        let rest =
            types.strip_prefix("St11unique_lockI")?.strip_prefix(mutex)?.strip_prefix('E')?;
        all_are(rest, "S2_").then_some((LOCK_ALL, lock_unique_locks as Run))
    })
}

/// How far a thread has got.
enum Phase {
    /// It holds so many of the mutexes.
    Locks(u64),
    /// It lets go of those that it still holds, this many, since it did not get that one.
    LetsGo(u64, u64),
    /// It waits for that one.
    Waits(u64),
    /// It has got them all.
    Done,
}

impl Phase {
    fn of(call: &Call<'_>) -> Self {
        let phase = call.phase();
        let (held, missing) = (phase >> 8 & 0xFFFF, phase >> 32);
        match phase & 0xFF {
            0 => Phase::Locks(held),
            1 => Phase::LetsGo(held, missing),
            2 => Phase::Waits(missing),
            _ => Phase::Done,
        }
    }

    /// Goes on with this one, in a step of its own.
    fn next(self, call: &mut Call<'_>) -> Stop {
        call.set_phase(match self {
            Phase::Locks(held) => held << 8,
            Phase::LetsGo(held, missing) => 1 | held << 8 | missing << 32,
            Phase::Waits(missing) => 2 | missing << 32,
            Phase::Done => 3,
        });
        Stop::Again
    }
}

/// `void std::lock(M &, M &, …)`
fn lock_mutexes(call: &mut Call<'_>) -> Result<(), Stop> {
    lock_all(call, |call, index| Ok(call.pointer(index)))
}

/// `void std::lock(std::unique_lock<M> &, std::unique_lock<M> &, …)`
fn lock_unique_locks(call: &mut Call<'_>) -> Result<(), Stop> {
    lock_all(call, |call, index| {
        let lock = call.pointer(index);
        let mutex = call.read(lock, 8)?;
        if mutex == 0 || call.read(lock + OWNS, 1)? != 0 {
            let what = if mutex == 0 { "has no mutex" } else { "holds its mutex already" };
            let message = format!("`std::lock` throws an exception: one of its locks {what}");
            return Err(call.violation(ViolationKind::Exception, message));
        }
        Ok(mutex)
    })?;
    for index in 0..call.len() {
        call.write(call.pointer(index) + OWNS, 1, 1)?;
    }
    Ok(())
}

/// Locks all mutexes, of which `at` tells the addresses.
fn lock_all(
    call: &mut Call<'_>,
    at: impl Fn(&mut Call<'_>, usize) -> Result<u64, Stop>,
) -> Result<(), Stop> {
    match Phase::of(call) {
        Phase::Locks(held) => {
            let address = at(call, held as usize)?;
            let has_locked = match held {
                0 => lock_at(call, address).map(|()| true)?,
                _ => try_lock_at(call, address)?,
            };
            Err(match has_locked {
                true if held as usize + 1 == call.len() => Phase::Done.next(call),
                true => Phase::Locks(held + 1).next(call),
                false => Phase::LetsGo(held, held).next(call),
            })
        }
        Phase::LetsGo(held, missing) => {
            let address = at(call, held as usize - 1)?;
            let_go(call, address)?;
            Err(match held {
                1 => Phase::Waits(missing).next(call),
                _ => Phase::LetsGo(held - 1, missing).next(call),
            })
        }
        Phase::Waits(missing) => {
            let address = at(call, missing as usize)?;
            Mutex::at(call, address)?.wait(call)?;
            call.machine.threads[call.thread].state.status = Status::Stopped;
            call.machine.fail_assumption();
            Err(Stop::Over)
        }
        Phase::Done => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutexes_of_one_type_are_locked_here() {
        for function in [
            "_ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_",
            "_ZSt4lockISt5mutexS0_JS0_S0_EEvRT_RT0_DpRT1_",
            "_ZSt4lockISt15recursive_mutexS0_JEEvRT_RT0_DpRT1_",
            "_ZSt4lockISt11unique_lockISt5mutexES2_JS2_EEvRT_RT0_DpRT1_",
        ] {
            assert!(find(function).is_some(), "{function}");
        }
    }

    #[test]
    fn others_are_left_to_the_library() {
        for function in [
            "_ZSt4lockISt12shared_mutexS0_JEEvRT_RT0_DpRT1_",
            "_ZSt4lockISt5mutexSt11unique_lockIS0_EJEEvRT_RT0_DpRT1_",
            "_ZSt4lockISt5mutexS0_J5otherEEvRT_RT0_DpRT1_",
            "_ZSt4lockI5guardS0_JEEvRT_RT0_DpRT1_",
            "lock",
        ] {
            assert!(find(function).is_none(), "{function}");
        }
    }
}
