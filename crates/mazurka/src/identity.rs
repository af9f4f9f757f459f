//! What identifies a check to other processes: its test binary, its name and its settings.

use std::collections::HashMap;
use std::env;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read};
use std::sync::{Mutex, OnceLock, PoisonError};

use mazurka_core::search::Options;

use crate::settings::Settings;

/// Returns the settings that decide which executions a check explores, with their names.
pub(crate) fn origin(
    name: &str,
    settings: &Settings,
    options: &Options<'_>,
) -> Vec<(&'static str, String)> {
    vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("check", name.to_owned()),
        ("algorithm", options.algorithm.to_string()),
        ("memory model", options.memory_model.to_string()),
        ("coherence", options.coherence.unwrap_or_default().to_string()),
        ("symmetry", options.reduces_symmetry().to_string()),
        ("keep going", options.keep_going.to_string()),
        ("max depth", format!("{:?}", options.max_depth)),
        ("program options", format!("{:?}", settings.tuning)),
    ]
}

/// Returns the number of a check among those of its name in this process, from 1 on: a test may run several
/// checks, which have its name. Each call counts as a check.
pub(crate) fn number(name: &str) -> usize {
    static CHECKS: OnceLock<Mutex<HashMap<String, usize>>> = OnceLock::new();
    let mut checks =
        CHECKS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let number = checks.entry(name.to_owned()).or_insert(0);
    *number += 1;
    *number
}

/// Returns a digest of the test binary. What a process has saved fits only the same binary.
///
/// # Errors
///
/// If the binary cannot be read, with a message.
pub(crate) fn digest_of_binary() -> Result<u64, String> {
    static DIGEST: OnceLock<u64> = OnceLock::new();
    let read = || -> io::Result<u64> {
        let mut hasher = DefaultHasher::new();
        let mut binary = File::open(env::current_exe()?)?;
        let mut buffer = vec![0; 1 << 20];
        loop {
            match binary.read(&mut buffer)? {
                0 => return Ok(hasher.finish()),
                len => hasher.write(&buffer[..len]),
            }
        }
    };
    if let Some(digest) = DIGEST.get() {
        return Ok(*digest);
    }
    let digest = read().map_err(|error| {
        format!("the test binary cannot be read, so that nothing recognises it: {error}")
    })?;
    Ok(*DIGEST.get_or_init(|| digest))
}
