//! `cargo xtask setup`: checks and installs the required tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::run::cargo;

/// A Debian package that the workspace needs.
struct Package {
    /// Its name, as `apt-get install` takes it.
    name: &'static str,
    /// Commands, one of which exists if the package or an equivalent is installed.
    provides: &'static [&'static str],
    /// The reason why it is needed.
    why: &'static str,
}

/// The packages that are needed in addition to Rust.
const PACKAGES: &[Package] = &[
    Package {
        name: "clang",
        provides: &[
            "clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19",
            "clang-20", "clang-21",
        ],
        why: "C and C++ programs are compiled with it",
    },
    Package {
        name: "erlang-base",
        provides: &["erlc"],
        why: "Erlang programs are compiled with it, and its modules are run",
    },
    Package {
        name: "nats-server",
        provides: &["nats-server"],
        why: "checks on a cluster are tested with it",
    },
];

/// The oldest Rust that the workspace supports, from its manifest.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Checks all tools, and installs missing ones if possible.
pub(crate) fn setup() -> ExitCode {
    if !is_ready() {
        return ExitCode::FAILURE;
    }
    println!("Everything is there. Next: cargo xtask test");
    ExitCode::SUCCESS
}

/// Installs missing tools if it can. Returns whether all tools are available, and otherwise prints
/// what to install.
pub(crate) fn is_ready() -> bool {
    let mut wrong = Vec::new();
    wrong.extend(rustc().err());
    wrong.extend(component("fmt", "rustfmt").err());
    wrong.extend(component("clippy", "clippy").err());
    wrong.extend(packages().err());
    for message in &wrong {
        eprintln!("error: {message}");
    }
    wrong.is_empty()
}

fn rustc() -> Result<(), String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.map_err(|error| format!("rustc does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let text = text.trim();
    let found = version(text).ok_or_else(|| format!("rustc has no version: `{text}`"))?;
    if Some(found) < version(OLDEST) {
        return Err(format!("{text} is too old: Rust {OLDEST} is needed (rustup update stable)"));
    }
    println!("{text}: new enough");
    Ok(())
}

/// Returns the first two numbers of the first word that begins with a digit.
fn version(text: &str) -> Option<(u32, u32)> {
    let starts = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut numbers = text.split_whitespace().find(starts)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn component(command: &str, name: &str) -> Result<(), String> {
    match cargo(&[command, "--version"]).output() {
        Ok(output) if output.status.success() => {
            println!("{}: there", String::from_utf8_lossy(&output.stdout).trim());
            Ok(())
        }
        _ => Err(format!("{name} is missing (rustup component add {name})")),
    }
}

/// Installs missing packages with `apt-get`, if that exists and the user is root. Otherwise the
/// error says what to install.
fn packages() -> Result<(), String> {
    let mut missing = Vec::new();
    for package in PACKAGES {
        match package.provides.iter().find_map(|command| find(command)) {
            Some(path) => println!("{}: there", path.display()),
            None => missing.push(package),
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|package| package.name).collect();
    for package in &missing {
        println!("{} is missing: {}", package.name, package.why);
    }
    if !Path::new("/usr/bin/apt-get").exists() {
        return Err(format!("install what these Debian packages have: {}", names.join(" ")));
    }
    if !is_root() {
        return Err(format!("install them: sudo apt-get install {}", names.join(" ")));
    }
    apt_get(&["update"])?;
    apt_get(&[&["install", "--yes", "--no-install-recommends"], &names[..]].concat())
}

/// Returns the path of a command, if it exists.
fn find(command: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(command)).find(|p| p.is_file())
}

fn apt_get(args: &[&str]) -> Result<(), String> {
    let status =
        Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("apt-get {} failed: {status}", args.join(" "))),
        Err(error) => Err(format!("apt-get does not start: {error}")),
    }
}

/// Returns whether the effective user is root, according to `/proc`.
fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let uids = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    uids.and_then(|uids| uids.split_whitespace().nth(1)) == Some("0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(version("rustc 1.95.0 (59807616e 2026-04-14)"), Some((1, 95)));
        assert_eq!(version("1.85"), Some((1, 85)));
        assert!(version("rustc 1.100.0-nightly") > version("1.85"));
        assert_eq!(version("rustc"), None);
    }

    #[test]
    fn the_oldest_version_is_one() {
        assert!(version(OLDEST).is_some(), "{OLDEST}");
    }
}
