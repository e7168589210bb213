#!/usr/bin/env bash
# Everything to run before a merge: format, tree, tests, clang-tidy, sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dev/check_format.sh
python3 dev/check_tree.py
dev/test.sh
cmake --build --preset release --target agpusim_header_check
cmake --workflow --preset tidy
cmake --workflow --preset asan
