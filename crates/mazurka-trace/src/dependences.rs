//! `dependence.txt`: an order between operations.

use std::path::Path;

use crate::error::TraceError;
use crate::fields::Fields;

/// A line of `dependence.txt`: the operation with the index `dest` comes after the operation with
/// the index `src`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dependence {
    pub(crate) line: usize,
    pub(crate) src: u64,
    pub(crate) dest: u64,
}

/// Parses the text of such a file: one dependence per line, apart from empty lines and comments.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Dependence>, TraceError> {
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let parsed = parse_line(line).map_err(|message| TraceError::at(path, i + 1, message))?;
        found.push(Dependence { line: i + 1, ..parsed });
    }
    Ok(found)
}

fn parse_line(line: &str) -> Result<Dependence, String> {
    let mut fields = Fields::of("a dependence", line.split_whitespace())?;
    let mut index = |name| {
        let index = fields.number(name)?;
        u64::try_from(index)
            .map_err(|_| format!("`{name}` is {index}, but an index is not negative"))
    };
    let (src, dest) = (index("src")?, index("dest")?);
    fields.end()?;
    Ok(Dependence { line: 0, src, dest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_and_comments_are_skipped() {
        let found = parse(Path::new("d"), "src:1 dest:2\n# and\n\nsrc:5 dest:6\n").unwrap();
        let pairs: Vec<_> = found.iter().map(|d| (d.line, d.src, d.dest)).collect();
        assert_eq!(pairs, [(1, 1, 2), (4, 5, 6)]);
    }

    #[test]
    fn bad_lines_are_named() {
        let error = parse(Path::new("d.txt"), "src:1 dest:2\nsrc:1\n").unwrap_err();
        assert_eq!(error.to_string(), "d.txt:2: a dependence needs the field `dest`");
    }
}
