//! What the tests of this module share.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;

use crate::{Algorithm, Check};

/// How many executions `optimal` needs; none may fail.
pub(super) fn count(f: impl Fn() + Send + Sync) -> u64 {
    let verdict = Check::new().algorithm(Algorithm::Optimal).run(f);
    assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
    assert!(verdict.is_complete());
    assert_eq!(verdict.blocked, 0, "optimal runs nothing in vain");
    verdict.executions
}

/// What `f` returns in all executions, and the kinds of violations. All explorers must agree.
pub(super) fn outcomes<O>(f: impl Fn() -> O + Send + Sync) -> (BTreeSet<O>, BTreeSet<String>)
where
    O: Ord + Debug + Send,
{
    outcomes_of(&Check::new(), f)
}

pub(super) fn outcomes_of<O>(
    check: &Check,
    f: impl Fn() -> O + Send + Sync,
) -> (BTreeSet<O>, BTreeSet<String>)
where
    O: Ord + Debug + Send,
{
    let run = |algorithm| {
        let seen = Mutex::new(BTreeSet::new());
        let check = check.clone().algorithm(algorithm).keep_going(true);
        let verdict = check.run(|| {
            let outcome = f();
            seen.lock().unwrap().insert(outcome);
        });
        assert_eq!(verdict.stopped, None, "{algorithm:?}");
        let kinds = verdict.violations.iter().map(|v| format!("{:?}", v.kind)).collect();
        (seen.into_inner().unwrap(), kinds)
    };
    let expected = run(Algorithm::Naive);
    for algorithm in [Algorithm::Dpor, Algorithm::Source, Algorithm::Optimal, Algorithm::Observers]
    {
        assert_eq!(run(algorithm), expected, "{algorithm:?} and naive differ");
    }
    expected
}

/// The message of the one violation that a check finds.
pub(super) fn violation(f: impl Fn() + Send + Sync) -> String {
    let verdict = Check::new().run(f);
    assert_eq!(verdict.violations.len(), 1);
    verdict.violations[0].message.clone()
}
