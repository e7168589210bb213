#!/usr/bin/env bash
# Checks (or with --fix makes) the format of all C++ and CUDA sources. The style is clang-format 14's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=""
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && [[ "$("$candidate" --version)" == *" 14."* ]]; then
    tool=$candidate
    break
  fi
done
if [ -z "$tool" ]; then
  echo "format: not checked, clang-format 14 is not installed"
  exit 0
fi
mode=(--dry-run --Werror)
if [ "${1:-}" = --fix ]; then mode=(-i); fi
folders=()
for folder in model ptx algorithms cuda validation cudalibs cli commands papers tests bench; do
  if [ -d "$folder" ]; then folders+=("$folder"); fi
done
find "${folders[@]}" -regextype posix-extended -regex '.*\.(hpp|cpp|cuh|cu)' -print0 |
  xargs -0 -r "$tool" "${mode[@]}"
echo "format: ok"
