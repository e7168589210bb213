#!/usr/bin/env bash
# dev/install_packages.sh [PACKAGE...]: installs what agpusim is built with, and further packages, or says what is missing. Does nothing
# when everything is there.
set -euo pipefail
further=("$@")

packages=(g++ cmake ninja-build catch2 libcli11-dev libeigen3-dev libboost-dev libfmt-dev nlohmann-json3-dev libtbb-dev
          liblzma-dev liblz4-dev libzstd-dev libbenchmark-dev unzip "${further[@]}")

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  missing=()
  for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
  done
else
  missing=()
fi

# What the build really needs, however it was installed (libboost-dev may be there under a versioned name).
have() { command -v "$1" >/dev/null; }
have_header() { printf '#include <%s>\n' "$1" | "${CXX:-g++}" -std=c++20 -x c++ -E - >/dev/null 2>&1; }
absent() {
  have "${CXX:-g++}" || echo "a C++20 compiler (g++ 12 or newer)"
  have cmake || echo "CMake 3.25 or newer"
  have ninja || echo "Ninja"
  have_header catch2/catch_all.hpp || have_header catch2/catch.hpp || echo "Catch2"
  have_header CLI/CLI.hpp || echo "CLI11"
  have_header eigen3/Eigen/Core || have_header Eigen/Core || echo "Eigen 3"
  have_header boost/graph/adjacency_list.hpp || echo "Boost (headers, with Boost.Graph)"
  have_header fmt/format.h || echo "fmt"
  have_header nlohmann/json.hpp || echo "nlohmann-json"
  have_header tbb/version.h || echo "oneTBB"
  have_header lzma.h || echo "liblzma"
  have_header zstd.h || echo "libzstd"
  have_header lz4.h || echo "liblz4"
  have_header benchmark/benchmark.h || echo "google-benchmark"
  have unzip || have bsdtar || have python3 || echo "unzip"
  for package in "${further[@]}"; do
    if [[ " ${missing[*]} " == *" $package "* ]]; then echo "$package"; fi
  done
}

[ -n "$(absent)" ] || exit 0

if [ "${#missing[@]}" -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  echo "installing: ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  if ! {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}"
  } </dev/null >&2; then
    echo "the installation failed; by hand: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  missing=()
fi

still=$(absent)
if [ -n "$still" ]; then
  printf 'agpusim needs the following, which were not found:\n%s\n' "$still" >&2
  echo "Install them with your package manager; CMake then reports what it cannot find." >&2
fi
