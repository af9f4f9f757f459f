//! Random programs.

use fastrand::Rng;
use mazurka_core::model::MemoryOrdering;

use super::program::{Instruction, Litmus, OWN, REGISTERS, VALUES, Value};

/// What a program is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Loads, stores and fences.
    Memory,
    /// Read-modify-writes as well.
    Updates,
    /// Locks, joins, and a few of the others.
    Locks,
    /// Threads that spin.
    Awaits,
    /// Loops that wait for one location, and loops that try again.
    Loops,
    /// A barrier, whose results are used now and then, and joins.
    Barriers,
    /// All of the others together, with loops of read-modify-writes and more plain accesses.
    Mixed,
}

impl Profile {
    /// All of them.
    pub const ALL: [Profile; 7] = [
        Profile::Memory,
        Profile::Updates,
        Profile::Locks,
        Profile::Awaits,
        Profile::Loops,
        Profile::Barriers,
        Profile::Mixed,
    ];
}

/// Returns the program of a seed.
pub fn program(profile: Profile, seed: u64) -> Litmus {
    let mut rng = Rng::with_seed(seed);
    let threads = rng.usize(2..=3);
    let longest = if threads == 2 { 4 } else { 3 };
    let locations = rng.u32(1..=2);
    let mut program = Litmus::default();
    for number in 0..threads {
        let len = rng.usize(1..=longest);
        let mut thread = Vec::new();
        while thread.len() < len {
            instruction(&mut rng, profile, locations, number, &mut thread);
        }
        program.threads.push(thread);
    }
    program
}

/// Returns a program with threads that are interchangeable.
pub fn symmetric(profile: Profile, seed: u64) -> Litmus {
    let mut rng = Rng::with_seed(seed);
    let locations = rng.u32(1..=2);
    let mut sizes = match rng.u8(0..6) {
        0 => vec![2],
        1 => vec![3],
        2 => vec![2, 1],
        3 => vec![3, 1],
        4 => vec![2, 2],
        _ => vec![2, 1, 1],
    };
    rng.shuffle(&mut sizes);
    let threads: usize = sizes.iter().sum();
    let longest = if threads < 4 { 3 } else { 2 };
    let mut program = Litmus::default();
    for size in sizes {
        let len = rng.usize(1..=longest);
        let (number, mut thread) = (program.threads.len(), Vec::new());
        while thread.len() < len {
            instruction(&mut rng, profile, locations, number, &mut thread);
        }
        if rng.u8(0..6) == 0 {
            let value = Value::Number(rng.u64(1..VALUES));
            thread.insert(0, Instruction::Store { to: OWN, ordering: None, value });
            if rng.bool() {
                thread.push(Instruction::Load { from: OWN, ordering: None, register: 0 });
            }
        }
        program.threads.extend(std::iter::repeat_n(thread, size));
    }
    program
}

fn load_ordering(rng: &mut Rng) -> MemoryOrdering {
    use MemoryOrdering::{Acquire, Relaxed, SeqCst};
    [Relaxed, Relaxed, Acquire, SeqCst, SeqCst][rng.usize(0..5)]
}

fn store_ordering(rng: &mut Rng) -> MemoryOrdering {
    use MemoryOrdering::{Relaxed, Release, SeqCst};
    [Relaxed, Relaxed, Release, SeqCst, SeqCst][rng.usize(0..5)]
}

fn any_ordering(rng: &mut Rng) -> MemoryOrdering {
    use MemoryOrdering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    [Relaxed, Acquire, Release, AcqRel, SeqCst][rng.usize(0..5)]
}

fn fence_ordering(rng: &mut Rng) -> MemoryOrdering {
    use MemoryOrdering::{AcqRel, Acquire, Release, SeqCst};
    [SeqCst, SeqCst, Acquire, Release, AcqRel][rng.usize(0..5)]
}

fn instruction(
    rng: &mut Rng,
    profile: Profile,
    locations: u32,
    thread: usize,
    out: &mut Vec<Instruction>,
) {
    let at = rng.u32(0..locations);
    let register = rng.usize(0..REGISTERS);
    let value = match rng.u8(0..4) {
        0 => Value::Next(register),
        _ => Value::Number(rng.u64(1..VALUES)),
    };
    // One access in so many is plain.
    let plain = if profile == Profile::Mixed { 4 } else { 12 };
    let load = Instruction::Load {
        from: at,
        ordering: (rng.u8(0..plain) > 0).then(|| load_ordering(rng)),
        register,
    };
    let store = Instruction::Store {
        to: at,
        ordering: (rng.u8(0..plain) > 0).then(|| store_ordering(rng)),
        value,
    };
    let add = Instruction::Add { to: at, ordering: any_ordering(rng), amount: 1, register };
    let exchange = Instruction::Exchange {
        at,
        expected: rng.u64(0..2),
        new: rng.u64(0..VALUES),
        success: any_ordering(rng),
        failure: load_ordering(rng),
        register,
    };
    let fence = Instruction::Fence(fence_ordering(rng));
    let unless = Instruction::Unless { register, holds: rng.u64(0..2), skip: rng.usize(1..=2) };
    if profile == Profile::Mixed {
        return mixed(rng, (load, store, add, exchange), thread, out);
    }
    match (profile, rng.u8(0..10)) {
        (_, 0) => out.push(unless),
        (Profile::Updates, 1 | 2) => out.push(add),
        (Profile::Updates, 3 | 4) => out.push(exchange),
        (Profile::Locks, 1..=4) => {
            out.push(Instruction::Lock(2));
            out.push(if rng.bool() { load } else { store });
            if rng.u8(0..6) > 0 {
                out.push(Instruction::Unlock(2));
            }
        }
        (Profile::Locks, 5) if thread > 0 => out.push(Instruction::Join(rng.usize(0..thread))),
        (Profile::Locks, 6) => out.push(exchange),
        (Profile::Awaits, 1 | 2) => {
            let (from, ordering) = (at, load_ordering(rng));
            out.push(Instruction::Await { from, ordering, value: rng.u64(0..VALUES) });
        }
        (Profile::Awaits, 3) => out.push(add),
        (Profile::Barriers, 1..=3) => {
            let leads = rng.u8(0..12) == 0;
            out.push(Instruction::Barrier(leads.then_some(register)));
        }
        (Profile::Barriers, 4) => out.push(match thread > 0 && rng.bool() {
            true => Instruction::Join(rng.usize(0..thread)),
            false => add,
        }),
        (Profile::Loops, 1..=4) => out.push(waiting(rng, at, register)),
        (_, 5..=6) => out.push(load),
        (_, 7) => out.push(fence),
        _ => out.push(store),
    }
}

/// Returns a loop of the profile [`Loops`](Profile::Loops).
fn waiting(rng: &mut Rng, at: u32, register: usize) -> Instruction {
    let (success, failure) = (any_ordering(rng), load_ordering(rng));
    match rng.u8(0..6) {
        0 | 1 => Instruction::Wait { from: at, ordering: failure, value: rng.u64(0..VALUES) },
        2 => {
            let (expected, other) = (rng.u64(0..VALUES), rng.u64(0..VALUES));
            let new = rng.u64(0..VALUES);
            Instruction::WaitExchange { at, expected, other, new, success, failure, register }
        }
        3 => {
            let expected = rng.u64(0..VALUES);
            let (other, new) = (expected, rng.u64(0..VALUES));
            Instruction::WaitExchange { at, expected, other, new, success, failure, register }
        }
        4 => Instruction::Agree { first: at, second: 1 - at.min(1), ordering: failure, register },
        _ => Instruction::Increment { at, success, failure, register },
    }
}

/// Adds instructions of the profile [`Mixed`](Profile::Mixed).
fn mixed(
    rng: &mut Rng,
    (load, store, add, exchange): (Instruction, Instruction, Instruction, Instruction),
    thread: usize,
    out: &mut Vec<Instruction>,
) {
    let Instruction::Exchange { at, expected, new, success, failure, .. } = exchange else {
        return;
    };
    match rng.u8(0..11) {
        0 => out.push(add),
        1 => out.push(exchange),
        2 | 3 => out.push(Instruction::AwaitExchange { at, expected, new, success, failure }),
        4 => out.push(Instruction::Await { from: at, ordering: failure, value: expected }),
        5 => out.push(Instruction::Fence(fence_ordering(rng))),
        6 if thread > 0 => out.push(Instruction::Join(rng.usize(0..thread))),
        6 | 7 => {
            out.push(Instruction::Lock(2));
            out.push(Instruction::Fence(fence_ordering(rng)));
            out.push(if rng.bool() { load } else { store });
            out.push(Instruction::Unlock(2));
        }
        8 => out.push(load),
        _ => out.push(store),
    }
}
