//! Errors in recordings name the file and the line.

use mazurka_trace::TraceProgram;

fn error(lines: &str) -> String {
    let text: String =
        lines.lines().enumerate().map(|(i, line)| format!("{} {line}\n", i + 1)).collect();
    TraceProgram::parse("bad.txt", &text, None).unwrap_err().to_string()
}

#[test]
fn an_event_must_be_posted_before_it_is_called() {
    let never = error("ATTACH-Q tid:1 queue:1\nLOOP tid:1\nCALL tid:1 msg:7");
    assert_eq!(never, "bad.txt:3: CALL of event 7, which no line before posts");
    let twice = error("ATTACH-Q tid:1 queue:1\nPOST src:1 msg:7 dest:1\nPOST src:1 msg:7 dest:1");
    assert_eq!(twice, "bad.txt:3: event 7 was already posted in line 2");
}

#[test]
fn events_are_called_in_order() {
    let lines = "ATTACH-Q tid:1 queue:1\nPOST src:1 msg:1 dest:1\nPOST src:1 msg:2 dest:1\n\
                 LOOP tid:1\nCALL tid:1 msg:2\nRET tid:1 msg:2\nCALL tid:1 msg:1\nRET tid:1 msg:1";
    let error = error(lines);
    assert!(error.starts_with("bad.txt:5: CALL of event 2, but event 1 is in front"), "{error}");
}

#[test]
fn a_handler_stands_between_call_and_ret() {
    let outside = error("ATTACH-Q tid:1 queue:1\nLOOP tid:1\nREAD tid:1 obj:1 class:c field:2");
    assert!(outside.starts_with("bad.txt:3: thread 1 has reached its LOOP: each"), "{outside}");
    let early = error("ATTACH-Q tid:1 queue:1\nPOST src:1 msg:1 dest:1\nCALL tid:1 msg:1");
    assert!(early.contains("thread 1 has not reached its LOOP"), "{early}");
    let wrong = error("RET tid:1 msg:1");
    assert!(wrong.contains("RET of event 1, but thread 1 is handling no event"), "{wrong}");
}

#[test]
fn locks_are_used_as_they_may_be() {
    let other = error("FORK par-tid:1 child-tid:2\nLOCK tid:1 lock-obj:3\nUNLOCK tid:2 lock-obj:3");
    assert_eq!(other, "bad.txt:3: UNLOCK of a lock that thread 1 holds");
    let free = error("UNLOCK tid:1 lock-obj:3");
    assert_eq!(free, "bad.txt:1: UNLOCK of a lock that is not held");
    let again = error("LOCK tid:1 lock-obj:3\nLOCK tid:1 lock-obj:3");
    assert!(again.contains("locks are not re-entrant"), "{again}");
}

#[test]
fn a_recording_must_be_an_execution_of_itself() {
    let unborn = error("THREADINIT tid:2");
    assert!(unborn.starts_with("bad.txt:1: thread 2 was not forked"), "{unborn}");
    let queueless = error("POST src:1 msg:1 dest:1");
    assert!(queueless.contains("cannot post to thread 1, which has no queue"), "{queueless}");
    let unnotified = error("WAIT tid:1");
    assert!(unnotified.contains("waits to be notified"), "{unnotified}");
    let gone = error("THREADEXIT tid:1\nNOP tid:1");
    assert_eq!(gone, "bad.txt:2: thread 1 has already exited");
}

#[test]
fn files_and_indices_are_checked() {
    let error = TraceProgram::parse("t.txt", "2 NOP tid:1\n2 NOP tid:1", None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.txt:2: the index 2 must be greater than the index before it, which is 2"
    );
    let error = TraceProgram::parse("t.txt", "End of trace!!", None).unwrap_err();
    assert!(error.to_string().starts_with("t.txt: the file contains no operation"), "{error}");
    let missing = std::path::Path::new("d.txt");
    let dependence = Some((missing, "src:1 dest:9"));
    let error = TraceProgram::parse("t.txt", "1 NOP tid:1", dependence).unwrap_err();
    assert_eq!(error.to_string(), "d.txt:1: the recording has no operation with the index 9");
    let error = TraceProgram::read("no such recording", None).unwrap_err().to_string();
    assert!(error.starts_with("no such recording: the file cannot be read: "), "{error}");
}

#[test]
fn a_damaged_line_is_an_error() {
    let damage = |from: &str, to: &str| {
        let text = "1 START\n2 THREADINIT tid:1\n3 FORK par-tid:1 child-tid:2\n4 NOP tid:2\n";
        TraceProgram::parse("bad.txt", &text.replace(from, to), None).map_err(|e| e.to_string())
    };
    assert!(damage("", "").is_ok());
    assert!(damage("4 NOP tid:2", "  4 NOP tid:2  ").is_ok(), "blanks do no damage");
    for (from, to, expected) in [
        ("4 NOP", "NOP", "bad.txt:4: `NOP` is not the index of an operation"),
        ("4 NOP", "? NOP", "bad.txt:4: `?` is not the index of an operation"),
        ("3 FORK par-tid:1 child-tid:2", "3", "bad.txt:3: no operation follows the index 3"),
        ("child-tid:2", "child-", "bad.txt:3: `child-` is not a field"),
        ("2 THREADINIT", "2 THREADIN", "bad.txt:2: `THREADIN` is not an operation"),
    ] {
        let error = damage(from, to).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_binary_file_is_an_error_with_a_line() {
    let path = std::env::temp_dir().join(format!("mazurka-binary-{}.txt", std::process::id()));
    std::fs::write(&path, b"1 START\n2 NOP \xff\xfe\n").unwrap();
    let error = TraceProgram::read(&path, None).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert_eq!((error.line, error.message.contains("not UTF-8 text")), (Some(2), true), "{error}");
}
