//! What reports say about reads of old values.

use std::time::Duration;

use super::{
    Algorithm, MemoryModel, Options, VARIABLES, check_under, program_with, replays, threads,
};
use mazurka_llvm::LlvmOptions;
use mazurka_report::{Report, Run};

/// Returns the first report on a program under RC11, and that of the replay of its schedule.
fn report(text: &str) -> [Report; 2] {
    let options = LlvmOptions { memory_orderings: true, ..LlvmOptions::default() };
    let program = program_with(text, options);
    let options = Options {
        algorithm: Algorithm::Graphs,
        memory_model: MemoryModel::Rc11,
        time_limit: Some(Duration::from_secs(60)),
        ..Options::default()
    };
    let run = Run::check(&program, &options, &mut ());
    let schedule = run.verdict.violations[0].schedule.clone();
    let replayed = Run::replay(&program, &schedule, &options);
    assert_eq!(replayed.verdict.violations.len(), 1, "{schedule}: {:?}", replayed.verdict);
    let first = |run: &Run| run.reports(&program).swap_remove(0);
    [first(&run), first(&replayed)]
}

/// The text of each report contains these words.
#[track_caller]
fn assert_says(reports: &[Report], words: &[&str]) {
    for report in reports {
        let text = format!("{report:#}");
        for word in words {
            assert!(text.contains(word), "no `{word}` in:\n{text}");
        }
    }
}

#[test]
fn a_read_of_the_initial_value_names_the_store_that_it_missed() {
    let bodies = [
        "ST(x, 1, relaxed);\nST(y, 1, relaxed);\n",
        "a = LD(y, relaxed);\nb = LD(x, relaxed);\nassert(!a || b);\n",
    ];
    let reports = report(&threads(VARIABLES, &bodies, ""));
    // Four lines of macros come first.
    assert_says(&reports, &["x → 0 (initial value; not yet x = 1, line 5)"]);
}

/// Two stores of the same value: the schedule says from which of them the load reads.
#[test]
fn a_schedule_says_which_of_two_equal_values_is_read() {
    let bodies = [
        "ST(x, 1, relaxed);\nST(x, 2, relaxed);\nST(x, 1, relaxed);\nST(x, 3, relaxed);\n\
         ST(y, 1, relaxed);\n",
        "if (LD(y, relaxed)) {\na = LD(x, relaxed);\nb = LD(x, relaxed);\n\
         assert(!(a == 1 && b == 2)); }\n",
    ];
    let reports = report(&threads(VARIABLES, &bodies, ""));
    let first = "x → 1 (from x = 1, line 5; not yet x = 3, line 8; x = 1, line 7; 1 more)";
    let second = "x → 2 (from x = 2, line 6; not yet x = 3, line 8; x = 1, line 7)";
    assert_says(&reports, &[first, second]);
}

/// A store that comes before others in coherence order although it was run after them.
#[test]
fn a_schedule_says_where_a_store_stands_in_coherence_order() {
    let bodies = [
        "ST(x, 1, relaxed);\nST(x, 2, relaxed);\nST(x, 3, relaxed);\n",
        "ST(x, 4, relaxed);\n",
        "if (LD(x, relaxed) == 1) if (LD(x, relaxed) == 4) if (LD(x, relaxed) == 2)\n\
         assert(LD(x, relaxed) != 3);\n",
    ];
    let reports = report(&threads(VARIABLES, &bodies, ""));
    assert_says(
        &reports,
        &["x → 4 (from x = 4, line", "x → 2 (from x = 2, line 6; not yet x = 3, line"],
    );
}

/// A thread that fails ends the program. So another thread fails in an execution of its own.
#[test]
fn every_failure_has_its_own_schedule() {
    let bodies = [
        "ST(x, 1, relaxed); assert(0);",
        "a = LD(x, relaxed); ST(y, 1, relaxed); assert(a);",
        "b = LD(y, relaxed); assert(b == 2);",
    ];
    for model in MemoryModel::ALL {
        let (program, verdict) = check_under(model, &threads(VARIABLES, &bodies, ""));
        assert!(verdict.is_complete(), "{model}: {verdict:?}");
        assert_eq!(verdict.violations.len(), 3, "{model}: {:?}", verdict.violations);
        replays(&program, &verdict);
    }
}

/// A program has ended when it destroys a mutex that is held. The thread that holds it does not fail any more.
#[test]
fn what_follows_from_a_failure_is_no_violation() {
    let globals = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    let bodies = [
        "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); assert(0);",
        "pthread_mutex_destroy(&m);",
    ];
    for model in MemoryModel::ALL {
        let (_, verdict) = check_under(model, &threads(globals, &bodies, ""));
        assert!(verdict.is_complete(), "{model}: {verdict:?}");
        assert_eq!(verdict.violations.len(), 3, "{model}: {:?}", verdict.violations);
    }
}
