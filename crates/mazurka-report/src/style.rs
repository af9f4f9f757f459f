//! Colours and widths.

use std::io::IsTerminal;

/// The layout of a report.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to use colours.
    pub colour: bool,
    /// The number of columns.
    pub width: usize,
    /// Whether to fold the middle of a long schedule.
    pub fold: bool,
}

/// The role of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// The failure.
    Wrong,
    /// Important text.
    Strong,
    /// Text that can be skipped.
    Faint,
    /// All other text.
    Plain,
}

impl Style {
    /// Returns the style for text that may be written to a log: without colours.
    pub fn plain() -> Self {
        Style { colour: false, width: columns().unwrap_or(100), fold: true }
    }

    /// Returns the style for standard error: with colours if it is a terminal and `NO_COLOR` is not
    /// set.
    pub fn stderr() -> Self {
        let colour = wants_colours() && std::io::stderr().is_terminal();
        Style { colour, ..Style::plain() }
    }

    /// Returns the style for standard output: with colours if it is a terminal and `NO_COLOR` is
    /// not set.
    pub fn stdout() -> Self {
        let colour = wants_colours() && std::io::stdout().is_terminal();
        Style { colour, ..Style::plain() }
    }

    /// Returns the style for a terminal, if there is one and `NO_COLOR` is not set.
    ///
    /// A test harness captures standard error, and later prints it to standard output. Therefore
    /// both must be terminals.
    pub fn terminal() -> Option<Self> {
        let terminal = std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
        (wants_colours() && terminal).then(|| Style { colour: true, ..Style::plain() })
    }

    /// Returns a text in its colour.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Wrong => "1;31",
            Paint::Strong => "1",
            Paint::Faint => "2",
            Paint::Plain => return text.to_owned(),
        };
        match self.colour && !text.is_empty() {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

fn wants_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the width of the terminal, if `COLUMNS` is set.
pub(crate) fn columns() -> Option<usize> {
    let columns: usize = std::env::var("COLUMNS").ok()?.trim().parse().ok()?;
    (columns > 0).then_some(columns.clamp(60, 240))
}

/// Formats `1234567` as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with a noun: `1 execution`, `2,000 executions`.
pub fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", thousands(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(count(1, "execution"), "1 execution");
        assert_eq!(count(1_234_567, "execution"), "1,234,567 executions");
    }
}
