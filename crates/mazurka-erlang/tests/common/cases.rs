//! Small programs, what they print, and how many executions they have, with the reason.

use super::{outcomes, program};
use mazurka_core::search::Algorithm;

/// All that are compared with the one that tries every interleaving.
const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::Dpor,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::Unfolding,
];

/// A program, and what is known of all its executions.
pub struct Case {
    call: &'static str,
    printed: &'static [&'static str],
    reasons: &'static [&'static str],
    never_after: Option<u32>,
    traces: u64,
    observed: u64,
    why: &'static str,
}

impl Case {
    /// A call `module:function(…)`, and the lines that its executions print.
    pub const fn of(call: &'static str, printed: &'static [&'static str]) -> Case {
        Case { call, printed, reasons: &[], never_after: None, traces: 0, observed: 0, why: "" }
    }

    /// Reasons for which processes may end besides `normal`.
    pub const fn ending_with(self, reasons: &'static [&'static str]) -> Case {
        Case { reasons, ..self }
    }

    /// Timeouts of so many milliseconds or more never fire.
    pub const fn never_after(self, milliseconds: u32) -> Case {
        Case { never_after: Some(milliseconds), ..self }
    }

    /// How many Mazurkiewicz traces there are, which `observers` cannot tell to be fewer, and why.
    pub const fn counts(self, traces: u64, why: &'static str) -> Case {
        self.counts_with_observers(traces, traces, why)
    }

    /// How many Mazurkiewicz traces there are, and how many executions `observers` runs.
    pub const fn counts_with_observers(
        self,
        traces: u64,
        observed: u64,
        why: &'static str,
    ) -> Case {
        Case { traces, observed, why, ..self }
    }

    /// Runs every interleaving, and counts the traces among them. Every other explorer finds the
    /// same ends; `optimal` runs each trace once.
    pub fn check(&self) {
        let Case { call, printed, traces, observed, why, .. } = *self;
        let module = call.split(':').next().unwrap_or_default();
        let mut program = program(module, call).ignore_deadlocks(true);
        for reason in self.reasons {
            program = program.treat_as_normal(*reason);
        }
        if let Some(milliseconds) = self.never_after {
            program = program.never_after(milliseconds);
        }
        let (all, naive) = outcomes(&program, Algorithm::Naive);
        let mut found: Vec<&str> = all.ends.iter().map(|end| end.printed.trim_end()).collect();
        found.dedup();
        assert_eq!(found, printed, "{call}");
        assert!(naive.violations.is_empty(), "{call}: {:?}", naive.violations);
        let of_naive = all.traces.len() as u64;
        println!("{call}: {} interleavings, {of_naive} traces", naive.executions);
        assert_eq!(of_naive, traces, "{call}, traces of naive: {why}");
        for algorithm in ALGORITHMS {
            let (some, verdict) = outcomes(&program, algorithm);
            let executions = verdict.executions;
            println!("{call}: {algorithm:?} {executions}, {} blocked", verdict.blocked);
            assert_eq!(some.ends, all.ends, "{call} with {algorithm:?}");
            match algorithm {
                Algorithm::Observers => {
                    assert_eq!(executions, observed, "{call}, observers: {why}");
                }
                Algorithm::Optimal => {
                    assert_eq!(executions, traces, "{call}, optimal: {why}");
                    assert_eq!(some.traces, all.traces, "{call}");
                }
                Algorithm::Unfolding => assert_eq!(executions, traces, "{call}, unfolding: {why}"),
                _ => assert!(executions >= traces, "{call} with {algorithm:?}: {executions}"),
            }
        }
    }
}

/// Checks all of them, and says which ones fail.
pub fn check(cases: &[Case]) {
    let fails = |case: &&Case| std::panic::catch_unwind(|| case.check()).is_err();
    let failing: Vec<&str> = cases.iter().filter(fails).map(|case| case.call).collect();
    assert!(failing.is_empty(), "these fail: {}", failing.join(", "));
}
