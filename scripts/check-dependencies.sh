#!/usr/bin/env bash
# Compares the direct dependencies of every crate and of the browser tests with the table in CONTRIBUTING.md, which
# says why each is there. A row reads: | `name` | where, where | why |

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

# dependency<TAB>where, from the manifests; the project's own crates need no reason.
declared() {
  local crate
  for crate in app scorer shared; do
    awk -v crate="$crate" '
      /^\[/ { inside = /^\[(target\..*\.)?(build-|dev-)?dependencies\]$/ }
      inside && /^[A-Za-z0-9_-]+[ .=]/ { sub(/[ .=].*/, ""); if ($0 != "shared") print $0 "\t" crate }
    ' "$crate/Cargo.toml"
  done
  # shellcheck disable=SC2016 # the backticks are JavaScript's
  node -e '
    const { dependencies, devDependencies } = require("./e2e/package.json");
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) console.log(`${name}\te2e`);
  '
}

explained() {
  awk -F '|' '
    $2 ~ /^ `[^`]+` $/ && $3 ~ /(app|scorer|shared|e2e)/ && length($4) > 3 {
      name = $2; gsub(/[ `]/, "", name)
      n = split($3, places, ","); for (i = 1; i <= n; i++) { gsub(/ /, "", places[i]); print name "\t" places[i] }
    }
  ' CONTRIBUTING.md
}

difference=$(diff <(declared | sort -u) <(explained | sort -u) | sed -n \
  -e 's/^< \(.*\)\t\(.*\)/  \1 in \2: not explained/p' -e 's/^> \(.*\)\t\(.*\)/  \1 in \2: explained, but not a dependency/p') || true
if [ -n "$difference" ]; then
  say "$difference"
  fail "the table of dependencies in CONTRIBUTING.md is not up to date" "add, correct or remove these rows"
fi
