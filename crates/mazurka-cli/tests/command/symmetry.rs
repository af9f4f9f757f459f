//! `--symmetry` and `--no-symmetry`.

use crate::{Scratch, run};

const READERS: &str = "check programs/readers.c -D N=4 --memory-model sc --json";

/// Returns the number of executions, and whether there is a note.
#[track_caller]
fn executions(options: &str) -> (String, bool) {
    let said = run(&format!("{READERS} {options}")).expect(0);
    let is_noted = said.stdout.contains("there are 4 such threads");
    (said.member("executions").to_owned(), is_noted)
}

/// Four threads read, before or after a write.
#[test]
fn the_default_depends_on_the_explorer() {
    for (options, expected) in [
        ("", "5"),
        ("--symmetry", "5"),
        ("--no-symmetry", "16"),
        ("--algorithm optimal", "16"),
        ("--algorithm optimal --symmetry", "5"),
        ("--algorithm source --symmetry", "5"),
        ("--algorithm graphs", "5"),
        ("--algorithm graphs --no-symmetry", "16"),
        ("--algorithm graphs --coherence total", "5"),
        ("--preemption-bound 9", "16"),
    ] {
        assert_eq!(executions(options), (expected.to_owned(), expected == "5"), "{options}");
    }
}

#[test]
fn explorers_that_cannot_do_it_refuse() {
    let algorithms = ["data-centric", "unfolding", "em-dpor", "event-driven", "random"];
    for algorithm in algorithms {
        let line = format!("check programs/readers.c --algorithm {algorithm} --symmetry");
        run(&line).refuses(&["permutation of threads", algorithm, "--symmetry"]);
    }
    run("check programs/readers.c --preemption-bound 1 --symmetry").refuses(&["preemptions"]);
    run("check programs/readers.c --symmetry --no-symmetry").refuses(&["cannot be used with"]);
}

/// A search is continued only with the same choice.
#[test]
fn a_checkpoint_knows_whether_there_is_symmetry() {
    let file = Scratch::new("saved", "");
    let path = file.path().with_extension("checkpoint");
    let path = path.display();
    let check = "check programs/pthread_demo.c -D N=7 --algorithm optimal";
    run(&format!("{check} --symmetry --checkpoint {path} --max-executions 10 --workers 1"))
        .expect(3);
    run(&format!("{check} --resume {path}")).refuses(&["symmetry"]);
    let last = run(&format!("{check} --symmetry --json --resume {path}")).expect(0);
    assert_eq!(last.member("executions"), "1716");
}

/// Two threads store: the orders of their stores are one. The choice holds for both explorers of a check
/// that switches.
#[test]
fn a_check_that_switches_keeps_the_choice() {
    let weak = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
                void *f(void *arg) { atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); return arg; }\n\
                int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0); }\n";
    for (options, expected) in [("", "1"), ("--symmetry", "1"), ("--no-symmetry", "2")] {
        let said = crate::check(weak, &format!("{options} --json")).expect(0);
        assert_eq!(said.member("executions"), expected, "{options}: {}", said.all());
        assert_eq!(said.stdout.contains("permutation of"), expected == "1", "{}", said.all());
    }
}
