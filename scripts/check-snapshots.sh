#!/usr/bin/env bash
# check-snapshots.sh REFERENCES: fails for a snapshot file that no test asserted (REFERENCES has a path a line,
# as insta writes it), and for one that still waits to be accepted.

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

snapshots() {
  find app scorer shared -name "$1" -not -path '*/target/*' | sort
}

# insta names a file from the root, or by its absolute path, and may leave "dir/../" in it.
asserted=$(while read -r path; do realpath -m --relative-to . "$path"; done <"$1" | sort -u)
unreferenced=$(comm -23 <(snapshots '*.snap') <(printf '%s\n' "$asserted"))
pending=$(snapshots '*.snap.new')

if [ -n "$unreferenced" ]; then
  fail "no test asserts: ${unreferenced//$'\n'/ }" "delete the file, or give its test its name back"
fi
if [ -n "$pending" ]; then
  fail "not accepted yet: ${pending//$'\n'/ }" "review it with cargo insta, or rename it over the .snap file"
fi
