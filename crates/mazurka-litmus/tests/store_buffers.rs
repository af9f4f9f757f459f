//! `tso` and `pso` against machines with explicit store buffers: on random programs, the final states are
//! the same. `MAZURKA_RANDOM` sets the number of programs, and `MAZURKA_SEED` the first one.

use std::collections::{BTreeSet, HashSet};
use std::env;

use mazurka_core::memory::MemoryModel;
use mazurka_litmus::{Outcome, Test};

const LOCATIONS: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Relaxed,
    AcqRel,
    SeqCst,
}

/// An instruction. The result of a load or an addition is in the register with the number of the
/// instruction.
#[derive(Clone, Copy, Debug)]
enum Instruction {
    Store(usize, i64, Order),
    Load(usize, Order),
    Add(usize, Order),
    Fence(Order),
}

type Threads = Vec<Vec<Instruction>>;

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    fn order(&mut self) -> Order {
        match self.below(6) {
            0..4 => Order::Relaxed,
            4 => Order::AcqRel,
            _ => Order::SeqCst,
        }
    }

    fn threads(&mut self) -> Threads {
        let count = 2 + self.below(2);
        let mut value = 0;
        (0..count)
            .map(|_| {
                let len = 1 + self.below(if count == 2 { 4 } else { 3 });
                (0..len)
                    .map(|_| {
                        let at = self.below(LOCATIONS as u64) as usize;
                        match self.below(10) {
                            0..4 => {
                                value += 1;
                                Instruction::Store(at, value, self.order())
                            }
                            4..8 => Instruction::Load(at, self.order()),
                            8 => Instruction::Add(at, self.order()),
                            _ if self.below(2) == 0 => Instruction::Fence(Order::SeqCst),
                            _ => Instruction::Fence(Order::AcqRel),
                        }
                    })
                    .collect()
            })
            .collect()
    }
}

fn litmus(threads: &Threads) -> String {
    let order = |order: Order, side: &str| match order {
        Order::Relaxed => "memory_order_relaxed".to_owned(),
        Order::AcqRel => format!("memory_order_{side}"),
        Order::SeqCst => "memory_order_seq_cst".to_owned(),
    };
    let mut text = "C random\n{ x0=0; x1=0; }\n".to_owned();
    let mut shown = "x0; x1;".to_owned();
    for (t, code) in threads.iter().enumerate() {
        text += &format!("P{t} (atomic_int* x0, atomic_int* x1) {{\n");
        for (i, instruction) in code.iter().enumerate() {
            text += &match instruction {
                Instruction::Store(at, value, o) => {
                    format!("  atomic_store_explicit(x{at}, {value}, {});\n", order(*o, "release"))
                }
                Instruction::Load(at, o) => {
                    shown += &format!(" {t}:r{i};");
                    let order = order(*o, "acquire");
                    format!("  int r{i} = atomic_load_explicit(x{at}, {order});\n")
                }
                Instruction::Add(at, o) => {
                    shown += &format!(" {t}:r{i};");
                    let order = order(*o, "acq_rel");
                    format!("  int r{i} = atomic_fetch_add_explicit(x{at}, 100, {order});\n")
                }
                Instruction::Fence(o) => {
                    format!("  atomic_thread_fence({});\n", order(*o, "acq_rel"))
                }
            };
        }
        text += "}\n";
    }
    text + &format!("locations [{shown}]\nexists (true)\n")
}

/// A store in a buffer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Buffered {
    at: usize,
    value: i64,
    /// Whether it stays behind all earlier stores of its thread.
    releases: bool,
    /// The number of release fences before it. It stays behind stores with a smaller number.
    fences: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Thread {
    at: usize,
    /// The oldest store is first.
    buffer: Vec<Buffered>,
    fences: u32,
    /// Whether the buffer must be empty before the next instruction.
    drains: bool,
    registers: Vec<i64>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    memory: [i64; LOCATIONS],
    threads: Vec<Thread>,
}

/// Returns the states that a step of one thread leads to: an instruction, or a store that leaves a buffer.
fn successors(program: &Threads, state: &State, is_pso: bool) -> Vec<State> {
    let mut found = Vec::new();
    for (t, thread) in state.threads.iter().enumerate() {
        for (i, store) in thread.buffer.iter().enumerate() {
            let earlier = &thread.buffer[..i];
            let may_leave = match is_pso {
                false => i == 0,
                true => {
                    !(store.releases && i > 0)
                        && earlier.iter().all(|e| e.at != store.at && e.fences == store.fences)
                }
            };
            if may_leave {
                let mut next = state.clone();
                next.memory[store.at] = store.value;
                next.threads[t].buffer.remove(i);
                found.push(next);
            }
        }
        let Some(instruction) = program[t].get(thread.at) else { continue };
        let needs_empty = thread.drains
            || matches!(instruction, Instruction::Add(..) | Instruction::Fence(Order::SeqCst));
        if needs_empty && !thread.buffer.is_empty() {
            continue;
        }
        let mut next = state.clone();
        let State { memory, threads } = &mut next;
        let thread = &mut threads[t];
        thread.at += 1;
        thread.drains = false;
        match *instruction {
            Instruction::Store(at, value, order) => {
                let (releases, fences) = (order != Order::Relaxed, thread.fences);
                thread.buffer.push(Buffered { at, value, releases, fences });
                thread.drains = order == Order::SeqCst;
            }
            Instruction::Load(at, _) => {
                let own = thread.buffer.iter().rev().find(|store| store.at == at);
                let value = own.map_or(memory[at], |store| store.value);
                thread.registers.push(value);
            }
            Instruction::Add(at, _) => {
                thread.registers.push(memory[at]);
                memory[at] += 100;
            }
            Instruction::Fence(_) => thread.fences += 1,
        }
        found.push(next);
    }
    found
}

/// Returns the final states of a program on the machine: memory, and then the registers of each thread.
fn final_states(program: &Threads, is_pso: bool) -> BTreeSet<Vec<i64>> {
    let threads = vec![Thread::default(); program.len()];
    let mut open = vec![State { memory: [0; LOCATIONS], threads }];
    let mut seen: HashSet<State> = open.iter().cloned().collect();
    let mut finals = BTreeSet::new();
    while let Some(state) = open.pop() {
        let next = successors(program, &state, is_pso);
        if next.is_empty() {
            let registers = state.threads.iter().flat_map(|thread| thread.registers.clone());
            finals.insert(state.memory.into_iter().chain(registers).collect());
        }
        open.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
    }
    finals
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn tso_and_pso_have_the_final_states_of_store_buffers() {
    let (seed, count) = (number("MAZURKA_SEED", 0), number("MAZURKA_RANDOM", 300));
    for seed in seed..seed + count {
        let program = Random(seed).threads();
        let text = litmus(&program);
        let test: Test = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (model, is_pso) in [(MemoryModel::Tso, false), (MemoryModel::Pso, true)] {
            let outcome = Outcome::of(&test, model);
            let graphs: BTreeSet<Vec<i64>> = outcome.states.keys().cloned().collect();
            let buffers = final_states(&program, is_pso);
            assert_eq!(graphs, buffers, "{model}, MAZURKA_SEED={seed}\n{text}");
        }
    }
}
