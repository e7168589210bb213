#!/usr/bin/env bash
# Makes tests/ptx/fixtures/*.ptx anew from the .cu files beside them and says which differ. Needs nvcc and clang++-14.
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
for source in tests/ptx/fixtures/*.cu; do
  fixture=${source%.cu}.ptx
  if [ "$source" = tests/ptx/fixtures/clang.cu ]; then
    clang++-14 -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version -O3 \
      -gline-tables-only -S "$source" -o "$made/ptx"
  else
    "$nvcc" -arch=sm_90 -lineinfo -ptx -I "$made" "$source" -o "$made/ptx"
  fi
  # Paths within the repository and the toolkit. What debuggers read has the path in a hash.
  sed -E -e "s|\"($made/agpusim\|$PWD)/|\"|" -e 's|"[^"]*/targets/[^/"]+/|"|' -e 's|"[^"]*/(include/cccl/)|"\1|' \
    -e '/\.section\t\.debug_str/,$ { /^\.b8/d }' "$made/ptx" >"$made/fixture"
  if ! cmp -s "$made/fixture" "$fixture"; then
    echo "ptx fixtures: $fixture differs"
    differ=1
    cp "$made/fixture" "$fixture"
  fi
done
[ "$differ" = 1 ] || echo "ptx fixtures: as they were"
