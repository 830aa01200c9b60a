//! A runner for the workflows of this repository: it runs the shell steps of their jobs as GitHub would, in empty folders, and has
//! stand-ins for the actions.
//!
//! What a step sees is what GitHub gives it: the variables of workflow, job and step with their expressions, the files for outputs,
//! variables, search path and summary, `bash -e` (`-o pipefail` with `shell: bash`), and nothing of this machine but what a test
//! hands in. Jobs run one after the other, those of a matrix too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::actions::{self, Action, Call};
use crate::expression::{Context, field, interpolated, object, runs, shown};
use crate::stage::{Ending, Stage, assignments};
use crate::workflow::{Fields, Job, RunDefaults, Step, Workflow, combinations};

/// The token of a run.
const TOKEN: &str = "the-token-of-the-run";

/// The machine that jobs run on.
pub struct Runner {
    folder: PathBuf,
    variables: BTreeMap<String, String>,
    github: Fields,
    actions: BTreeMap<String, Action>,
}

/// A step that was played.
#[derive(Clone, Debug)]
pub struct PlayedStep {
    pub title: String,
    pub ending: Ending,
    /// What it printed, on stdout and stderr.
    pub log: String,
}

/// A job that was played, with one combination of its matrix.
#[derive(Clone, Debug)]
pub struct PlayedJob {
    pub id: String,
    pub ending: Ending,
    pub outputs: Fields,
    pub steps: Vec<PlayedStep>,
    /// What its steps wrote into the summary of the run.
    pub summary: String,
    /// Its folder, as it left it.
    pub workspace: PathBuf,
}

/// A run of a workflow.
#[derive(Clone, Debug)]
pub struct Played {
    pub jobs: Vec<PlayedJob>,
    /// The folder of artifacts, one folder each.
    pub artifacts: PathBuf,
}

impl Played {
    /// The first job of that id.
    #[track_caller]
    pub fn job(&self, id: &str) -> &PlayedJob {
        self.jobs.iter().find(|job| job.id == id).unwrap()
    }

    /// Whether no job failed.
    pub fn is_success(&self) -> bool {
        self.jobs.iter().all(|job| job.ending != Ending::Failure)
    }

    /// All that was printed, by job and step.
    pub fn log(&self) -> String {
        let mut log = String::new();
        for job in &self.jobs {
            writeln!(log, "# {} ({})", job.id, job.ending.text()).unwrap();
            for step in &job.steps {
                writeln!(log, "## {} ({})\n{}", step.title, step.ending.text(), step.log).unwrap();
            }
        }
        log
    }
}

impl Runner {
    /// A machine whose files are in `folder`, and whose programs are this one's.
    pub fn new(folder: &Path) -> Self {
        let home = folder.join("home");
        fs::create_dir_all(&home).unwrap();
        // GitHub serves a commit by its name; a local repository has to be told to.
        fs::write(home.join(".gitconfig"), "[uploadpack]\n\tallowAnySHA1InWant = true\n").unwrap();
        let search = std::env::var("PATH").unwrap_or_default();
        let variables = [
            ("CI", "true"),
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("GITHUB_API_URL", "https://api.github.com"),
            ("HOME", home.to_str().unwrap()),
            ("LANG", "C.UTF-8"),
            ("PATH", &search),
            ("RUNNER_OS", "Linux"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            folder: folder.to_owned(),
            variables: variables.into_iter().collect(),
            github: Fields::from_iter([("token".to_owned(), TOKEN.into())]),
            actions: actions::usual(),
        }
    }

    /// A variable of the machine, such as where its programs keep their caches.
    pub fn variable(&mut self, name: &str, value: impl AsRef<Path>) -> &mut Self {
        self.variables.insert(name.to_owned(), value.as_ref().to_str().unwrap().to_owned());
        self
    }

    /// A folder whose programs stand before the machine's own.
    pub fn programs(&mut self, folder: &Path) -> &mut Self {
        let search = format!("{}:{}", folder.display(), self.variables["PATH"]);
        self.variable("PATH", search)
    }

    /// A member of the context `github`, which is a variable too when it is a text: `repository` is `GITHUB_REPOSITORY`.
    pub fn github(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        if let Value::String(text) = &value {
            self.variables.insert(format!("GITHUB_{}", name.to_uppercase()), text.clone());
        }
        self.github.insert(name.to_owned(), value);
        self
    }

    /// What stands in for an action, by its name without version.
    pub fn action(&mut self, name: &str, action: Action) -> &mut Self {
        self.actions.insert(name.to_owned(), action);
        self
    }

    /// Plays all jobs of a workflow.
    ///
    /// # Errors
    /// When the workflow cannot be understood. A step that fails is no error.
    pub fn play(&self, workflow: &Workflow, inputs: &Value) -> Result<Played, String> {
        let artifacts = self.folder.join("artifacts");
        fs::create_dir_all(&artifacts).unwrap();
        let mut played = Played { jobs: Vec::new(), artifacts };
        let mut needs = Fields::new();
        for id in workflow.order()? {
            let job = &workflow.jobs[id];
            let needed = job.needs.ids().iter().map(|need| (need.as_str(), needs[need].clone()));
            let needed = object(needed);
            let runs = self.play_job(workflow, (id, job), inputs, &needed, &played.artifacts)?;
            needs.insert(id.to_owned(), outcome(&runs));
            played.jobs.extend(runs);
        }
        Ok(played)
    }

    /// A job with every combination of its matrix; one that is skipped is there once.
    fn play_job(
        &self,
        workflow: &Workflow,
        (id, job): (&str, &Job),
        inputs: &Value,
        needs: &Value,
        artifacts: &Path,
    ) -> Result<Vec<PlayedJob>, String> {
        let results: Vec<Value> =
            needs.as_object().into_iter().flatten().map(|(_, need)| need["result"].clone()).collect();
        let mut contexts = Fields::new();
        contexts.insert("github".to_owned(), Value::Object(self.github.clone()));
        contexts.insert("inputs".to_owned(), inputs.clone());
        contexts.insert("needs".to_owned(), needs.clone());
        contexts.insert("secrets".to_owned(), json!({ "GITHUB_TOKEN": TOKEN }));
        contexts.insert("vars".to_owned(), json!({}));
        let before = Context {
            values: Value::Object(contexts.clone()),
            is_success: results.iter().all(|result| *result == "success"),
        };
        let condition = job.condition.as_ref().map(shown);
        if !runs(condition.as_deref(), &before)? {
            return Ok(vec![skipped(id)]);
        }
        if let Some(called) = &job.uses {
            return self.play_called(called, &evaluated(&Value::Object(job.with.clone()), &before)?);
        }
        let matrix = evaluated(&job.strategy.matrix, &before)?;
        let combinations = combinations(&matrix)?;
        let total = combinations.len();
        let each = combinations.into_iter().enumerate().map(|(index, combination)| {
            let mut contexts = contexts.clone();
            contexts.insert("matrix".to_owned(), combination);
            contexts.insert("strategy".to_owned(), json!({ "job-index": index, "job-total": total }));
            let place = self.folder.join("jobs").join(format!("{id}-{index}"));
            let stage = Stage::new(workflow, job, contexts, &place)?;
            self.play_steps(stage, id, artifacts)
        });
        each.collect()
    }

    fn play_steps(&self, mut stage: Stage<'_>, id: &str, artifacts: &Path) -> Result<PlayedJob, String> {
        let summary = stage.temp.join("summary");
        fs::write(&summary, "").unwrap();
        let mut steps = Vec::new();
        for (number, step) in stage.job.steps.iter().enumerate() {
            let context = stage.context();
            let condition = step.condition.as_ref().map(shown);
            let title = interpolated(&step.title(), &context)?;
            if !runs(condition.as_deref(), &context)? {
                stage.ended(step, Ending::Skipped, &Fields::new())?;
                steps.push(PlayedStep { title, ending: Ending::Skipped, log: String::new() });
                continue;
            }
            let (is_success, outputs, log) = match &step.run {
                Some(script) => self.run(&mut stage, step, script, number)?,
                None => self.call(&stage, step, artifacts)?,
            };
            let ending = if is_success { Ending::Success } else { Ending::Failure };
            stage.ended(step, ending, &outputs)?;
            steps.push(PlayedStep { title, ending, log });
        }
        let context = stage.context();
        let outputs =
            stage.job.outputs.iter().map(|(name, value)| Ok((name.clone(), field(value, &context)?)));
        Ok(PlayedJob {
            id: id.to_owned(),
            ending: if stage.is_success { Ending::Success } else { Ending::Failure },
            outputs: outputs.collect::<Result<_, String>>()?,
            steps,
            summary: fs::read_to_string(summary).unwrap(),
            workspace: stage.workspace,
        })
    }

    /// Runs a script, and reads what it left in the files that it was given.
    fn run(
        &self,
        stage: &mut Stage<'_>,
        step: &Step,
        script: &str,
        number: usize,
    ) -> Result<(bool, Fields, String), String> {
        let context = stage.context();
        let RunDefaults { working_directory, shell } = &stage.job.defaults.run;
        let file = |kind: &str| stage.temp.join(format!("{number}.{kind}"));
        for kind in ["output", "env", "path"] {
            fs::write(file(kind), "").unwrap();
        }
        fs::write(file("sh"), interpolated(script, &context)?).unwrap();
        let folder = step.working_directory.as_ref().or(working_directory.as_ref());
        let folder = folder.map(|folder| interpolated(folder, &context)).transpose()?.unwrap_or_default();
        let mut command = Command::new("bash");
        match step.shell.as_ref().or(shell.as_ref()).map(String::as_str) {
            None => command.arg("-e"),
            Some("bash") => command.args(["--noprofile", "--norc", "-eo", "pipefail"]),
            Some(other) => return Err(format!("the shell `{other}` is not understood")),
        };
        command.arg(file("sh")).current_dir(stage.workspace.join(folder)).stdin(Stdio::null());
        command.env_clear().envs(&self.variables).envs(&stage.variables).envs(stage.texts(&step.env)?);
        command.env("PATH", stage.search_path(&self.variables["PATH"]));
        command.env("GITHUB_WORKSPACE", &stage.workspace).env("RUNNER_TEMP", &stage.temp);
        command.env("GITHUB_STEP_SUMMARY", stage.temp.join("summary"));
        for (name, kind) in [("GITHUB_OUTPUT", "output"), ("GITHUB_ENV", "env"), ("GITHUB_PATH", "path")] {
            command.env(name, file(kind));
        }
        let done = command.output().unwrap();
        let log =
            format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        let outputs = assignments(&fs::read_to_string(file("output")).unwrap())?;
        let variables = assignments(&fs::read_to_string(file("env")).unwrap())?;
        stage.variables.extend(variables.into_iter().map(|(name, value)| (name, shown(&value))));
        let search = fs::read_to_string(file("path")).unwrap();
        stage.search.splice(0..0, search.lines().rev().map(str::to_owned));
        Ok((done.status.success(), outputs, log))
    }

    /// Calls what stands in for an action.
    fn call(
        &self,
        stage: &Stage<'_>,
        step: &Step,
        artifacts: &Path,
    ) -> Result<(bool, Fields, String), String> {
        let uses = step.uses.as_deref().ok_or("a step neither runs nor uses anything")?;
        let (name, version) = uses.split_once('@').ok_or_else(|| format!("`{uses}` has no version"))?;
        if version.len() != 40 {
            return Err(format!("`{uses}` is not pinned by a commit"));
        }
        let action = self.actions.get(name).ok_or_else(|| format!("nothing stands in for `{name}`"))?;
        let call = Call {
            with: stage.texts(&step.with)?,
            github: &self.github,
            home: Path::new(&self.variables["HOME"]),
            workspace: &stage.workspace,
            artifacts,
        };
        Ok(match action(&call) {
            Ok(outputs) => (true, outputs, String::new()),
            Err(error) => (false, Fields::new(), error),
        })
    }
}

/// A value with all expressions in it replaced.
fn evaluated(value: &Value, context: &Context) -> Result<Value, String> {
    Ok(match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| Ok((name.clone(), evaluated(value, context)?)));
            Value::Object(members.collect::<Result<_, String>>()?)
        }
        Value::Array(items) => items.iter().map(|item| evaluated(item, context)).collect::<Result<_, _>>()?,
        other => field(other, context)?,
    })
}

/// What later jobs see of a job: of a matrix, whatever its last combination said.
fn outcome(runs: &[PlayedJob]) -> Value {
    let failed = runs.iter().any(|run| run.ending == Ending::Failure);
    let result =
        if failed { Ending::Failure } else { runs.first().map_or(Ending::Success, |run| run.ending) };
    let outputs: Fields = runs.iter().flat_map(|run| run.outputs.clone()).collect();
    json!({ "result": result.text(), "outputs": outputs })
}

fn skipped(id: &str) -> PlayedJob {
    PlayedJob {
        id: id.to_owned(),
        ending: Ending::Skipped,
        outputs: Fields::new(),
        steps: Vec::new(),
        summary: String::new(),
        workspace: PathBuf::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workflow(jobs: &str) -> Workflow {
        let head =
            "on: { workflow_dispatch: { inputs: { who: { default: you } } } }\nenv: { LEVEL: workflow }\n";
        serde_saphyr::from_str(&format!("{head}jobs:\n{jobs}")).unwrap()
    }

    fn played(jobs: &str) -> (tempfile::TempDir, Played) {
        let folder = tempfile::tempdir().unwrap();
        let workflow = workflow(jobs);
        let inputs = workflow.inputs("workflow_dispatch", &[]).unwrap();
        let mut runner = Runner::new(folder.path());
        runner.github("repository", "us/ours");
        let played = runner.play(&workflow, &inputs).unwrap();
        (folder, played)
    }

    #[test]
    fn steps_pass_on_outputs_variables_and_summaries() {
        let (_folder, played) = played(
            r#"
  b:
    needs: a
    steps:
      - run: test "$FROM" = "$(printf '1 two\nlines')"
        env: { FROM: "${{ needs.a.outputs.all }}" }
  a:
    env: { LEVEL: job }
    outputs: { all: "${{ steps.one.outputs.n }} ${{ steps.one.outputs.more }}" }
    steps:
      - id: one
        run: |
          echo "n=1" >>"$GITHUB_OUTPUT"
          printf 'more<<END\ntwo\nlines\nEND\n' >>"$GITHUB_OUTPUT"
          echo "LATER=later $LEVEL" >>"$GITHUB_ENV"
          echo "hello ${{ inputs.who }} of $GITHUB_REPOSITORY" >>"$GITHUB_STEP_SUMMARY"
      - run: test "$LATER" = "later job" && test -z "$CARGO_MANIFEST_DIR" && mkdir inner
      - working-directory: inner
        run: test "$(basename "$PWD")" = inner
"#,
        );
        assert!(played.is_success(), "{}", played.log());
        assert_eq!(played.job("a").summary, "hello you of us/ours\n");
        assert!(played.job("a").workspace.join("inner").is_dir());
        assert_eq!(played.job("a").outputs["all"], "1 two\nlines");
    }

    #[test]
    fn after_a_failure_only_what_asks_for_it_runs_and_later_jobs_are_skipped() {
        let (_folder, played) = played(
            "  a:\n    steps:\n      - run: exit 3\n        continue-on-error: true\n      - run: echo on; false; echo never\n      \
             - run: echo skipped\n      - if: always()\n        run: echo last\n  b:\n    needs: a\n    steps:\n      - run: echo b\n  \
             c:\n    needs: [a]\n    if: failure()\n    steps:\n      - run: echo \"${{ needs.a.result }}\"\n",
        );
        let steps = &played.job("a").steps;
        let endings: Vec<Ending> = steps.iter().map(|step| step.ending).collect();
        assert_eq!(endings, [Ending::Failure, Ending::Failure, Ending::Skipped, Ending::Success]);
        assert_eq!(steps[1].log, "on\n");
        assert_eq!((played.job("a").ending, played.job("b").ending), (Ending::Failure, Ending::Skipped));
        assert_eq!(played.job("c").steps[0].log, "failure\n");
    }

    #[test]
    fn a_matrix_runs_every_combination_and_artifacts_go_from_job_to_job() {
        let (_folder, played) = played(
            "  a:\n    strategy:\n      matrix:\n        n: ${{ fromJSON('[1,2]') }}\n    steps:\n      - run: mkdir out; echo ${{ matrix.n \
             }}/${{ strategy.job-total }} >out/part-${{ matrix.n }}\n      - uses: actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f\n        \
             with: { name: 'part-${{ matrix.n }}', path: 'out/part-*' }\n  b:\n    needs: a\n    steps:\n      \
             - uses: actions/download-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f\n        with: { pattern: 'part-*', merge-multiple: true }\n      \
             - run: cat part-1 part-2\n",
        );
        assert!(played.is_success(), "{}", played.log());
        assert_eq!(played.job("b").steps[1].log, "1/2\n2/2\n");
    }

    #[test]
    fn an_action_that_is_unknown_or_moves_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (uses, said) in [
            ("actions/checkout@v4", "not pinned"),
            ("somebody/something@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f", "nothing stands in"),
        ] {
            let workflow = workflow(&format!("  a:\n    steps:\n      - uses: {uses}\n"));
            let refused = Runner::new(folder.path()).play(&workflow, &json!({})).unwrap_err();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
