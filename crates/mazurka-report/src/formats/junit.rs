//! JUnit's XML, which most CI systems read.

use std::fmt::Write;

use super::Finished;

/// Returns the checks as a test suite in JUnit's XML: one test case for each check. A violation is
/// a failure. A check that could not run, or that is incomplete and found nothing, is an error.
pub fn junit(checks: &[Finished<'_>]) -> String {
    let failures = checks.iter().filter(|check| !check.violations.is_empty()).count();
    let is_error =
        |check: &&Finished<'_>| check.verdict.is_err() || check.incompleteness().is_some();
    let errors = checks.iter().filter(is_error).count();
    let seconds: f64 = checks.iter().map(Finished::seconds).sum();
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
    let class = match check.verdict {
        Ok(verdict) => format!("mazurka.{}", verdict.algorithm),
        Err(_) => "mazurka".to_owned(),
    };
    let (name, seconds) = (escape(check.name), check.seconds());
    let _ = writeln!(
        text,
        "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{seconds:.3}\">"
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
    let _ = match check.verdict {
        Ok(verdict) => writeln!(
            text,
            "      <system-out>{} executions, {} blocked, {} warnings</system-out>",
            verdict.executions,
            verdict.blocked,
            check.warnings.len()
        ),
        Err(error) => writeln!(
            text,
            "      <error type=\"error\" message=\"{}\">{}</error>",
            escape(error.lines().next().unwrap_or_default()),
            escape(error)
        ),
    };
    text.push_str("    </testcase>\n");
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
