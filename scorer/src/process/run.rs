//! A program that is started, prints its answer, and ends.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::pin::{Pin, pin};
use std::process::Stdio;

use tokio::time::{sleep, timeout};

use super::group::{Group, io_error};
use super::memory::Peak;
use super::output::{ReadError, Tail, read_bounded};
use super::{Ended, Finished, Limits, ProcessError, Program};

/// [`run`] in an empty folder that goes afterwards, for who has no runtime and waits.
///
/// # Errors
/// The outer one when the system gives no folder or no runtime; the inner one as [`run`] says.
pub fn run_apart(
    path: &Path,
    args: Vec<OsString>,
    limits: &Limits,
) -> io::Result<Result<Finished, ProcessError>> {
    let folder = tempfile::tempdir()?;
    let program =
        Program { path: path.to_owned(), args, env: Vec::new(), directory: folder.path().to_owned() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(run(&program, limits)))
}

/// Runs a program to its end, without input.
///
/// When it has ended, what it left running in its process group is killed. Dropping the future kills
/// all of the group.
///
/// # Errors
/// When it does not start, or goes beyond a limit. A program that fails by itself is no error here:
/// see [`Finished::ended`].
pub async fn run(program: &Program, limits: &Limits) -> Result<Finished, ProcessError> {
    let mut group = Group::spawn(program, limits.address_space, Stdio::null())?;
    let (stdout, stderr) = group.output()?;
    let mut printed = Vec::new();
    let mut complaints = Tail::new(limits.stderr_bytes);
    let mut peak = Peak::of(group.leader());
    let end = {
        let reading = pin!(async {
            let printed = read_bounded(stdout, limits.stdout_bytes, &mut printed);
            let complaints = async { Ok(complaints.read(stderr).await?) };
            tokio::try_join!(printed, complaints).map(|_| ())
        });
        watch(&mut group, reading, &mut peak, limits).await
    };
    match end {
        Ok(End::Ended(ended)) => {
            Ok(Finished { ended, stdout: printed, stderr: complaints.text(), peak_memory: peak.bytes() })
        }
        Ok(End::Deadline) => {
            Err(ProcessError::Deadline { after: limits.deadline, stderr: complaints.text() })
        }
        Err(error) => {
            group.kill().await?;
            Err(error)
        }
    }
}

enum End {
    Ended(Ended),
    Deadline,
}

/// Reads until the program has ended and its pipes are empty, or the deadline is over; in either case
/// the group is gone.
async fn watch(
    group: &mut Group,
    mut reading: Pin<&mut impl Future<Output = Result<(), ReadError>>>,
    peak: &mut Peak,
    limits: &Limits,
) -> Result<End, ProcessError> {
    let mut deadline = pin!(sleep(limits.deadline));
    let mut open = true;
    let ended = loop {
        tokio::select! {
            read = &mut reading, if open => {
                read.map_err(|error| of_reading(error, limits))?;
                open = false;
            }
            ended = group.wait() => break ended?,
            () = &mut deadline => {
                // Somebody goes on reading, so that its last words do not kill it (SIGPIPE).
                tokio::select! {
                    terminated = group.terminate(limits.grace) => terminated?,
                    never = until_dropped(&mut reading), if open => match never {},
                }
                return Ok(End::Deadline);
            }
            never = peak.watch() => match never {},
        }
    };
    // A grandchild may hold the pipes open. It gets a while to finish, and is killed then; one that has
    // left the group keeps the pipe open even so, and is not waited for.
    if open && let Ok(read) = timeout(limits.grace, &mut reading).await {
        read.map_err(|error| of_reading(error, limits))?;
        open = false;
    }
    group.kill().await?;
    if open && let Ok(read) = timeout(limits.grace, &mut reading).await {
        read.map_err(|error| of_reading(error, limits))?;
    }
    Ok(End::Ended(ended))
}

/// Reads for as long as it is polled.
async fn until_dropped(reading: impl Future<Output = Result<(), ReadError>>) -> Infallible {
    // What is read now is no answer any more, so nothing can go wrong with it.
    let _ = reading.await;
    std::future::pending().await
}

fn of_reading(error: ReadError, limits: &Limits) -> ProcessError {
    match error {
        ReadError::TooMuch => ProcessError::TooMuchOutput { limit: limits.stdout_bytes },
        ReadError::Closed => io_error("read from a child")(io::ErrorKind::UnexpectedEof.into()),
        ReadError::Io(source) => io_error("read from a child")(source),
    }
}
