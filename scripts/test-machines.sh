#!/usr/bin/env bash
# test-machines.sh [slurm] [hyperqueue] [kubernetes]: runs the recipes of deploy/ on the embedded corpus, and compares the
# outcomes with those of one machine, byte for byte. SCORER names the scorer. Slurm and HyperQueue are real ones of one
# node, started and stopped here; of Kubernetes there are the schemas and the containers' commands.

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

SCORER=$(realpath "${SCORER:-target/debug/scorer}")
export SCORER
# Nothing of a cluster that this machine may be part of.
unset "${!SLURM_@}" "${!SBATCH_@}" "${!HQ_@}" JOB_COMPLETION_INDEX COMPLETIONS

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# is_there RECIPE: what it needs.
is_there() {
  case $1 in
    slurm) have slurmctld && have slurmd && have munged ;;
    hyperqueue) has_library hyperqueue ;;
    kubernetes) has_library kubernetes-validate ;;
    *) fail "there is no recipe '$1'" "choose from: slurm hyperqueue kubernetes" ;;
  esac
}

# run RECIPE FOLDER: the recipe with the plan in that folder.
run() {
  case $1 in
    slurm) scripts/machines/slurm.sh "$2" ;;
    hyperqueue)
      PYTHONPATH=$(library hyperqueue) deploy/hyperqueue/score.py "$2/plan.json" --shards 11 --local 2 \
        --scorer "$SCORER" -- --no-cache
      ;;
    kubernetes) PYTHONPATH=$(library kubernetes-validate) python3 scripts/machines/kubernetes.py "$SCORER" "$2" ;;
  esac
}

# The plan and the outcomes of one machine.
"$SCORER" --quiet plan data/sample/corpus.json --output "$work/plan.json"
"$SCORER" --quiet run "$work/plan.json" --output "$work/outcomes.jsonl" --no-cache

[ $# -gt 0 ] || set -- slurm hyperqueue kubernetes
passed=0 skipped=0
for recipe in "$@"; do
  if ! is_there "$recipe"; then
    skip_or_fail "the test of deploy/$recipe" "scripts/setup.sh test installs what it needs, where it can"
    skipped=$((skipped + 1))
    continue
  fi
  folder=$work/$recipe
  mkdir "$folder"
  cp "$work/plan.json" "$folder/"
  run "$recipe" "$folder" >"$folder/log" 2>&1 || fail "deploy/$recipe does not run here" "$(tail -n 20 "$folder/log")"
  cmp "$work/outcomes.jsonl" "$folder/outcomes.jsonl" ||
    fail "deploy/$recipe makes other outcomes than one machine" "both are of one plan, so one of them is wrong"
  say "  deploy/$recipe: the bytes of one machine"
  passed=$((passed + 1))
done
say "$passed passed, 0 failed, $skipped skipped"
