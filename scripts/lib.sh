# shellcheck shell=bash
# What every script here shares: where things are, which versions, and how to talk. Source it; it runs nothing.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Tools live outside the checkout, so that every clone of one person shares them.
TOOLS=${BLIS_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/blis-accuracy-dashboard/tools}
# Debian has servers, such as Slurm's, where only root looks for programs.
export PATH="$TOOLS/cargo/bin:$TOOLS/npm/node_modules/.bin:$TOOLS/python/bin:$PATH:/usr/sbin"

# The generated JavaScript and the command that generates it must be of one version: the lock file's.
wasm_bindgen_version() {
  sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"$/\1/p;}' "$ROOT/Cargo.lock"
}

say() {
  printf '%s\n' "$*"
}

# One line per step of the set-up: what, and how it stands.
step() {
  printf '  %-28s %s\n' "$1" "$2"
}

# fail WHAT ADVICE: says both, and ends the script.
fail() {
  printf 'error: %s\n  %s\n' "$1" "$2" >&2
  exit 1
}

have() {
  command -v "$1" >/dev/null 2>&1
}

# has_version COMMAND VERSION: the command is there and names that very version.
has_version() {
  have "$1" && "$1" --version 2>/dev/null | grep -qwF -- "$2"
}

# library NAME: the folder of a Python package that the set-up has installed for the tests.
library() {
  printf '%s\n' "$TOOLS/python/$1"
}

has_library() {
  have python3 && [ -d "$(library "$1")" ]
}

# logged NAME COMMAND…: runs it quietly; the output is kept, and its end is shown only on failure.
logged() {
  local log="$TOOLS/log/$1.log"
  shift
  mkdir -p "$TOOLS/log"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" | cut -c 1-160 | sed 's/^/    | /' >&2
    say "    full log: $log" >&2
    return 1
  fi
}

# The person's own choice first, then what a system may call it.
find_chromium() {
  local name
  if [ -n "${CHROMIUM:-}" ]; then
    have "$CHROMIUM" && command -v "$CHROMIUM"
    return
  fi
  for name in chromium chromium-browser google-chrome-stable google-chrome \
    "/Applications/Chromium.app/Contents/MacOS/Chromium" \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    if have "$name"; then
      command -v "$name"
      return
    fi
  done
  return 1
}

in_ci() {
  [ "${CI:-}" = true ]
}

# skip_or_fail WHAT ADVICE: a part that cannot run here is skipped by a person's machine and a failure in CI.
skip_or_fail() {
  if in_ci; then
    fail "$1" "$2"
  fi
  say "skipped: $1 ($2)"
}
