//! Records the commit that the command is built from, for `mazurka --version`.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A release that is built from a package has no repository, but a file that names the commit.
    println!("cargo::rerun-if-changed=.cargo_vcs_info.json");
    let packaged = std::fs::read_to_string(".cargo_vcs_info.json").ok();
    let packaged = packaged.as_deref().and_then(|text| text.split("\"sha1\": \"").nth(1));
    // Only a release has to be rebuilt for a new commit.
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = packaged.map(|rest| rest.chars().take(9).collect()).or_else(|| {
        for file in ["HEAD", "logs/HEAD"].into_iter().filter(|_| is_release) {
            let path = git(&["rev-parse", "--git-path", file])?;
            println!("cargo::rerun-if-changed={path}");
        }
        git(&["rev-parse", "--short=9", "HEAD"])
    });
    println!("cargo::rustc-env=BUILD_COMMIT={}", commit.unwrap_or_default());
}

/// Returns what git prints, if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
