#!/usr/bin/env bash
# All of cargo's tests, and then whether each committed snapshot is one that some test still looks at.

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

# insta appends the path of every snapshot that a test asserts to this file.
INSTA_SNAPSHOT_REFERENCES_FILE=$(mktemp)
export INSTA_SNAPSHOT_REFERENCES_FILE
trap 'rm -f "$INSTA_SNAPSHOT_REFERENCES_FILE"' EXIT
# The header of a snapshot (its expression, its source) has to be right as well.
export INSTA_REQUIRE_FULL_MATCH=1
if in_ci; then
  export INSTA_UPDATE=no
fi

cargo test --locked --workspace

scripts/check-snapshots.mjs "$INSTA_SNAPSHOT_REFERENCES_FILE"
