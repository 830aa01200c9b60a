"""kubernetes.py SCORER FOLDER: checks the manifests of deploy/kubernetes, and runs what they would run.

Every document must be what the schemas of its kind say, without a field that they do not know. Then the containers'
commands are run one after the other, in the order of the files, with FOLDER as their volume and the environment that an
Indexed Job gives. Needs kubernetes-validate from PyPI.
"""

import os
import pathlib
import re
import subprocess
import sys

import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSIONS = ["1.33", kubernetes_validate.latest_version()]


def variables(container):
    return {entry["name"]: entry["value"] for entry in container.get("env", [])}


def pods(job):
    """The environments of a job's pods, each without what is not Kubernetes' own."""
    spec = job["spec"]
    container = spec["template"]["spec"]["containers"][0]
    if spec.get("completionMode") != "Indexed":
        return [variables(container)]
    indexes = range(spec["completions"])
    return [{**variables(container), "JOB_COMPLETION_INDEX": str(index)} for index in indexes]


def command(container, environment, here):
    """What the container runs, with `$(NAME)` put in as Kubernetes does, and the places of the image and the volume here."""
    for part in container["command"] + container["args"]:
        part = re.sub(r"\$\((\w+)\)", lambda name: environment[name[1]], part)
        for there, place in here.items():
            part = part.replace(there, str(place))
        yield part


def main():
    scorer, folder = map(pathlib.Path, sys.argv[1:])
    here = {"/work": folder, "/usr/local/share/scorer": ROOT / "data/sample"}
    path = f"{scorer.parent}{os.pathsep}{os.environ['PATH']}"
    documents = []
    for file in sorted((ROOT / "deploy/kubernetes").glob("*.yaml")):
        documents += yaml.safe_load_all(file.read_text())
    for document in documents:
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)
    for job in (document for document in documents if document["kind"] == "Job"):
        container = job["spec"]["template"]["spec"]["containers"][0]
        for environment in pods(job):
            argv = list(command(container, environment, here))
            subprocess.run(argv, check=True, env={**os.environ, "PATH": path, **environment})


if __name__ == "__main__":
    main()
