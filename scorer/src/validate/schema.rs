//! JSON Schemas of the files, generated from the types, and checking a document against them.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use serde_json::Value;
use shared::contract::{ANSWER_SCHEMA, REQUEST_SCHEMA, SimulatorAnswer, SimulatorRequest};
use shared::corpus::Corpus;
use shared::format::shortened;
use shared::index::{Index, LastRun};
use shared::night::LastFailure;
use shared::outcome::{OutcomeRecord, OutcomesHeader};
use shared::plan::Plan;
use shared::report;
use shared::schema::FileKind;
use shared::summary::Summary;
use shared::unit::Unit;

use super::Problem;
use crate::comparison;
use crate::nightly;
use crate::resolve;

/// How many violations are collected before giving up on the rest.
const COLLECTED: usize = 10_000;

/// Every schema by the name of its file below schemas/: of the files between stages, and of what `report`
/// and `compare` print as JSON, and of the lines between the scorer and a simulator.
#[must_use]
pub fn schemas() -> BTreeMap<String, Value> {
    let mut schemas: BTreeMap<String, Value> =
        FileKind::ALL.into_iter().map(|kind| (format!("{}.json", kind.schema()), schema_of(kind))).collect();
    schemas.insert("outcomes.v1.record.json".to_owned(), record_schema());
    for (name, schema) in all_printed() {
        schemas.insert(format!("{name}.json"), schema);
    }
    schemas
}

/// The names and schemas of what is printed, or stands beside the files of a night.
fn all_printed() -> [(&'static str, Value); 6] {
    [
        (report::SCHEMA, generate::<report::Report>()),
        (comparison::SCHEMA, generate::<comparison::Compared>()),
        (resolve::SCHEMA, generate::<resolve::Resolved>()),
        (nightly::SCHEMA, generate::<nightly::Night>()),
        (REQUEST_SCHEMA, generate::<SimulatorRequest>()),
        (ANSWER_SCHEMA, generate::<SimulatorAnswer>()),
    ]
    .map(|(name, schema)| (name, stating(schema, name)))
}

/// The name and the schema of the printed kind whose `schema` field says `stated`, whatever its version.
pub(super) fn printed(stated: &str) -> Option<(&'static str, Value)> {
    let bare = |text: &str| text.rsplit_once(".v").map(|(name, _)| name.to_owned());
    let stated = bare(stated)?;
    all_printed().into_iter().find(|(name, _)| bare(name).as_ref() == Some(&stated))
}

/// The schema of a kind of file. For outcomes it is that of the first line.
#[must_use]
pub fn schema_of(kind: FileKind) -> Value {
    let schema = match kind {
        FileKind::Corpus => generate::<Corpus>(),
        FileKind::Plan => generate::<Plan>(),
        FileKind::Outcomes => generate::<OutcomesHeader>(),
        FileKind::Summary => generate::<Summary>(),
        FileKind::Index => generate::<Index>(),
        FileKind::LastRun => generate::<LastRun>(),
        FileKind::LastFailure => generate::<LastFailure>(),
        FileKind::Unit => generate::<Unit>(),
    };
    stating(schema, kind.schema())
}

/// The schema of documents whose `schema` field has this value.
fn stating(mut schema: Value, name: &str) -> Value {
    if let Some(field) = schema.pointer_mut("/properties/schema") {
        *field = serde_json::json!({ "const": name, "description": "The kind and version of the file." });
    }
    schema
}

/// The schema of the lines of a file of outcomes after the first.
#[must_use]
pub fn record_schema() -> Value {
    generate::<OutcomeRecord>()
}

fn generate<T: schemars::JsonSchema>() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value();
    refuse_unknown(&mut schema);
    schema
}

/// Adds `additionalProperties: false` to every object with named fields: what we write has no others.
fn refuse_unknown(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let named = fields.contains_key("properties");
            if named && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            fields.values_mut().for_each(refuse_unknown);
        }
        Value::Array(items) => items.iter_mut().for_each(refuse_unknown),
        _ => {}
    }
}

/// What in a document the schema of its kind does not allow.
#[must_use]
pub fn schema_problems(kind: FileKind, document: &Value) -> Vec<Problem> {
    problems(&schema_of(kind), document)
}

/// What in a document a schema does not allow.
#[must_use]
pub fn problems(schema: &Value, document: &Value) -> Vec<Problem> {
    match jsonschema::validator_for(schema) {
        Ok(validator) => violations(&validator, document),
        Err(error) => vec![Problem::new("", format!("the built-in schema cannot be used: {error}"))],
    }
}

/// What in a document a compiled schema does not allow.
pub(super) fn violations(validator: &jsonschema::Validator, document: &Value) -> Vec<Problem> {
    if validator.is_valid(document) {
        return Vec::new();
    }
    validator
        .iter_errors(document)
        .take(COLLECTED)
        .map(|error| {
            let place = dotted(&error.instance_path().to_string());
            Problem::new(place, shortened(&error.to_string(), 300))
        })
        .collect()
}

/// `/sweeps/3/points/0/ttft_ms` as `sweeps[3].points[0].ttft_ms`.
fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push('[');
            path.push_str(part);
            path.push(']');
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&part.replace("~1", "/").replace("~0", "~"));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_as_in_other_messages() {
        assert_eq!(dotted("/sweeps/3/points/0/ttft_ms"), "sweeps[3].points[0].ttft_ms");
        assert_eq!(dotted(""), "");
        assert_eq!(dotted("/a~1b"), "a/b");
    }

    #[test]
    fn every_schema_compiles_and_refuses_unknown_fields() {
        for (name, schema) in schemas() {
            assert!(jsonschema::validator_for(&schema).is_ok(), "{name}");
            assert_eq!(schema.get("additionalProperties"), Some(&Value::Bool(false)), "{name}");
        }
    }

    #[test]
    fn an_unknown_field_and_a_wrong_type_are_both_named() {
        let document = serde_json::json!({ "schema": "last-run.v1", "simulator": 3, "measurements": "m",
            "snapshot": "s", "colour": "red" });
        let problems = schema_problems(FileKind::LastRun, &document);
        let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems.len(), 2, "{text:?}");
        assert!(text.iter().any(|text| text.starts_with("simulator:")), "{text:?}");
        assert!(text.iter().any(|text| text.contains("colour")), "{text:?}");
    }
}
