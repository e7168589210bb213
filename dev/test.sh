#!/usr/bin/env bash
# dev/test.sh [ctest arguments...]: builds everything and runs all tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dev/build.sh
ctest --preset release --parallel "$(nproc)" "$@" </dev/null
