//! A test that has not explored everything must not look as if it had.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Check, Incomplete, assume};

/// Returns the message of the panic of a check, if it fails.
fn failure(check: &Check, f: impl Fn() + Send + Sync) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(|| check.check(f))).err()?;
    payload.downcast::<String>().ok().map(|text| *text)
}

fn choices() {
    mazurka::choose(3);
}

fn endless() {
    let x = AtomicUsize::new(0);
    loop {
        x.fetch_add(1, SeqCst);
    }
}

#[test]
fn a_bound_that_the_user_has_set_is_a_warning() {
    assert_eq!(failure(&Check::new().max_executions(2), choices), None);
    assert_eq!(failure(&Check::new().max_depth(9), endless), None);
}

#[test]
fn a_program_that_does_not_end_fails() {
    let message = failure(&Check::new(), endless).unwrap();
    assert!(message.contains("depth limit"), "{message}");
    assert!(message.contains("MAZURKA_INCOMPLETE=warn"), "{message}");
    assert_eq!(failure(&Check::new().incomplete(Incomplete::Warn), endless), None);
}

#[test]
fn a_bound_can_be_made_a_failure() {
    let check = Check::new().max_executions(2).incomplete(Incomplete::Fail);
    let message = failure(&check, choices).unwrap();
    assert!(message.contains("limit on executions"), "{message}");
    assert_eq!(failure(&Check::new().incomplete(Incomplete::Fail), choices), None);
}

#[test]
fn a_check_without_an_execution_fails() {
    let message = failure(&Check::new(), || assume(false)).unwrap();
    assert!(message.contains("blocks every execution"), "{message}");
}

/// What the next test runs in a process of its own.
#[test]
fn without_operations() {
    mazurka::check(|| {
        let _ = std::sync::Mutex::new(1);
    });
}

#[test]
fn a_closure_without_operations_is_a_warning() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "without_operations", "--nocapture"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && text.contains("nothing is explored"), "{text}");
}
