//! Fetching a published crate, and laying it out so that its tests use one of the two checkers.
//!
//! Nothing of this is committed: all files are in `target/ports`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Checker;
use super::packages::{LOOM, PACKAGES, Package};
use crate::run::{cargo, root};

/// Returns the directory of all files.
pub(super) fn directory() -> PathBuf {
    root().join("target/ports")
}

/// Lays out the tests of a package for a checker, and returns the directory.
pub(super) fn lay_out(package: &Package, checker: Checker) -> Result<PathBuf, String> {
    let source = source_of(package)?;
    let to = directory().join(checker.name()).join(package.name);
    let lay_out = || -> io::Result<()> {
        let manifest = match package.name == LOOM.name {
            true => {
                copy(&source.join("tests"), &to.join("tests"), &|text| {
                    // Warnings differ from compiler to compiler.
                    text.replace("#![deny(warnings", "#![warn(warnings")
                })?;
                write(&to.join("src/lib.rs"), b"")?;
                manifest_of_looms_tests()
            }
            false => {
                let edit = |text: &str| match package.cfg {
                    Some(cfg) => text.replace(cfg, "loom"),
                    None => text.to_owned(),
                };
                copy(&source, &to, &edit)?;
                prune(&edit(&fs::read_to_string(source.join("Cargo.toml"))?), package)
            }
        };
        let patch = match checker {
            Checker::Mazurka => {
                let shim = lay_out_shim()?;
                format!("\n[patch.crates-io]\nloom = {{ path = {shim:?} }}\n")
            }
            Checker::Loom => String::new(),
        };
        let manifest = format!("{manifest}{patch}\n[workspace]\n");
        write(&to.join("Cargo.toml"), manifest.as_bytes())
    };
    lay_out().map_err(|error| format!("cannot lay out {}: {error}", to.display()))?;
    Ok(to)
}

/// Writes a file if that changes it: cargo builds again what has been written.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == content) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().expect("the path of a file"))?;
    fs::write(path, content)
}

/// Returns where cargo keeps the source of a package. Cargo downloads it if need be.
fn source_of(package: &Package) -> Result<PathBuf, String> {
    let to = directory().join("fetch");
    let dependencies: String = PACKAGES
        .iter()
        .map(|package| format!("{} = \"={}\"\n", package.name, package.version))
        .collect();
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{dependencies}\n[workspace]\n"
    );
    let written = write(&to.join("src/lib.rs"), b"")
        .and_then(|()| write(&to.join("Cargo.toml"), manifest.as_bytes()));
    written.map_err(|error| format!("cannot write to {}: {error}", to.display()))?;
    let output = cargo(&["metadata", "--format-version=1", "--quiet"])
        .current_dir(&to)
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let folder = format!("{}-{}", package.name, package.version);
    let end = format!("/{folder}/Cargo.toml\"");
    let found = text.find(&end).map(|at| {
        let start = text[..at].rfind('"').map_or(0, |quote| quote + 1);
        PathBuf::from(&text[start..at + 1 + folder.len()])
    });
    found.filter(|path| path.exists()).ok_or_else(|| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        format!("cargo does not find {folder}:\n{complaint}")
    })
}

/// Makes a package with the name `loom` that re-exports `mazurka-loom`: a patch needs that name.
fn lay_out_shim() -> io::Result<PathBuf> {
    let to = directory().join("shim");
    write(&to.join("src/lib.rs"), b"pub use mazurka_loom::*;\n")?;
    let path = root().join("crates/mazurka-loom");
    let manifest = format!(
        "[package]\nname = \"loom\"\nversion = \"{}\"\nedition = \"2024\"\n\n\
         [features]\nfutures = []\ncheckpoint = []\n\n\
         [dependencies]\nmazurka_loom = {{ package = \"mazurka-loom\", path = {path:?} }}\n\n\
         [workspace]\n",
        LOOM.version
    );
    write(&to.join("Cargo.toml"), manifest.as_bytes())?;
    Ok(to)
}

fn manifest_of_looms_tests() -> String {
    format!(
        "[package]\nname = \"loom-tests\"\nversion = \"0.0.0\"\nedition = \"2018\"\n\n\
         [features]\nfutures = []\n\n\
         [dependencies]\nloom = {{ version = \"={}\", features = [\"futures\"] }}\n\
         futures-util = \"0.3\"\n",
        LOOM.version
    )
}

/// Removes the dev-dependencies and the targets that the tests do not need from a manifest.
fn prune(manifest: &str, package: &Package) -> String {
    let mut kept = String::new();
    let mut keep = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            keep = is_needed(line, package);
        }
        if keep {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Returns whether a section of a manifest is needed, by its first line.
fn is_needed(header: &str, package: &Package) -> bool {
    if matches!(header, "[[bench]]" | "[[example]]") {
        return false;
    }
    match header.split_once("dev-dependencies.") {
        Some((_, rest)) => {
            let name = rest.split([']', '.']).next().unwrap_or(rest);
            package.needs.contains(&name)
        }
        None => true,
    }
}

/// Copies a directory with everything in it, except for the files of cargo. Texts are edited.
fn copy(from: &Path, to: &Path, edit: &dyn Fn(&str) -> String) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if path.is_dir() {
            copy(&path, &to.join(name), edit)?;
        } else if name != "Cargo.toml" && name != "Cargo.lock" {
            let content = fs::read(&path)?;
            match str::from_utf8(&content) {
                Ok(text) => write(&to.join(name), edit(text).as_bytes())?,
                Err(_) => write(&to.join(name), &content)?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_keeps_what_the_tests_need() {
        let manifest = "[package]\nname = \"a\"\n\n[[bench]]\nname = \"b\"\n\n\
                        [dev-dependencies.waker-fn]\nversion = \"1\"\n\n\
                        [target.\"cfg(unix)\".dev-dependencies.criterion]\nversion = \"1\"\n\n\
                        [dependencies.c]\nversion = \"1\"\n";
        let event_listener = PACKAGES.iter().find(|known| known.name == "event-listener").unwrap();
        let kept = prune(manifest, event_listener);
        assert!(kept.contains("waker-fn") && kept.contains("[dependencies.c]"), "{kept}");
        assert!(!kept.contains("bench") && !kept.contains("criterion"), "{kept}");
    }
}
