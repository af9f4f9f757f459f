//! Runs cargo in the root of the workspace, whatever the current directory is.

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Returns a command of the same cargo that runs this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs cargo, and returns whether it succeeds.
pub(crate) fn succeeds(args: &[&str]) -> bool {
    match cargo(args).status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("error: cargo does not start: {error}");
            false
        }
    }
}

/// Runs a program of the workspace through cargo. Passes `args` to it, and returns its exit code.
pub(crate) fn program(cargo_args: &[&str], args: &[String]) -> ExitCode {
    match cargo(cargo_args).arg("--").args(args).status() {
        Ok(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            ExitCode::from(code.unwrap_or(1))
        }
        Err(error) => {
            eprintln!("error: cargo does not start: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the directory into which cargo builds.
pub(crate) fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Returns the root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().expect("xtask is in the workspace").to_owned()
}
