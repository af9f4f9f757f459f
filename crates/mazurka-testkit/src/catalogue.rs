//! The catalogue: programs, and the expected counts of each explorer on them.
//!
//! There is one TOML file for each program, named after it:
//!
//! ```
//! let text = r#"
//!     name = "lastwrite"
//!     about = "N threads store to x; main joins them all, then reads x."
//!     source = "a formula: N!"
//!
//!     [[case]]
//!     params = { N = 3 }
//!     executions = { optimal = 6, source = 6 }
//!     at_least = { dpor = 6 }      # optional: if the exact number depends on the program's text
//!     at_most = { dpor = 9 }       # optional: what another tool needs
//!     symmetric = { optimal = 1 }  # optional: if a permutation of threads counts as the same execution
//!     blocked = { optimal = 0 }    # optional
//!     violations = ["assertion"]   # optional: the expected kinds, with keep_going
//!     cut_off = { size = 4 }       # optional: executions of `unfolding` with cut-offs, by their order
//!     size = "long"                # optional: skipped in normal test runs
//! "#;
//! let entry = mazurka_testkit::catalogue::Entry::parse("programs/lastwrite.toml", text).unwrap();
//! assert_eq!(entry.cases[0].params["N"], 3);
//! assert_eq!(entry.cases[0].executions["optimal"], 6);
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use mazurka_core::search::Algorithm;
use mazurka_core::verdict::{Verdict, ViolationKind};
use serde::Deserialize;

/// The names of explorers for which the catalogue has numbers, whether or not they exist yet.
const EXPLORERS: [&str; 9] = [
    "naive",
    "dpor",
    "source",
    "optimal",
    "observers",
    "data-centric",
    "em-dpor",
    "event-driven",
    "unfolding",
];

/// The names of the orders of cut-offs.
const ORDERS: [&str; 2] = ["size", "total"];

/// Cases whose number of blocked executions comes from another tool and an unpublished text of the
/// program. The number of redundant executions depends on the text even if the traces do not; a
/// test of the core shows this (`how_many_runs_are_redundant_depends_on_the_text`). The number of
/// executions with a failed assumption does not depend on it, so there are at least as many as for
/// `optimal`.
const ARBITRARY: [(&str, u64, Algorithm); 1] = [("lamport", 3, Algorithm::Source)];

/// A program of the catalogue.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of the program, and of its file.
    pub name: String,
    /// A description of the program.
    pub about: String,
    /// The source of the numbers.
    pub source: String,
    /// Whether the C program is checked with awaits. Numbers of other tools, and numbers that are
    /// compared with theirs, may count the iterations of loops that wait, or failed assumptions.
    #[serde(default = "yes")]
    pub awaits: bool,
    /// The expected counts, for several parameters.
    #[serde(rename = "case")]
    pub cases: Vec<Case>,
}

fn yes() -> bool {
    true
}

/// The expected counts for some parameters.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The parameters of the program.
    #[serde(default)]
    pub params: BTreeMap<String, u64>,
    /// The number of executions, by the name of the explorer. It is unknown for a program that
    /// loops forever without cut-offs.
    #[serde(default)]
    pub executions: BTreeMap<String, u64>,
    /// The minimum number of executions, by the name of the explorer. It is used if the exact
    /// number depends more on the order in which a front end numbers threads than on the program.
    #[serde(default)]
    pub at_least: BTreeMap<String, u64>,
    /// The maximum number of executions, by the name of the explorer: what another tool needs.
    #[serde(default)]
    pub at_most: BTreeMap<String, u64>,
    /// The number of executions of `unfolding` with cut-offs, by their order, `size` or `total`. No
    /// other tool confirms these numbers, since they depend on which process is tried first. They
    /// only detect changes.
    #[serde(default)]
    pub cut_off: BTreeMap<String, u64>,
    /// The number of executions if executions that differ by a permutation of threads count as one, by the
    /// name of the explorer.
    #[serde(default)]
    pub symmetric: BTreeMap<String, u64>,
    /// The number of blocked executions, by the name of the explorer.
    #[serde(default)]
    pub blocked: BTreeMap<String, u64>,
    /// The kinds of violations that are found with `keep_going`, by their names in JSON. A failed
    /// assertion is an `assertion` in every language.
    #[serde(default)]
    pub violations: Vec<String>,
    /// Whether it is fast enough for every test run.
    #[serde(default)]
    pub size: Size,
}

impl Case {
    /// Returns whether it has an expected number for an explorer.
    pub fn is_about(&self, explorer: &str) -> bool {
        [&self.executions, &self.at_least, &self.at_most].iter().any(|n| n.contains_key(explorer))
    }

    /// Describes how the number of executions of an explorer differs from the expected one.
    pub fn mismatch(&self, explorer: &str, executions: u64) -> Option<String> {
        let exact = self.executions.get(explorer).filter(|expected| **expected != executions);
        let least = self.at_least.get(explorer).filter(|least| **least > executions);
        let exact = exact.map(|expected| format!("executions {expected}, found {executions}"));
        let least = least.map(|least| format!("at least {least} executions, found {executions}"));
        let most = self.at_most.get(explorer).filter(|most| **most < executions);
        let most = most.map(|most| format!("at most {most} executions, found {executions}"));
        exact.or(least).or(most)
    }
}

/// The duration of a case.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// Fast enough for every test run.
    #[default]
    Normal,
    /// Skipped in normal test runs.
    Long,
}

/// An error in the catalogue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogueError {
    /// The file or directory.
    pub path: PathBuf,
    /// The error.
    pub message: String,
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message.trim_end())
    }
}

impl std::error::Error for CatalogueError {}

impl Entry {
    /// Parses an entry from the text of its file.
    pub fn parse(path: impl AsRef<Path>, text: &str) -> Result<Self, CatalogueError> {
        let path = path.as_ref();
        let error = |message| CatalogueError { path: path.to_owned(), message };
        let entry: Entry = toml::from_str(text).map_err(|e| error(e.to_string()))?;
        entry.check(path).map_err(error)?;
        Ok(entry)
    }

    fn check(&self, path: &Path) -> Result<(), String> {
        if path.file_stem().is_none_or(|stem| *stem != *self.name) {
            return Err(format!("`name` is `{}`, which is not the name of the file", self.name));
        }
        for (index, case) in self.cases.iter().enumerate() {
            let key = |key: &str| format!("`{key}` of case {}", index + 1);
            if case.executions.is_empty() && case.at_most.is_empty() && case.cut_off.is_empty() {
                let keys = key("executions");
                return Err(format!("{keys} is missing or empty: what is there to check?"));
            }
            if let Some(name) = case.cut_off.keys().find(|name| !ORDERS.contains(&name.as_str())) {
                return Err(format!("{} has `{name}`, not `size` or `total`", key("cut_off")));
            }
            let counts =
                [&case.executions, &case.at_least, &case.at_most, &case.symmetric, &case.blocked];
            let names = ["executions", "at_least", "at_most", "symmetric", "blocked"];
            for (of, counts) in names.iter().zip(counts) {
                let unknown = counts.keys().find(|name| !EXPLORERS.contains(&name.as_str()));
                if let Some(name) = unknown {
                    let known = EXPLORERS.join(", ");
                    return Err(format!("{} has `{name}`, not one of {known}", key(of)));
                }
            }
            for name in &case.violations {
                let kind: Result<ViolationKind, _> = name.parse();
                kind.map_err(|error| format!("{}: {error}", key("violations")))?;
            }
        }
        Ok(())
    }
}

impl Entry {
    /// Describes how the verdict of a check with `keep_going` and with symmetry on a case differs from the
    /// expected one. Without an expected number, there may be at most as many executions as without symmetry.
    pub fn symmetric_mismatches(&self, case: &Case, verdict: &Verdict) -> Vec<String> {
        let name = verdict.algorithm.name();
        let counts = match case.symmetric.get(name) {
            Some(expected) => BTreeMap::from([(name.to_owned(), *expected)]),
            None => BTreeMap::new(),
        };
        let at_most: BTreeMap<_, _> = [&case.executions, &case.at_most]
            .into_iter()
            .flatten()
            .map(|(n, most)| (n.clone(), *most))
            .collect();
        let (at_least, blocked) = Default::default();
        self.mismatches(
            &Case { executions: counts, at_least, at_most, blocked, ..case.clone() },
            verdict,
        )
    }

    /// Describes how the verdict of a check with `keep_going` on a case differs from the expected
    /// one.
    pub fn mismatches(&self, case: &Case, verdict: &Verdict) -> Vec<String> {
        let algorithm = verdict.algorithm;
        let mut mismatches = Vec::from_iter(case.mismatch(algorithm.name(), verdict.executions));
        let mut compare = |what: &str, expected: Option<&u64>, found: u64| {
            if let Some(expected) = expected.filter(|expected| **expected != found) {
                mismatches.push(format!("{what} {expected}, found {found}"));
            }
        };
        let n = case.params.get("N").copied().unwrap_or(0);
        if ARBITRARY.contains(&(self.name.as_str(), n, algorithm)) {
            let least = case.blocked.get(Algorithm::Optimal.name());
            compare("blocked at least", least.filter(|n| verdict.blocked < **n), verdict.blocked);
        } else {
            compare("blocked", case.blocked.get(algorithm.name()), verdict.blocked);
        }
        let found: BTreeSet<_> =
            verdict.violations.iter().map(|v| in_any_language(v.kind)).collect();
        let expected: BTreeSet<_> = case.violations.iter().map(String::as_str).collect();
        if found != expected {
            mismatches.push(format!("violations {expected:?}, found {found:?}"));
            mismatches.extend(verdict.violations.first().map(ToString::to_string));
        }
        mismatches.extend(verdict.stopped.map(|bound| bound.to_string()));
        mismatches
    }
}

/// Returns the name of a kind in the catalogue. A program of the catalogue exists in several
/// languages: a failed assertion in C is a panic in Rust and a crash in Erlang.
fn in_any_language(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Panic | ViolationKind::Crash => ViolationKind::Assertion.name(),
        kind => kind.name(),
    }
}

/// Reads all entries of a directory, in the order of their names.
pub fn read(directory: impl AsRef<Path>) -> Result<Vec<Entry>, CatalogueError> {
    let at = |path: &Path, e: std::io::Error| CatalogueError {
        path: path.to_owned(),
        message: e.to_string(),
    };
    let directory = directory.as_ref();
    let mut paths = Vec::new();
    for file in fs::read_dir(directory).map_err(|e| at(directory, e))? {
        let path = file.map_err(|e| at(directory, e))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    let read =
        |path: &PathBuf| Entry::parse(path, &fs::read_to_string(path).map_err(|e| at(path, e))?);
    paths.iter().map(read).collect()
}

/// Returns the directory of the catalogue of this repository.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Entry::parse("programs/p.toml", text).unwrap_err().to_string()
    }

    const HEAD: &str = "name = 'p'\nabout = ''\nsource = ''\n[[case]]\n";

    #[test]
    fn errors_name_the_file_and_the_key() {
        let typing = error(&format!("{HEAD}executions = {{ optimal = 'six' }}"));
        assert!(typing.starts_with("programs/p.toml: "), "{typing}");
        assert!(typing.contains("optimal = 'six'"), "{typing}");

        let unknown = error(&format!("{HEAD}executions = {{ optimal = 6 }}\nexecutoins = 7"));
        assert!(unknown.contains("unknown field `executoins`"), "{unknown}");

        let missing = error(HEAD);
        assert!(missing.contains("`executions` of case 1 is missing"), "{missing}");

        let order = error(&format!("{HEAD}cut_off = {{ length = 6 }}"));
        assert!(order.contains("`cut_off` of case 1 has `length`"), "{order}");

        let explorer = error(&format!("{HEAD}executions = {{ optimum = 6 }}"));
        assert!(explorer.contains("`executions` of case 1 has `optimum`"), "{explorer}");

        let kind = error(&format!("{HEAD}executions = {{ dpor = 6 }}\nviolations = ['panics']"));
        assert!(kind.contains("`violations` of case 1: `panics` is not a kind"), "{kind}");
    }

    #[test]
    fn a_file_is_named_after_its_program() {
        let text = format!("{HEAD}executions = {{ optimal = 6 }}").replace("'p'", "'q'");
        assert_eq!(
            error(&text),
            "programs/p.toml: `name` is `q`, which is not the name of the file"
        );
    }

    #[test]
    fn the_catalogue_can_be_read() {
        if let Err(error) = read(directory()) {
            panic!("{error}");
        }
    }
}
