//! A job while it is played: its folders, its variables, and what its steps have left behind so far.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::expression::{Context, field, shown};
use crate::workflow::{Fields, Job, Step, Workflow};

/// How a job or step ended, as `result` and `conclusion` say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Success,
    Failure,
    Skipped,
}

impl Ending {
    pub fn text(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Skipped => "skipped",
        }
    }
}

/// A job while it is played.
pub struct Stage<'a> {
    pub job: &'a Job,
    pub workspace: PathBuf,
    pub temp: PathBuf,
    pub contexts: Fields,
    pub steps: Fields,
    pub variables: BTreeMap<String, String>,
    pub search: Vec<String>,
    pub is_success: bool,
}

impl<'a> Stage<'a> {
    /// An empty stage for a job, in a folder of its own.
    pub fn new(
        workflow: &Workflow,
        job: &'a Job,
        mut contexts: Fields,
        place: &Path,
    ) -> Result<Self, String> {
        if place.exists() {
            fs::remove_dir_all(place).unwrap();
        }
        let (workspace, temp) = (place.join("work"), place.join("temp"));
        for folder in [&workspace, &temp] {
            fs::create_dir_all(folder).unwrap();
        }
        contexts.insert("runner".to_owned(), json!({ "os": "Linux", "arch": "X64", "temp": temp }));
        contexts["github"]["workspace"] = json!(workspace);
        let mut stage = Self {
            job,
            workspace,
            temp,
            contexts,
            steps: Fields::new(),
            variables: BTreeMap::new(),
            search: Vec::new(),
            is_success: true,
        };
        for variables in [&workflow.env, &job.env] {
            let texts = stage.texts(variables)?;
            stage.variables.extend(texts);
        }
        Ok(stage)
    }

    pub fn context(&self) -> Context {
        let mut values = self.contexts.clone();
        values.insert("env".to_owned(), json!(self.variables));
        values.insert("steps".to_owned(), Value::Object(self.steps.clone()));
        values.insert(
            "job".to_owned(),
            json!({ "status": if self.is_success { "success" } else { "failure" } }),
        );
        Context { values: Value::Object(values), is_success: self.is_success }
    }

    /// Values as texts, with their expressions replaced.
    pub fn texts(&self, fields: &Fields) -> Result<BTreeMap<String, String>, String> {
        let context = self.context();
        fields.iter().map(|(name, value)| Ok((name.clone(), shown(&field(value, &context)?)))).collect()
    }

    pub fn search_path(&self, machine: &str) -> String {
        let own = self.search.iter().map(String::as_str);
        own.chain([machine]).collect::<Vec<_>>().join(":")
    }

    pub fn ended(&mut self, step: &Step, outcome: Ending, outputs: &Fields) -> Result<(), String> {
        let goes_on = field(&step.continue_on_error, &self.context())? == Value::Bool(true);
        let is_failure = outcome == Ending::Failure;
        let conclusion = if is_failure && goes_on { Ending::Success } else { outcome };
        self.is_success &= conclusion != Ending::Failure;
        if let Some(id) = &step.id {
            let about =
                json!({ "outputs": outputs, "outcome": outcome.text(), "conclusion": conclusion.text() });
            self.steps.insert(id.clone(), about);
        }
        Ok(())
    }
}

/// The lines `name=value`, and `name<<END` with lines up to `END`, of a file that a step has written.
pub fn assignments(text: &str) -> Result<Fields, String> {
    let mut assigned = Fields::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let here = line.find("<<").filter(|at| line.find('=').is_none_or(|equals| *at < equals));
        if let Some(at) = here {
            let end = &line[at + 2..];
            let mut value = Vec::new();
            loop {
                match lines.next() {
                    Some(line) if line == end => break,
                    Some(line) => value.push(line),
                    None => return Err(format!("`{line}` has no end")),
                }
            }
            assigned.insert(line[..at].to_owned(), value.join("\n").into());
        } else if let Some((name, value)) = line.split_once('=') {
            assigned.insert(name.to_owned(), value.into());
        } else if !line.is_empty() {
            return Err(format!("`{line}` assigns nothing"));
        }
    }
    Ok(assigned)
}
