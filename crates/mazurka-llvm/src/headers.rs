//! Headers that come with Mazurka.
//!
//! clang reads them from a directory, so they are written to the user's cache once. Headers of the
//! program and of the system take their place.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

const HEADERS: [(&str, &str); 1] = [("genmc.h", include_str!("headers/genmc.h"))];

/// Returns the directory with the headers; `None` if the user has no cache that can be written.
pub(crate) fn directory() -> Option<PathBuf> {
    let path = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = path("XDG_CACHE_HOME").or_else(|| Some(path("HOME")?.join(".cache")))?;
    let directory = cache.join("mazurka").join(concat!("include-", env!("CARGO_PKG_VERSION")));
    install(&directory).ok()?;
    Some(directory)
}

/// Writes the headers that are missing or different.
fn install(directory: &Path) -> std::io::Result<()> {
    for (name, text) in HEADERS {
        let file = directory.join(name);
        if fs::read(&file).is_ok_and(|known| known == text.as_bytes()) {
            continue;
        }
        fs::create_dir_all(directory)?;
        // Another process may read the file at the same time: it sees all of it or nothing.
        let new = directory.join(format!("{name}.{}", process::id()));
        fs::write(&new, text)?;
        fs::rename(&new, &file)?;
    }
    Ok(())
}
