//! Files for reports that are too long to print.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

/// Returns the directory for reports: `MAZURKA_REPORT_DIR`, or the directory for temporary files.
fn directory() -> PathBuf {
    let asked = std::env::var_os("MAZURKA_REPORT_DIR").filter(|value| !value.is_empty());
    asked.map_or_else(std::env::temp_dir, PathBuf::from)
}

/// Writes a report to a new file. Returns a sentence that says where the file is, or why it could
/// not be written.
pub(crate) fn write(name: &str, text: &str) -> String {
    match try_write(directory(), name, "txt", text) {
        Ok(path) => format!("The whole schedule is in {}.", path.display()),
        Err(error) => format!(
            "The whole schedule could not be written to {} ({error}). Set \
             MAZURKA_REPORT_DIR to another directory.",
            directory().display()
        ),
    }
}

/// Writes a text to a new file with this extension. Returns its path.
pub(crate) fn try_write(
    directory: PathBuf,
    name: &str,
    extension: &str,
    text: &str,
) -> io::Result<PathBuf> {
    fs::create_dir_all(&directory)?;
    let plain = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = name.replace("::", "-").chars().map(plain).take(80).collect();
    // Never overwrite a file: it may belong to another user.
    for number in 1..1000 {
        let path = directory.join(format!("mazurka-{name}-{number}.{extension}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "it contains 999 reports of this name already",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_gets_a_file_of_its_own() {
        let directory = std::env::temp_dir().join(format!("mazurka-test-{}", std::process::id()));
        let first = try_write(directory.clone(), "bank::tests::a b", "txt", "one").unwrap();
        let second = try_write(directory.clone(), "bank::tests::a b", "txt", "two").unwrap();
        assert!(first.ends_with("mazurka-bank-tests-a-b-1.txt"), "{}", first.display());
        assert_eq!(fs::read_to_string(first).unwrap(), "one");
        assert_eq!(fs::read_to_string(second).unwrap(), "two");
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_an_error() {
        let file = std::env::temp_dir().join(format!("mazurka-file-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        assert!(try_write(file.join("below"), "x", "txt", "").is_err());
        fs::remove_file(file).unwrap();
    }
}
