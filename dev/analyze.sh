#!/usr/bin/env bash
# dev/analyze.sh ARGUMENTS...: builds agpusim when needed and runs `agpusim analyze ARGUMENTS...`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$root/dev/build.sh" agpusim
exec "$root/build/release/agpusim" analyze "$@"
