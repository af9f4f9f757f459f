//! The values of options, and the errors for bad ones.

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;
use std::time::Duration;

use mazurka_core::search::PreemptionBound;
use mazurka_report::A_DURATION;

/// A macro and its value, if it has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) value: Option<String>,
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// `N=5` or `N`.
pub(crate) fn definition(text: &str) -> Result<Definition, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // A macro may have parameters, as in `-D 'MAX(a,b)=…'`.
    if !starts {
        return Err(
            "a macro needs a name that starts with a letter or `_`, as in `-D N=5` or `-D NDEBUG`"
                .to_owned(),
        );
    }
    Ok(Definition { name: name.to_owned(), value })
}

/// A number, in groups if it is large: `1_000_000`.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.replace('_', "")
        .parse()
        .map_err(|_| "this must be a whole number that is not negative, such as 1000".to_owned())
}

/// A number of workers: at least one.
pub(crate) fn workers(text: &str) -> Result<NonZeroUsize, String> {
    number(text).map_err(|_| "this must be a whole number from 1 on, such as 2".to_owned())
}

/// A number of executions or the like: at least one.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let count = number(text).map(NonZeroU64::get);
    count.map_err(|_| "this must be a whole number from 1 on, such as 1000".to_owned())
}

/// A number of preemptions, or `auto`.
pub(crate) fn preemptions(text: &str) -> Result<PreemptionBound, String> {
    text.replace('_', "").parse().map_err(|_| {
        "this must be a whole number that is not negative, such as 2, or `auto`".to_owned()
    })
}

/// Seconds, or a time with its unit.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    mazurka_report::duration(text).ok_or_else(|| format!("this must be a time: {A_DURATION}"))
}

/// A size of memory that some check can do with.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        bytes if bytes < 1 << 20 => {
            Err("this is less than a megabyte; a limit has a unit, such as `500M` or `2G`"
                .to_owned())
        }
        bytes => Ok(bytes),
    }
}

/// Bytes, or a size with its unit: `500M`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].trim_end_matches(['B', 'b']).trim_end_matches('i') {
        "" => Some(0),
        "k" | "K" => Some(10),
        "m" | "M" => Some(20),
        "g" | "G" => Some(30),
        _ => None,
    };
    let bytes = digits.parse::<u64>().ok().zip(shift);
    let bytes = bytes.and_then(|(number, shift)| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "this must be a size, such as `500M` or `2G`".to_owned())
}

/// `0..3`, `-1..1` or `2`; both ends are included.
pub(crate) fn range(text: &str) -> Result<(i64, i64), String> {
    let refuse =
        || "this must be a range, such as `0..3` or `-1..1` (both ends included)".to_owned();
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let high = high.strip_prefix('=').unwrap_or(high);
    let low: i64 = low.trim().parse().map_err(|_| refuse())?;
    let high: i64 = high.trim().parse().map_err(|_| refuse())?;
    match low <= high {
        true => Ok((low, high)),
        false => Err(format!("the range is empty, since {low} is greater than {high}")),
    }
}

/// What `rand` returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rand {
    /// Numbers that depend on a seed.
    Seed(u64),
    /// Every number below this.
    Choose(u32),
}

/// `seed=1` or `choose=3`.
pub(crate) fn rand(text: &str) -> Result<Rand, String> {
    let parsed = match text.split_once('=') {
        Some(("seed", seed)) => number(seed).ok().map(Rand::Seed),
        Some(("choose", n)) => number(n).ok().filter(|n| *n > 0).map(Rand::Choose),
        _ => None,
    };
    parsed.ok_or_else(|| {
        "this must be `seed=N` or `choose=N` with a number, such as `choose=3`".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        assert_eq!(definition("N=5").unwrap().value.as_deref(), Some("5"));
        assert_eq!(definition("NDEBUG").unwrap().value, None);
        assert_eq!(number::<u64>("1_000"), Ok(1000));
        assert_eq!(count("1_000"), Ok(1000));
        assert_eq!(memory("10M"), Ok(10 << 20));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(range("0..3"), Ok((0, 3)));
        assert_eq!(range("-2..=2"), Ok((-2, 2)));
        assert_eq!(range("7"), Ok((7, 7)));
        assert_eq!(rand("seed=9"), Ok(Rand::Seed(9)));
        assert_eq!(rand("choose=2"), Ok(Rand::Choose(2)));
    }

    #[test]
    fn others_are_refused_with_an_example() {
        assert!(definition("5=N").unwrap_err().contains("-D N=5"));
        assert!(number::<u32>("-1").unwrap_err().contains("1000"));
        assert!(workers("0").unwrap_err().contains("from 1 on"));
        assert!(count("0").unwrap_err().contains("from 1 on"));
        assert!(memory("10").unwrap_err().contains("`500M`"));
        assert!(memory("much").unwrap_err().contains("`500M`"));
        assert!(duration("soon").unwrap_err().contains("`5m`"));
        assert!(duration("-3").unwrap_err().contains("`5m`"));
        assert!(range("3..0").unwrap_err().contains("the range is empty"));
        assert!(range("few").unwrap_err().contains("`0..3`"));
        assert!(rand("choose=0").unwrap_err().contains("choose=3"));
    }
}
