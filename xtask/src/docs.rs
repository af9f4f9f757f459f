//! `cargo xtask docs`: builds the book.
//!
//! The book needs mdBook, which takes minutes to build. Therefore it is a separate tool and not a
//! dependency of the workspace. An installed mdBook is used if it fits. Otherwise a pinned version
//! is installed into `target/tools`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::run::{cargo, root, succeeds};

/// The version to install, and the series to which an installed version must belong.
const VERSION: &str = "0.5.4";
const SERIES: &str = "0.5.";

/// Builds the book.
pub(crate) fn build() -> ExitCode {
    let Some(mdbook) = mdbook() else { return ExitCode::FAILURE };
    match Command::new(&mdbook).args(["build", "docs"]).current_dir(root()).status() {
        Ok(status) if status.success() => {
            println!("The book is in {}", root().join("target/book/index.html").display());
            ExitCode::SUCCESS
        }
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {} does not start: {error}", mdbook.display());
            ExitCode::FAILURE
        }
    }
}

/// Rewrites the drawings and the outputs in the book, and builds it.
pub(crate) fn update() -> ExitCode {
    let tests: [&[&str]; 2] = [
        &["test", "--package", "mazurka-book", "--test", "*"],
        &["test", "--package", "mazurka-cli", "--test", "book"],
    ];
    for arguments in tests {
        // The tests fail, and say why, if something is out of date that they cannot rewrite.
        match cargo(arguments).env("UPDATE_BOOK", "1").status() {
            Ok(status) if status.success() => {}
            Ok(_) => eprintln!("warning: some tests of the book failed; see above"),
            Err(error) => {
                eprintln!("error: cargo does not start: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    build()
}

/// Returns the path of mdBook, and installs it if necessary.
fn mdbook() -> Option<PathBuf> {
    let own = root().join("target/tools/bin/mdbook");
    let candidates = [own.clone(), PathBuf::from("mdbook")];
    if let Some(found) = candidates.into_iter().find(|path| fits(path)) {
        return Some(found);
    }
    println!("Installing mdBook {VERSION} into target/tools; this takes a few minutes, once.");
    let tools = root().join("target/tools");
    let tools = tools.to_str()?;
    let package = ["install", "mdbook", "--version", VERSION, "--locked", "--root", tools];
    // No server and no watcher: the book is viewed as a file.
    let features = ["--no-default-features", "--features", "search"];
    succeeds(&[&package[..], &features].concat()).then_some(own)
}

/// Returns whether this is an mdBook of the right series.
fn fits(path: &Path) -> bool {
    let output = Command::new(path).arg("--version").output();
    output.is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout);
        text.split_whitespace().any(|word| word.trim_start_matches('v').starts_with(SERIES))
    })
}
