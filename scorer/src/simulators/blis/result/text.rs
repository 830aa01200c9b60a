//! Finding the result in what a build prints: there is a headline before it and sections of text after it.

use serde::de::Error as _;
use serde_json::Value;

use super::ResultError;

/// The first JSON object that begins a line.
///
/// # Errors
/// When there is none, or it is broken.
pub fn json(stdout: &[u8]) -> Result<Value, ResultError> {
    let begins = |at: &usize| stdout[*at] == b'{' && (*at == 0 || stdout[*at - 1] == b'\n');
    let start = (0..stdout.len()).find(begins).ok_or(ResultError::Nothing)?;
    let mut values = serde_json::Deserializer::from_slice(&stdout[start..]).into_iter();
    let value = values.next().unwrap_or_else(|| Err(serde_json::Error::custom("nothing")));
    value.map_err(|error| ResultError::Syntax(error.to_string()))
}

/// A Result document, as JSON or YAML, without its envelope.
///
/// # Errors
/// When there is none, or it is broken.
pub fn document(stdout: &[u8]) -> Result<Value, ResultError> {
    let value = match json(stdout) {
        Err(ResultError::Nothing) => yaml(stdout)?,
        other => other?,
    };
    Ok(match value {
        Value::Object(mut envelope) if envelope.get("result").is_some_and(Value::is_object) => {
            envelope.remove("result").unwrap_or_default()
        }
        bare => bare,
    })
}

/// The YAML from the first line that begins a document of this kind.
fn yaml(stdout: &[u8]) -> Result<Value, ResultError> {
    let text = std::str::from_utf8(stdout).map_err(|_| ResultError::NotText)?;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if ["apiVersion:", "kind:", "result:"].iter().any(|key| line.starts_with(key)) {
            return super::super::yaml::value(&text[start..]).map_err(ResultError::Syntax);
        }
        start += line.len();
    }
    Err(ResultError::Nothing)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_json_is_found_between_the_texts_around_it() {
        let printed = "=== Simulation Metrics ===\n{\n  \"completed_requests\": 40\n}\n=== Per-Tenant Metrics ===\n  t: {x}\n";
        assert_eq!(json(printed.as_bytes()), Ok(json!({ "completed_requests": 40 })));
    }

    #[test]
    fn nothing_garbage_and_a_torn_end_are_told_apart() {
        assert_eq!(json(b""), Err(ResultError::Nothing));
        assert_eq!(json(b"\xff\xfe no result { here }"), Err(ResultError::Nothing));
        assert!(matches!(json(b"{\n  \"completed_requests\": 4"), Err(ResultError::Syntax(_))));
        assert!(matches!(json(b"{ NaN }"), Err(ResultError::Syntax(_))));
        assert_eq!(document(b"\xff\xfe"), Err(ResultError::NotText));
    }

    #[test]
    fn a_result_document_is_read_as_json_and_as_yaml() {
        let json_text = br#"{"apiVersion": "llm-d-perf-simulator/v1", "kind": "ReplayResult", "result": {"requests": {"rows": []}}}"#;
        let yaml_text = b"loading the catalog\napiVersion: llm-d-perf-simulator/v1\nkind: ReplayResult\nresult:\n  requests:\n    rows: []\n";
        for text in [json_text.as_slice(), yaml_text.as_slice()] {
            assert_eq!(document(text), Ok(json!({ "requests": { "rows": [] } })));
        }
    }

    #[test]
    fn a_document_without_an_envelope_is_taken_as_it_is() {
        assert_eq!(document(b"{\"requests\": []}"), Ok(json!({ "requests": [] })));
    }
}
