"""How data/ grows: the rows of docs/scale.md, printed as tables.

    python3 scripts/bench/growth.py index              # the list: bytes, and how long a browser's engine takes to parse it
    python3 scripts/bench/growth.py nights --points 573 --nights 60
    python3 scripts/bench/growth.py nights --points 50000 --nights 6

`nights` commits nights of a synthetic snapshot to a real repository, as the nightly workflow does: every figure differs from
night to night, the measured points stay. The template is a committed snapshot, repeated until it has as many points, with the
two estimators that a night has. `index` needs Node.js, whose engine is Chromium's.
"""

import argparse
import copy
import csv
import gzip
import io
import json
import pathlib
import random
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "data/snapshots/2026-09-28_blis-v0.7.15_c66ac14a/summary.json"
ESTIMATORS = ("blis", "roofline")


def compact(value):
    return (json.dumps(value, separators=(",", ":")) + "\n").encode()


def another(value, rng):
    """Every figure as another run could have it: of the same size, with other digits."""
    if isinstance(value, dict):
        return {key: another(item, rng) for key, item in value.items()}
    if isinstance(value, list):
        return [another(item, rng) for item in value]
    return value * rng.uniform(0.9, 1.1) if isinstance(value, float) else value


def template(points):
    """A snapshot of so many points of two estimators, without figures that change from night to night."""
    snapshot = json.loads(TEMPLATE.read_bytes())
    snapshot["aggregates"] = [a for a in snapshot["aggregates"] if a["of"]["estimator"] in ESTIMATORS]
    source, sweeps, count = snapshot["sweeps"], [], 0
    for number in range(points):
        sweep = copy.deepcopy(source[number % len(source)])
        sweep["id"] = f"{number:016x}"
        for point in sweep["points"]:
            point["predictions"] = {name: point["predictions"][name] for name in ESTIMATORS}
        sweeps.append(sweep)
        count += len(sweep["points"])
        if count >= points:
            break
    snapshot["sweeps"] = sweeps
    return snapshot, count


def night(snapshot, number):
    rng = random.Random(number)
    made = dict(snapshot)
    made["run"] = {**snapshot["run"], "id": f"night-{number:05}", "generated_at": f"night {number}"}
    made["aggregates"] = another(snapshot["aggregates"], rng)
    made["sweeps"] = [
        {**sweep, "points": [{**p, "predictions": another(p["predictions"], rng)} for p in sweep["points"]]}
        for sweep in snapshot["sweeps"]
    ]
    return made


def table_of_points(snapshot):
    """About what points.csv has: a line for each point and estimator."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for sweep in snapshot["sweeps"]:
        for point in sweep["points"]:
            for name, outcome in point["predictions"].items():
                scored = outcome.get("scored", {})
                rows.writerow([sweep["id"], sweep["model"], sweep["hardware"], point["concurrency"], point["ttft_ms"],
                               point["tpot_ms"], name, *scored.values(), *(v / 7 for v in scored.values() if isinstance(v, float))])
    return text.getvalue().encode()


def entry(number):
    """An entry of the list, with digits of its own."""
    first = json.loads((ROOT / "data/index.json").read_bytes())["snapshots"][0]
    rng = random.Random(number)
    made = another(first, rng)
    made["id"] = f"2026-09-28_blis-v0.{number}_{rng.getrandbits(32):08x}"
    made["sha256"] = f"{rng.getrandbits(256):064x}"
    return made


def index(_):
    print(f"{'entries':>8} {'bytes':>11} {'gzip -6':>10} {'JSON.parse':>11}")
    for count in (4, 100, 500, 1000, 3650, 10000):
        text = compact({"schema": "index.v1", "snapshots": [entry(number) for number in range(count)]})
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(text)
            file.flush()
            script = """
              const text = require('fs').readFileSync(process.argv[1], 'utf8');
              const times = [];
              for (let i = 0; i < 25; i++) {
                const start = performance.now(); JSON.parse(text); times.push(performance.now() - start);
              }
              console.log(Math.min(...times));"""
            fastest = float(subprocess.run(["node", "-e", script, file.name], check=True, capture_output=True).stdout)
        print(f"{count:>8} {len(text):>11,} {len(gzip.compress(text, 6)):>10,} {fastest:>8.1f} ms")


def git(folder, *args):
    done = subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=n@example.invalid", *args],
                          check=True, capture_output=True, text=True)
    return done.stdout


def packed(folder):
    git(folder, "gc", "--quiet", "--prune=now")
    counted = dict(line.split(": ") for line in git(folder, "count-objects", "-v").splitlines())
    return int(counted["size-pack"]) * 1024


def nights(options):
    snapshot, count = template(options.points)
    with tempfile.TemporaryDirectory() as folder:
        git(folder, "init", "--quiet")
        data = pathlib.Path(folder) / "data"
        entries, sizes, start = [], [], time.monotonic()
        for number in range(options.nights):
            made = night(snapshot, number)
            text, points = compact(made), table_of_points(made)
            target = data / "snapshots" / made["run"]["id"]
            (data / "latest").mkdir(parents=True, exist_ok=True)
            target.mkdir(parents=True)
            (target / "summary.json").write_bytes(text)
            (target / "points.csv").write_bytes(points)
            (data / "latest/summary.json").write_bytes(text)
            entries.insert(0, entry(number))
            (data / "index.json").write_bytes(compact({"schema": "index.v1", "snapshots": entries}))
            git(folder, "add", "data")
            git(folder, "commit", "--quiet", "-m", "night")
            if number in (0, options.nights - 1):
                sizes.append(packed(folder))
        site = sum(path.stat().st_size for path in data.rglob("*") if path.is_file())
        print(f"points {count}, nights {options.nights}")
        print(f"summary.json of a night: {len(text):,} bytes, {len(gzip.compress(text, 6)):,} with gzip -6")
        print(f"points.csv of a night: {len(points):,} bytes")
        print(f"data/ after all nights: {site:,} bytes")
        print(f"git pack: {sizes[0]:,} bytes after the first night, {sizes[-1]:,} after the last")
        if options.nights > 1:
            print(f"git, each night more: {(sizes[-1] - sizes[0]) / (options.nights - 1):,.0f} bytes")
        print(f"{time.monotonic() - start:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("index").set_defaults(run=index)
    more = commands.add_parser("nights")
    more.add_argument("--points", type=int, required=True)
    more.add_argument("--nights", type=int, required=True)
    more.set_defaults(run=nights)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
