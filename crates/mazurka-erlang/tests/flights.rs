//! Messages in flight: `--delivery pairwise`.

mod common;

use common::{program, verdict};
use mazurka_core::search::Algorithm;
use mazurka_erlang::Delivery;

/// Returns whether a program may fail.
fn fails(call: &str, delivery: Delivery) -> bool {
    let program = program("flights", &format!("flights:{call}()")).delivery(delivery);
    let verdict = verdict(&program.ignore_deadlocks(true), Algorithm::Observers);
    assert!(verdict.is_complete(), "{call}");
    !verdict.violations.is_empty()
}

#[test]
fn only_messages_of_different_pairs_are_overtaken() {
    for call in ["triangle", "pair", "news", "reply", "demonitored"] {
        assert!(!fails(call, Delivery::Instant), "{call}");
        assert_eq!(fails(call, Delivery::Pairwise), call == "triangle", "{call}");
    }
}
