#!/usr/bin/env bash
# test-browser.sh PAGE [ARGUMENT…]: the browser tests, against the built page with the demonstration's two snapshots, as
# they are committed, served under a sub-path. SCORER names the scorer to stage and serve with, and whose figures the page must
# show. Further arguments go to Playwright: tests/compare.spec.ts, -g "a part of a name", --headed.

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

page=${1:?usage: test-browser.sh PAGE [ARGUMENT…]}
shift
scorer=${SCORER:-target/debug/scorer}
# Absolute: the tests run from e2e/.
E2E_SCORER=$(realpath "$scorer")
E2E_SITE=$ROOT/target/e2e/site
export E2E_SCORER E2E_SITE

if ! browser=$(find_chromium); then
  skip_or_fail "browser tests: no Chromium" "install Chromium or Chrome, or set CHROMIUM to its path"
  exit
fi
export CHROMIUM=$browser

rm -rf target/e2e
for summary in data/snapshots/*_roofline-*/summary.json; do
  "$E2E_SCORER" --quiet publish "$summary" --data target/e2e/data
done
"$E2E_SCORER" --quiet site --page "$page" --data target/e2e/data -o "$E2E_SITE"

cd e2e
npx playwright test "$@"
