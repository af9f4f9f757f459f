//! Every module of the crate uses only modules below it: see the table in `lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules, from the lowest to the highest. Modules of one layer do not use each other.
const LAYERS: [&[&str]; 11] = [
    &["ir"],
    &["layout", "demangle", "arithmetic", "cache"],
    &["headers"],
    &["memory"],
    &["read", "link"],
    &["bytecode"],
    &["machine"],
    &["library"],
    &["templates"],
    &["units"],
    &["program", "compile"],
];

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&module));
    found.unwrap_or_else(|| panic!("`{module}` is in no layer; add it to `LAYERS` and `lib.rs`"))
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, all),
            false if path.extension().is_some_and(|extension| extension == "rs") => all.push(path),
            false => {}
        }
    }
}

#[test]
fn modules_use_only_modules_of_lower_layers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut wrong = Vec::new();
    for file in all {
        let inside = file.strip_prefix(&source).unwrap();
        let own = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let own = own.trim_end_matches(".rs");
        if own == "lib" || inside.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        // Tests may use everything.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for used in code.flat_map(|line| line.split("crate::").skip(1)) {
            let end = used.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(used.len());
            let used = &used[..end];
            if used != own && layer(used) >= layer(own) {
                wrong.push(format!("{} uses `{used}`", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
