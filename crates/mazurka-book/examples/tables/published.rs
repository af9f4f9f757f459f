//! The published tables, as `papers/*.toml` has them.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// The tables of a paper.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paper {
    /// Authors, title and year.
    pub(crate) paper: String,
    /// A name for headings and files.
    pub(crate) short: String,
    #[serde(rename = "table")]
    pub(crate) tables: Vec<Table>,
}

/// One table.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    pub(crate) name: String,
    /// What the published numbers are.
    pub(crate) about: String,
    pub(crate) programs: Programs,
    /// Arguments of the command for every run.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    #[serde(rename = "row")]
    pub(crate) rows: Vec<Row>,
}

/// Where the programs of a table are.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Programs {
    /// C programs of the catalogue.
    C,
    /// Erlang programs of the catalogue.
    Erlang,
    /// Recordings in a directory that the user names.
    Recordings,
}

/// One row: a program.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    /// The name in the paper.
    pub(crate) name: String,
    /// The file of the program, without its extension.
    pub(crate) program: Option<String>,
    /// Why there is no program.
    pub(crate) absent: Option<String>,
    /// The parameter of the program.
    pub(crate) n: Option<u64>,
    /// Why the numbers differ, if they do.
    #[serde(default)]
    pub(crate) remark: String,
    #[serde(default)]
    pub(crate) runs: Vec<Published>,
    /// Explorers of Mazurka that the paper does not have.
    #[serde(default)]
    pub(crate) extra: Vec<String>,
    /// The size of a recording.
    pub(crate) statistics: Option<Statistics>,
}

/// What was published for one explorer.
#[derive(Clone, Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    /// The explorer of Mazurka that runs the same algorithm.
    pub(crate) explorer: String,
    /// More arguments of the command.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    /// The parameter of the program for this explorer.
    pub(crate) n: Option<u64>,
    pub(crate) executions: Option<u64>,
    #[serde(default)]
    pub(crate) blocked: u64,
    pub(crate) transitions: Option<u64>,
    pub(crate) events: Option<u64>,
    pub(crate) below_events: Option<u64>,
    pub(crate) cut_offs: Option<u64>,
    pub(crate) seconds: Option<f64>,
    pub(crate) below_seconds: Option<f64>,
    /// Whether the published run was stopped before its end.
    #[serde(default)]
    pub(crate) killed: bool,
    /// Whether nothing was published because the run did not finish.
    #[serde(default)]
    pub(crate) unfinished: bool,
    /// Whether the published run found a bug, so that its executions were not counted.
    #[serde(default)]
    pub(crate) finds: bool,
    /// Why Mazurka has no comparable run.
    pub(crate) incomparable: Option<String>,
}

/// The size of a recording.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Statistics {
    pub(crate) operations: usize,
    pub(crate) threads: usize,
    pub(crate) events: usize,
    pub(crate) locations: usize,
}

/// Reads all papers, in the order of their files.
pub(crate) fn read(directory: &Path) -> Result<Vec<Paper>, String> {
    let complaint = |error: std::io::Error| format!("{}: {error}", directory.display());
    let entries = fs::read_dir(directory).map_err(complaint)?;
    let mut files: Vec<_> = entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let paper = |file: &std::path::PathBuf| {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
    };
    files.iter().map(paper).collect()
}
