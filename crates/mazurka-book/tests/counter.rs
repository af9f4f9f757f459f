//! The first test of the chapter on Rust, which README shows too.

mod common;

// ANCHOR: uses
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::thread;
use std::sync::Arc;

// ANCHOR_END: uses
#[should_panic(expected = "Mazurka found")]
// ANCHOR: test
#[test]
fn both_increments_count() {
    mazurka::check(|| {
        let counter = Arc::new(AtomicU32::new(0).with_label("counter"));
        let threads = ["first", "second"].map(|name| {
            let counter = Arc::clone(&counter);
            let body = move || {
                let seen = counter.load(SeqCst);
                counter.store(seen + 1, SeqCst);
            };
            thread::Builder::new().name(name.into()).spawn(body).unwrap()
        });
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(counter.load(SeqCst), 2);
    });
}
// ANCHOR_END: test

#[test]
fn the_report_is_shown() {
    let report = common::report_of("both_increments_count", both_increments_count);
    for page in ["README.md", "docs/rust.md"] {
        common::assert_shown(page, &report, "counter.rs", include_str!("counter.rs"));
    }
}

#[test]
fn the_test_is_shown() {
    common::assert_code_shown("README.md", include_str!("counter.rs"));
}
