//! The checkpoint that the user asks for: `check --checkpoint` writes it, and `check --resume` continues from it.

use std::time::Duration;

use clap::ArgMatches;
use mazurka_core::search::Options;
use mazurka_report::CheckpointFile;

use crate::Complaint;
use crate::args::CheckArgs;
use crate::front_end;

/// Returns the checkpoint that the user asks for, if any. Reads the one to continue from.
pub(crate) fn of(
    args: &CheckArgs,
    options: &Options<'_>,
    given: &ArgMatches,
) -> Result<Option<CheckpointFile>, Complaint> {
    let Some(path) = args.checkpoint.as_ref().or(args.resume.as_ref()) else {
        return match args.checkpoint_every {
            Some(_) => Err("`--checkpoint-every` needs `--checkpoint FILE`".to_owned()),
            None => Ok(None),
        };
    };
    let depth = options.max_depth.map_or("none".to_owned(), |depth| depth.to_string());
    let files: Vec<_> = args.files.iter().map(|file| file.display().to_string()).collect();
    let origin = vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("files", files.join(" ")),
        ("program options", front_end::given_again(given).join(" ")),
        ("algorithm", options.algorithm.to_string()),
        ("memory model", options.memory_model.to_string()),
        ("coherence", options.coherence.unwrap_or_default().to_string()),
        ("symmetry", options.reduces_symmetry().to_string()),
        ("keep going", options.keep_going.to_string()),
        ("data races", format!("{:?}", options.data_races).to_lowercase()),
        ("max depth", depth),
    ];
    let interval = args.checkpoint_every.unwrap_or(Duration::from_secs(60));
    CheckpointFile::new(path.clone(), interval, origin, args.resume.as_deref()).map(Some)
}

/// Returns what to say about a search that was stopped.
pub(crate) fn advice(file: &CheckpointFile) -> String {
    let path = file.path().display();
    format!("The search is saved. To continue it, use --resume {path} instead of --checkpoint.\n")
}
