#!/usr/bin/env bash
# dev/cross_build.sh [TARGET...]: builds agpusim for arm64 in build/arm64 on a Debian or Ubuntu that has arm64 as a further architecture
# (dpkg --add-architecture arm64), and runs it under QEMU. The CUDA runtime of `exec` is not built there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
"${as_root[@]}" apt-get install -y --no-install-recommends g++-aarch64-linux-gnu qemu-user-static cmake ninja-build git \
  libcli11-dev libeigen3-dev nlohmann-json3-dev lib{boost,fmt,tbb,lzma,lz4,zstd}-dev:arm64
cmake -S . -B build/arm64 -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
  -DAGPUSIM_BUILD_TESTS=OFF -DAGPUSIM_CUDA=OFF -DAGPUSIM_MPI=OFF
cmake --build build/arm64 --target "${@:-agpusim}"
if [ -x build/arm64/agpusim ]; then qemu-aarch64-static build/arm64/agpusim run scan --n 1000; fi
