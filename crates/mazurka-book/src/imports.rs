//! The imports between the top-level folders of a crate.
//!
//! A path that starts with `crate::` or climbs there with `super::` is an import of the folder that
//! comes next, wherever it stands: in a `use`, a type or an expression. Code for tests does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Which folders each folder imports, and one file that does, as an example.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imports(BTreeMap<String, BTreeMap<String, String>>);

impl Imports {
    /// Reads the sources of a crate. Files beside the crate's root count as folders; the root itself
    /// imports everything, and does not count.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or is not Rust.
    pub fn read(src: &Path) -> io::Result<Imports> {
        let mut imports = Imports::default();
        let mut folders: Vec<_> = fs::read_dir(src)?.collect::<Result<_, _>>()?;
        folders.sort_by_key(fs::DirEntry::file_name);
        for folder in folders {
            let path = folder.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if name != "lib" {
                imports.0.entry(name.clone()).or_default();
                imports.visit(&path, &name, 1)?;
            }
        }
        for (folder, to) in &mut imports.0 {
            to.retain(|other, _| other != folder);
        }
        let folders: BTreeSet<String> = imports.0.keys().cloned().collect();
        for to in imports.0.values_mut() {
            to.retain(|other, _| folders.contains(other));
        }
        Ok(imports)
    }

    /// Reads a file, or a folder whose modules lie `depth` below the root of the crate.
    fn visit(&mut self, path: &Path, folder: &str, depth: usize) -> io::Result<()> {
        if path.is_dir() {
            let mut entries: Vec<_> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let inner = entry.path();
                let is_module_itself = entry.file_name() == "mod.rs";
                self.visit(&inner, folder, depth + usize::from(!is_module_itself))?;
            }
            return Ok(());
        }
        let is_tests = |stem: &str| stem == "tests" || stem.ends_with("_tests");
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.extension() != Some("rs".as_ref()) || is_tests(&stem) {
            return Ok(());
        }
        let tokens: TokenStream = fs::read_to_string(path)?.parse().map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
        })?;
        let mut found = BTreeSet::new();
        scan(tokens, depth, &mut found);
        let example = path.display().to_string();
        let to = self.0.get_mut(folder).expect("it was entered");
        for other in found {
            to.entry(other).or_insert_with(|| example.clone());
        }
        Ok(())
    }

    /// Returns the folders that a folder imports.
    pub fn of<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.0.get(folder).into_iter().flat_map(|to| to.keys().map(String::as_str))
    }

    /// Returns all folders.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns one cycle of imports, with a file for each of them; `None` if there is no cycle.
    pub fn cycle(&self) -> Option<Vec<(String, String)>> {
        self.folders().find_map(|start| self.path(start, start, &mut BTreeSet::new()))
    }

    /// A path of at least one import.
    fn path(
        &self,
        from: &str,
        to: &str,
        seen: &mut BTreeSet<String>,
    ) -> Option<Vec<(String, String)>> {
        for (next, file) in &self.0[from] {
            let here = (format!("{from} -> {next}"), file.clone());
            if next == to {
                return Some(vec![here]);
            }
            if seen.insert(next.clone())
                && let Some(rest) = self.path(next, to, seen)
            {
                return Some([vec![here], rest].concat());
            }
        }
        None
    }

    /// Returns the source of a drawing: every folder above those that it imports. An import is left
    /// out where a longer way leads to the same folder, so that the drawing can be read.
    ///
    /// # Panics
    ///
    /// If there is a cycle.
    pub fn drawing(&self, title: &str) -> String {
        assert_eq!(self.cycle(), None, "a drawing in rows has no cycles");
        let mut rows: Vec<Vec<&str>> = Vec::new();
        for folder in self.folders() {
            let height = self.height(folder);
            rows.resize_with(rows.len().max(height + 1), Vec::new);
            rows[height].push(folder);
        }
        let mut text = format!("graph\ntitle {title}\n");
        for row in rows.iter().rev() {
            text.push_str(&format!("row {}\n", row.join(" ")));
        }
        for folder in self.folders() {
            for to in self.of(folder) {
                let is_implied = self.of(folder).any(|via| via != to && self.reaches(via, to));
                if !is_implied {
                    text.push_str(&format!("edge {folder} -> {to}\n"));
                }
            }
        }
        text
    }

    fn reaches(&self, from: &str, to: &str) -> bool {
        self.of(from).any(|next| next == to || self.reaches(next, to))
    }

    fn height(&self, folder: &str) -> usize {
        self.of(folder).map(|to| self.height(to) + 1).max().unwrap_or(0)
    }
}

/// Finds the names that follow the root of the crate, in code whose module lies `depth` below it.
fn scan(tokens: TokenStream, depth: usize, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut i = 0;
    while i < tokens.len() {
        if is_for_tests(&tokens[i..]) {
            i += length_of_item(&tokens[i..]);
            continue;
        }
        // Inside of an inline module one more `super` leads to the root.
        if let [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Group(body), ..] =
            &tokens[i..]
            && word == "mod"
        {
            scan(body.stream(), depth + 1, found);
            i += 3;
            continue;
        }
        match &tokens[i] {
            TokenTree::Ident(word) if word == "crate" && !follows_in(&tokens, i) => {
                names(&tokens[i + 1..], found);
            }
            TokenTree::Ident(word) if word == "super" && !follows_path(&tokens, i) => {
                let mut climbed = 1;
                let mut next = i + 1;
                while is_path_to(&tokens[next..], "super") {
                    climbed += 1;
                    next += 3;
                }
                if climbed == depth {
                    names(&tokens[next..], found);
                }
                i = next;
                continue;
            }
            TokenTree::Group(group) => scan(group.stream(), depth, found),
            _ => {}
        }
        i += 1;
    }
}

/// Whether `crate` at `i` is that of `pub(in crate::…)` or `pub(crate)`, which imports nothing.
fn follows_in(tokens: &[TokenTree], i: usize) -> bool {
    tokens.len() == 1 || i > 0 && matches!(&tokens[i - 1], TokenTree::Ident(word) if word == "in")
}

/// Whether what stands at `i` continues a path.
fn follows_path(tokens: &[TokenTree], i: usize) -> bool {
    i > 1 && is_colon(&tokens[i - 1]) && is_colon(&tokens[i - 2])
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
}

/// Whether the tokens are `::word`.
fn is_path_to(tokens: &[TokenTree], word: &str) -> bool {
    matches!(tokens, [a, b, TokenTree::Ident(found), ..]
        if is_colon(a) && is_colon(b) && found == word)
}

/// Adds the names in `::name` and `::{name, …}`.
fn names(tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    let [a, b, next, ..] = tokens else { return };
    if !is_colon(a) || !is_colon(b) {
        return;
    }
    match next {
        TokenTree::Ident(name) => {
            found.insert(name.to_string());
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let mut begins = true;
            for token in group.stream() {
                match token {
                    TokenTree::Ident(name) if begins => {
                        found.insert(name.to_string());
                        begins = false;
                    }
                    TokenTree::Punct(punct) if punct.as_char() == ',' => begins = true,
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Whether an item begins here that has the attribute `#[cfg(test)]`.
fn is_for_tests(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = tokens else { return false };
    let text = group.stream().to_string().replace(' ', "");
    hash.as_char() == '#' && text.starts_with("cfg(") && text.contains("test")
}

/// How many tokens an item has: up to a `;`, or to a group in braces that is not one of a `use`.
fn length_of_item(tokens: &[TokenTree]) -> usize {
    let is_use = tokens.iter().take(6).any(|t| matches!(t, TokenTree::Ident(w) if w == "use"));
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_use,
        _ => false,
    };
    tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: &str, depth: usize) -> Vec<String> {
        let mut found = BTreeSet::new();
        scan(code.parse().unwrap(), depth, &mut found);
        found.into_iter().collect()
    }

    #[test]
    fn paths_are_found_wherever_they_stand() {
        assert_eq!(found("use crate::model::Step;", 1), ["model"]);
        assert_eq!(found("use crate::{model::{Step, Action}, verdict};", 1), ["model", "verdict"]);
        assert_eq!(
            found("fn f() -> crate::verdict::Verdict { crate::model::g() }", 1),
            ["model", "verdict"]
        );
        assert_eq!(found("pub(crate) fn f() {} pub(in crate::search) fn g() {}", 1).len(), 0);
    }

    #[test]
    fn super_leads_to_the_root_from_the_right_depth() {
        assert_eq!(found("use super::model::Step;", 1), ["model"]);
        assert_eq!(found("use super::model::Step;", 2).len(), 0);
        assert_eq!(found("use super::super::model::Step;", 2), ["model"]);
        assert_eq!(found("mod inner { use super::super::model::Step; }", 1), ["model"]);
    }

    #[test]
    fn tests_do_not_count() {
        assert_eq!(found("#[cfg(test)] mod tests { use crate::search; }", 1).len(), 0);
        assert_eq!(found("#[cfg(test)] use crate::{search}; use crate::model;", 1), ["model"]);
    }
}
