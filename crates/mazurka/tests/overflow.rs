//! A stack overflow is reported as such. Each scenario runs in a process of its own, which it ends.

#![cfg(unix)]

use std::hint::black_box;
use std::process::Command;

use mazurka::thread;

fn recurse(depth: usize) -> usize {
    let room = black_box([depth; 64]);
    if depth == usize::MAX { 0 } else { recurse(depth + 1) + room[depth % 64] }
}

#[test]
#[ignore = "ends its process"]
fn scenario_of_main() {
    mazurka::check(|| {
        black_box(recurse(0));
    });
}

#[test]
#[ignore = "ends its process"]
fn scenario_of_a_thread() {
    mazurka::check(|| {
        let worker = thread::Builder::new().name("worker".to_owned());
        worker.spawn(|| recurse(0)).unwrap().join().unwrap();
    });
}

/// A fault that is none of Mazurka's is still the standard library's.
#[test]
#[ignore = "ends its process"]
fn scenario_outside() {
    mazurka::check(|| ());
    black_box(recurse(0));
}

fn run(scenario: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(["--exact", scenario, "--ignored", "--nocapture"]).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_overflow_names_the_thread_and_the_setting() {
    for (scenario, name) in [("scenario_of_main", "'main'"), ("scenario_of_a_thread", "'worker'")] {
        let text = run(scenario);
        let what = format!("thread {name} of a Mazurka check has overflowed its stack of 256 KiB");
        assert!(text.contains(&what), "{text}");
        assert!(text.contains("MAZURKA_STACK_SIZE"), "{text}");
    }
}

#[test]
fn an_overflow_outside_of_a_check_is_not_mazurkas() {
    let text = run("scenario_outside");
    assert!(
        text.contains("has overflowed its stack") && !text.contains("of a Mazurka check"),
        "{text}"
    );
}
