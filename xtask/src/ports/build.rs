//! Building the tests of a package, and listing them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::fetch;
use super::packages::{Package, RUSTFLAGS};
use crate::run::cargo;

/// A program with tests.
pub(super) struct Executable {
    pub(super) path: PathBuf,
    pub(super) tests: Vec<String>,
}

/// Builds the tests of a package that is laid out in `directory`, with or without optimisations.
pub(super) fn build(
    package: &Package,
    directory: &Path,
    optimises: bool,
) -> Result<Vec<Executable>, String> {
    let mut command = cargo(&["test", "--no-run", "--message-format=json"]);
    command.args(optimises.then_some("--release"));
    command.args(package.target).args(["--features", package.features]);
    command.current_dir(directory);
    command.env("RUSTFLAGS", RUSTFLAGS);
    command.env("CARGO_TARGET_DIR", fetch::directory().join("built"));
    // Shorter builds: what is measured is the number of executions.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    command.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    command.env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let of_compiler = text.lines().filter_map(|line| string_field(line, "rendered"));
        let errors: String = of_compiler.filter(|text| text.starts_with("error")).collect();
        return Err(format!("{} does not build:\n{errors}", package.name));
    }
    let paths = text.lines().filter_map(|line| string_field(line, "executable"));
    paths.map(|path| list(PathBuf::from(path), package)).collect()
}

/// Lists the tests of a program.
fn list(path: PathBuf, package: &Package) -> Result<Executable, String> {
    let output = Command::new(&path)
        .args(["--list", "--format=terse"])
        .output()
        .map_err(|error| format!("{} does not start: {error}", path.display()))?;
    let ignored = Command::new(&path)
        .args(["--list", "--format=terse", "--ignored"])
        .output()
        .map_err(|error| format!("{} does not start: {error}", path.display()))?;
    let names = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        names.map(str::to_owned).collect()
    };
    let ignored = names(&ignored.stdout);
    let mut tests = names(&output.stdout);
    tests.retain(|name| name.contains(package.filter) && !ignored.contains(name));
    Ok(Executable { path, tests })
}

/// Returns the value of a field of a JSON object whose value is a text.
fn string_field(json: &str, name: &str) -> Option<String> {
    let start = json.find(&format!("\"{name}\":\""))? + name.len() + 4;
    let mut value = String::new();
    let mut letters = json[start..].chars();
    loop {
        match letters.next()? {
            '"' => return Some(value),
            '\\' => match letters.next()? {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'u' => drop(letters.by_ref().take(4).collect::<String>()),
                other => value.push(other),
            },
            letter => value.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_json() {
        let json = r#"{"reason":"a\nb \"c\"","executable":"/x/y"}"#;
        assert_eq!(string_field(json, "executable").as_deref(), Some("/x/y"));
        assert_eq!(string_field(json, "reason").as_deref(), Some("a\nb \"c\""));
        assert_eq!(string_field(json, "other"), None);
        assert_eq!(string_field(r#"{"executable":null}"#, "executable"), None);
    }
}
