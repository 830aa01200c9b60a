"""What the runner costs on top of its simulators: the rows of docs/performance.md, printed as a table.

    cargo build --release -p scorer
    python3 scripts/bench/runner.py --scorer target/release/scorer

Every simulator here is a `command` (docs/simulator-contract.md), made in a temporary folder. One that does nothing shows
what a replay costs beside `xargs -P` and GNU parallel, which start the same program as often and give it the same lines; one
that computes for 50 ms shows how much of the cores' time goes into the simulator, and what a cache saves. Run it on a
machine that is quiet.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "data/sample/corpus.json"

# Answers one line and ends, so that every replay is a process of its own, as xargs and parallel have it.
ONE_SHOT = r"""
IFS= read -r line
id=${line#*\"id\":\"} id=${id%%\"*}
printf '{"schema":"simulator-answer.v1","id":"%s","answer":{"estimate":{"ttft_ms":1,"tpot_ms":1}}}\n' "$id"
"""

# The same, and then waits for the next line.
STAYING = f"while :; do {ONE_SHOT.replace('read -r line', 'read -r line || exit 0')} done"

# Keeps what it is asked: the lines that xargs and parallel hand to the same program.
RECORDING = r"""
import json, sys
for number, line in enumerate(sys.stdin):
    with open(f"{sys.argv[1]}/{number:06}", "w") as request:
        request.write(line)
    answer = {"estimate": {"ttft_ms": 1.0, "tpot_ms": 1.0}}
    print(json.dumps({"schema": "simulator-answer.v1", "id": json.loads(line)["id"], "answer": answer}), flush=True)
"""

COMPUTING = """
import json, sys, time
for line in sys.stdin:
    start = time.process_time()
    request = json.loads(line)
    while time.process_time() - start < 0.05:
        pass
    answer = {"estimate": {"ttft_ms": 1.0, "tpot_ms": 1.0}}
    print(json.dumps({"schema": "simulator-answer.v1", "id": request["id"], "answer": answer}), flush=True)
"""


def timed(command, **options):
    start = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, **options)
    return time.perf_counter() - start


def processor():
    """The seconds of processor that all programs have used that this one has waited for, and theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Bench:
    def __init__(self, scorer, jobs, folder):
        self.scorer, self.jobs, self.folder = scorer, jobs, folder

    def plan(self, name, command, points):
        """A plan of that many points for a simulator of that command."""
        toml = self.folder / f"{name}.toml"
        toml.write_text(f'[simulator.{name}]\nkind = "command"\ncommand = {json.dumps(command)}\n')
        plan = self.folder / f"{name}.json"
        sweeps, planned = [], 0
        for sweep in json.loads(CORPUS.read_text())["sweeps"]:
            if planned >= points:
                break
            sweeps.append(sweep["id"])
            planned += len(sweep["points"])
        arguments = ["--simulators", toml, "--estimators", name, "--sweeps", ",".join(sweeps), "-o", plan]
        subprocess.run([self.scorer, "plan", CORPUS, *arguments, "--quiet"], check=True)
        return planned

    def command(self, name, *options):
        jobs = [] if "--jobs" in options else ["--jobs", str(self.jobs)]
        arguments = ["--simulators", self.folder / f"{name}.toml", "-o", self.outcomes(name), *jobs, *options]
        return [self.scorer, "run", self.folder / f"{name}.json", *arguments, "--quiet"]

    def outcomes(self, name):
        return self.folder / f"{name}.jsonl"

    def run(self, name, *options):
        self.outcomes(name).unlink(missing_ok=True)
        return timed(self.command(name, *options))

    def killed(self, name, seconds):
        """Runs until it is killed after that time, and again to the end: the points that were saved, the second time."""
        self.outcomes(name).unlink(missing_ok=True)
        child = subprocess.Popen(self.command(name, "--no-cache"), stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        child.kill()
        child.wait()
        saved = self.outcomes(name).read_bytes().count(b"\n") - 1
        return saved, timed(self.command(name, "--no-cache"))

    def overhead(self, points):
        (self.folder / "one-shot.sh").write_text(ONE_SHOT)
        (self.folder / "staying.sh").write_text(STAYING)
        count = self.plan("one-shot", ["sh", "one-shot.sh"], points)
        self.plan("staying", ["sh", "staying.sh"], points)
        yield f"scorer, a process for each of {count} replays", self.run("one-shot", "--no-cache") / count
        yield f"scorer, a process that stays, {count} replays", self.run("staying", "--no-cache") / count
        requests = self.folder / "requests"
        requests.mkdir()
        (self.folder / "recording.py").write_text(RECORDING)
        self.plan("recording", [sys.executable, "recording.py", str(requests)], points)
        self.run("recording", "--no-cache", "--jobs", "1")
        each = f"exec sh {self.folder}/one-shot.sh <"
        names = "\n".join(str(path) for path in sorted(requests.iterdir())).encode()
        xargs = ["xargs", "-P", str(self.jobs), "-I{}", "sh", "-c", each + "{}"]
        yield f"xargs -P {self.jobs}", timed(xargs, input=names, stdout=subprocess.DEVNULL) / count
        if shutil.which("parallel"):
            lines = b"".join(path.read_bytes() for path in sorted(requests.iterdir()))
            parallel = ["parallel", "-j", str(self.jobs), "--pipe", "-N1", "sh", str(self.folder / "one-shot.sh")]
            yield f"GNU parallel -j {self.jobs}", timed(parallel, input=lines, stdout=subprocess.DEVNULL) / count

    def computing(self, points):
        (self.folder / "computing.py").write_text(COMPUTING)
        count = self.plan("computing", [sys.executable, "computing.py"], points)
        cache = ["--cache-dir", self.folder / "answers"]
        used = processor()
        cold = self.run("computing", *cache)
        used = processor() - used
        warm = self.run("computing", *cache)
        yield f"{count} replays of 50 ms, {self.jobs} at a time: wall", f"{cold:.2f} s"
        yield "share of the processor time that the simulators had", f"{count * 0.05 / used:.1%}"
        yield "share of the cores' wall time that they had", f"{count * 0.05 / (self.jobs * cold):.1%}"
        yield "the same, all answers in the cache: wall", f"{warm:.3f} s"
        yield "of the first run", f"{warm / cold:.2%}"
        whole = self.outcomes("computing").read_bytes()
        saved, rest = self.killed("computing", cold / 2)
        same = "the same bytes" if self.outcomes("computing").read_bytes() == whole else "OTHER BYTES"
        yield f"killed after {cold / 2:.1f} s with {saved} points saved, the rest: wall", f"{rest:.2f} s, {same}"
        yield "both parts together, of the first run", f"{(cold / 2 + rest) / cold:.1%}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scorer", type=pathlib.Path, required=True, help="the program to measure")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="replays at a time [default: the cores]")
    parser.add_argument("--points", type=int, default=573, help="replays of each measurement, at most 573")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.scorer.resolve(), arguments.jobs, pathlib.Path(folder))
        print("| what | time |\n| --- | --- |")
        for name, seconds in bench.overhead(arguments.points):
            print(f"| {name} | {seconds * 1e3:.2f} ms each |", flush=True)
        for name, value in bench.computing(arguments.points):
            print(f"| {name} | {value} |", flush=True)


if __name__ == "__main__":
    main()
