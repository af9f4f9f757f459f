//! Checkpoints as files.
//!
//! A file begins with lines of text that say what it belongs to, so that a checkpoint of something
//! else is refused with the difference. Then follows the state of the search.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mazurka_core::explore::Checkpoints;

/// The first line of every checkpoint. The number changes with the format.
const TITLE: &str = "mazurka checkpoint 3";

/// Where a search is saved, and what it continues from.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    interval: Duration,
    /// What a checkpoint must have been made of, except for the digest of the program.
    origin: Vec<(&'static str, String)>,
    /// The checkpoint to continue from.
    resumed: Option<Saved>,
    /// The first error of writing a checkpoint.
    pub trouble: Option<String>,
}

/// A checkpoint that was read.
#[derive(Debug)]
struct Saved {
    path: PathBuf,
    origin: Vec<(String, String)>,
    state: Vec<u8>,
}

impl CheckpointFile {
    /// Creates a checkpoint at `path` that is written at this interval, and reads the one to continue from.
    /// `origin` has the name and the value of everything that the search depends on, except for the program.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or if `from` is no checkpoint.
    pub fn new(
        path: PathBuf,
        interval: Duration,
        origin: Vec<(&'static str, String)>,
        from: Option<&Path>,
    ) -> Result<Self, String> {
        let resumed = from.map(Saved::read).transpose()?;
        let file = CheckpointFile { path, interval, origin, resumed, trouble: None };
        file.check_writable()?;
        Ok(file)
    }

    /// Runs `check` with checkpoints of a program with this digest.
    ///
    /// # Errors
    ///
    /// If the checkpoint to continue from belongs to another check.
    pub fn during<T>(
        &mut self,
        digest: u64,
        check: impl FnOnce(Checkpoints<'_>) -> T,
    ) -> Result<T, String> {
        let mut origin = self.origin.clone();
        origin.push(("program", format!("{digest:016x}")));
        if let Some(saved) = &self.resumed {
            saved.must_fit(&origin)?;
        }
        let CheckpointFile { path, interval, resumed, trouble, .. } = self;
        let keep = &mut |state: &[u8]| {
            if let Err(error) = write(path, &origin, state) {
                trouble.get_or_insert_with(|| cannot_write(path, &error));
            }
        };
        let from = resumed.as_ref().map(|saved| saved.state.as_slice());
        Ok(check(Checkpoints { interval: *interval, keep, from }))
    }

    /// Removes the file after the search has ended.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an error at once if the file cannot be written, not after a minute.
    fn check_writable(&self) -> Result<(), String> {
        let new = new_file(&self.path);
        File::create(&new).map_err(|error| cannot_write(&self.path, &error))?;
        let _ = fs::remove_file(new);
        Ok(())
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("the checkpoint `{}` cannot be written: {error}; choose another file", path.display())
}

/// Returns the name of the file that replaces a checkpoint once it is complete.
fn new_file(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

/// Writes a checkpoint. A crash at any moment leaves the old file or the new one.
fn write(path: &Path, origin: &[(&str, String)], state: &[u8]) -> std::io::Result<()> {
    let new = new_file(path);
    let mut file = File::create(&new)?;
    let mut header = format!("{TITLE}\n");
    for (key, value) in origin {
        header.push_str(&format!("{key}: {}\n", value.replace('\n', " ")));
    }
    header.push_str(&format!("checksum: {:016x}\n\n", checksum(state)));
    file.write_all(header.as_bytes())?;
    file.write_all(state)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

impl Saved {
    fn read(path: &Path) -> Result<Self, String> {
        let at = |message: &str| format!("{}: {message}", path.display());
        let bytes = fs::read(path)
            .map_err(|error| at(&format!("the checkpoint cannot be read: {error}")))?;
        let end = bytes.windows(2).position(|pair| pair == b"\n\n");
        let header = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok());
        let Some((title, header)) = header.and_then(|header| header.split_once('\n')) else {
            return Err(at("this is no checkpoint of a search"));
        };
        if title != TITLE {
            return Err(at(&format!("this is no checkpoint of this version, but `{title}`")));
        }
        let lines = header.lines().filter_map(|line| line.split_once(": "));
        let mut origin: Vec<(String, String)> =
            lines.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let state = bytes[end.unwrap_or_default() + 2..].to_vec();
        let expected = origin.pop().map(|(_, checksum)| checksum);
        if expected != Some(format!("{:016x}", checksum(&state))) {
            return Err(at(
                "the checkpoint is damaged: its checksum is wrong; remove the file, and start the check anew",
            ));
        }
        Ok(Saved { path: path.to_owned(), origin, state })
    }

    /// Returns an error that says what differs if this is a checkpoint of something else.
    fn must_fit(&self, origin: &[(&str, String)]) -> Result<(), String> {
        for (key, value) in origin {
            let value = value.replace('\n', " ");
            let saved = self.origin.iter().find(|(saved, _)| saved == key);
            let saved = saved.map_or("", |(_, value)| value.as_str()).trim_end();
            if saved != value.trim_end() {
                let path = self.path.display();
                return Err(match *key {
                    "program" => format!(
                        "{path}: the program has changed since this checkpoint was written; remove the file, \
                         and start the check anew"
                    ),
                    _ => format!(
                        "{path}: this checkpoint belongs to another check: {key} was `{saved}`, and is \
                         `{value}` now"
                    ),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(algorithm: &str) -> Vec<(&'static str, String)> {
        vec![("algorithm", algorithm.to_owned()), ("program options", String::new())]
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_written() {
        let directory =
            std::env::temp_dir().join(format!("mazurka-checkpoint-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("search");
        write(&path, &origin("optimal"), b"\n\nstate").unwrap();
        let saved = Saved::read(&path).unwrap();
        assert_eq!(saved.state, b"\n\nstate");
        assert_eq!(saved.must_fit(&origin("optimal")), Ok(()));
        let error = saved.must_fit(&origin("observers")).unwrap_err();
        assert!(error.contains("algorithm was `optimal`, and is `observers` now"), "{error}");
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        let error = Saved::read(&path).err().unwrap();
        assert!(error.contains("damaged"), "{error}");
        fs::remove_dir_all(directory).unwrap();
    }
}
