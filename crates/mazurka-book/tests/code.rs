//! Code blocks are code that is compiled elsewhere, or compile themselves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mazurka_book::markdown::{self, Block};
use mazurka_book::{pages, root};

/// All blocks, with the path of their page.
fn blocks() -> Vec<(PathBuf, Block)> {
    let of_page = |page: PathBuf| {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        markdown::blocks(&text).into_iter().map(move |block| (page.clone(), block))
    };
    pages().into_iter().flat_map(of_page).collect()
}

fn place(page: &Path, block: &Block) -> String {
    format!("{}:{}", page.display(), block.line)
}

/// The file that an include shows.
fn target(page: &Path, path: &str) -> PathBuf {
    root().join(page.parent().unwrap_or(Path::new(""))).join(path)
}

#[test]
fn includes_show_something() {
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for include in markdown::includes(&text) {
            let (page, path) = (page.display(), target(&page, &include.path));
            let file =
                fs::read_to_string(&path).unwrap_or_else(|e| panic!("{page}: {path:?}: {e}"));
            let part = markdown::part(&file, &include.part);
            let is_something = part.is_some_and(|part| !part.trim().is_empty());
            assert!(is_something, "{page}: nothing is {}:{}", include.path, include.part);
        }
    }
}

/// A Rust block is a documentation test of this crate, or included from a file that cargo compiles.
#[test]
fn rust_blocks_are_compiled() {
    let lib = fs::read_to_string(root().join("crates/mazurka-book/src/lib.rs")).unwrap();
    for (page, block) in blocks().iter().filter(|(_, block)| block.language() == "rust") {
        let place = place(page, block);
        let includes = markdown::includes(&block.text);
        if includes.is_empty() {
            // README has its own test, since it shows a `#[test]`.
            let is_doc_test = lib.contains(&format!("../../../{}\"", page.display()));
            let is_checked = is_doc_test && block.info == "rust" || page == Path::new("README.md");
            assert!(is_checked, "{place} is not compiled: list the page in src/lib.rs");
        }
        for include in includes {
            let is_compiled =
                ["/src/", "/tests/", "/examples/"].iter().any(|d| include.path.contains(d));
            assert!(
                is_compiled && include.path.starts_with("../crates/"),
                "{place} is not compiled"
            );
            assert_eq!(block.info, "rust,ignore", "{place}: it is compiled where it is");
        }
    }
}

/// Returns the whole file of every block in a language, or a file with the block.
fn sources(language: &str, extension: &str) -> Vec<(String, PathBuf)> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(language);
    fs::create_dir_all(&directory).unwrap();
    let mut sources = Vec::new();
    for (page, block) in blocks().into_iter().filter(|(_, block)| block.language() == language) {
        let place = place(&page, &block);
        match markdown::includes(&block.text).first() {
            Some(include) => sources.push((place, target(&page, &include.path))),
            None => {
                let file = directory.join(format!("block{}.{extension}", sources.len()));
                fs::write(&file, &block.text).unwrap();
                sources.push((place, file));
            }
        }
    }
    assert!(!sources.is_empty(), "there are no blocks in {language}");
    sources
}

fn assert_compiles(place: &str, compiler: &mut Command) {
    let output = compiler.output().expect("the compiler starts; see `cargo xtask setup`");
    let messages = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{place} does not compile:\n{messages}");
}

#[test]
fn c_blocks_compile() {
    for (place, file) in sources("c", "c") {
        assert_compiles(
            &place,
            Command::new("clang").args(["-fsyntax-only", "-std=c11"]).arg(file),
        );
    }
}

#[test]
fn erlang_blocks_compile() {
    let out = env!("CARGO_TARGET_TMPDIR");
    for (place, file) in sources("erlang", "erl") {
        assert_compiles(&place, Command::new("erlc").args(["-o", out]).arg(file));
    }
}

/// README shows the same program as `examples/`.
#[test]
fn the_program_in_readme_is_the_example() {
    let example = fs::read_to_string(root().join("examples/c/lost_update.c")).unwrap();
    let code = example.lines().skip_while(|line| line.starts_with("//"));
    let code: String = code.map(|line| format!("{line}\n")).collect();
    let all = blocks();
    let is_shown = |(page, block): &(PathBuf, Block)| {
        page == Path::new("README.md") && block.language() == "c" && block.text == code
    };
    assert!(all.iter().any(is_shown), "README shows another program than examples/c/lost_update.c");
}
