//! Headers that come with Mazurka.
//!
//! clang reads them from a directory, so they are written to the user's cache once. Headers of the
//! program and of the system take their place.

use std::fs;
use std::path::PathBuf;

use crate::cache;

const HEADERS: [(&str, &str); 1] = [("genmc.h", include_str!("headers/genmc.h"))];

/// Returns the directory with the headers; `None` if the user has no cache that can be written.
pub(crate) fn directory() -> Option<PathBuf> {
    let directory = cache::directory("include")?;
    for (name, text) in HEADERS {
        let file = directory.join(name);
        if !fs::read(&file).is_ok_and(|known| known == text.as_bytes()) {
            cache::write(&file, text).ok()?;
        }
    }
    Some(directory)
}
