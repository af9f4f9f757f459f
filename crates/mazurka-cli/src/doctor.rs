//! `mazurka doctor` and `mazurka --version`: the programs that the front ends need.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mazurka_llvm::compile;

use crate::{Complaint, Outcome};

/// Returns the version of Mazurka and the commit that it was built from.
pub(crate) fn version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match env!("BUILD_COMMIT") {
        "" => version.to_owned(),
        commit => format!("{version} (commit {commit})"),
    }
}

/// Returns the versions of Mazurka and of the programs that the front ends use.
pub(crate) fn long_version() -> String {
    let otp = otp_release().map_or("not found".to_owned(), |(release, _)| release);
    let clang = clang().map_or("not found".to_owned(), |(version, _)| version);
    format!("mazurka {}\nLLVM: {clang}\nErlang/OTP: {otp}\n", version())
}

pub(crate) fn run() -> Result<Outcome, Complaint> {
    println!("mazurka {}\n", version());
    let clang = clang().map(|(version, path)| format!("{version} ({})", path.display()));
    println!("C and C++                  {}", clang.unwrap_or_else(|| MISSING_CLANG.to_owned()));
    let erlang = match otp_release() {
        Some((release, path)) if is_supported(&release) => {
            format!("Erlang/OTP {release} ({})", path.display())
        }
        Some((release, path)) => format!(
            "Erlang/OTP {release} ({}) is not supported: install Erlang/OTP 22 to 27",
            path.display()
        ),
        None => MISSING_ERLANG.to_owned(),
    };
    println!("Erlang                     {erlang}");
    println!(
        "Elixir                     {}",
        elixir().unwrap_or_else(|| MISSING_ELIXIR.to_owned())
    );
    let cargo = first_line(Path::new("cargo"), &["--version"]);
    println!("Rust                       {}", cargo.unwrap_or_else(|| MISSING_CARGO.to_owned()));
    for reads in ["LLVM IR", "Litmus tests", "Petri nets", "Recordings"] {
        println!("{reads:27}nothing else is needed");
    }
    Ok(Outcome::Fine)
}

const MISSING_CLANG: &str = "clang is missing: install version 14 or later (`apt-get install clang`, \
                             `dnf install clang`, `brew install llvm`)";
const MISSING_ERLANG: &str =
    "erlc is missing: install Erlang/OTP 22 to 27 (`apt-get install erlang-base`)";
const MISSING_ELIXIR: &str = "elixir is missing: install Elixir (`apt-get install elixir`)";
const MISSING_CARGO: &str = "cargo is missing: see https://rustup.rs";

/// Returns the version of clang and its path.
fn clang() -> Option<(String, PathBuf)> {
    let clang = compile::find_clang()?;
    let line = first_line(&clang, &["--version"])?;
    // Distributions put their name first: `Debian clang version 19.1.7 (3)`.
    let version = line.find("clang version").map_or(line.as_str(), |at| &line[at..]);
    Some((version.replace("clang version", "clang").trim().to_owned(), in_path(&clang)))
}

/// Returns the release of Erlang/OTP and the path of its compiler.
fn otp_release() -> Option<(String, PathBuf)> {
    let erlc = Path::new("erlc");
    let path = in_path(erlc);
    if path == erlc {
        return None;
    }
    let ask = "io:put_chars(erlang:system_info(otp_release)), halt().";
    let release = first_line(Path::new("erl"), &["-noshell", "-eval", ask])?;
    Some((release, path))
}

/// Returns the version of Elixir and its path.
fn elixir() -> Option<String> {
    let elixir = Path::new("elixir");
    let version = first_line(elixir, &["--short-version"])?;
    Some(format!("Elixir {version} ({})", in_path(elixir).display()))
}

fn is_supported(release: &str) -> bool {
    release.parse::<u32>().is_ok_and(|release| (22..=27).contains(&release))
}

/// Returns the first line that a program prints, if it succeeds.
fn first_line(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// Returns where a program is, or its name if it is in no directory of `PATH`.
fn in_path(program: &Path) -> PathBuf {
    if program.components().count() > 1 {
        return program.to_owned();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|dir| dir.join(program)).find(|p| p.is_file());
    found.unwrap_or_else(|| program.to_owned())
}
