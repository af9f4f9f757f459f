//! Inputs to damage: files of this repository, and modules of Erlang/OTP where it is installed.

use std::fs;
use std::path::{Path, PathBuf};

/// Words for all readers.
pub const WORDS: &[&str] = &[
    "",
    "0",
    "-1",
    "1",
    "4294967296",
    "18446744073709551616",
    "1.0e400",
    "<",
    ">",
    "\"",
    "&amp;",
    "(",
    ")",
    "x",
    "-",
    ":",
    ".",
    " ",
    "\n",
    "é",
    "\0",
];

/// Words of LLVM IR.
pub const IR_WORDS: &[&str] = &[
    "i32",
    "i1",
    "i8388607",
    "ptr",
    "[4294967295 x i64]",
    "{ i32, ptr }",
    "<4 x i32>",
    "x86_fp80",
    "void",
    "-1",
    "18446744073709551616",
    "1.0e400",
    "0xK7FFF",
    "null",
    "undef",
    "poison",
    "%0",
    "@main",
    "label",
    "to",
    "!0",
    "type { %self, i32 }",
    "{",
    "}",
    "(",
    ")",
    "<",
    "\"",
    "*",
    ",",
    "zeroinitializer",
    "alias",
    "switch",
    "phi",
    "indirectbr",
    "blockaddress(@main, %0)",
];

/// Words of compiled Erlang modules.
pub const BEAM_WORDS: &[&str] = &[
    "FOR1",
    "BEAM",
    "AtU8",
    "Code",
    "StrT",
    "ImpT",
    "ExpT",
    "FunT",
    "LitT",
    "Line",
    "Attr",
    "CInf",
    "\0\0\0\0",
    "\0\0\0\u{1}",
    "\u{7f}",
    "\u{1}",
    "\u{18}",
    "\u{28}",
    "\u{8}",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the contents of the files in a folder whose names end so, in the order of their names.
fn files(folder: &Path, ending: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    files.iter().filter_map(|file| fs::read(file).ok()).collect()
}

/// Returns the functions of the library in IR, and a program with `main`.
pub fn ir() -> Vec<Vec<u8>> {
    let mut all = files(&root().join("crates/mazurka-llvm/src/library/runtime"), ".ll");
    all.retain(|text| text.len() < 20_000);
    all.push(fs::read(root().join("fuzz/corpus.ll")).unwrap_or_default());
    all
}

/// Returns small modules of Erlang/OTP.
pub fn beam() -> Vec<Vec<u8>> {
    let libraries = fs::read_dir("/usr/lib/erlang/lib").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = libraries.map(|entry| entry.path().join("ebin")).collect();
    folders.sort();
    let mut all: Vec<Vec<u8>> = folders.iter().flat_map(|folder| files(folder, ".beam")).collect();
    all.retain(|bytes| bytes.len() < 4_000);
    all.truncate(50);
    all
}

/// Returns the recordings of the catalogue.
pub fn recordings() -> Vec<Vec<u8>> {
    files(&root().join("programs"), ".trace")
}

/// Returns the nets of the catalogue.
pub fn nets() -> Vec<Vec<u8>> {
    files(&root().join("programs"), ".pnml")
}

/// Returns schedules of all kinds.
pub fn schedules() -> Vec<Vec<u8>> {
    ["0-1x2-2", "1-2x3-1", "rc11:0-1<0", "0.1-1.2x3-2", ""]
        .map(|text| text.as_bytes().to_vec())
        .to_vec()
}
