//! The tools behind Mazurka's book, which is in `docs/`.
//!
//! * [`markdown`] finds code blocks, links and headings;
//! * [`console`] runs the commands of `console` blocks and compares what they print;
//! * [`drawing`] renders text files to SVG;
//! * [`imports`] finds the imports between the folders of a crate.
//!
//! The tests of this crate check links, drawings and code blocks; `mazurka-cli` has the test that
//! runs the commands, since cargo builds the command for its tests. With `UPDATE_BOOK=1` in the
//! environment, these tests rewrite drawings and outputs instead; `cargo xtask docs --update` runs
//! them like this.

pub mod console;
pub mod drawing;
pub mod imports;
pub mod markdown;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate is in crates/").to_owned()
}

/// Returns the paths of README, CONTRIBUTING and all pages of the book, relative to the root.
///
/// # Panics
///
/// If `docs/` cannot be read.
pub fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).expect("docs/ is there");
    let names = docs.map(|entry| PathBuf::from("docs").join(entry.expect("a file").file_name()));
    let mut pages: Vec<PathBuf> = names.filter(|p| p.extension() == Some("md".as_ref())).collect();
    pages.extend(["README.md", "CONTRIBUTING.md"].map(PathBuf::from));
    pages.sort();
    pages
}

/// Whether tests rewrite what is out of date instead of failing.
pub fn is_update() -> bool {
    std::env::var_os("UPDATE_BOOK").is_some_and(|value| value == "1")
}

/// Asserts that a generated file is up to date, or rewrites it.
///
/// # Panics
///
/// If it is not up to date, or cannot be read or written.
#[track_caller]
pub fn assert_up_to_date(path: &Path, expected: &str) {
    let found = fs::read_to_string(path).unwrap_or_default();
    if found == expected {
        return;
    }
    assert!(
        is_update(),
        "{} is out of date. Run `cargo xtask docs --update` and look at the difference.",
        path.display()
    );
    fs::write(path, expected).expect("it can be written");
}

/// The Rust code of the pages, as documentation tests.
#[cfg(doctest)]
mod code {
    #[doc = include_str!("../../../docs/actors.md")]
    mod actors {}
    #[doc = include_str!("../../../docs/architecture.md")]
    mod architecture {}
    #[doc = include_str!("../../../docs/event-loops.md")]
    mod event_loops {}
    #[doc = include_str!("../../../docs/explorers.md")]
    mod explorers {}
    #[doc = include_str!("../../../docs/rust.md")]
    mod rust {}
    #[doc = include_str!("../../../docs/writing-a-front-end.md")]
    mod writing_a_front_end {}
    #[doc = include_str!("../../../docs/writing-an-explorer.md")]
    mod writing_an_explorer {}
}
