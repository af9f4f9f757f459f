//! Observed coherence: executions that differ only in the order of writes that no read observes are one.

use super::{
    Algorithm, Checkable, Coherence, MemoryModel, Options, Verdict, ViolationKind, program_with,
    threads,
};
use mazurka_core::model::{Lesson, Observer};
use mazurka_llvm::LlvmOptions;

fn check(text: &str, memory_model: MemoryModel, coherence: Coherence) -> Verdict {
    let options = LlvmOptions { memory_orderings: true, ..LlvmOptions::default() };
    let program = program_with(text, options);
    let options = Options {
        algorithm: Algorithm::Graphs,
        memory_model,
        coherence: Some(coherence),
        keep_going: true,
        ..Options::default()
    };
    program.check(&options, &mut ())
}

/// Returns the numbers of executions with total and with observed coherence.
#[track_caller]
fn counts(text: &str, model: MemoryModel) -> (u64, u64) {
    let counts = Coherence::ALL.map(|coherence| {
        let verdict = check(text, model, coherence);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}\n{text}");
        verdict.executions
    });
    (counts[0], counts[1])
}

/// A load after `n` stores reads from one of them.
#[test]
fn a_load_observes_the_last_of_several_stores() {
    let stores = ["x = 1;", "x = 2;", "x = 3;", "x = 4;"];
    let text = threads("atomic_int x;", &stores, "assert(x > 0);");
    for model in MemoryModel::ALL {
        assert_eq!(counts(&text, model), (24, 4), "{model}");
    }
}

/// Nobody reads what two threads write to two variables.
#[test]
fn stores_that_no_thread_reads_have_no_order() {
    let text = threads("atomic_int x, y;", &["x = 1; y = 1;", "y = 2; x = 2;"], "");
    // Under `sc`, the first stores of both threads are not both behind the second ones of the other.
    assert_eq!(counts(&text, MemoryModel::Sc), (3, 1));
    assert_eq!(counts(&text, MemoryModel::Ra), (4, 1));
}

/// Read-modify-writes read from each other, and so observe their order.
#[test]
fn read_modify_writes_are_ordered() {
    let text = threads("atomic_int x;", &["x++;", "x++;", "x++;"], "assert(x == 3);");
    for model in MemoryModel::ALL {
        assert_eq!(counts(&text, model), (6, 6), "{model}");
    }
}

/// A thread that waits sees the last store, or an earlier one that lets it go on. It is in the loop for
/// ever if another store comes last.
#[test]
fn a_thread_that_waits_observes_the_last_store() {
    let text = threads("atomic_int x;", &["x = 1;", "x = 2;", "while (x != 1);"], "");
    for model in MemoryModel::ALL {
        for coherence in Coherence::ALL {
            let verdict = check(&text, model, coherence);
            let kinds: Vec<_> = verdict.violations.iter().map(|v| v.kind).collect();
            assert_eq!(kinds, [ViolationKind::Livelock], "{coherence} {model}: {verdict:?}");
        }
    }
}

/// A structure that is copied in one step has the values of the last stores.
#[test]
fn a_step_that_copies_several_variables_starts_over() {
    let globals = "struct pair { _Atomic int a, b; } p; struct pair copy;";
    let stores = ["p.a = 1;", "p.a = 2;"];
    let ends = "memcpy(&copy, &p, sizeof p); assert(copy.a != 1); assert(copy.a != 2);";
    let text = threads(&format!("#include <string.h>\n{globals}"), &stores, ends);
    let messages = |verdict: &Verdict| -> Vec<String> {
        let mut all: Vec<_> = verdict.violations.iter().map(|v| v.message.clone()).collect();
        all.sort();
        all
    };
    for model in MemoryModel::ALL {
        let [total, observed] = Coherence::ALL.map(|coherence| check(&text, model, coherence));
        assert_eq!(messages(&total), messages(&observed), "{model}");
        assert_eq!((total.executions, observed.executions), (2, 2), "{model}");
        let lessons: Vec<_> = observed.restarts.iter().map(|restart| restart.lesson).collect();
        assert_eq!(lessons[0], Lesson::CoherenceOrder(Observer::Sizes), "{model}");
    }
}

/// Another explorer says that it has no execution graphs.
#[test]
fn other_explorers_have_no_coherence() {
    let program = program_with("int main(void) { return 0; }", LlvmOptions::default());
    for coherence in Coherence::ALL.map(Some) {
        let options = Options { algorithm: Algorithm::Optimal, coherence, ..Options::default() };
        let verdict = program.check(&options, &mut ());
        let message = &verdict.violations[0].message;
        assert!(message.contains("use the explorer `graphs`"), "{message}");
    }
}
