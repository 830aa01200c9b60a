#!/usr/bin/env bash
# Every check that is not a test. All of them run; the last lines name those that failed.
# (That the committed JSON Schemas equal the types, and that every insta snapshot is asserted, is part of `make test`.)

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

failed=()
check() {
  local name=$1
  shift
  say "lint: $name"
  if ! "$@"; then
    failed+=("$name")
  fi
}

rustdoc_without_warnings() {
  RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --quiet
}

scripts_by_shellcheck() {
  if have shellcheck; then
    git ls-files -z '*.sh' '*.sbatch' .ci/run | xargs -0 shellcheck --external-sources
  else
    skip_or_fail "shellcheck is not there" "install shellcheck with your package manager"
  fi
}

workflows_by_schema() {
  if ! has_library check-jsonschema; then
    skip_or_fail "check-jsonschema is not there" "scripts/setup.sh lint installs it"
    return
  fi
  against_schema github-workflows .github/workflows/*.yml deploy/github/*.yml &&
    against_schema dependabot .github/dependabot.yml
}

# against_schema NAME FILE…: a schema that comes with the package, so no network is needed.
against_schema() {
  local name=$1
  shift
  PYTHONPATH=$(library check-jsonschema) python3 -m check_jsonschema --quiet --builtin-schema "vendor.$name" "$@"
}

browser_tests_by_tsc() {
  (cd e2e && npx tsc --noEmit)
}

check 'rustfmt' cargo fmt --all --check
check 'clippy' cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
check 'clippy, the app for wasm32' \
  cargo clippy --locked --package app --target wasm32-unknown-unknown --quiet -- -D warnings
check 'rustdoc' rustdoc_without_warnings
check 'cargo-deny' cargo deny --locked --log-level warn check --hide-inclusion-graph bans licenses sources
check 'cargo-machete' cargo machete
check 'dependencies are explained' scripts/check-dependencies.mjs
check 'links between pages' scripts/check-links.mjs
check 'typos' typos
check 'workflows, schema' workflows_by_schema
check 'workflows, safety' zizmor --offline --no-progress --quiet .github deploy/github/*.yml
check 'shellcheck' scripts_by_shellcheck
check 'browser tests, types' browser_tests_by_tsc

if [ ${#failed[@]} -gt 0 ]; then
  say "lint: ${#failed[@]} failed:"
  printf '  %s\n' "${failed[@]}"
  exit 1
fi
say "lint: all clean"
