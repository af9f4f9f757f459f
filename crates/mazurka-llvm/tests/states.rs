//! What is kept of states is what is found anew.
//!
//! A machine takes steps and goes back at random, and is asked for its state now and then. Another one,
//! which knows nothing of that, takes the same steps from the start.

mod common;

use std::path::Path;

use common::{enabled, program, random};
use mazurka_core::model::{Machine, Performed, Program, Step};
use mazurka_llvm::compile::Source;
use mazurka_llvm::{LlvmMachine, LlvmOptions, LlvmProgram};

fn state(machine: &LlvmMachine) -> (u128, Vec<u64>) {
    let mut words = Vec::new();
    let digest = machine.write_state(&mut words).expect("the machine tells its state");
    assert_eq!(machine.fingerprint(), Some(digest));
    (digest, words)
}

/// Takes steps and goes back, `rounds` times each.
fn what_is_kept_is_what_is_found(program: &LlvmProgram, name: &str, rounds: usize) {
    let (mut machine, mut performed) = (program.start().unwrap(), Performed::default());
    let (mut steps, mut seed): (Vec<Step>, u64) = (Vec::new(), 7);
    for _ in 0..rounds {
        for _ in 0..random(&mut seed) % 12 {
            let possible = enabled(&machine);
            if possible.is_empty() {
                break;
            }
            steps.push(possible[random(&mut seed) % possible.len()]);
            performed.clear();
            let _ = machine.step(steps[steps.len() - 1], &mut performed);
            if random(&mut seed).is_multiple_of(3) {
                machine.fingerprint();
            }
        }
        let mut other = program.start().unwrap();
        for step in &steps {
            performed.clear();
            let _ = other.step(*step, &mut performed);
        }
        assert_eq!(state(&machine), state(&other), "{name} after {steps:?}");
        steps.truncate(steps.len().saturating_sub(random(&mut seed) % 12));
        machine.rewind(steps.len()).unwrap();
        if random(&mut seed).is_multiple_of(2) {
            machine.fingerprint();
        }
    }
}

#[test]
fn of_all_programs_of_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let module = Source::new([&path]).load().unwrap();
            let program = LlvmProgram::new(&module, LlvmOptions::default()).unwrap();
            what_is_kept_is_what_is_found(&program, &path.display().to_string(), 60);
        }
    }
}

/// Lists that several threads take nodes from and put others to, also from their own stacks and
/// heaps, with functions that call themselves, and threads that create threads.
const LISTS: &str = "
    #include <pthread.h>
    #include <stdlib.h>
    struct node { struct node *next; int value; };
    struct node *lists[2], *loose, *many[100];
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int length(struct node *n) { int here = loose != 0; return n ? here + length(n->next) : 0; }
    void *work(void *list) {
        for (int i = 0; i < 3; i++) {
            pthread_mutex_lock(&m);
            struct node local = {lists[i % 2], i}, *n = malloc(sizeof *n);
            *n = local;
            if (i == 1) { loose = &local; lists[0] = n; }
            if (i == 2 && lists[1]) { n->next = lists[1]->next; free(lists[1]); }
            lists[1] = i == 2 && list ? loose : n;
            many[10 * i + (list != 0)] = lists[i % 2];
            loose = 0;
            pthread_mutex_unlock(&m);
            local.value += length(*(struct node **)&lists[0] == lists[1] ? n : lists[0]);
        }
        pthread_t t;
        if (list) { pthread_create(&t, 0, work, 0); pthread_join(t, 0); }
        return lists[0];
    }
    int main(void) {
        pthread_t a, b;
        void *result;
        pthread_create(&a, 0, work, &m);
        pthread_create(&b, 0, work, 0);
        pthread_join(a, &result);
        pthread_join(b, 0);
    }";

#[test]
fn of_lists_that_change() {
    what_is_kept_is_what_is_found(&program(LISTS), "lists", 400);
}
