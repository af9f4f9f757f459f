//! Running cargo, in the workspace's root, whatever the current directory is.

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// A cargo command: the same cargo that runs us.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Whether cargo does what it is told, and ends well.
pub(crate) fn succeeds(args: &[&str]) -> bool {
    match cargo(args).status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("error: cargo does not start: {error}");
            false
        }
    }
}

/// Runs a program of the workspace through cargo, and passes `args` and the exit code on.
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

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().expect("xtask is in the workspace").to_owned()
}
