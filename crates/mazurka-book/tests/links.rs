//! Links lead somewhere, and every page is in the table of contents.

use std::fs;
use std::path::Path;

use mazurka_book::{markdown, pages, root};

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let directory = page.parent().unwrap_or(Path::new(""));
        for link in markdown::links(&text) {
            if link.to.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.to.split_once('#').unwrap_or((&link.to, ""));
            let target = match file {
                "" => root().join(&page),
                file => root().join(directory).join(file),
            };
            let found = fs::read_to_string(&target);
            let is_there = target.exists()
                && (anchor.is_empty()
                    || found
                        .is_ok_and(|text| markdown::anchors(&text).iter().any(|a| a == anchor)));
            if !is_there {
                wrong.push(format!("{}:{}: {}", page.display(), link.line, link.to));
            }
        }
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed: Vec<String> = markdown::links(&summary).into_iter().map(|link| link.to).collect();
    for page in pages().iter().filter_map(|page| page.strip_prefix("docs").ok()) {
        let name = page.display().to_string();
        assert!(name == "SUMMARY.md" || listed.contains(&name), "{name} is not in SUMMARY.md");
    }
}
