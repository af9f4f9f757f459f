//! Parts of drawings.

/// The colours of processes, readable on white and on black.
pub(crate) const COLOURS: [&str; 8] =
    ["#2f6fc9", "#c0392b", "#208a4a", "#a86c00", "#8250c4", "#15858f", "#b83c7c", "#68727d"];

/// Returns a text that can be part of XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Returns a text of at most `longest` characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    match text.chars().count() > longest {
        true => text.chars().take(longest.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
