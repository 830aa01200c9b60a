"""The child of the scorer's `aiconfigurator` estimator: one question a line on stdin, one answer a line on stdout.

A question is {"id": ..., "estimate": {keyword arguments of AIConfigurator's cli_estimate}}; an answer is one of
docs/simulator-contract.md.
"""

import functools
import json
import os
import sys

BACKEND = "vllm"

# What AIConfigurator raises for what it has no data or no model of, by the name of the exception.
REASONS = {
    "EmpiricalNotImplementedError": "unsupported_layout",
    "InsufficientMemoryError": "unsupported_layout",
    "InterpolationDataNotAvailableError": "unsupported_layout",
    "KVCacheCapacityError": "unsupported_layout",
    "MissingSystemFlopsError": "unsupported_hardware",
    "NoFeasibleConfigError": "unsupported_layout",
    "PerfDataNotAvailableError": "unsupported_layout",
    "UnsupportedAttentionBackendError": "unsupported_model",
    "UnsupportedWideepConfigError": "unsupported_layout",
}
# The same where it raises a plain RuntimeError or ValueError, by what the message begins with.
BEGINNINGS = {
    "OOM:": "unsupported_layout",
    "Invalid quantized MoE configuration": "unsupported_layout",
    "No database found for system": "unsupported_hardware",
    "Parallelism width mismatch": "unsupported_layout",
}


@functools.cache
def database_version(system):
    """The newest data of a system. AIConfigurator would look it up for every estimate, which takes seconds."""
    from aiconfigurator.sdk.perf_database import get_latest_database_version

    return get_latest_database_version(system=system, backend=BACKEND)


def estimate(arguments):
    from aiconfigurator.cli.api import cli_estimate

    version = database_version(arguments["system_name"])
    if version is None:
        return refusal("unsupported_hardware", f"AIConfigurator has no data of {BACKEND} on {arguments['system_name']}")
    result = cli_estimate(backend_name=BACKEND, backend_version=version, **arguments)
    return {"estimate": {"ttft_ms": result.ttft, "tpot_ms": result.tpot}}


def refusal(reason, detail):
    return {"not_scored": {"reason": reason, "detail": detail}}


def reason_of(error):
    for kind in type(error).__mro__:
        if kind.__name__ in REASONS:
            return REASONS[kind.__name__]
    return next((reason for start, reason in BEGINNINGS.items() if str(error).startswith(start)), "run_error")


def answer(question):
    try:
        return estimate(question["estimate"])
    except Exception as error:  # Whatever it is, it is this question's, and the next may be answered.
        return refusal(reason_of(error), f"{type(error).__name__}: {error}")


def main():
    # What the libraries print goes to stderr, so that stdout has nothing but answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        reply = {"schema": "simulator-answer.v1", "id": question["id"], "answer": answer(question)}
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    main()
