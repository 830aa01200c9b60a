"""What it costs to read a dump: the rows of docs/performance.md, printed as a table.

    cargo build --release -p scorer
    cargo bench -p scorer --bench dump -- --make target/bench-dump --size 4G --level 19
    python3 scripts/bench/dump.py --scorer target/release/scorer --dump target/bench-dump --postgres BIN

Four ways to the same rows, each from the same parts: zstd alone (the limit), `scorer ingest dump`, `pg_restore` to text, and a
restore into a PostgreSQL of its own followed by SQL. BIN is the folder of PostgreSQL 17's programs (`make setup-test` installs it).
Each is measured in wall time, in processor time and in the largest process's memory. Run it on a machine that is quiet.
"""

import argparse
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

TABLES = ["configs", "benchmark_results", "server_logs", "workflow_runs"]
# What the corpus needs: measured rows with their deployment, run and log.
QUERY = """
SELECT count(*), sum(length(l.server_log)), sum((r.metrics->>'mean_ttft')::float8)
FROM benchmark_results r JOIN configs c ON c.id = r.config_id JOIN workflow_runs w ON w.id = r.workflow_run_id
LEFT JOIN server_logs l ON l.id = r.server_log_id
WHERE c.framework = 'vllm' AND NOT c.disagg AND r.benchmark_type = 'single_turn' AND r.error IS NULL
"""
NOBODY = 65534


class Measured:
    """Wall and processor time of a shell line, and the peak memory of its largest process."""

    def __init__(self, line, environment=None):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        child = subprocess.Popen(["bash", "-o", "pipefail", "-c", line], env=environment)
        peak = {}
        watching = threading.Thread(target=watch, args=(child.pid, peak), daemon=True)
        watching.start()
        code = child.wait()
        self.wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.peak_kib = max(peak.values(), default=0)
        if code != 0:
            sys.exit(f"failed with {code}: {line}")


def watch(root, peak):
    """Keeps the high-water mark of every process below `root`, for as long as it lives."""
    while pathlib.Path(f"/proc/{root}").exists():
        for pid in descendants(root):
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
            except OSError:
                continue
            for line in status.splitlines():
                if line.startswith("VmHWM:"):
                    peak[pid] = int(line.split()[1])
        time.sleep(0.05)


def descendants(root):
    found, queue = [root], [root]
    while queue:
        parent = queue.pop()
        try:
            for task in pathlib.Path(f"/proc/{parent}/task").iterdir():
                children = [int(pid) for pid in (task / "children").read_text().split()]
                found += children
                queue += children
        except OSError:
            continue
    return found


class Server:
    """A PostgreSQL of its own, as nobody where we are root, gone at the end."""

    def __init__(self, programs, folder):
        self.as_nobody = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
        if self.as_nobody:
            copy = folder / "pginstall"
            shutil.copytree(programs.parent, copy, symlinks=True)
            programs = copy / "bin"
            os.chown(folder, NOBODY, NOBODY)
        self.programs, self.data = programs, folder / "data"
        self.data.mkdir(mode=0o700)
        if self.as_nobody:
            os.chown(self.data, NOBODY, NOBODY)
        init = [programs / "initdb", "-U", "postgres", "-A", "trust", "--no-locale", "-E", "UTF8", "-D", self.data]
        subprocess.run(init, check=True, stdout=subprocess.DEVNULL, cwd="/", **self.as_nobody)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # As fast as a restore can be: nothing is made to last.
        fast = ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_wal_size=16GB", "listen_addresses=127.0.0.1"]
        options = [option for setting in fast for option in ("-c", setting)]
        command = [programs / "postgres", "-D", self.data, "-k", folder, "-p", str(self.port), *options]
        self.child = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd="/", **self.as_nobody)
        for _ in range(600):
            if subprocess.run(self.client("psql") + ["-c", "SELECT 1"], capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit("the server does not start")

    def client(self, name):
        return [str(self.programs / name), "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", "postgres"]

    def stop(self):
        self.child.send_signal(subprocess.signal.SIGQUIT)
        self.child.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scorer", type=pathlib.Path, required=True, help="the program to measure")
    parser.add_argument("--dump", type=pathlib.Path, required=True, help="a folder of parts with SHA256SUMS")
    parser.add_argument("--postgres", type=pathlib.Path, help="the folder of PostgreSQL 17's programs; without it, two rows are left out")
    parser.add_argument("--runs", type=int, default=3, help="the fastest of so many counts")
    arguments = parser.parse_args()
    parts = " ".join(f"'{part}'" for part in sorted(arguments.dump.glob("*.part*")))
    unpack = f"cat {parts} | zstd -dc --long=27"
    for _ in range(1):
        Measured(f"cat {parts} > /dev/null")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        rows = [
            ("`zstd -dc --long=27 \\| wc -c`", f"{unpack} | wc -c > {folder}/bytes"),
            ("`scorer ingest dump`", f"{arguments.scorer.resolve()} -q ingest dump {arguments.dump} -o {folder}/corpus.json"),
        ]
        if arguments.postgres:
            tables = " ".join(f"-t {table}" for table in TABLES)
            restore = arguments.postgres.resolve() / "pg_restore"
            # pg_restore closes the pipe after the last table that it wants.
            text = f"({unpack} || true) 2>/dev/null | {restore} --data-only {tables} -f {folder}/rows.sql"
            rows.append(("`zstd \\| pg_restore --data-only -t …` to text", text))
        print(f"{len(parts.split())} parts, {sum(part.stat().st_size for part in arguments.dump.glob('*.part*'))} bytes\n")
        print("| what | wall | of zstd | processor | peak memory |\n| --- | --- | --- | --- | --- |")
        limit = None
        for name, line in rows:
            fastest = min((Measured(line) for _ in range(arguments.runs)), key=lambda run: run.wall)
            limit = limit or fastest.wall
            show(name, fastest, limit)
        if arguments.postgres:
            show("restore into PostgreSQL, then SQL", restored(arguments, unpack, folder), limit)
        print(f"\n{(folder / 'bytes').read_text().strip()} bytes uncompressed")


def restored(arguments, unpack, folder):
    server = Server(arguments.postgres.resolve(), folder)
    try:
        restore = " ".join(server.client("pg_restore"))
        query = folder / "query.sql"
        query.write_text(QUERY)
        psql = " ".join(server.client("psql"))
        watched = {}
        threading.Thread(target=watch, args=(server.child.pid, watched), daemon=True).start()
        run = Measured(f"{unpack} | {restore} --no-owner && {psql} -q -f {query} > {folder}/answer")
        run.peak_kib = max(run.peak_kib, max(watched.values(), default=0))
        return run
    finally:
        server.stop()


def show(name, run, limit):
    row = f"| {name} | {run.wall:.2f} s | {run.wall / limit:.2f} | {run.cpu:.1f} s | {run.peak_kib / 1024:.0f} MiB |"
    print(row, flush=True)


if __name__ == "__main__":
    main()
