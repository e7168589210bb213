#!/bin/sh
# Compiles the kernels of this folder to PTX, next to their sources. Names of sources given as arguments limit the work.
set -eu
cd "$(dirname "$0")"
nvcc=${NVCC:-nvcc}
command -v "$nvcc" >/dev/null || nvcc=/usr/local/cuda/bin/nvcc
[ $# -gt 0 ] || set -- defects/*.cu programs/*.cu
for source in "$@"; do
    target=${source%.cu}.ptx
    "$nvcc" -arch=sm_90 -std=c++17 -lineinfo -fmad=false -ptx "$source" -o "$target.raw"
    sed -E \
        -e '/^[[:space:]]*\.section[[:space:]]+\.debug_str/,/^[[:space:]]*\}/d' \
        -e '/^[[:space:]]*\.file/s|"[^"]*/include/([^"]*)"|"cuda/include/\1"|' \
        -e "/^[[:space:]]*\.file/s|\"[^\"]*/?${source}\"|\"tests/ptx/${source}\"|" \
        -e '/^[[:space:]]*\.file/s|(")(, [0-9]+)+[[:space:]]*$|\1|' \
        "$target.raw" >"$target"
    rm "$target.raw"
done
