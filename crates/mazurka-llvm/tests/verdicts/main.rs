//! Small programs in C and C++, each with the verdict that the standard gives in its first line:
//!
//! ```text
//! // correct
//! // wrong: KIND: start of the message
//! // refused: start of the error
//! ```
//!
//! Options may follow in a second line, `// with: leaves -std=c++20 races`.

use std::path::{Path, PathBuf};

use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::Violation;
use mazurka_llvm::compile::Source;
use mazurka_llvm::explore;
use mazurka_llvm::{LlvmOptions, LlvmProgram};

/// Explorers that every program is checked with.
const EXPLORERS: [Algorithm; 4] =
    [Algorithm::Source, Algorithm::Optimal, Algorithm::Observers, Algorithm::DataCentric];

/// Returns the first violation that an explorer finds, or why it has not seen everything.
fn check(
    program: &LlvmProgram,
    algorithm: Algorithm,
    races: bool,
) -> Result<Option<Violation>, String> {
    let mut machine = match program.start() {
        Ok(machine) => machine,
        Err(violation) => return Ok(Some(*violation)),
    };
    let options = Options {
        algorithm,
        data_races: if races { DataRaces::Report } else { DataRaces::Ignore },
        max_executions: Some(200_000),
        max_depth: Some(5_000),
        ..Options::default()
    };
    let mut verdict = explore(&mut machine, &options, &mut ());
    match (verdict.violations.pop(), verdict.stopped) {
        (Some(violation), _) => Ok(Some(violation)),
        (None, Some(bound)) => Err(format!("{algorithm} is not complete: {bound}")),
        (None, None) if verdict.executions == 0 => Err(format!("{algorithm} runs no execution")),
        (None, None) => Ok(None),
    }
}

/// Returns how the verdict on a program differs from the one that it asks for.
fn difference(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let expected = lines.next().and_then(|line| line.strip_prefix("// ")).expect("a verdict");
    let options = lines.next().and_then(|line| line.strip_prefix("// with: ")).unwrap_or_default();
    let mut source = Source::new([file]);
    source.flags = vec!["-w".into()];
    let standard = options.split(' ').find_map(|option| option.strip_prefix("-std="));
    source.standard = standard.map(str::to_owned);
    let has = |name: &str| options.split(' ').any(|option| option == name);
    let leaks = has("leaks");
    let loaded = source.load().map_err(|error| error.to_string()).and_then(|module| {
        let options = LlvmOptions { leaks, nondet: Some((0, 2)), ..LlvmOptions::default() };
        LlvmProgram::new(&module, options).map_err(|error| error.to_string())
    });
    let program = match (loaded, expected.strip_prefix("refused: ")) {
        (Ok(program), None) => program,
        (Ok(_), Some(_)) => return Some("it is not refused".to_owned()),
        (Err(error), Some(start)) if error.contains(start) => return None,
        (Err(error), _) => return Some(format!("it cannot be loaded: {error}")),
    };
    for algorithm in EXPLORERS {
        let found = match check(&program, algorithm, has("races")) {
            Ok(found) => found,
            Err(why) => return Some(why),
        };
        match (expected.strip_prefix("wrong: "), found) {
            (None, None) => {}
            (None, Some(violation)) => return Some(format!("{algorithm} finds {violation}")),
            (Some(_), None) => return Some(format!("{algorithm} finds nothing")),
            (Some(start), Some(violation)) => {
                let found = format!("{}: {}", violation.kind.name(), violation.message);
                if !found.starts_with(start) {
                    return Some(format!("{algorithm} finds {found}"));
                }
            }
        }
    }
    None
}

#[test]
fn verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts/programs");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    if let Ok(wanted) = std::env::var("MAZURKA_VERDICTS") {
        files.retain(|file| file.to_string_lossy().contains(&wanted));
    }
    let wrong =
        files.iter().filter_map(|file| Some(format!("{}: {}", file.display(), difference(file)?)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
