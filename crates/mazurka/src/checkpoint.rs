//! Checks that are saved, so that a later run of the test continues them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mazurka_core::verdict::Bound;
use mazurka_report::{CheckpointFile, ProgressLine, Run};

use crate::identity;
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
    let origin = identity::origin(name, settings, &options);
    let interval = settings.checkpoint_every.unwrap_or(INTERVAL);
    let from = path.exists().then_some(path.as_path());
    let mut file = CheckpointFile::new(path.clone(), interval, origin, from)?;
    let workers = settings.workers.unwrap_or(std::num::NonZero::<usize>::MIN);
    let digest = identity::digest_of_binary()?;
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

/// Returns the name of the file for a check.
fn file_name(name: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '-' };
    let plain: String = name.chars().map(plain).collect();
    match identity::number(name) {
        1 => format!("{plain}.checkpoint").into(),
        number => format!("{plain}-{number}.checkpoint").into(),
    }
}
