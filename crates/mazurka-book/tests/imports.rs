//! The folders of `mazurka-core` import each other in one direction only.

use mazurka_book::imports::Imports;
use mazurka_book::{assert_up_to_date, drawing, root};

fn imports_of_core() -> Imports {
    Imports::read(&root().join("crates/mazurka-core/src")).unwrap()
}

#[test]
fn the_core_has_no_cycle_between_folders() {
    if let Some(cycle) = imports_of_core().cycle() {
        let lines: Vec<_> = cycle.iter().map(|(edge, file)| format!("{edge} in {file}")).collect();
        panic!("the folders of mazurka-core import each other:\n{}", lines.join("\n"));
    }
}

#[test]
fn the_drawing_of_the_core_is_up_to_date() {
    let source = imports_of_core().drawing("The folders of mazurka-core. Imports point down");
    let path = root().join("docs/drawings/core-imports.txt");
    assert_up_to_date(&path, &source);
    assert_up_to_date(&path.with_extension("svg"), &drawing::render(&source).unwrap());
}
