//! Programs that behave and programs that do not, as small shell scripts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use shared::outcome::Reason;

use super::*;

/// A folder with a program in it that runs a shell script.
struct Shell {
    folder: tempfile::TempDir,
    program: Program,
}

impl Shell {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = Program {
            path: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            env: Vec::new(),
            directory: folder.path().to_owned(),
        };
        Self { folder, program }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn run(&self, limits: Limits) -> Result<Finished, ProcessError> {
        run(&self.program, &limits).await
    }

    fn start(&self, limits: Limits) -> Interactive {
        Interactive::start(&self.program, &limits).unwrap()
    }
}

fn quick() -> Limits {
    Limits {
        deadline: Duration::from_secs(20),
        grace: Duration::from_millis(200),
        stdout_bytes: 100_000,
        stderr_bytes: 1000,
        address_space: None,
    }
}

fn soon() -> Limits {
    Limits { deadline: Duration::from_millis(200), ..quick() }
}

/// The number of the process that a script wrote into a file, once it is there.
async fn written(path: &Path) -> i32 {
    for _ in 0..500 {
        if let Ok(text) = fs::read_to_string(path)
            && text.ends_with('\n')
        {
            return text.trim().parse().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} was not written", path.display());
}

/// Whether a process is there and not just waiting for its parent to notice its end.
fn is_alive(process: i32) -> bool {
    let status = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", &process.to_string()])
        .output()
        .unwrap()
        .stdout;
    status.first().is_some_and(|state| *state != b'Z')
}

async fn dies(process: i32) {
    let start = Instant::now();
    while is_alive(process) {
        assert!(start.elapsed() < Duration::from_secs(5), "{process} lives on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn what_a_program_says_and_how_it_ends_is_told() {
    let shell = Shell::new("echo answer; echo warning >&2; pwd >&2; echo $TMPDIR >&2; cat; exit 3");
    let finished = shell.run(quick()).await.unwrap();
    assert_eq!(finished.ended, Ended::Code(3));
    assert_eq!(finished.stdout, b"answer\n");
    let folder = shell.folder.path().display().to_string();
    assert_eq!(finished.stderr, format!("warning\n{folder}\n{folder}\n"));
    let finished = Shell::new("kill -9 $$").run(quick()).await.unwrap();
    assert_eq!(finished.ended, Ended::Signal(9));
    assert_eq!(finished.ended.to_string(), "signal 9");
}

#[tokio::test]
async fn a_program_that_is_not_there_or_may_not_run_is_told_apart_from_one_that_fails() {
    let mut shell = Shell::new("");
    fs::write(shell.path("text"), "no program").unwrap();
    for name in ["missing", "text"] {
        shell.program.path = shell.path(name);
        let error = shell.run(quick()).await.unwrap_err();
        assert!(matches!(error, ProcessError::NotStarted { .. }), "{error}");
        assert_eq!(error.reason(), Reason::RunError);
        assert!(!error.may_pass());
    }
}

#[tokio::test]
async fn who_ignores_the_deadline_and_the_request_to_end_is_killed_with_its_children() {
    let shell = Shell::new("trap '' TERM; sleep 1000 & echo $! >child; echo at work >&2; wait; sleep 1000");
    let start = Instant::now();
    let error = shell.run(soon()).await.unwrap_err();
    assert!(start.elapsed() >= Duration::from_millis(400), "it got no grace");
    assert!(matches!(error, ProcessError::Deadline { .. }), "{error}");
    assert_eq!(error.detail(), "no answer within 0.2 s: at work");
    assert!(!is_alive(written(&shell.path("child")).await));
}

#[tokio::test]
async fn who_obeys_the_request_to_end_may_clear_up() {
    let shell =
        Shell::new("trap 'echo stopped >&2; echo done >cleared; exit' TERM; while :; do sleep 0.02; done");
    // Long enough for a shell to start on a busy machine.
    shell.run(Limits { deadline: Duration::from_millis(600), ..quick() }).await.unwrap_err();
    assert!(shell.path("cleared").exists());
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipes_is_killed_and_the_answer_is_kept() {
    let shell = Shell::new("sleep 1000 & echo $! >child; echo answer");
    let start = Instant::now();
    let finished = shell.run(quick()).await.unwrap();
    assert_eq!(finished.stdout, b"answer\n");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(!is_alive(written(&shell.path("child")).await));
}

#[tokio::test]
async fn a_grandchild_that_closed_the_pipes_is_killed_too() {
    let shell = Shell::new("sleep 1000 >/dev/null 2>&1 & echo $! >child");
    shell.run(quick()).await.unwrap();
    assert!(!is_alive(written(&shell.path("child")).await));
}

#[tokio::test]
async fn nobody_waits_for_a_pipe_that_somebody_outside_the_group_holds() {
    let shell = Shell::new("set -m; sleep 1000 & echo $! >child; echo answer");
    let start = Instant::now();
    let finished = shell.run(quick()).await.unwrap();
    assert_eq!(finished.stdout, b"answer\n");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let stray = written(&shell.path("child")).await;
    std::process::Command::new("kill").args(["-9", &stray.to_string()]).status().unwrap();
}

#[tokio::test]
async fn endless_output_is_cut_off_and_endless_complaints_are_not() {
    let error = Shell::new("yes").run(quick()).await.unwrap_err();
    assert!(matches!(error, ProcessError::TooMuchOutput { limit: 100_000 }), "{error}");
    assert_eq!(error.reason(), Reason::BadResult);
    let finished =
        Shell::new("yes | head -c 3000000 >&2; echo answer; echo end >&2").run(quick()).await.unwrap();
    assert_eq!(finished.stdout, b"answer\n");
    assert_eq!(finished.stderr.len(), 1000);
    assert_eq!(last_line(&finished.stderr).as_deref(), Some("end"));
}

#[tokio::test]
async fn a_program_that_closes_its_pipes_early_is_waited_for() {
    let finished = Shell::new("exec >&- 2>&-; sleep 0.2; exit 4").run(quick()).await.unwrap();
    assert_eq!(finished.ended, Ended::Code(4));
}

#[tokio::test]
async fn a_dropped_future_kills_the_whole_group() {
    let shell = Shell::new("sleep 1000 & echo $! >child; wait");
    let path = shell.path("child");
    let child = tokio::select! {
        _ = shell.run(quick()) => panic!("it ended"),
        child = written(&path) => child,
    };
    dies(child).await;
}

#[test]
fn a_signal_may_pass_unless_it_is_how_a_program_takes_a_limit_of_memory() {
    let limited = Limits { address_space: Some(1 << 30), ..quick() };
    assert!(quick().may_pass(Ended::Signal(6)) && quick().may_pass(Ended::Signal(9)));
    assert!(limited.may_pass(Ended::Signal(9)) && !limited.may_pass(Ended::Signal(6)));
    assert!(!quick().may_pass(Ended::Code(1)));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn memory_is_limited_and_seen() {
    let hungry = "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}";
    let finished = Shell::new(hungry).run(Limits { address_space: Some(50 << 20), ..quick() }).await.unwrap();
    assert!(!finished.ended.is_success(), "{finished:?}");
    let finished = Shell::new("sleep 0.2").run(quick()).await.unwrap();
    assert!(finished.peak_memory > Some(100_000), "{finished:?}");
}

#[tokio::test]
async fn a_program_that_stays_answers_line_by_line() {
    let shell =
        Shell::new("n=0; while read -r line; do n=$((n+1)); echo \"$n $line\"; done; echo end >ended");
    let mut child = shell.start(quick());
    let long = "x".repeat(90_000);
    assert_eq!(child.ask("one").await.unwrap(), b"1 one");
    assert_eq!(child.ask(&long).await.unwrap(), format!("2 {long}").into_bytes());
    child.end().await.unwrap();
    assert!(shell.path("ended").exists());
}

#[tokio::test]
async fn a_question_that_is_not_answered_says_why() {
    let ask = async |script: &str, limits| Shell::new(script).start(limits).ask("q").await.unwrap_err();
    let ended = ask("read -r q; echo 'fatal: no' >&2; exit 5", quick()).await;
    assert!(matches!(ended, ProcessError::Ended { ended: Ended::Code(5), .. }), "{ended}");
    assert_eq!(ended.detail(), "it ended without an answer (exit code 5): fatal: no");
    assert!(!ended.may_pass());
    let killed = ask("kill -9 $$", quick()).await;
    assert!(matches!(killed, ProcessError::Ended { ended: Ended::Signal(9), .. }), "{killed}");
    assert!(killed.may_pass());
    let silent = ask("sleep 1000", soon()).await;
    assert!(matches!(silent, ProcessError::Deadline { .. }), "{silent}");
    let closed = ask("exec >&-; sleep 1000", quick()).await;
    assert!(matches!(closed, ProcessError::ClosedOutput { .. }), "{closed}");
    let endless = ask("yes | tr -d '\\n'", quick()).await;
    assert!(matches!(endless, ProcessError::TooMuchOutput { .. }), "{endless}");
    let deaf = ask("exec <&-; sleep 1000", soon()).await;
    assert!(matches!(deaf, ProcessError::Deadline { .. }), "{deaf}");
}

#[tokio::test]
async fn a_program_that_stays_is_killed_when_it_is_dropped_or_does_not_end() {
    let script = "sleep 1000 & echo $! >child; trap '' TERM; while read -r q; do echo a; done; sleep 1000";
    let shell = Shell::new(script);
    let mut child = shell.start(quick());
    child.ask("q").await.unwrap();
    let grandchild = written(&shell.path("child")).await;
    drop(child);
    dies(grandchild).await;
    let shell = Shell::new(script);
    let mut child = shell.start(quick());
    child.ask("q").await.unwrap();
    child.end().await.unwrap();
    assert!(!is_alive(written(&shell.path("child")).await));
}
