//! Durations on the command line and in environment variables.

use std::time::Duration;

/// The syntax of a duration, for error messages.
pub const A_DURATION: &str =
    "a number of seconds, or one with a unit as in `500ms`, `90s`, `5m`, `1h`";

/// Parses a duration: a number of seconds, or a number with a unit. Returns `None` if the text is
/// neither.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(mazurka_report::duration("1.5"), Some(Duration::from_millis(1500)));
/// assert_eq!(mazurka_report::duration("2 min"), Some(Duration::from_secs(120)));
/// assert_eq!(mazurka_report::duration("soon"), None);
/// ```
pub fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    Duration::try_from_secs_f64(number * factor).ok()
}
