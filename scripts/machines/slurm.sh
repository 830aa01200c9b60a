#!/usr/bin/env bash
# slurm.sh FOLDER: starts a Slurm of one node, on ports and in folders of its own beside whatever else the machine has,
# runs deploy/slurm with the plan in FOLDER, and stops it again.

set -euo pipefail

folder=${1:?usage: slurm.sh FOLDER}
cluster=$folder/cluster
export SLURM_CONF=$cluster/slurm.conf

pids=()
in_background() {
  "$@" >"$cluster/$1.out" 2>&1 &
  pids+=($!)
}

# The last to come goes first: each needs those before it.
stop() {
  local index
  scancel --full --user "$(id -un)" 2>/dev/null || true
  for ((index = ${#pids[@]} - 1; index >= 0; index--)); do
    kill "${pids[index]}" 2>/dev/null || true
    wait "${pids[index]}" 2>/dev/null || true
  done
}
trap stop EXIT

patience=480
wait_until() {
  until "$@"; do
    if [ $((patience -= 1)) -eq 0 ]; then
      tail -n 5 "$cluster"/*.out
      echo "gave up after two minutes, waiting until: $*"
      exit 1
    fi
    sleep 0.25
  done
}

munge_answers() {
  [ -S "$cluster/munge.socket" ]
}

node_is_idle() {
  [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]
}

no_job_is_left() {
  [ -z "$(squeue --noheader)" ]
}

free_ports() {
  python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets))'
}

# A node that takes more tasks at a time than it may have cores.
configuration() {
  local controller node host user
  read -r controller node < <(free_ports)
  host=$(hostname -s)
  user=$(id -un)
  cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller
SlurmdPort=$node
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=8
PartitionName=all Nodes=ALL Default=YES
CONF
}

mkdir -p "$cluster/state" "$cluster/spool"
configuration >"$SLURM_CONF"
dd if=/dev/urandom of="$cluster/munge.key" bs=128 count=1 status=none
chmod 400 "$cluster/munge.key"
in_background munged --foreground --force --key-file "$cluster/munge.key" --socket "$cluster/munge.socket" \
  --pid-file "$cluster/munged.pid" --log-file "$cluster/munged.log" --seed-file "$cluster/munged.seed"
wait_until munge_answers
in_background slurmctld -D
in_background slurmd -D
wait_until node_is_idle

deploy/slurm/score.sh "$folder/plan.json" 5 --no-cache
wait_until no_job_is_left
tail -n 3 "$folder"/parts/*.log
[ -f "$folder/outcomes.jsonl" ]
