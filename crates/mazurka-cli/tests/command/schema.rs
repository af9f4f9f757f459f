//! A validator of JSON Schema, with the keywords that the schema of SARIF 2.1.0 uses.
//!
//! `sarif.schema.json` has the members that Mazurka writes, with the constraints of the standard. A
//! member that it does not have is an error. With `MAZURKA_SARIF_SCHEMA=FILE`, logs are also
//! validated against the schema in that file, which may be the complete one of OASIS.

use serde_json::Value;

/// Panics if a SARIF log violates the schema.
#[track_caller]
pub(crate) fn assert_sarif(log: &Value) {
    let own = include_str!("sarif.schema.json").to_owned();
    let complete = std::env::var_os("MAZURKA_SARIF_SCHEMA");
    let complete = complete.map(|file| std::fs::read_to_string(file).expect("the schema is there"));
    for text in [Some(own), complete].into_iter().flatten() {
        let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
        let mut errors = Vec::new();
        validate(&schema, &schema, log, "", &mut errors);
        assert!(errors.is_empty(), "{}\n{log:#}", errors.join("\n"));
    }
}

/// Validates a value. `path` is its place in the document.
fn validate(root: &Value, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else { return };
    let mut complain = |what: String| errors.push(format!("{path}: {what}"));
    for (keyword, argument) in keywords {
        let list = || argument.as_array().expect("the argument is a list");
        let is_valid = match keyword.as_str() {
            "type" => has_type(value, argument),
            "enum" => list().contains(value),
            "required" => {
                let has = |name: &Value| value.get(name.as_str().unwrap_or_default()).is_some();
                !value.is_object() || list().iter().all(has)
            }
            "minimum" => value.as_f64().is_none_or(|v| Some(v) >= argument.as_f64()),
            "maximum" => value.as_f64().is_none_or(|v| Some(v) <= argument.as_f64()),
            "minItems" => {
                value.as_array().is_none_or(|v| Some(v.len() as u64) >= argument.as_u64())
            }
            "uniqueItems" => match (argument.as_bool(), value.as_array()) {
                (Some(true), Some(items)) => {
                    (1..items.len()).all(|index| !items[..index].contains(&items[index]))
                }
                _ => true,
            },
            "format" => value.as_str().is_none_or(|text| has_format(text, argument)),
            "anyOf" | "oneOf" => list().iter().any(|other| {
                let mut own = Vec::new();
                validate(root, other, value, path, &mut own);
                own.is_empty()
            }),
            "additionalProperties" if argument == false => {
                let known = &schema["properties"];
                let is_known = |name: &String| known.get(name).is_some();
                value.as_object().is_none_or(|members| members.keys().all(is_known))
            }
            // These are below, or constrain nothing that Mazurka writes.
            "properties" | "items" | "$ref" | "additionalProperties" | "definitions" => true,
            "$schema" | "$id" | "title" | "description" | "default" | "pattern" => true,
            unknown => panic!("the validator does not know the keyword `{unknown}`"),
        };
        if !is_valid {
            complain(format!("`{keyword}` {argument} does not hold for {value}"));
        }
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        let target = target.unwrap_or_else(|| panic!("no {reference} in the schema"));
        validate(root, target, value, path, errors);
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let inner = match schema["properties"].get(name) {
            Some(inner) => inner,
            None => &schema["additionalProperties"],
        };
        validate(root, inner, member, &format!("{path}/{name}"), errors);
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        validate(root, &schema["items"], item, &format!("{path}/{index}"), errors);
    }
}

fn has_type(value: &Value, wanted: &Value) -> bool {
    let is = |wanted: &Value| match wanted.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("null") => value.is_null(),
        _ => panic!("the validator does not know the type {wanted}"),
    };
    match wanted.as_array() {
        Some(several) => several.iter().any(is),
        None => is(wanted),
    }
}

/// Returns whether a text has a format. URIs consist of ASCII characters without blanks.
fn has_format(text: &str, format: &Value) -> bool {
    let is_reference = text.is_ascii() && !text.contains([' ', '\\', '"', '<', '>']);
    match format.as_str() {
        Some("uri") => is_reference && text.contains(':'),
        Some("uri-reference") => is_reference,
        _ => true,
    }
}

#[test]
fn the_validator_finds_errors() {
    let schema: Value = serde_json::from_str(include_str!("sarif.schema.json")).unwrap();
    let errors = |text: &str| {
        let log: Value = serde_json::from_str(text).unwrap();
        let mut errors = Vec::new();
        validate(&schema, &schema, &log, "", &mut errors);
        errors.len()
    };
    let run = |inner: &str| format!(r#"{{"version": "2.1.0", "runs": [{inner}]}}"#);
    assert_eq!(errors(&run(r#"{"tool": {"driver": {"name": "x"}}}"#)), 0);
    assert_eq!(errors(&run(r#"{"tool": {"driver": {}}}"#)), 1);
    assert_eq!(errors(r#"{"version": "2.0.0", "runs": []}"#), 1);
    assert_eq!(errors(r#"{"version": "2.1.0", "runs": [], "run": 1}"#), 1);
    let result = |inner: &str| {
        run(&format!(r#"{{"tool": {{"driver": {{"name": "x"}}}}, "results": [{inner}]}}"#))
    };
    assert_eq!(errors(&result(r#"{"message": {"text": "m"}, "level": "fatal"}"#)), 1);
    let region = r#"{"message": {"text": "m"}, "locations": [{"physicalLocation":
        {"artifactLocation": {"uri": "a b"}, "region": {"startLine": 0}}}]}"#;
    assert_eq!(errors(&result(region)), 2);
}
