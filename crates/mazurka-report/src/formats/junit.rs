//! JUnit's XML, which most CI systems read.

use std::fmt::Write;

use super::Finished;

/// Returns the checks as a test suite in JUnit's XML: one test case for each check. A violation is
/// a failure. A check that is incomplete and found nothing is an error.
pub fn junit(checks: &[Finished<'_>]) -> String {
    let failures = checks.iter().filter(|check| !check.violations.is_empty()).count();
    let errors = checks.iter().filter(|check| check.incompleteness().is_some()).count();
    let seconds: f64 = checks.iter().map(|check| check.verdict.elapsed.as_secs_f64()).sum();
    let totals = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"",
        checks.len()
    );
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {totals}>\n  \
         <testsuite name=\"mazurka\" {totals}>\n"
    );
    checks.iter().for_each(|check| test_case(&mut text, check));
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn test_case(text: &mut String, check: &Finished<'_>) {
    let verdict = check.verdict;
    let seconds = verdict.elapsed.as_secs_f64();
    let _ = writeln!(
        text,
        "    <testcase classname=\"mazurka.{}\" name=\"{}\" time=\"{seconds:.3}\">",
        verdict.algorithm,
        escape(check.name)
    );
    for report in check.violations {
        let _ = writeln!(
            text,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            report.kind(),
            escape(&report.summary()),
            escape(&report.to_string())
        );
    }
    if let Some(incomplete) = check.incompleteness() {
        let _ = writeln!(
            text,
            "      <error type=\"incomplete\" message=\"{}\"/>",
            escape(&incomplete)
        );
    }
    let _ = writeln!(
        text,
        "      <system-out>{} executions, {} blocked, {} warnings</system-out>\n    </testcase>",
        verdict.executions,
        verdict.blocked,
        check.warnings.len()
    );
}

/// Escapes text for XML. XML has no form for most control characters, so they are replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a < \"b\" & \u{1b}[1m"), "a &lt; &quot;b&quot; &amp; \u{fffd}[1m");
    }
}
