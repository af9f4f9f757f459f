//! Random programs with fences and locked instructions in loops: an exploration with awaits finds the
//! outcomes that one with all iterations finds.
//!
//! `MAZURKA_RANDOM=N` compares N programs instead of a few dozen, from the seed `MAZURKA_SEED` on.

use std::collections::BTreeSet;
use std::fmt::Write;

use mazurka_core::execution::Execution;
use mazurka_core::explore::Checkable;
use mazurka_core::memory::MemoryModel;
use mazurka_core::model::Ending;
use mazurka_core::search::{Algorithm, DataRaces, Monitor, Options};
use mazurka_core::verdict::Violation;
use mazurka_llvm::ir::Module;
use mazurka_llvm::{LlvmMachine, LlvmOptions, LlvmProgram};

use crate::common::module_of;

/// In these, `#i` is an index of a variable, `#n` a small number, and `#l`, `#s` and `#f` are orderings of
/// a load, a store and a fence.
const LOOPS: [&str; 6] = [
    "while (LD(x[#i], relaxed) == 0) FENCE(#f);",
    "do FENCE(#f); while (LD(x[#i], #l) == 0);",
    "while (LD(x[#i], #l) == #n) FENCE(#f);",
    "while (EXCHANGE(x[#i], 1) == 1) ;",
    "while (ADD(x[#i], 0) < #n) FENCE(#f);",
    "{ int e = 0; while (!CAS(x[#i], e, 1)) { e = 0; FENCE(#f); } }",
];

const STATEMENTS: [&str; 6] = [
    "ST(x[#i], #n, #s);",
    "ST(x[#i], #n, relaxed);",
    "r = 3 * r + LD(x[#i], #l);",
    "FENCE(#f);",
    "r = 3 * r + EXCHANGE(x[#i], #n);",
    "r = 3 * r + ADD(x[#i], 1);",
];

const HEAD: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x[2];
int result[3];
#define LD(v, o) atomic_load_explicit(&v, memory_order_##o)
#define ST(v, n, o) atomic_store_explicit(&v, n, memory_order_##o)
#define FENCE(o) atomic_thread_fence(memory_order_##o)
#define CAS(v, e, n) atomic_compare_exchange_strong_explicit(&v, &e, n, memory_order_relaxed, memory_order_relaxed)
#define LOCKED(text, v, n) ({ int n_ = n; __asm__ volatile(text : "+r"(n_), "+m"(v) :: "memory"); n_; })
#define EXCHANGE(v, n) LOCKED("xchgl %0, %1", v, n)
#define ADD(v, n) LOCKED("lock; xaddl %0, %1", v, n)
"#;

/// Numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn statement(&mut self, templates: &[&str]) -> String {
        let mut parts = self.pick(templates).split('#');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (hole, rest) = part.split_at(1);
            match hole {
                "i" => text += &self.below(2).to_string(),
                "n" => text += &self.below(3).to_string(),
                "l" => text += self.pick(&["relaxed", "acquire", "seq_cst"]),
                "s" => text += self.pick(&["relaxed", "release", "seq_cst"]),
                _ => text += self.pick(&["acquire", "release", "seq_cst"]),
            }
            text += rest;
        }
        text
    }
}

/// Returns the functions of the program of a seed; `program_SEED` runs it.
fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let threads = 2 + random.below(2);
    let mut text = String::new();
    for thread in 0..threads {
        let count = 1 + random.below(if threads == 2 { 3 } else { 2 });
        let mut body: Vec<String> = (0..count).map(|_| random.statement(&STATEMENTS)).collect();
        if thread == 0 || random.below(3) == 0 {
            let at = random.below(count + 1);
            body.insert(at, random.statement(&LOOPS));
        }
        let _ = writeln!(
            text,
            "static void *p{seed}_t{thread}(void *arg) {{ int r = 0;\n  {}\n  \
             result[{thread}] = r; return 0; }}",
            body.join("\n  ")
        );
    }
    let _ = writeln!(text, "static int program_{seed}(void) {{ pthread_t t[{threads}];");
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_create(&t[{thread}], 0, p{seed}_t{thread}, 0);");
    }
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_join(t[{thread}], 0);");
    }
    text + "  return result[0] + 37 * result[1] + 1009 * result[2] + 40009 * x[0] + 200003 * x[1]; }\n"
}

#[derive(Default)]
struct Outcomes(BTreeSet<Option<i32>>);

impl Monitor<LlvmMachine> for Outcomes {
    fn ended(
        &mut self,
        machine: &LlvmMachine,
        _: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        if let (Some(Ending::Finished), None) = (ending, violation) {
            self.0.insert(machine.exit_code());
        }
    }
}

/// Returns the outcomes of a program and whether it can hang, or `None` if there are too many executions.
fn outcomes(
    module: &Module,
    seed: u64,
    memory_model: MemoryModel,
    awaits: bool,
) -> Option<(BTreeSet<Option<i32>>, bool)> {
    let options = LlvmOptions {
        arguments: vec![seed.to_string()],
        memory_orderings: true,
        awaits,
        ..LlvmOptions::default()
    };
    let program = LlvmProgram::new(module, options).unwrap();
    let options = Options {
        algorithm: Algorithm::Graphs,
        memory_model,
        keep_going: true,
        data_races: DataRaces::Ignore,
        max_executions: Some(300),
        max_depth: Some(40),
        ..Options::default()
    };
    let mut outcomes = Outcomes::default();
    let verdict = program.check(&options, &mut outcomes);
    verdict.is_complete().then_some((outcomes.0, !verdict.violations.is_empty()))
}

fn number(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("the variable is a number"))
}

#[test]
fn awaits_with_fences_miss_no_outcome() {
    let (first, count) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 40));
    let (mut compared, mut failures) = (0, 0);
    for start in (first..first + count).step_by(20) {
        let seeds: Vec<u64> = (start..first + count).take(20).collect();
        let mut text = HEAD.to_owned();
        seeds.iter().for_each(|seed| text += &program(*seed));
        text += "int main(int argc, char **argv) { switch (atoi(argv[1])) {\n";
        for seed in &seeds {
            let _ = writeln!(text, "case {seed}: return program_{seed}();");
        }
        let module = module_of(&(text + "} return 0; }\n"));
        for seed in seeds {
            for model in MemoryModel::ALL {
                let Some(all) = outcomes(&module, seed, model, false) else { continue };
                compared += 1;
                let found = outcomes(&module, seed, model, true);
                if found.as_ref() != Some(&all) {
                    failures += 1;
                    println!(
                        "seed {seed}, {model}: {found:?} instead of {all:?}\n{}",
                        program(seed)
                    );
                }
            }
        }
        println!("{compared} comparisons up to seed {}", start + 19);
    }
    assert_eq!(failures, 0, "programs on which awaits miss outcomes; see above");
    assert!(
        compared > 2 * count,
        "only {compared} comparisons of {count} programs are small enough"
    );
}
