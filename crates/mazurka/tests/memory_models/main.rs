//! Rust programs under memory models: what C++20 and Rust allow and forbid.

mod auto;
mod blocking;
mod channels;
mod known;
mod objects;
mod pointers;
mod reports;

use std::collections::BTreeSet;
use std::sync::Mutex;

use mazurka::{Check, MemoryModel, Verdict, ViolationKind};

/// Runs a check under RC11 to its end.
fn rc11(f: impl Fn() + Send + Sync) -> Verdict {
    under(MemoryModel::Rc11, f)
}

fn under(model: MemoryModel, f: impl Fn() + Send + Sync) -> Verdict {
    let verdict = Check::new().memory_model(model).keep_going(true).run(f);
    assert!(verdict.is_complete(), "{model}: {verdict:?}");
    verdict
}

/// Returns the results that a program returns under a model, and the number of executions.
fn outcomes<T: Ord + Send>(
    model: MemoryModel,
    f: impl Fn() -> T + Send + Sync,
) -> (BTreeSet<T>, u64) {
    let seen = Mutex::new(BTreeSet::new());
    let verdict = under(model, || {
        let outcome = f();
        seen.lock().unwrap().insert(outcome);
    });
    assert!(verdict.violations.is_empty(), "{model}: {verdict:?}");
    (seen.into_inner().unwrap(), verdict.executions)
}

/// Asserts that the first violation is of this kind.
#[track_caller]
fn assert_fails(verdict: &Verdict, kind: ViolationKind) {
    assert_eq!(verdict.violations.first().map(|v| v.kind), Some(kind), "{verdict:?}");
}

#[track_caller]
fn assert_fine(verdict: &Verdict) {
    assert!(verdict.violations.is_empty() && verdict.is_complete(), "{verdict:?}");
}
