#!/usr/bin/env bash
# dev/build.sh [target...]: configures and builds the preset `release` in build/release, quietly.
# The log is build/release/build.log; its end is shown when something fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p build/release
log=build/release/build.log
: >"$log"
run() {
  if ! "$@" </dev/null >>"$log" 2>&1; then
    tail -n 100 "$log" >&2
    echo "failed: $* (whole log: $log)" >&2
    exit 1
  fi
}

if [ ! -f build/release/build.ninja ]; then
  dev/install_packages.sh
  echo "building agpusim in build/release; this takes minutes the first time (log: $log)" >&2
  run cmake --preset release
fi
targets=()
if [ "$#" -gt 0 ]; then targets=(--target "$@"); fi
run cmake --build --preset release "${targets[@]}"
