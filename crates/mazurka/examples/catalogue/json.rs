//! The JSON object of a check.

use std::fmt::Write;

use mazurka::Verdict;

/// The object, on one line. The names in it are a stable interface.
pub(crate) fn object(program: &str, parameters: &[(&str, usize)], verdict: &Verdict) -> String {
    let mut json = String::from("{");
    let field = |json: &mut String, name: &str, value: &str| {
        let separator = if json.len() == 1 { "" } else { ", " };
        let _ = write!(json, "{separator}\"{name}\": {value}");
    };
    let parameters: Vec<_> =
        parameters.iter().map(|(name, value)| format!("{}: {value}", string(name))).collect();
    let violations: Vec<_> = verdict
        .violations
        .iter()
        .map(|violation| {
            format!(
                "{{\"kind\": {}, \"message\": {}, \"schedule\": {}}}",
                string(violation.kind.name()),
                string(&violation.message),
                string(&violation.schedule.to_string())
            )
        })
        .collect();
    field(&mut json, "algorithm", &string(verdict.algorithm.name()));
    field(&mut json, "program", &string(program));
    field(&mut json, "parameters", &format!("{{{}}}", parameters.join(", ")));
    field(&mut json, "executions", &verdict.executions.to_string());
    field(&mut json, "blocked", &verdict.blocked.to_string());
    field(&mut json, "events", &verdict.events.to_string());
    field(&mut json, "max_depth", &verdict.max_depth.to_string());
    field(&mut json, "violations", &format!("[{}]", violations.join(", ")));
    field(&mut json, "complete", &verdict.is_complete().to_string());
    field(&mut json, "seconds", &format!("{:.6}", verdict.elapsed.as_secs_f64()));
    json.push('}');
    json
}

/// A text as JSON writes it.
pub(crate) fn string(text: &str) -> String {
    let mut json = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            control if control < ' ' => {
                let _ = write!(json, "\\u{:04x}", control as u32);
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}
