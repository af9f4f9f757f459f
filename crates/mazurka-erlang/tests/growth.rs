//! The cost of an execution grows like its length.

mod common;

use std::fmt::Write as _;

use common::program;
use mazurka_core::execution::effort;
use mazurka_core::explore::Checkable;
use mazurka_core::search::{Algorithm, Options};
use mazurka_erlang::Delivery;

const FUNCTIONS: [&str; 11] = [
    "exchange", "stream", "calls", "tasks", "monitors", "timers", "deferred", "counters", "names",
    "tables", "columns",
];

/// Functions with receives that do not wait. They have one execution only if orders of deliveries that
/// no receive observes are ignored.
const POLLING: [&str; 2] = ["polls", "drains"];

/// Returns how many earlier events, receives and processes are looked at in a check.
fn looks(function: &str, n: u32, delivery: Delivery, algorithm: Algorithm) -> u64 {
    let call = format!("growth:{function}({n})");
    let program = program("growth", &call).ignore_deadlocks(true).delivery(delivery);
    let options = Options { algorithm, max_depth: Some(100_000), ..Options::default() };
    let before = effort::looks();
    let verdict = program.check(&options, &mut ());
    assert_eq!((verdict.executions, verdict.is_complete()), (1, true), "{call}, {algorithm}");
    effort::looks() - before
}

#[test]
fn twice_as_long_takes_twice_as_many_looks() {
    let mut wrong = String::new();
    for function in FUNCTIONS.into_iter().chain(POLLING) {
        for (delivery, algorithm) in [
            (Delivery::Instant, Algorithm::Observers),
            (Delivery::Instant, Algorithm::Optimal),
            (Delivery::Pairwise, Algorithm::Observers),
        ] {
            if algorithm == Algorithm::Optimal && POLLING.contains(&function) {
                continue;
            }
            let [short, long] = [100, 200].map(|n| looks(function, n, delivery, algorithm));
            if long > 2 * short + 50 {
                writeln!(wrong, "{function}, {delivery:?}, {algorithm}: {short}, {long}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "the number of looks grows faster than the length:\n{wrong}");
}
