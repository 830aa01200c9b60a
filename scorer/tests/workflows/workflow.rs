//! A workflow file, as far as playing it needs to know. That the file is a valid one is for its schema to say, in `make lint`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

/// Values by name.
pub type Fields = Map<String, Value>;

/// A workflow.
#[derive(Clone, Debug, Deserialize)]
pub struct Workflow {
    /// What it can be started by.
    pub on: Value,
    /// Variables of every step.
    #[serde(default)]
    pub env: Fields,
    /// The jobs by their ids.
    pub jobs: BTreeMap<String, Job>,
}

/// A job.
#[derive(Clone, Debug, Deserialize)]
pub struct Job {
    /// The jobs before it.
    #[serde(default)]
    pub needs: Needs,
    /// When it runs.
    #[serde(default, rename = "if")]
    pub condition: Option<Value>,
    /// What it is run with in turn.
    #[serde(default)]
    pub strategy: Strategy,
    /// Variables of its steps.
    #[serde(default)]
    pub env: Fields,
    /// How its steps run.
    #[serde(default)]
    pub defaults: Defaults,
    /// What later jobs may know of it.
    #[serde(default)]
    pub outputs: Fields,
    /// The steps.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Or else the workflow that is called.
    #[serde(default)]
    pub uses: Option<String>,
    /// What it is told.
    #[serde(default)]
    pub with: Fields,
}

/// One name or a list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(untagged)]
pub enum Needs {
    /// Nobody.
    #[default]
    None,
    /// One job.
    One(String),
    /// Some jobs.
    Many(Vec<String>),
}

impl Needs {
    /// The ids.
    pub fn ids(&self) -> &[String] {
        match self {
            Self::None => &[],
            Self::One(id) => std::slice::from_ref(id),
            Self::Many(ids) => ids,
        }
    }
}

/// How often a job runs.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Strategy {
    /// The values of each variable, or an expression that gives them.
    #[serde(default)]
    pub matrix: Value,
}

/// Defaults of the steps of a job.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Defaults {
    /// Of those that run something.
    #[serde(default)]
    pub run: RunDefaults,
}

/// Defaults of steps that run something.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunDefaults {
    /// The folder.
    #[serde(default)]
    pub working_directory: Option<String>,
    /// The shell.
    #[serde(default)]
    pub shell: Option<String>,
}

/// A step.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    /// By what others call it.
    #[serde(default)]
    pub id: Option<String>,
    /// What it does, in words.
    #[serde(default)]
    pub name: Option<String>,
    /// When it runs.
    #[serde(default, rename = "if")]
    pub condition: Option<Value>,
    /// The action.
    #[serde(default)]
    pub uses: Option<String>,
    /// What the action is told.
    #[serde(default)]
    pub with: Fields,
    /// Or else the script.
    #[serde(default)]
    pub run: Option<String>,
    /// Its variables.
    #[serde(default)]
    pub env: Fields,
    /// Its folder.
    #[serde(default)]
    pub working_directory: Option<String>,
    /// Its shell.
    #[serde(default)]
    pub shell: Option<String>,
    /// Whether the job goes on when it fails.
    #[serde(default)]
    pub continue_on_error: Value,
}

impl Step {
    /// What it is called in a log.
    pub fn title(&self) -> String {
        let named = self.name.clone().or_else(|| self.uses.clone()).or_else(|| self.id.clone());
        named.or_else(|| self.run.as_ref()?.lines().next().map(str::to_owned)).unwrap_or_default()
    }
}

impl Workflow {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The workflow of this repository with that name.
    pub fn ours(name: &str) -> Result<Self, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/workflows");
        Self::read(&folder.join(name))
    }

    /// The inputs of a start by `event`: those that are given, and the defaults of the others. One that is not declared, and one
    /// that is required and missing, are refused, as GitHub does.
    pub fn inputs(&self, event: &str, given: &[(&str, Value)]) -> Result<Value, String> {
        let declared = self.on.get(event).and_then(|event| event.get("inputs")).and_then(Value::as_object);
        let declared = declared.cloned().unwrap_or_default();
        if let Some((name, _)) = given.iter().find(|(name, _)| !declared.contains_key(*name)) {
            return Err(format!("`{name}` is no input of {event}"));
        }
        let mut inputs = Fields::new();
        for (name, about) in &declared {
            let given = given.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone());
            let required = about.get("required") == Some(&Value::Bool(true));
            let value = match (given, about.get("default")) {
                (Some(value), _) => value,
                (None, Some(default)) => default.clone(),
                (None, None) if required => return Err(format!("the input `{name}` is missing")),
                (None, None) if about.get("type") == Some(&Value::from("boolean")) => Value::Bool(false),
                (None, None) => Value::from(""),
            };
            inputs.insert(name.clone(), value);
        }
        Ok(Value::Object(inputs))
    }

    /// The ids of the jobs, each after those that it needs.
    pub fn order(&self) -> Result<Vec<&str>, String> {
        let mut order: Vec<&str> = Vec::new();
        while order.len() < self.jobs.len() {
            let ready = self.jobs.iter().find(|(id, job)| {
                !order.contains(&id.as_str())
                    && job.needs.ids().iter().all(|need| order.contains(&need.as_str()))
            });
            order.push(ready.ok_or("jobs need each other, or one that is not there")?.0);
        }
        Ok(order)
    }
}

/// The combinations of a matrix, each an object; one that is empty when there is no matrix.
pub fn combinations(matrix: &Value) -> Result<Vec<Value>, String> {
    let Some(variables) = matrix.as_object() else { return Ok(vec![Value::Object(Fields::new())]) };
    let mut combinations = vec![Fields::new()];
    for (name, values) in
        variables.iter().filter(|(name, _)| !["include", "exclude"].contains(&name.as_str()))
    {
        let values = values.as_array().ok_or_else(|| format!("`{name}` of the matrix is no list"))?;
        let with = |combination: &Fields, value: &Value| {
            let mut more = combination.clone();
            more.insert(name.clone(), value.clone());
            more
        };
        combinations = combinations
            .iter()
            .flat_map(|combination| values.iter().map(|value| with(combination, value)).collect::<Vec<_>>())
            .collect();
    }
    if variables.contains_key("exclude") {
        return Err("`exclude` of a matrix is not understood".to_owned());
    }
    if let Some(include) = variables.get("include").and_then(Value::as_array) {
        if variables.len() > 1 {
            return Err("`include` beside other variables of a matrix is not understood".to_owned());
        }
        return Ok(include.clone());
    }
    Ok(combinations.into_iter().map(Value::Object).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_matrix_has_every_combination() {
        assert_eq!(combinations(&Value::Null).unwrap(), [json!({})]);
        let two = combinations(&json!({ "a": [1, 2], "b": ["x", "y"] })).unwrap();
        assert_eq!(two.len(), 4);
        assert_eq!(two[1], json!({ "a": 1, "b": "y" }));
        assert_eq!(combinations(&json!({ "include": [{ "a": 1 }] })).unwrap(), [json!({ "a": 1 })]);
        assert!(combinations(&json!({ "a": "[1, 2]" })).is_err());
    }

    #[test]
    fn inputs_are_filled_in_and_strange_ones_refused() {
        let text = "on:\n  workflow_call:\n    inputs:\n      sim: { type: string, required: true }\n      \
                    gate: { type: boolean, default: true }\n      more: { type: string }\njobs: {}\n";
        let workflow: Workflow = serde_saphyr::from_str(text).unwrap();
        let inputs = workflow.inputs("workflow_call", &[("sim", json!("v1"))]);
        assert_eq!(inputs, Ok(json!({ "sim": "v1", "gate": true, "more": "" })));
        assert!(workflow.inputs("workflow_call", &[]).is_err());
        assert!(workflow.inputs("workflow_call", &[("simm", json!("v1"))]).is_err());
    }
}
