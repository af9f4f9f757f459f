//! The examples of the README and the documentation.

use crate::{Said, run};

#[track_caller]
fn check(name: &str, options: &str) -> Said {
    run(&format!("check examples/c/{name}.c --json {options}"))
}

#[test]
fn a_lost_update() {
    let said = check("lost_update", "").expect(1);
    assert_eq!(said.member("kind"), "assertion");
}

#[test]
fn a_deadlock() {
    let said = check("deadlock", "").expect(1);
    assert_eq!(said.member("kind"), "deadlock");
    for part in ["waits", "savings", "checking"] {
        assert!(said.stderr.contains(part), "no `{part}` in:\n{}", said.all());
    }
}

#[test]
fn a_data_race_is_what_it_is_asked_to_be() {
    let warned = check("data_race", "").expect(0);
    assert!(warned.stderr.contains("warning: a data race"), "{}", warned.all());
    assert!(warned.stdout.contains(r#""violations":[],"warnings":[{"#), "{}", warned.all());
    let failed = check("data_race", "--races error").expect(1);
    assert_eq!(failed.member("kind"), "data-race");
    assert!(failed.stderr.contains("first access"), "{}", failed.all());
    let ignored = check("data_race", "--races off").expect(0);
    assert!(!ignored.stderr.contains("warning"), "{}", ignored.all());
}

#[test]
fn store_buffering() {
    check("store_buffering", "--memory-model sc").expect(0);
    let said = check("store_buffering", "-a optimal").expect(0);
    assert!(said.stderr.contains("every access was treated as `SeqCst`"), "{}", said.all());
    for options in ["", "--memory-model rc11", "-a graphs"] {
        let said = check("store_buffering", options).expect(1);
        let old = "x → 0 (initial value; not yet x = 1, line 13)";
        assert!(said.stderr.contains(old), "{}", said.all());
        let step = format!(r#""missed":[1],"operation":"{old}","reads_from":0"#);
        assert!(said.stdout.contains(&step), "{}", said.all());
    }
    let said = check("store_buffering", "").expect(1);
    assert!(said.stderr.contains("store_buffering.c:13 is weaker than"), "{}", said.all());
}

#[test]
fn a_litmus_test() {
    let said = run("litmus examples/litmus/SB.litmus").expect(0);
    assert!(said.stdout.contains("Observation SB Sometimes 1 3"), "{}", said.all());
    run("litmus examples/litmus/SB.litmus --memory-model sc").expect(1);
    let said = run("litmus README.md").expect(2);
    assert!(said.stderr.contains("README.md:1: a litmus test begins with `C`"), "{}", said.all());
}

#[test]
fn a_use_after_free() {
    let said = check("use_after_free", "").expect(1);
    assert_eq!(said.member("kind"), "invalid-memory");
    assert!(said.stderr.contains("use_after_free.c:17"), "{}", said.all());
}

#[test]
fn a_missed_notification_in_cpp() {
    let said = run("check examples/cpp/missed_notification.cpp --json").expect(1);
    assert_eq!(said.member("kind"), "deadlock");
    assert!(said.stderr.contains("missed_notification.cpp:"), "{}", said.all());
}
