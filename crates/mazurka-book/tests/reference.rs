//! The reference lists everything that there is.

use std::collections::BTreeSet;
use std::fs;

use mazurka_book::{markdown, root};
use mazurka_core::search::Algorithm;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The names in a text that start with `MAZURKA_`.
fn variables(text: &str) -> BTreeSet<String> {
    let starts = text.match_indices("MAZURKA_").map(|(at, _)| &text[at..]);
    let name = |rest: &str| {
        let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
        rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())].to_owned()
    };
    starts.map(name).filter(|name| name != "MAZURKA_").collect()
}

#[test]
fn every_variable_is_listed() {
    let page = variables(&read("docs/environment.md"));
    let code = read("crates/mazurka/src/settings/environment.rs");
    let table = code.split("const VARIABLES").nth(1).and_then(|rest| rest.split("\n];").next());
    let code = variables(table.expect("the table of variables"));
    let missing: Vec<_> = code.difference(&page).collect();
    assert!(missing.is_empty(), "docs/environment.md does not list {missing:?}");
    let only_output = ["MAZURKA_PROGRESS", "MAZURKA_REPORT_DIR"].map(str::to_owned);
    let unknown: Vec<_> =
        page.difference(&code).filter(|name| !only_output.contains(name)).collect();
    assert!(unknown.is_empty(), "docs/environment.md lists {unknown:?}, which nothing reads");
}

#[test]
fn every_explorer_has_its_section() {
    let anchors = markdown::anchors(&read("docs/explorers.md"));
    for algorithm in Algorithm::EVERY {
        let name = algorithm.name();
        assert!(anchors.iter().any(|a| a == name), "docs/explorers.md has no section on {name}");
    }
}
