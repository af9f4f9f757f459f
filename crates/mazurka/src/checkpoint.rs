//! Checks that are saved, so that a later run of the test continues them.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use mazurka_core::verdict::Bound;
use mazurka_report::{CheckpointFile, ProgressLine, Run};

use crate::rt::RustProgram;
use crate::settings::Settings;

/// The time between two checkpoints, unless the user sets another.
const INTERVAL: Duration = Duration::from_secs(60);

/// Explores a program, continuing from the checkpoint of an earlier run if there is one in `directory`. The
/// checkpoint is removed when the search has ended.
///
/// # Panics
///
/// If the search cannot be saved, or if the checkpoint belongs to something else.
#[track_caller]
pub(crate) fn check(
    directory: &Path,
    name: &str,
    program: &RustProgram<'_>,
    settings: &Settings,
    progress: &mut ProgressLine,
) -> Run {
    try_check(directory, name, program, settings, progress)
        .unwrap_or_else(|error| panic!("mazurka: {name}: {error}"))
}

fn try_check(
    directory: &Path,
    name: &str,
    program: &RustProgram<'_>,
    settings: &Settings,
    progress: &mut ProgressLine,
) -> Result<Run, String> {
    let place = |error: io::Error| format!("{}: {error}", directory.display());
    fs::create_dir_all(directory).map_err(place)?;
    let path = directory.join(file_name(name));
    let options = settings.options();
    let origin = vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("check", name.to_owned()),
        ("algorithm", options.algorithm.to_string()),
        ("memory model", options.memory_model.to_string()),
        ("coherence", options.coherence.to_string()),
        ("keep going", options.keep_going.to_string()),
        ("max depth", format!("{:?}", options.max_depth)),
        ("program options", format!("{:?}", settings.tuning)),
    ];
    let interval = settings.checkpoint_every.unwrap_or(INTERVAL);
    let from = path.exists().then_some(path.as_path());
    let mut file = CheckpointFile::new(path.clone(), interval, origin, from)?;
    let workers = settings.workers.unwrap_or(std::num::NonZero::<usize>::MIN);
    let digest = digest_of_binary().map_err(|error| {
        format!("the test binary cannot be read, and so its checkpoints not be recognised: {error}")
    })?;
    let run = file.during(digest, |checkpoints| {
        Run::check_saved(workers, program, &options, progress, checkpoints)
    })?;
    let run = run.map_err(|error| error.to_string())?;
    if let Some(trouble) = &file.trouble {
        return Err(trouble.clone());
    }
    match run.verdict.stopped {
        None | Some(Bound::Violation | Bound::Depth) => file.remove(),
        Some(_) => eprintln!(
            "mazurka: {name}: the search is saved in {}; the next run of the test continues it",
            path.display()
        ),
    }
    Ok(run)
}

/// Returns the name of the file for a check. A test may run several checks, which have the same name: these are
/// numbered.
fn file_name(name: &str) -> PathBuf {
    static CHECKS: OnceLock<Mutex<HashMap<String, usize>>> = OnceLock::new();
    let mut checks =
        CHECKS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let number = checks.entry(name.to_owned()).or_insert(0);
    *number += 1;
    let plain = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '-' };
    let plain: String = name.chars().map(plain).collect();
    match *number {
        1 => format!("{plain}.checkpoint").into(),
        number => format!("{plain}-{number}.checkpoint").into(),
    }
}

/// Returns a digest of the test binary. A checkpoint fits only the binary that wrote it.
fn digest_of_binary() -> io::Result<u64> {
    static DIGEST: OnceLock<u64> = OnceLock::new();
    if let Some(digest) = DIGEST.get() {
        return Ok(*digest);
    }
    let mut hasher = DefaultHasher::new();
    let mut binary = File::open(env::current_exe()?)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        match binary.read(&mut buffer)? {
            0 => break,
            len => hasher.write(&buffer[..len]),
        }
    }
    Ok(*DIGEST.get_or_init(|| hasher.finish()))
}
