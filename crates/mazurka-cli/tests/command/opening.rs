//! `mazurka replay --open`, with a program in place of the one that opens browsers.
#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::{Said, Scratch, mazurka};

/// A deadlock of a net, which needs no compiler, so that `PATH` can be empty.
const REPLAY: [&str; 3] = ["replay", "programs/philosophers.pnml", "0-3-6"];

/// Returns an `xdg-open` that runs these commands of a shell.
fn opener(commands: &str) -> Scratch {
    let script = Scratch::new("xdg-open", &format!("#!/bin/sh\n{commands}\n"));
    std::fs::set_permissions(script.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// Replays a schedule with nothing but the files of this directory in `PATH`.
fn replay(directory: &Path, options: &[&str]) -> Said {
    let mut command = mazurka();
    command.env("PATH", directory).args(REPLAY).arg("--open").args(options);
    Said::of(&command.output().unwrap())
}

#[test]
fn the_page_is_opened() {
    let opener = opener("printf %s \"$1\" > \"${0%/*}/opened\"; echo noise");
    let directory = opener.path().parent().unwrap();
    let opened = || std::fs::read_to_string(directory.join("opened")).unwrap();
    let said = replay(directory, &["--json"]).expect(1);
    // The browser's output does not get into the report's.
    serde_json::from_str::<serde_json::Value>(&said.stdout).unwrap();
    let page = std::fs::read_to_string(opened()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"), "{}", &page[..100]);
    std::fs::remove_file(opened()).unwrap();
    let file = directory.join("page.html");
    replay(directory, &["--html", file.to_str().unwrap()]).expect(1);
    assert_eq!(opened(), file.to_str().unwrap());
    assert!(file.exists());
}

#[test]
fn the_page_is_named_if_no_browser_opens() {
    let failing = opener("exit 3");
    let none = Scratch::new("nothing", "");
    for (directory, reason) in [
        (failing.path(), "`xdg-open` opened no browser"),
        (none.path(), "`xdg-open` does not start"),
    ] {
        let said = replay(directory.parent().unwrap(), &[]).expect(2);
        assert!(said.stdout.starts_with("Mazurka replayed a schedule"), "{}", said.all());
        assert!(said.stderr.contains(reason), "{}", said.all());
        let found = said.stderr.split_once("Open the page yourself: ");
        let (_, page) = found.unwrap_or_else(|| panic!("{}", said.all()));
        assert!(Path::new(page.trim_end()).exists(), "{page}");
        std::fs::remove_file(page.trim_end()).unwrap();
    }
}
