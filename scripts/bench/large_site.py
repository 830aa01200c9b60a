"""A large site for `npm run measure:large` in e2e/: two runs of 10,000 points each, and a list of 1,000 runs.

    cargo build --release -p scorer
    python3 scripts/bench/large_site.py --scorer target/release/scorer --page dist --out target/large-site

The points are those of scripts/bench/million.py, scored by the built-in `roofline`: once with the settings of each run, once with the
engine's defaults. Every stage is the real one, so that the page can verify both. The other runs stand in the list alone, as copies
with other ids and days: there is no file of theirs, as nobody opens them.
"""

import argparse
import datetime
import json
import pathlib
import shutil
import subprocess

import million


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def publish(scorer, folder, corpus, settings):
    """Scores the corpus with these settings, and publishes the snapshot."""
    plan, outcomes, summary = (folder / f"{settings}.{name}" for name in ["plan.json", "outcomes.jsonl", "summary.json"])
    outcomes.unlink(missing_ok=True)
    run(scorer, "--quiet", "plan", corpus, "--settings", settings, "--estimators", "roofline", "-o", plan)
    run(scorer, "--quiet", "run", plan, "--no-cache", "-o", outcomes)
    run(scorer, "--quiet", "summarize", corpus, outcomes, "-o", summary)
    run(scorer, "--quiet", "publish", summary, "--data", folder / "data")


def older(entry, number):
    """A line of the list as a run of so many days before has it."""
    day = datetime.date.fromisoformat(entry["generated_at"][:10]) - datetime.timedelta(days=number)
    return entry | {"id": f"{day}_roofline-1_{number:08x}", "generated_at": f"{day}T00:00:00Z"}


def lengthen(index, runs):
    """The list with so many runs in all, the real ones first."""
    listed = json.loads(index.read_text())
    entries = listed["snapshots"]
    entries += [older(entries[0], number) for number in range(1, runs - len(entries) + 1)]
    index.write_text(million.compact(listed) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scorer", type=pathlib.Path, required=True, help="the program that makes the site")
    parser.add_argument("--page", type=pathlib.Path, required=True, help="the built page")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="where the site goes; what is there is replaced")
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=1000)
    given = parser.parse_args()
    scorer, work = given.scorer.resolve(), given.out.with_name(f"{given.out.name}-work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    corpus = work / "corpus.json"
    million.write_corpus(corpus, given.points)
    for settings in ["recorded", "defaults"]:
        publish(scorer, work, corpus, settings)
    run(scorer, "--quiet", "site", "--page", given.page, "--data", work / "data", "-o", given.out)
    lengthen(given.out / "data/index.json", given.runs)
    print(f"{given.out}: two runs of {given.points} points, {given.runs} in the list")


if __name__ == "__main__":
    main()
