//! What a job is, and how far it has come.

use mazurka_core::search::Estimate;
use serde::{Deserialize, Serialize};

/// The version of Mazurka and of the protocol: workers take only jobs of their own version. The number of the
/// protocol changes with the form of messages.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+protocol.6");

/// The maximum size of all files of a program together.
pub(crate) const MOST_BYTES: usize = 1 << 30;

/// The processes that explore a job.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Crew {
    /// Those of `mazurka worker`, for any job.
    #[default]
    Command,
    /// Those of one test binary, for one of its checks.
    Binary,
}

/// A job to publish.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Its name in streams and commands, of letters and digits; random if there is none.
    pub id: Option<String>,
    /// The processes that explore it.
    pub crew: Crew,
    /// What the program is called.
    pub name: String,
    /// The options, as words of a command line.
    pub options: Vec<String>,
    /// The files to open, relative to the directory of the job.
    pub opens: Vec<String>,
    /// All files.
    pub files: Vec<File>,
    /// A digest of the program as it was read.
    pub digest: u64,
    /// How much memory the program may allocate, in bytes.
    pub memory: u64,
    /// The command that replays a schedule. `SCHEDULE` stands for the schedule.
    pub replay: String,
}

/// A file of a program.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, without a directory.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// A job, as it is stored in the key-value bucket.
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The name of the job in streams and commands.
    pub id: String,
    /// The version of Mazurka that published it.
    pub version: String,
    /// What the program is called.
    pub name: String,
    /// The options, as words of a command line.
    pub options: Vec<String>,
    /// The files to open, relative to the directory of the job.
    pub opens: Vec<String>,
    /// The names of all files.
    pub files: Vec<String>,
    /// The digest of the program, in hexadecimal digits.
    pub digest: String,
    /// How much memory the program may allocate, in bytes.
    pub memory: u64,
    /// The command that replays a schedule. `SCHEDULE` stands for the schedule.
    pub replay: String,
    /// When the job was published, in seconds since 1970.
    pub published: u64,
    /// The processes that explore it.
    #[serde(default)]
    pub crew: Crew,
}

impl Job {
    /// Reads a job, which may come from anywhere.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let job: Job = serde_json::from_slice(bytes).ok()?;
        let is_sound = is_id(&job.id)
            && job.files.iter().all(|name| is_file_name(name))
            && job.opens.iter().all(|name| name == "." || job.files.contains(name));
        is_sound.then_some(job)
    }
}

/// The state of a job.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// A coordinator adds up its results, or did so until it died.
    Running,
    /// A limit or a signal has stopped it; it can be resumed.
    Stopped,
    /// It has ended.
    Done,
    /// It was cancelled.
    Cancelled,
}

/// How far a job has come.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Status {
    /// The state.
    pub state: State,
    /// The number of executions so far.
    pub executions: u64,
    /// The number of executions that ended early.
    pub blocked: u64,
    /// The number of violations.
    pub violations: usize,
    /// The number of parts that are left.
    pub open: usize,
    /// How long the job has been worked on, in seconds.
    pub seconds: f64,
    /// An estimate of the number of executions, including those that end early: a number that is probably
    /// too low, the likely one, and one that is probably too high.
    #[serde(default)]
    pub estimate: Option<[f64; 3]>,
    /// The process that coordinates the job, or did so last.
    #[serde(default)]
    pub coordinator: String,
}

impl Status {
    /// Returns the estimate of the number of executions, if there is one. The status may come from anywhere.
    pub fn estimate(&self) -> Option<Estimate> {
        let [low, likely, high] = self.estimate?;
        (0.0 <= low && low <= likely && likely <= high).then_some(Estimate { low, likely, high })
    }

    /// The status of a job that has not been worked on.
    pub(crate) fn new(coordinator: &str) -> Status {
        Status {
            state: State::Running,
            executions: 0,
            blocked: 0,
            violations: 0,
            open: 1,
            seconds: 0.0,
            estimate: None,
            coordinator: coordinator.to_owned(),
        }
    }
}

/// Returns whether a text can be the id of a job. Ids are parts of the names of streams.
pub(crate) fn is_id(text: &str) -> bool {
    (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns whether a text is the name of a file in the directory of a job, and of nothing else.
pub(crate) fn is_file_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=100).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_of_a_status_is_a_range() {
        let status = |estimate| Status { estimate, ..Status::new("") };
        assert!(status(Some([1.0, 2.0, 3.0])).estimate().is_some());
        for odd in [[f64::NAN; 3], [-1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, f64::NAN, 3.0]] {
            assert_eq!(status(Some(odd)).estimate(), None, "{odd:?}");
        }
        // An earlier version writes no estimate.
        let status = status(None);
        let mut old = serde_json::to_value(&status).unwrap();
        old.as_object_mut().unwrap().remove("estimate");
        assert_eq!(serde_json::from_value::<Status>(old).unwrap().estimate(), None);
    }

    #[test]
    fn a_file_is_in_the_directory_of_its_job() {
        assert!(is_file_name("0.ll"));
        for name in ["", ".", "..", "../x", "a/b", "/etc/passwd", ".ssh", "a\\b", "a\0"] {
            assert!(!is_file_name(name), "{name:?}");
        }
        assert!(!is_id("a.b") && !is_id("") && !is_id("*") && is_id("k3J"));
    }
}
