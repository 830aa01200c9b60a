#!/usr/bin/env bash
# check-size.sh DIST: prints what a first visit to the built page transfers before any data, and fails over budget; and
# what it transfers later, for its worker and its other views. Sizes are those of `gzip` at its default level, 1 kB = 1000 bytes.

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

dist=${1:?usage: check-size.sh DIST}
[ -f "$dist/index.html" ] || fail "$dist has no built page" "run: make page"

# row NAME BUDGET FILE…: prints raw and compressed bytes; a budget of - is none.
over=0
row() {
  local name=$1 budget=$2 raw=0 packed=0 file verdict=
  shift 2
  for file in "$@"; do
    [ -f "$file" ] || fail "the built page has no ${file##*/}" "look into $dist"
    raw=$((raw + $(wc -c <"$file")))
    packed=$((packed + $(gzip -c "$file" | wc -c)))
  done
  if [ "$budget" != - ]; then
    verdict=ok
    if [ "$packed" -gt $((budget * 1000)) ]; then
      verdict='OVER BUDGET'
      over=1
    fi
    budget="$budget kB"
  fi
  printf '  %-22s %9d %9d %9s  %s\n' "$name" "$raw" "$packed" "$budget" "$verdict"
}

# Each program and its glue are named after the binary, and every other file after its own.
wasm=("$dist"/app-*.wasm)
glue=("$dist"/app-*.js)
boot=("$dist"/boot-*.js)
style=("$dist"/style-*.css)
icon=("$dist"/favicon-*.svg)
explorer=("$dist"/explore-*.wasm "$dist"/explore-*.js "$dist"/explore-*.css)
worker=("$dist"/checker-*.wasm "$dist"/checker-*.js "$dist"/worker-*.js)

printf '  %-22s %9s %9s %9s\n' 'page, in bytes' raw gzip budget
row 'WebAssembly' 130 "${wasm[@]}"
row 'JavaScript glue' 10 "${glue[@]}"
row 'boot script' - "${boot[@]}"
row 'style sheet' - "${style[@]}"
row 'icon' - "${icon[@]}"
row 'index.html' - "$dist/index.html"
row 'all before data' 146 "$dist/index.html" "${wasm[@]}" "${glue[@]}" "${boot[@]}" "${style[@]}" "${icon[@]}"
row 'worker, later' 185 "${worker[@]}"
row 'other views, later' 430 "${explorer[@]}"

[ "$over" -eq 0 ] || fail "the page is over its size budget" "look for a new dependency or feature: cargo tree -p app -e no-dev"
