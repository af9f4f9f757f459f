//! Errors in recordings.

use std::fmt;
use std::path::{Path, PathBuf};

/// A mistake in a recording, with the file and the line.
///
/// ```
/// let error = mazurka_trace::TraceProgram::parse("t.txt", "1 FORK par-tid:1", None).unwrap_err();
/// assert_eq!(error.to_string(), "t.txt:1: FORK needs the field `child-tid`");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    /// The file.
    pub path: PathBuf,
    /// The line in it, counted from 1; `None` for the whole file.
    pub line: Option<usize>,
    /// The error.
    pub message: String,
}

impl TraceError {
    pub(crate) fn at(path: &Path, line: usize, message: impl Into<String>) -> Self {
        TraceError { path: path.to_owned(), line: Some(line), message: message.into() }
    }

    pub(crate) fn of(path: &Path, message: impl Into<String>) -> Self {
        TraceError { path: path.to_owned(), line: None, message: message.into() }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl std::error::Error for TraceError {}
