#!/usr/bin/env bash
# score.sh PLAN TASKS [OPTION…]: runs a plan as a job array of so many tasks, then joins what they wrote.
#
# Beside the plan it makes parts/ (outcomes and log of every task) and, at the end, outcomes.jsonl. The options are
# those of `scorer run`, such as --blis; SCORER names the program where it is not on PATH; what sbatch should know is
# told by its own variables, such as SBATCH_PARTITION or SBATCH_TIMELIMIT.

set -euo pipefail

usage="usage: score.sh PLAN TASKS [OPTION of scorer run…]"
plan=$(realpath "${1:?$usage}")
tasks=${2:?$usage}
shift 2
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
folder=$(dirname "$plan")
mkdir -p "$folder/parts"

submit() {
  sbatch --parsable --chdir="$folder" "$@"
}

# In a federation the id is followed by the cluster.
array=$(submit --array="1-$tasks" --output="$folder/parts/%a.log" "$here/shard.sbatch" "$plan" "$@")
merge=$(submit --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes --output="$folder/parts/merge.log" \
  "$here/merge.sbatch")
echo "submitted: $tasks tasks as job ${array%%;*}, and job ${merge%%;*} to join them into $folder/outcomes.jsonl"
