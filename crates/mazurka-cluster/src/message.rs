//! The messages: a line of JSON, and then bytes of the core.

use std::fmt;
use std::str::FromStr;

use mazurka_core::explore::{Explored, Part};
use serde::{Deserialize, Serialize};

/// The maximum size of the line of JSON.
const MOST_HEADER: usize = 256 << 10;

/// The name of a part: the number of the result that left it, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PartName {
    /// The sequence number of the result in its stream; 0 for the whole search.
    pub result: u64,
    /// The number of the part in that result.
    pub number: u32,
}

impl PartName {
    /// The name of the whole search in the beginning.
    pub const WHOLE: PartName = PartName { result: 0, number: 0 };
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.result, self.number)
    }
}

impl FromStr for PartName {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let (result, number) = text.split_once('-').ok_or(Malformed)?;
        let result = result.parse().map_err(|_| Malformed)?;
        Ok(PartName { result, number: number.parse().map_err(|_| Malformed)? })
    }
}

/// A message that is not one of this protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

/// Divides a message into its line of JSON and the rest.
fn split<T: for<'a> Deserialize<'a>>(payload: &[u8]) -> Result<(T, &[u8]), Malformed> {
    let start = &payload[..payload.len().min(MOST_HEADER)];
    let end = start.iter().position(|byte| *byte == b'\n').ok_or(Malformed)?;
    let header = serde_json::from_slice(&payload[..end]).map_err(|_| Malformed)?;
    Ok((header, &payload[end + 1..]))
}

fn join(header: &impl Serialize, rest: &[u8]) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(header).expect("the header has only strings and numbers");
    bytes.push(b'\n');
    bytes.extend_from_slice(rest);
    bytes
}

/// A part in the queue.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) job: String,
    pub(crate) part: PartName,
    pub(crate) search: Part,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskHeader {
    job: String,
    part: String,
}

/// Returns a message for the queue. `search` are the bytes of the part.
pub(crate) fn task(job: &str, part: PartName, search: &[u8]) -> Vec<u8> {
    join(&TaskHeader { job: job.to_owned(), part: part.to_string() }, search)
}

impl Task {
    pub(crate) fn read(payload: &[u8]) -> Result<Self, Malformed> {
        let (TaskHeader { job, part }, rest) = split(payload)?;
        if !crate::job::is_id(&job) {
            return Err(Malformed);
        }
        let search = Part::from_bytes(rest).map_err(|_| Malformed)?;
        Ok(Task { job, part: part.parse()?, search })
    }
}

/// The result of exploring a part.
#[derive(Clone, Debug)]
pub struct PartResult {
    /// The part.
    pub part: PartName,
    /// What was found; or why the part could not be explored.
    pub outcome: Result<Explored, String>,
    /// For each violation, and then for each warning, a text that tells it from others.
    pub keys: Vec<String>,
    /// Into how many parts the rest is divided, at most.
    pub parts: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultHeader {
    part: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    parts: u32,
}

impl PartResult {
    /// Returns the message for the stream of results.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = ResultHeader {
            part: self.part.to_string(),
            keys: self.keys.clone(),
            failed: self.outcome.as_ref().err().cloned(),
            parts: self.parts,
        };
        join(&header, &self.outcome.as_ref().map_or(Vec::new(), Explored::to_bytes))
    }

    /// Reads a message, which may come from anywhere.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of a result.
    pub fn from_bytes(payload: &[u8]) -> Result<Self, Malformed> {
        let (ResultHeader { part, keys, failed, parts }, rest) = split(payload)?;
        let outcome = match failed {
            Some(reason) => Err(reason),
            None => Ok(Explored::from_bytes(rest).map_err(|_| Malformed)?),
        };
        if let Ok(explored) = &outcome
            && keys.len() != explored.verdict.violations.len() + explored.verdict.warnings.len()
        {
            return Err(Malformed);
        }
        Ok(PartResult { part: part.parse()?, outcome, keys, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_refused() {
        for garbage in
            [&b""[..], b"\n", b"{}\n", b"{\"job\":\"../x\",\"part\":\"0-0\"}\n\0\0\0", &[0xff; 99]]
        {
            assert!(Task::read(garbage).is_err());
            assert!(PartResult::from_bytes(garbage).is_err());
        }
        assert_eq!("1-2".parse(), Ok(PartName { result: 1, number: 2 }));
        assert_eq!("1".parse::<PartName>(), Err(Malformed));
    }

    #[test]
    fn messages_are_read_as_they_were_written() {
        let part = PartName { result: 7, number: 3 };
        let bytes = task("abc", part, &Part::start().to_bytes());
        let read = Task::read(&bytes).unwrap();
        assert_eq!((read.job.as_str(), read.part, read.search), ("abc", part, Part::start()));
        for len in 0..bytes.len() {
            assert!(Task::read(&bytes[..len]).is_err());
        }
    }
}
