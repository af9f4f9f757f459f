//! The drawings of the book are rendered from their sources, and all of them are shown.

use std::fs;

use mazurka_book::{assert_up_to_date, drawing, markdown, pages, root};

#[test]
fn drawings_are_up_to_date() {
    let directory = root().join("docs/drawings");
    let mut count = 0;
    for entry in fs::read_dir(&directory).unwrap() {
        let source = entry.unwrap().path();
        if source.extension() != Some("txt".as_ref()) {
            assert!(source.with_extension("txt").exists(), "{} has no source", source.display());
            continue;
        }
        let text = fs::read_to_string(&source).unwrap();
        let svg = drawing::render(&text).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
        assert_up_to_date(&source.with_extension("svg"), &svg);
        count += 1;
    }
    assert!(count > 5, "only {count} drawings");
}

#[test]
fn every_drawing_is_shown() {
    let mut shown = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(page)).unwrap();
        shown.extend(markdown::links(&text).into_iter().map(|link| link.to));
    }
    for entry in fs::read_dir(root().join("docs/drawings")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_shown = shown.iter().any(|link| link.ends_with(&format!("drawings/{name}")));
        assert!(is_shown || name.ends_with(".txt"), "no page shows {name}");
    }
}

/// The drawing of the crates has an edge for every dependency that is not implied by others.
#[test]
fn the_drawing_of_the_crates_is_true() {
    let source = fs::read_to_string(root().join("docs/drawings/crates.txt")).unwrap();
    let mut crates = Vec::new();
    for line in source.lines().filter_map(|line| line.strip_prefix("node ")) {
        let (name, label) = line.split_once(" \"").unwrap();
        crates.push((name.to_owned(), label.split('"').next().unwrap().to_owned()));
    }
    let depends = |from: &str, to: &str| {
        let manifest = root().join("crates").join(from).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap_or_default();
        section.lines().any(|line| line.split(['.', ' ', '=']).next() == Some(to))
    };
    for (from, of) in &crates {
        for (to, other) in &crates {
            let implied = crates.iter().any(|(_, via)| depends(of, via) && depends(via, other));
            let drawn = source.lines().any(|line| line == format!("edge {from} -> {to}"));
            assert_eq!(drawn, depends(of, other) && !implied, "{of} -> {other}");
        }
    }
}
