//! The examples of the README and the documentation.

use crate::{Said, run};

#[track_caller]
fn check(name: &str, options: &str) -> Said {
    run(&format!("check examples/c/{name}.c --json {options}"))
}

#[test]
fn a_lost_update() {
    let said = check("lost_update", "").expect(1);
    assert_eq!(said.member("kind"), "panic");
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
fn a_use_after_free() {
    let said = check("use_after_free", "").expect(1);
    assert_eq!(said.member("kind"), "invalid-memory");
    assert!(said.stderr.contains("use_after_free.c:17"), "{}", said.all());
}
