//! Small shell scripts as simulators.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use shared::outcome::{Basis, SettingsProfile};

use super::*;
use crate::process::Limits;
use crate::reference::Reference;
use crate::simulators::Standing;
use crate::testing;

/// Writes a line into the file `starts`, then answers with a TTFT that says how often it was asked.
const COUNTING: &str = r#"
echo started >>"$STARTS"
asked=0
while read -r line; do
  asked=$((asked + 1))
  id=$(printf '%s' "$line" | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
  printf '{"schema":"simulator-answer.v1","id":"%s","answer":{"estimate":{"ttft_ms":%s,"tpot_ms":1}}}' "$id" "$asked"
  [ -z "$LIVES" ] || [ "$asked" -lt "$LIVES" ] || exit 0
  echo
done
echo ended >>"$STARTS"
"#;

fn simulator(folder: &Path, script: &str, env: &str) -> Command {
    fs::write(folder.join("mine.sh"), script).unwrap();
    let starts = folder.join("starts").display().to_string();
    let text = format!("command = [\"sh\", \"mine.sh\"]\nenv = {{ STARTS = '{starts}'{env} }}\n");
    let config: CommandConfig = toml::from_str(&text).unwrap();
    let limits =
        Limits { deadline: Duration::from_secs(20), grace: Duration::from_millis(200), ..Limits::default() };
    let id = EstimatorId::new("mine").unwrap();
    let reference = Arc::new(Reference::embedded().unwrap());
    let with = SetUp { profile: SettingsProfile::Recorded, reference: &reference, limits };
    Command::new(id, &config, folder, with).unwrap()
}

async fn ttft(simulator: &Command, concurrency: u32) -> f64 {
    match simulator.predict(&testing::request(concurrency)).await.outcome {
        Outcome::Scored(prediction) => {
            assert_eq!(prediction.basis, Basis::Estimate);
            prediction.ttft_ms.get()
        }
        Outcome::NotScored(why) => panic!("{}", why.detail),
    }
}

fn said(folder: &Path) -> String {
    fs::read_to_string(folder.join("starts")).unwrap()
}

#[tokio::test]
async fn one_child_answers_point_after_point_and_may_end_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let simulator = simulator(folder.path(), COUNTING, "");
    for asked in 1..=4 {
        assert_eq!(ttft(&simulator, asked).await, f64::from(asked));
    }
    simulator.rest().await;
    assert_eq!(said(folder.path()), "started\nended\n");
    assert_eq!(ttft(&simulator, 1).await, 1.0);
}

#[tokio::test]
async fn as_many_children_run_as_points_are_asked_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let simulator = simulator(folder.path(), COUNTING, "");
    let (one, two) = tokio::join!(ttft(&simulator, 1), ttft(&simulator, 2));
    assert_eq!((one, two), (1.0, 1.0));
    assert_eq!(ttft(&simulator, 3).await, 2.0);
    assert_eq!(said(folder.path()), "started\nstarted\n");
}

#[tokio::test]
async fn a_program_that_ends_after_its_answer_is_started_for_every_point() {
    let folder = tempfile::tempdir().unwrap();
    let simulator = simulator(folder.path(), COUNTING, ", LIVES = '1'");
    for concurrency in 1..=3 {
        assert_eq!(ttft(&simulator, concurrency).await, 1.0);
    }
    assert_eq!(said(folder.path()), "started\n".repeat(3));
}

#[tokio::test]
async fn who_answers_another_request_is_not_believed_and_not_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let script = COUNTING.replace("\"$id\" \"$asked\"", "\"${id%?}x\" \"$asked\"");
    let simulator = simulator(folder.path(), &script, "");
    for _ in 0..2 {
        let reply = simulator.predict(&testing::request(1)).await;
        let Outcome::NotScored(why) = reply.outcome else { panic!("scored") };
        assert_eq!(why.reason, Reason::BadResult);
        assert!(why.detail.starts_with("an answer to request `"), "{}", why.detail);
        assert_eq!(reply.standing, Standing::Fact);
    }
    assert_eq!(said(folder.path()), "started\nstarted\n");
}

#[tokio::test]
async fn each_child_has_a_folder_of_its_own_that_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = COUNTING.replace("echo started", "pwd >&2; touch scratch; pwd");
    let simulator = simulator(folder.path(), &script, "");
    ttft(&simulator, 1).await;
    let own = said(folder.path());
    let own = Path::new(own.trim());
    assert!(own.join("scratch").exists() && own != folder.path());
    simulator.rest().await;
    assert!(!own.exists());
}
