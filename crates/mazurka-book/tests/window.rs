//! The first test of the chapter on event loops.

mod common;

// ANCHOR: uses
use mazurka::event::EventLoop;
use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};
use mazurka::{Algorithm, Check, thread};
use std::sync::Arc;

// ANCHOR_END: uses
#[should_panic(expected = "Mazurka found")]
// ANCHOR: test
#[test]
fn the_page_arrives_in_an_open_window() {
    Check::new().algorithm(Algorithm::EventDriven).check(|| {
        let ui = EventLoop::spawn("ui");
        let open = Arc::new(AtomicBool::new(true).with_label("open"));

        let (handle, window) = (ui.handle(), Arc::clone(&open));
        let network = move || handle.post(move || assert!(window.load(SeqCst), "no window"));
        thread::Builder::new().name("network".into()).spawn(network).unwrap();

        ui.post(move || open.store(false, SeqCst)); // the user closes the window
    });
}
// ANCHOR_END: test

#[test]
fn the_report_is_shown() {
    let name = "the_page_arrives_in_an_open_window";
    let report = common::report_of(name, the_page_arrives_in_an_open_window);
    common::assert_shown("docs/event-loops.md", &report, "window.rs", include_str!("window.rs"));
}
