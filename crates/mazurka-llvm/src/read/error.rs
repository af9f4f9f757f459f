//! What is said about IR that cannot be read.

use std::fmt;

/// Why a file could not be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
    /// What is wrong, and what to do about it.
    pub message: String,
}

impl ReadError {
    pub(crate) fn new(file: &str, line: u32, message: impl Into<String>) -> ReadError {
        ReadError { file: file.to_owned(), line, message: message.into() }
    }

    /// The file ends within `what`.
    pub(crate) fn cut_off(file: &str, line: u32, what: &str) -> ReadError {
        let message = format!(
            "the file ends in the middle of {what}: it seems to be cut off; \
             make it again with `clang -S -emit-llvm`"
        );
        ReadError::new(file, line, message)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for ReadError {}
