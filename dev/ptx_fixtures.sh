#!/usr/bin/env bash
# Makes the PTX of tests/ptx, tests/cudart and of the algorithms (validation/ptx) anew and says which differ. Needs nvcc, clang++-14 and xz.
# usage: dev/ptx_fixtures.sh [FILE.cu|ALGORITHM...]     ALGORITHM: as in algorithms/CMakeLists.txt
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
algorithms=$(sed -n 's/^agpusim_add_algorithm(\([^ )]*\).*)/\1/p' algorithms/CMakeLists.txt)
[ $# -gt 0 ] || set -- tests/ptx/{fixtures,defects,programs}/*.cu tests/memory_model/*.cu tests/cudart/{kernels,textures}.cu $algorithms

# keep FILE: $made/ptx without what depends on this machine, and whether FILE holds that
keep() {
  # Paths within the repository, and within a toolkit, which tests tell from it. What debuggers read has the path in a hash, and
  # constants of libcu++, which no kernel here uses, have the number of nvcc's process in their names.
  local toolkit='"/usr/local/cuda/'
  if [[ $1 == *.xz ]]; then toolkit='"'; fi
  sed -E -e "s|\"($made/agpusim\|$PWD)/|\"|" -e "s#\"[^\"]*/(targets/[^/\"]+/|(include/cccl/))#$toolkit\2#" \
    -e "s|\"$made/|\"|" -e '/^\.global .*_INTERNAL_.*\[1\];$/d' -e '/\.section\t\.debug_str/,$ { /^\.b8/d }' "$made/ptx" \
    >"$made/fixture"
  if [[ $1 == *.xz ]]; then xz -dcf "$1"; else cat "$1"; fi >"$made/before" 2>/dev/null || true
  if ! cmp -s "$made/fixture" "$made/before"; then
    echo "ptx fixtures: $1 differs"
    differ=1
    if [[ $1 == *.xz ]]; then xz -9ec "$made/fixture"; else cat "$made/fixture"; fi >"$1"
  fi
}

for source in "$@"; do
  if [[ $source != *.cu ]]; then
    name=${source##*/}
    program=algorithms/$source/program.hpp
    if grep -q "($source FAMILY)" algorithms/CMakeLists.txt; then program=algorithms/${source%/*}/program.hpp; fi
    [ -e "$program" ] || continue
    {
      [ ! -e "algorithms/$source/device.cuh" ] || echo "#include \"agpusim/algorithms/$source/device.cuh\""
      echo "#include \"agpusim/$program\""
      echo "#include \"agpusim/cuda/device.cuh\""
      echo "auto* const program = agpusim::$name::make_program<agpusim::CudaDevice>;"
    } >"$made/$name.cu"
    # The flags of the CUDA build (cmake/AgpusimTargets.cmake, agpusim_generate_cuda_program).
    "$nvcc" -std=c++20 -arch=sm_90 -lineinfo -fmad=false -DFMT_USE_CONSTEXPR=1 -ptx -I "$made" "$made/$name.cu" -o "$made/ptx"
    keep "validation/ptx/$name.ptx.xz"
    continue
  fi
  if [ "$source" = tests/ptx/fixtures/clang.cu ]; then
    clang++-14 -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version -O3 \
      -gline-tables-only -S "$source" -o "$made/ptx"
  else
    # The results of programs are compared with those of the host, bit for bit.
    [[ $source == tests/ptx/fixtures/* ]] && contract=true || contract=false
    "$nvcc" -arch=sm_90 -lineinfo -fmad=$contract -ptx -I "$made" "$source" -o "$made/ptx"
  fi
  keep "${source%.cu}.ptx"
done
[ "$differ" = 1 ] || echo "ptx fixtures: as they were"
