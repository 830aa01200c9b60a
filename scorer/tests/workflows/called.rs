//! A workflow that a job of another one calls: one of this repository's own, named by its path and a full commit.

use serde_json::Value;

use crate::runner::{PlayedJob, Runner};
use crate::workflow::Workflow;

impl Runner {
    /// Plays the called workflow as it is here now, whatever commit is named, and gives its jobs.
    pub fn play_called(&self, uses: &str, with: &Value) -> Result<Vec<PlayedJob>, String> {
        let (path, version) = uses.split_once('@').ok_or_else(|| format!("`{uses}` has no version"))?;
        if version.len() != 40 {
            return Err(format!("`{uses}` is not pinned by a commit"));
        }
        let name =
            path.split_once("/.github/workflows/").ok_or_else(|| format!("`{uses}` is no workflow"))?.1;
        let workflow = Workflow::ours(name)?;
        let given: Vec<(&str, Value)> = with
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        let inputs = workflow.inputs("workflow_call", &given)?;
        Ok(self.play(&workflow, &inputs)?.jobs)
    }
}
