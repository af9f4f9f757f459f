//! Every explorer finds the same on random programs in C.

mod common;

use std::collections::BTreeSet;

use common::{going_back_restores_everything, program, random};
use mazurka_core::execution::Execution;
use mazurka_core::explore::explore;
use mazurka_core::model::{Ending, Program};
use mazurka_core::search::{Algorithm, DataRaces, Monitor, Options};
use mazurka_core::verdict::Violation;
use mazurka_llvm::{LlvmMachine, LlvmProgram};

/// How the executions of a program ended.
#[derive(Default)]
struct Outcomes(BTreeSet<String>);

impl Monitor<LlvmMachine> for Outcomes {
    fn ended(
        &mut self,
        machine: &LlvmMachine,
        _execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        let outcome = match (violation, ending) {
            (Some(violation), _) => violation.to_string(),
            (None, Some(Ending::Finished)) => format!("{:?}", machine.exit_code()),
            (None, Some(ending)) => format!("{ending:?}"),
            (None, None) => return,
        };
        self.0.insert(outcome);
    }
}

fn outcomes(program: &LlvmProgram, algorithm: Algorithm) -> BTreeSet<String> {
    let options = Options {
        algorithm,
        keep_going: true,
        data_races: DataRaces::Ignore,
        ..Options::default()
    };
    let mut outcomes = Outcomes::default();
    let verdict = explore(&mut program.start().unwrap(), &options, &mut outcomes);
    assert!(verdict.is_complete(), "{algorithm}: {verdict:?}");
    outcomes.0
}

/// One statement on the shared variables and the thread's own `r`.
fn statement(seed: &mut u64) -> String {
    let (x, y) = (random(seed) % 3, random(seed) % 3);
    let n = random(seed) % 3;
    match random(seed) % 14 {
        0 | 1 => format!("x[{x}] = {n};"),
        2 | 3 => format!("r = 3 * r + x[{x}];"),
        4 => format!("x[{x}] = x[{y}] + 1;"),
        5 => format!("if (x[{x}] == {n}) x[{y}] = r; else r += 1;"),
        6 => format!("r += atomic_fetch_add(&x[{x}], {n});"),
        7 => format!("{{ int e = {n}; r += atomic_compare_exchange_strong(&x[{x}], &e, 2); }}"),
        8 => format!("pthread_mutex_lock(&m); x[{x}] += 1; r += x[{y}]; pthread_mutex_unlock(&m);"),
        9 => format!(
            "if (pthread_mutex_trylock(&m) == 0) {{ x[{x}] = {n}; pthread_mutex_unlock(&m); }}"
        ),
        10 => format!("{{ struct pair p = {{x[{x}], {n}}}; s = p; }}"),
        11 => "r += s.a + 2 * s.b;".to_owned(),
        12 => format!("{{ int *q = malloc(4); *q = x[{x}]; r += *q; free(q); }}"),
        _ => format!("assert(x[{x}] < 3 + {n});"),
    }
}

/// Threads with a few statements each; what they have computed is the program's exit code.
fn text(seed: &mut u64) -> String {
    let threads = 2 + random(seed) % 2;
    let most = if threads == 2 { 4 } else { 2 };
    let mut text = "struct pair { int a, b; } s; atomic_int x[3];
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        .to_owned();
    for thread in 0..threads {
        let body: String = (0..1 + random(seed) % most).map(|_| statement(seed) + " ").collect();
        text += &format!("void *t{thread}(void *arg) {{ long r = 0; {body} return (void *)r; }}\n");
    }
    text += &format!("int main(void) {{ pthread_t t[{threads}]; void *r; long sum = 0;\n");
    for thread in 0..threads {
        text += &format!("pthread_create(&t[{thread}], 0, t{thread}, 0);\n");
    }
    text += &format!(
        "for (int i = 0; i < {threads}; i++)
        {{ pthread_join(t[i], &r); sum = 31 * sum + (long)r; }}
        return sum * 64 + x[0] * 16 + x[1] * 4 + x[2]; }}"
    );
    text
}

#[test]
fn every_explorer_finds_the_same_outcomes() {
    let mut seed = 42;
    for _ in 0..30 {
        let text = text(&mut seed);
        let program = program(&text);
        let expected = outcomes(&program, Algorithm::Naive);
        for algorithm in [
            Algorithm::Dpor,
            Algorithm::Source,
            Algorithm::Optimal,
            Algorithm::Observers,
            Algorithm::DataCentric,
        ] {
            assert_eq!(outcomes(&program, algorithm), expected, "{algorithm} on\n{text}");
        }
        going_back_restores_everything(&program, 20);
    }
}
