//! The modules that a program can name, for machines on which they are not installed.
//!
//! A program calls a module by its name, which is an atom. So the modules that it can call are those whose
//! names are atoms of its modules, and of the modules that these can call. A name that is put together at
//! run time is not found: the file [`LEFT_BEHIND`] lists the other installed modules, so that a program that
//! calls one of them is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::program::ErlangError;
use super::system::SERVICES;
use crate::beam::Container;
use crate::vm::Finder;

/// The file with the names of the modules that are not copied, one in a line.
const LEFT_BEHIND: &str = "left-behind.txt";

/// The tags of atoms in the external term format, and the number of bytes of their length.
const ATOMS: [(u8, usize); 4] = [(100, 2), (115, 1), (118, 2), (119, 1)];

/// The name and the contents of each file.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// Returns the contents of the files that a program needs, with the number of those that were given, which
/// come first. `named` are texts with names of modules and applications.
pub(super) fn of<'a>(
    finder: &Finder,
    named: impl Iterator<Item = &'a str>,
) -> Result<(Files, usize), ErlangError> {
    let read = |path: &PathBuf| {
        std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let installed = installed(finder);
    let mut files = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next: Vec<String> = Vec::new();
    for (name, path) in &finder.given {
        let bytes = read(path)?;
        seen.insert(format!("{name}.beam"));
        next.extend(atoms(&bytes));
        files.push((format!("{name}.beam"), bytes));
    }
    let given = files.len();
    let services = SERVICES.iter().flat_map(|service| service.calls.iter().copied());
    let words = named.chain(services).chain(["kernel stdlib error_handler"]);
    let is_end = |c: char| !c.is_alphanumeric() && !"_@.".contains(c);
    // A call of Elixir may name its module in quotes, and a word may be a whole name.
    next.extend(words.flat_map(|text| text.split(is_end).chain([text])).map(str::to_owned));
    while let Some(name) = next.pop() {
        for file in [format!("{name}.beam"), format!("{name}.app")] {
            let Some(path) = installed.get(&file) else { continue };
            if !seen.insert(file.clone()) {
                continue;
            }
            let bytes = read(path)?;
            match file.ends_with(".app") {
                true => {
                    let words = String::from_utf8_lossy(&bytes);
                    next.extend(words.split(is_end).map(str::to_owned));
                }
                false => next.extend(atoms(&bytes)),
            }
            files.push((file, bytes));
        }
    }
    let left_behind = installed.keys().filter(|file| !seen.contains(*file));
    let left_behind: Vec<&str> =
        left_behind.filter_map(|file| file.strip_suffix(".beam")).collect();
    files.push((LEFT_BEHIND.to_owned(), left_behind.join("\n").into_bytes()));
    files[given..].sort();
    Ok((files, given))
}

/// Returns the names of the modules that were not copied to a directory.
pub(super) fn left_behind(directory: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(directory.join(LEFT_BEHIND)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Returns the files with modules and with descriptions of applications, by their names.
fn installed(finder: &Finder) -> BTreeMap<String, PathBuf> {
    let mut installed = BTreeMap::new();
    for directory in &finder.directories {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".beam") || name.ends_with(".app") {
                // The first directory is looked at first.
                installed.entry(name).or_insert_with(|| entry.path());
            }
        }
    }
    installed
}

/// Returns the atoms of a module, and perhaps other texts.
fn atoms(module: &[u8]) -> Vec<String> {
    let Ok(container) = Container::read(module) else { return Vec::new() };
    let mut atoms = container.atoms;
    for literal in container.literals.iter().chain([&container.attributes]) {
        for at in 0..literal.len() {
            for (_, digits) in ATOMS.iter().filter(|(tag, _)| *tag == literal[at]) {
                let rest = &literal[at + 1..];
                let Some((len, rest)) = rest.split_at_checked(*digits) else { continue };
                let len = len.iter().fold(0, |len, byte| len << 8 | usize::from(*byte));
                let text = rest.get(..len).and_then(|text| std::str::from_utf8(text).ok());
                atoms.extend(text.map(str::to_owned));
            }
        }
    }
    atoms
}
