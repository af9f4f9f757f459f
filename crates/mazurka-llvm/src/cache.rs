//! The user's cache, where files are kept that clang reads or that take long to make.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// Returns the directory for files of one kind and this version of Mazurka; `None` if the user has no
/// cache.
pub(crate) fn directory(kind: &str) -> Option<PathBuf> {
    let path = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = path("XDG_CACHE_HOME").or_else(|| Some(path("HOME")?.join(".cache")))?;
    Some(cache.join("mazurka").join(format!("{kind}-{}", env!("CARGO_PKG_VERSION"))))
}

/// Writes a file, and its directory if it is missing.
///
/// Another process that reads the file at the same time finds all of the text or no file.
pub(crate) fn write(file: &Path, text: &str) -> io::Result<()> {
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)?;
    }
    let new = file.with_extension(format!("new-{}", process::id()));
    fs::write(&new, text)?;
    fs::rename(&new, file)
}
