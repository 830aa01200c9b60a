//! Reading YAML into JSON values: scenarios and Result documents. JSON is YAML, so nothing needs to be written in it.

use serde_json::Value;

/// The first document of a text.
///
/// # Errors
/// What is wrong, and where.
pub fn value(text: &str) -> Result<Value, String> {
    documents(text)?.into_iter().next().ok_or_else(|| "it is empty".to_owned())
}

/// Every document of a stream.
///
/// # Errors
/// What is wrong, and where.
pub fn documents(text: &str) -> Result<Vec<Value>, String> {
    serde_saphyr::from_multiple(text).map_err(|error| error.to_string())
}
