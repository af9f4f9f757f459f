//! A crash of the program is described. Each scenario runs in a process of its own, which it ends.

#![cfg(unix)]

use std::process::Command;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread;

#[test]
#[ignore = "ends its process"]
fn scenario_of_an_abort() {
    mazurka::check(|| {
        let x = AtomicUsize::new(0);
        x.store(1, SeqCst);
        std::process::abort();
    });
}

#[test]
#[ignore = "ends its process"]
fn scenario_of_a_fault() {
    mazurka::check(|| {
        let worker = thread::Builder::new().name("worker".to_owned());
        let worker = worker.spawn(|| {
            let _ = std::panic::catch_unwind(|| panic!("the first mistake"));
            // SAFETY: none: this is the mistake.
            unsafe {
                std::ptr::without_provenance_mut::<u8>(std::hint::black_box(64)).write_volatile(1);
            }
        });
        worker.unwrap().join().unwrap();
    });
}

fn run(scenario: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(["--exact", scenario, "--ignored", "--nocapture"]).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_crash_names_the_thread_and_its_operation() {
    let text = run("scenario_of_an_abort");
    assert!(
        text.contains("thread 'main' of a Mazurka check, after its operation `store` at "),
        "{text}"
    );
    assert!(text.contains("tests/crash.rs:15:11, has crashed by an abort."), "{text}");
    assert!(text.contains("docs/limits.md"), "{text}");
}

#[test]
fn a_crash_tells_what_was_wrong_before() {
    let text = run("scenario_of_a_fault");
    assert!(text.contains("thread 'worker' of a Mazurka check"), "{text}");
    assert!(text.contains("has crashed by an invalid memory access."), "{text}");
    assert!(text.contains("had panicked before: the first mistake (at "), "{text}");
}

struct UsedAtTheEnd(AtomicUsize);

impl Drop for UsedAtTheEnd {
    fn drop(&mut self) {
        self.0.store(1, SeqCst);
    }
}

/// Outside of a check, an atomic panics. In another panic it must not, as that would end the process.
#[test]
fn an_operation_outside_of_a_check_does_not_panic_in_a_panic() {
    let message = |f: fn()| {
        let payload = std::panic::catch_unwind(f).unwrap_err();
        payload
            .downcast::<String>()
            .map_or_else(|it| it.downcast_ref::<&str>().unwrap().to_string(), |it| *it)
    };
    let text = message(|| {
        let _used = UsedAtTheEnd(AtomicUsize::new(0));
        panic!("the first");
    });
    assert_eq!(text, "the first");
    let text = message(|| {
        let used = UsedAtTheEnd(AtomicUsize::new(0));
        used.0.store(1, SeqCst);
    });
    assert!(text.contains("work only inside of `mazurka::check`"), "{text}");
    let text = message(|| panic!("{:?}", AtomicUsize::new(3)));
    assert!(text.contains('3'), "{text}");
}
