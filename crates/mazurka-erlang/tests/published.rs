//! Programs whose number of executions is published: `observers` runs at most as many.
//!
//! The numbers are those of Concuerror, from the results of its own tests. The programs do the same in
//! other words. `docs/erlang-counts.md` has the table.

mod common;

use common::{every_outcome, outcomes, program};
use mazurka_core::search::Algorithm;

/// A call, and the number of executions that Concuerror runs.
const PUBLISHED: &[(&str, u64)] = &[
    ("published:queue()", 1),
    ("published:signals()", 2),
    ("published:kills()", 3),
    ("published:removal()", 6),
    ("published:counting()", 24),
    ("published:both()", 48),
    ("published:news()", 4),
    ("published:removed_news()", 4),
    ("published:quiet()", 2),
    ("selections:pair({match,done},{insert,{5,todo}})", 1),
    ("selections:pair({select,done},{delete,1})", 2),
    ("selections:pair({select_delete,done},{insert,{5,todo}})", 1),
    ("selections:pair({select_delete,done},{next,2})", 2),
];

#[test]
fn observers_runs_no_more_executions_than_published() {
    let mut more = Vec::new();
    for (call, published) in PUBLISHED {
        let module = call.split(':').next().unwrap_or_default();
        let program = program(module, call).ignore_deadlocks(true);
        let program =
            program.treat_as_normal("stop").treat_as_normal("bye").treat_as_normal("away");
        let (found, verdict) = outcomes(&program, Algorithm::Observers);
        assert_eq!(verdict.violations, [], "{call}");
        // Some have too many interleavings to run all of them.
        let all = every_outcome(&program, Algorithm::Naive, 20_000);
        let (all, _) = all.unwrap_or_else(|| outcomes(&program, Algorithm::Source));
        assert_eq!(found.ends, all.ends, "{call}");
        println!("{call}: {} executions, published {published}", verdict.executions);
        if verdict.executions > *published {
            more.push(format!("{call}: {} instead of {published}", verdict.executions));
        }
    }
    assert!(more.is_empty(), "more executions than published:\n{}", more.join("\n"));
}
