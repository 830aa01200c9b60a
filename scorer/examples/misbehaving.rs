//! A simulator for the tests of the runner, which does wrong whatever its first argument says.
//!
//! It speaks the contract of docs/simulator-contract.md. It is an example of cargo's so that it is built
//! with the tests and never shipped.

use std::io::{self, BufRead as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{self, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;
use std::{env, fs};

use serde_json::{Value, json};
use shared::contract::{ANSWER_SCHEMA, SimulatorRequest};

type Outcome = io::Result<()>;

/// Longer than any test waits.
const FOR_EVER: Duration = Duration::from_secs(1000);

fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // When stderr is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let mode = arguments.first().map_or("", String::as_str);
    for line in io::stdin().lock().lines() {
        let request: SimulatorRequest = serde_json::from_str(&line?)?;
        if mode == "says-nothing" {
            break;
        }
        misbehave(mode, arguments.get(1).map_or("", String::as_str), &request)?;
    }
    Ok(())
}

fn misbehave(mode: &str, argument: &str, request: &SimulatorRequest) -> Outcome {
    match mode {
        "honest" => wait(argument.parse().unwrap_or(0)),
        "fails" => return Err(io::Error::other("fatal: the model does not fit")),
        "says-nothing-for-ever" => sleep(FOR_EVER),
        "ignores-the-end" => ignore_the_end()?,
        "prints-garbage" => return say("certainly! here is your prediction"),
        "prints-invalid-utf8" => return io::stdout().write_all(b"{\"schema\":\"\xff\xfe\"}\n"),
        "prints-half-an-answer" => return say_half(&answer(request)),
        "prints-a-gigabyte" => return say_much(),
        "answers-another" => return say(&answered("another", &rows(request))),
        "half-the-requests" => return say_rows(request, |rows| rows.truncate(rows.len() / 2)),
        "a-row-twice" => return say_rows(request, |rows| rows.push(rows[0].clone())),
        "a-row-missing" => return say_rows(request, |rows| drop(rows.pop())),
        "wrong-tokens" => return say_rows(request, |rows| rows[0]["output_tokens"] = 1_000_000.into()),
        "negative-latency" => return say_rows(request, |rows| rows[0]["ttft_ms"] = json!(-1.0)),
        "zero-latency" => return say_rows(request, |rows| rows[0]["ttft_ms"] = json!(0.0)),
        "not-a-number" => return say_number(request, "NaN"),
        "infinite-latency" => return say_number(request, "Infinity"),
        "leaves-a-child" => leave_a_child(argument)?,
        "takes-all-memory" => take_all_memory(),
        "closes-its-pipes" => return Err(close_its_pipes()),
        "writes-elsewhere" => fs::write(Path::new(argument).join("elsewhere"), "mine")?,
        "is-killed" => kill_itself(),
        "is-killed-once" if is_first(argument) => kill_itself(),
        "vanishes" => return vanish(),
        "is-slow-sometimes" if request.point.concurrency == 2 => sleep(FOR_EVER),
        _ => {}
    }
    say(&answer(request))
}

/// The answer of a simulator that does nothing wrong: always the same for the same request.
fn answer(request: &SimulatorRequest) -> String {
    answered(&request.id, &rows(request))
}

fn answered(id: &str, rows: &[Value]) -> String {
    json!({ "schema": ANSWER_SCHEMA, "id": id, "answer": { "rows": rows } }).to_string()
}

fn rows(request: &SimulatorRequest) -> Vec<Value> {
    let row = |(index, &(input, output)): (usize, &(u32, u32))| {
        let ttft_ms = 10.0 + f64::from(input) * 0.05;
        let e2e_ms = ttft_ms + f64::from(output) * 7.5;
        json!({ "request": index, "input_tokens": input, "output_tokens": output, "ttft_ms": ttft_ms, "e2e_ms": e2e_ms })
    };
    request.requests.iter().enumerate().map(row).collect()
}

fn say(line: &str) -> Outcome {
    writeln!(io::stdout(), "{line}")
}

fn say_rows(request: &SimulatorRequest, change: impl FnOnce(&mut Vec<Value>)) -> Outcome {
    let mut rows = rows(request);
    change(&mut rows);
    say(&answered(&request.id, &rows))
}

/// What Python's `json.dumps` writes of a number that is none.
fn say_number(request: &SimulatorRequest, number: &str) -> Outcome {
    let mut rows = rows(request);
    rows[0]["ttft_ms"] = "HERE".into();
    say(&answered(&request.id, &rows).replace("\"HERE\"", number))
}

fn say_half(answer: &str) -> Outcome {
    say(answer.get(..answer.len() / 2).unwrap_or_default())
}

fn say_much() -> Outcome {
    let chunk = vec![b'x'; 1 << 20];
    (0..1024).try_for_each(|_| io::stdout().write_all(&chunk))
}

fn wait(milliseconds: u64) {
    sleep(Duration::from_millis(milliseconds));
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdin(Stdio::null());
    command
}

/// A shell that ignores the polite signal stands for a program that does: a handler would need unsafe code.
fn ignore_the_end() -> Outcome {
    shell("trap '' TERM; sleep 1000; sleep 1000").status().map(drop)
}

fn leave_a_child(folder: &str) -> Outcome {
    let child = shell("exec sleep 1000").spawn()?;
    fs::write(Path::new(folder).join(format!("child-{}", child.id())), child.id().to_string())
}

fn take_all_memory() {
    let mut hoard: Vec<Vec<u8>> = Vec::new();
    loop {
        hoard.push(vec![1; 16 << 20]);
    }
}

/// A shell takes this program's place, so that nobody is left who holds the pipes.
fn close_its_pipes() -> io::Error {
    shell("exec >&- 2>&-; sleep 1000").exec()
}

fn kill_itself() {
    let number = process::id().to_string();
    let killed = Command::new("kill").args(["-9", &number]).status();
    sleep(FOR_EVER);
    drop(killed);
}

/// Whether this is the first request of all, over all that run.
fn is_first(folder: &str) -> bool {
    fs::File::create_new(Path::new(folder).join("first")).is_ok()
}

fn vanish() -> Outcome {
    fs::remove_file(env::current_exe()?)?;
    Err(io::Error::other("gone"))
}
