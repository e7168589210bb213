#!/usr/bin/env bash
# Makes the PTX of tests/ptx anew from the .cu files beside it and says which differ. Needs nvcc and clang++-14.
# usage: dev/ptx_fixtures.sh [FILE.cu...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if [ ! -x "$nvcc" ] || ! command -v clang++-14 >/dev/null; then
  echo "ptx fixtures: not made, nvcc or clang++-14 is not installed"
  exit 0
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
ln -s "$PWD" "$made/agpusim"
differ=0
[ $# -gt 0 ] || set -- tests/ptx/{fixtures,defects,programs}/*.cu
for source in "$@"; do
  fixture=${source%.cu}.ptx
  if [ "$source" = tests/ptx/fixtures/clang.cu ]; then
    clang++-14 -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version -O3 \
      -gline-tables-only -S "$source" -o "$made/ptx"
  else
    # The results of programs are compared with those of the host, bit for bit.
    [[ $source == tests/ptx/fixtures/* ]] && contract=true || contract=false
    "$nvcc" -arch=sm_90 -lineinfo -fmad=$contract -ptx -I "$made" "$source" -o "$made/ptx"
  fi
  # Paths within the repository and the toolkit. What debuggers read has the path in a hash, and constants of libcu++, which no
  # kernel here uses, have the number of nvcc's process in their names.
  sed -E -e "s|\"($made/agpusim\|$PWD)/|\"|" -e 's|"[^"]*/targets/[^/"]+/|"|' -e 's|"[^"]*/(include/cccl/)|"\1|' \
    -e '/^\.global .*_INTERNAL_.*\[1\];$/d' -e '/\.section\t\.debug_str/,$ { /^\.b8/d }' "$made/ptx" >"$made/fixture"
  if ! cmp -s "$made/fixture" "$fixture"; then
    echo "ptx fixtures: $fixture differs"
    differ=1
    cp "$made/fixture" "$fixture"
  fi
done
[ "$differ" = 1 ] || echo "ptx fixtures: as they were"
