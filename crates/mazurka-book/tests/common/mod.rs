//! Comparing a report with what a page shows.
//!
//! A page shows the parts `uses` and `test` of a file. Line numbers in a report are those of the
//! file; on the page they are those of what is shown.
#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::panic::AssertUnwindSafe;

use mazurka_book::{is_update, markdown, root};

/// Returns the report with which a test panics. The test has a thread of its own, as under the test
/// harness, since reports contain its name.
pub(crate) fn report_of(name: &str, test: fn()) -> String {
    let run = move || std::panic::catch_unwind(AssertUnwindSafe(test)).unwrap_err();
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run).unwrap();
    let payload = thread.join().unwrap();
    payload.downcast_ref::<String>().expect("a report is a text").clone()
}

/// Asserts that a page shows a report of the test in `file`.
pub(crate) fn assert_shown(page: &str, report: &str, file: &str, source: &str) {
    let expected = renumbered(report, file, source).trim().to_owned() + "\n";
    let path = root().join(page);
    let text = fs::read_to_string(&path).unwrap();
    let blocks = markdown::blocks(&text);
    if blocks.iter().any(|block| block.text == expected) {
        return;
    }
    let is_stale = |block: &&markdown::Block| {
        block.info == "text" && (block.text.contains(&format!("{file}:")) || block.text.is_empty())
    };
    let stale = blocks.iter().find(is_stale);
    match stale.filter(|_| is_update()) {
        Some(block) => {
            let mut text = text.clone();
            text.replace_range(block.range.clone(), &expected);
            fs::write(&path, text).unwrap();
        }
        None => panic!("{page} does not show\n{expected}\nRun `cargo xtask docs --update`."),
    }
}

/// Asserts that a page has the code of a test.
pub(crate) fn assert_code_shown(page: &str, source: &str) {
    let part = |name| markdown::part(source, name).unwrap();
    let expected = part("uses") + &part("test");
    let text = fs::read_to_string(root().join(page)).unwrap();
    let is_shown = markdown::blocks(&text).iter().any(|block| block.text == expected);
    assert!(is_shown, "{page} does not show\n{expected}");
}

/// Replaces line numbers of a file by those of its shown part, and its path by a short one.
fn renumbered(report: &str, file: &str, source: &str) -> String {
    let mut shown = 0;
    let mut numbers = Vec::new();
    let mut inside = false;
    for line in source.lines() {
        if line.contains("ANCHOR_END:") {
            inside = false;
        } else if line.contains("ANCHOR:") {
            inside = true;
        } else if inside {
            shown += 1;
        }
        numbers.push(shown);
    }
    let report = report.replace("crates/mazurka-book/", "");
    let mark = format!("{file}:");
    let mut parts = report.split(&mark);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let number: usize = part[..digits].parse().expect("a line number");
        text.push_str(&format!("{mark}{:<digits$}{}", numbers[number - 1], &part[digits..]));
    }
    text
}
