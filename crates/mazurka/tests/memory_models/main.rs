//! Rust programs under memory models: what C++20 and Rust allow and forbid.

mod auto;
mod barriers;
mod blocking;
mod channels;
mod events;
mod known;
mod objects;
mod pointers;
mod reports;

use std::collections::BTreeSet;
use std::sync::Mutex;

use mazurka::{Check, Coherence, MemoryModel, Verdict, ViolationKind};

/// Runs a check under RC11 to its end.
fn rc11(f: impl Fn() + Send + Sync) -> Verdict {
    under(MemoryModel::Rc11, f)
}

/// Runs a check that counts graphs by reads-from and coherence order. The default must find the same
/// violations.
fn under(model: MemoryModel, f: impl Fn() + Send + Sync) -> Verdict {
    let kinds = |verdict: &Verdict| -> BTreeSet<String> {
        verdict.violations.iter().map(|violation| violation.kind.to_string()).collect()
    };
    let [total, observed] = Coherence::ALL.map(|coherence| with(model, coherence, &f));
    assert_eq!(kinds(&total), kinds(&observed), "{model}");
    total
}

fn with(model: MemoryModel, coherence: Coherence, f: impl Fn() + Send + Sync) -> Verdict {
    let check = Check::new().memory_model(model).coherence(coherence);
    let verdict = check.keep_going(true).run(f);
    assert!(verdict.is_complete(), "{model}, {coherence}: {verdict:?}");
    verdict
}

/// Returns the results that a program returns under a model, and the number of execution graphs.
fn outcomes<T: Ord + Send + std::fmt::Debug>(
    model: MemoryModel,
    f: impl Fn() -> T + Send + Sync,
) -> (BTreeSet<T>, u64) {
    let [total, observed] = Coherence::ALL.map(|coherence| {
        let seen = Mutex::new(BTreeSet::new());
        let verdict = with(model, coherence, || {
            let outcome = f();
            seen.lock().unwrap().insert(outcome);
        });
        assert!(verdict.violations.is_empty(), "{model}, {coherence}: {verdict:?}");
        (seen.into_inner().unwrap(), verdict.executions)
    });
    assert_eq!(total.0, observed.0, "{model}");
    total
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
