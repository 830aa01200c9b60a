#!/usr/bin/env bash
# Installs what the project needs and is not there: scripts/setup.sh [compiler] [build] [test] [lint]
# Everything goes to one folder outside the checkout (BLIS_TOOLS), except Debian packages and the wasm target.
# Safe to run again and by two at once; what is there in the right version is left alone.

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/setup/install.sh
source "$ROOT/scripts/setup/install.sh"
# shellcheck source=scripts/setup/groups.sh
source "$ROOT/scripts/setup/groups.sh"

mkdir -p "$TOOLS" || fail "cannot write to $TOOLS" "set BLIS_TOOLS to a folder that you can write to"

# The kernel frees the lock when the script ends, however it ends.
if have flock; then
  exec 9>"$TOOLS/.lock"
  if ! flock --nonblock 9; then
    say "another set-up is running: waiting for it"
    flock 9
  fi
fi

[ $# -gt 0 ] || set -- build test lint
for group in "$@"; do
  case $group in
    compiler | build | test | lint)
      say "set-up: $group"
      "setup_$group"
      ;;
    *) fail "unknown group '$group'" "use: scripts/setup.sh [compiler] [build] [test] [lint]" ;;
  esac
done

# Only this script's own builds are in there; a finished tool needs nothing of it.
rm -rf "$TOOLS/build"
