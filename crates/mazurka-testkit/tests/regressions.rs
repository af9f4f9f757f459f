//! Programs on which an explorer and the oracle once disagreed, and other interesting ones.
//!
//! Each is a file in `tests/regressions`: a comment that describes the problem, and the program.

use std::fs;
use std::path::Path;

use mazurka_core::search::Algorithm;
use mazurka_testkit::compare::{Compared, compare};
use mazurka_testkit::script::Script;

const LIMIT: u64 = 200_000;

#[test]
fn explorers_agree_with_the_oracle_on_every_regression() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let files = fs::read_dir(directory).expect("there are regressions");
    let mut paths: Vec<_> = files.map(|file| file.expect("it can be read").path()).collect();
    paths.sort();
    let mut failures = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("it can be read");
        match text.parse::<Script>().map(|script| compare(&script, LIMIT, &Algorithm::ALL)) {
            Ok(Compared::Agreed { .. }) => {}
            Ok(Compared::Skipped(why)) => failures.push(format!("{name}: skipped: {why:?}")),
            Ok(Compared::Disagreed(all)) => failures.push(format!("{name}:\n{}", all.join("\n"))),
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
