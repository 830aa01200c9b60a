#!/usr/bin/env python3
"""Runs a plan on the workers of a HyperQueue server, and joins what they wrote.

    score.py work/plan.json --shards 200
    score.py work/plan.json --shards 200 --local 4 -- --blis /shared/blis

Beside the plan it makes parts/ (outcomes and log of every shard) and, at the end, outcomes.jsonl. The same command goes
on after whatever stopped it. Needs the package `hyperqueue` from PyPI, of the server's version.
"""

import argparse
import contextlib
import itertools
import pathlib
import shutil
import subprocess
import sys

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.client import FailedJobsException
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def arguments():
    """What was given, with the options of `scorer run` that stand behind `--`."""
    own = list(itertools.takewhile(lambda argument: argument != "--", sys.argv[1:]))
    options = sys.argv[len(own) + 2 :]
    usage = "%(prog)s PLAN --shards N [OPTION…] [-- OPTION of scorer run…]"
    parser = argparse.ArgumentParser(usage=usage, description=__doc__.splitlines()[0])
    parser.add_argument("plan", type=pathlib.Path)
    parser.add_argument("--shards", type=positive, required=True, help="parts; many more than workers balance better")
    parser.add_argument("--cpus", type=positive, default=1, help="cores of a shard, points at a time [default: 1]")
    parser.add_argument("--scorer", default="scorer", help="the program, as the workers find it")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--server-dir", help="the server's directory [default: HyperQueue's own]")
    where.add_argument("--local", type=positive, metavar="CORES", help="start a server and a worker on this machine")
    given = parser.parse_args(own)
    given.options = options
    return given


@contextlib.contextmanager
def client(server_dir, cores):
    if cores is None:
        yield Client(server_dir)
        return
    with LocalCluster() as cluster:
        cluster.start_worker(WorkerConfig(cores=cores))
        yield cluster.client()


def job(plan, parts, scorer, given):
    """A task for each shard. One that fails leaves the others alone."""
    job = Job(default_workdir=plan.parent, max_fails=None)
    for number in range(1, given.shards + 1):
        shard = ["--shard", f"{number}/{given.shards}", "--output", str(parts / f"part-{number}.outcomes")]
        log = str(parts / f"{number}.log")
        job.program(
            [scorer, "run", str(plan), *shard, "--jobs", str(given.cpus), *given.options],
            stdout=log,
            stderr=log,
            resources=ResourceRequest(cpus=given.cpus),
        )
    return job


def main():
    given = arguments()
    plan = given.plan.resolve()
    if not plan.is_file():
        sys.exit(f"error: {plan}: no such file; make it with scorer plan")
    parts = plan.parent / "parts"
    parts.mkdir(exist_ok=True)
    scorer = shutil.which(given.scorer)
    if scorer is None:
        sys.exit(f"error: there is no program {given.scorer}: name it with --scorer")
    with client(given.server_dir, given.local) as server:
        submitted = server.submit(job(plan, parts, scorer, given))
        try:
            server.wait_for_jobs([submitted])
        except FailedJobsException as failed:
            sys.exit(f"error: {failed}\nadvice: look into {parts}, then run this again: it goes on")
    files = [parts / f"part-{number}.outcomes" for number in range(1, given.shards + 1)]
    return subprocess.run([scorer, "merge", *files, "--output", plan.parent / "outcomes.jsonl"]).returncode


if __name__ == "__main__":
    sys.exit(main())
