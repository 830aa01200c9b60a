"""Time and memory of each stage at a million points: the table of docs/performance.md.

    cargo build --release -p scorer
    python3 scripts/bench/million.py --scorer target/release/scorer

The corpus is made up: four deployments of the embedded one, each at so many workloads, of few requests and short outputs, so that the
estimator that is asked in the process, `roofline`, has little to do and the stages themselves are what is measured. It takes
2 GB of a temporary folder (--folder names another). Memory is the most that was resident, as the system counts it.
"""

import argparse
import hashlib
import itertools
import json
import os
import pathlib
import random
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "data/sample/corpus.json"
CONCURRENCIES = [1, 2, 3, 4, 5, 6, 7, 8]
DEPLOYMENTS = 4
PARTS = 4


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def deployments(corpus):
    """Sweeps of different deployments at which no setting was passed, so that an identity has none."""
    found = {}
    for sweep in corpus["sweeps"]:
        if all(setting["origin"] == "absent" for setting in sweep["settings"].values()) and not any(
            point.get("settings") for point in sweep["points"]
        ):
            found.setdefault((sweep["model"], sweep["hardware"], sweep["precision"]), sweep)
    return list(itertools.islice(found.values(), DEPLOYMENTS))


def identity(sweep):
    """The id of such a sweep: shared/src/sweep.rs says of what it is the digest."""
    names = ["model", "hardware", "framework", "precision", "parallelism", "spec", "isl", "osl", "range_ratio"]
    told = {name: sweep[name] for name in names}
    told |= {"common": {}, "per_concurrency": {str(point["concurrency"]): {} for point in sweep["points"]}}
    return hashlib.sha256(compact(told).encode()).hexdigest()[:16]


def sweeps(patterns, count, chance):
    for number in range(count):
        pattern = patterns[number % len(patterns)]
        workload = number // len(patterns)
        sweep = pattern | {"isl": 64 + workload % 500, "osl": 2 + workload // 500, "prompts_per_concurrency": 1}
        sweep["points"] = [
            {
                "concurrency": concurrency,
                "ttft_ms": concurrency * chance.uniform(1, 10),
                "tpot_ms": concurrency**0.5 * chance.uniform(5, 20),
            }
            for concurrency in CONCURRENCIES
        ]
        sweep["id"] = identity(sweep)
        yield sweep


def write_corpus(path, points):
    corpus = json.loads(CORPUS.read_text())
    made = list(sweeps(deployments(corpus), points // len(CONCURRENCIES), random.Random(1)))
    points = len(made) * len(CONCURRENCIES)
    del corpus["published_estimators"]
    corpus["rows"] = {"read": points, "kept": points, "skipped": []}
    corpus["sweeps"] = sorted(made, key=lambda sweep: sweep["id"])
    path.write_text(compact(corpus) + "\n")
    return points


def deal(outcomes, parts):
    """The outcomes as so many shards would have written them, so that the merge has something to join."""
    with outcomes.open() as lines:
        header = json.loads(next(lines))
        files = [part.open("w") for part in parts]
        for number, file in enumerate(files, 1):
            file.write(compact(header | {"shard": f"{number}/{len(files)}"}) + "\n")
        for line, file in zip(lines, itertools.cycle(files)):
            file.write(line)
        for file in files:
            file.close()


def measured(command):
    """Seconds of wall, seconds of the processor, and the most bytes that were resident."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], [str(part) for part in command], os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise SystemExit(f"error: {' '.join(map(str, command))} ended with status {status}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def stages(scorer, folder, points):
    corpus, plan, outcomes, merged, summary = (
        folder / name for name in ["corpus.json", "plan.json", "outcomes.jsonl", "merged.jsonl", "summary.json"]
    )
    points = write_corpus(corpus, points)
    yield f"(corpus of {points} points)", corpus, None
    # Else the run would go on from it.
    outcomes.unlink(missing_ok=True)
    quiet = [scorer, "--quiet"]
    yield "plan", plan, measured([*quiet, "plan", corpus, "--estimators", "roofline", "-o", plan])
    yield "run", outcomes, measured([*quiet, "run", plan, "--no-cache", "-o", outcomes])
    parts = [folder / f"part-{number}.outcomes" for number in range(1, PARTS + 1)]
    deal(outcomes, parts)
    yield f"merge, {PARTS} files", merged, measured([*quiet, "merge", *parts, "-o", merged])
    if merged.read_bytes() != outcomes.read_bytes():
        raise SystemExit("error: the merged outcomes are not those of the run")
    yield "summarize", summary, measured([*quiet, "summarize", corpus, merged, "-o", summary])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scorer", type=pathlib.Path, required=True, help="the program to measure")
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--folder", type=pathlib.Path, help="where the files go, and stay [default: a temporary folder]")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or pathlib.Path(temporary)
        print("| stage | writes | time | processor | memory |\n| --- | --- | --- | --- | --- |")
        for stage, file, cost in stages(given.scorer.resolve(), folder, given.points):
            size = f"{file.stat().st_size / 1e6:.0f} MB"
            wall, cpu, memory = (f"{cost[0]:.1f} s", f"{cost[1]:.1f} s", f"{cost[2] / 1e9:.2f} GB") if cost else ("", "", "")
            print(f"| {stage} | {size} | {wall} | {cpu} | {memory} |", flush=True)


if __name__ == "__main__":
    main()
