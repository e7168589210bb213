#!/usr/bin/env bash
# dev/observer_cost.sh: the instructions of a simulation that nobody observes, with the questions whether somebody does and
# without them, counted by valgrind (docs/developer/benchmarks.md). Minutes: it compiles the model twice.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags=(-std=c++20 -O3 -DNDEBUG -march=x86-64-v3 -fno-math-errno -ffp-contract=off -w -DFMT_SHARED -DAGPUSIM_SOURCE_DIR='"."'
       -DAGPUSIM_INSTALLED_HEADERS='"."') # valgrind knows no AVX-512
mapfile -t limits < <(sed -n '/^set(inlining /,/)/p' "$root/CMakeLists.txt" | grep -o -- '--param=[a-z-]*=[0-9]*')
for tree in with without; do
  mkdir -p "$work/$tree/include/agpusim" "$work/$tree/objects"
  cp -r "$root"/{model,algorithms,bench} "$work/$tree"
  for layer in model algorithms bench; do ln -s "../../$layer" "$work/$tree/include/agpusim/$layer"; done
done
cd "$work/without/model/agpu"
replace() { # FILE TEXT NEW: fails where the file has no such text
  grep -qF -- "$2" "$1" || { echo "$1 does not have: $2" >&2; exit 1; }
  sed -i "s/$2/$3/" "$1"
}
replace lane_context.hpp '{ return observer_ != nullptr; }' '{ return false; }'
replace lane_context.hpp '{ return watched_; }' '{ return lone_ != nullptr; }'
replace lane_context.cpp 'if (observer_ != nullptr)' 'if (false)'
replace device.cpp 'options_.observer != nullptr' 'false'
for tree in with without; do
  cd "$work/$tree"
  find model/agpu model/cost model/run algorithms/common -maxdepth 1 -name '*.cpp' | cat - <(ls model/*.cpp model/transfer/host_parallel.cpp) |
    xargs -P "$(nproc)" -I{} sh -c 'g++ "$@" -Iinclude -c {} -o objects/$(echo {} | tr / _).o' - "${flags[@]}"
  g++ "${flags[@]}" "${limits[@]}" -Iinclude bench/launches.cpp objects/*.o -lfmt -ltbb -lpthread -o launches
done

instructions() { # TREE ROW N: of one time its launches
  local counted=()
  for times in 1 2; do
    counted+=("$(valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$work/$1/launches" "$2" "$3" $times 2>&1 |
      awk '/I *refs/ { gsub(",", ""); print $NF }')")
  done
  echo $((counted[1] - counted[0]))
}
echo "host instructions of the launches, without and with questions"
for run in "vector_add 16384" "transpose 16384" "bitonic_sort 16384" "reduce 65536"; do
  read -r row n <<<"$run"
  without=$(instructions without "$row" "$n")
  with=$(instructions with "$row" "$n")
  awk -v run="$row, n = $n" -v a="$without" -v b="$with" 'BEGIN { printf "%-24s %11d -> %11d  %+.2f %%\n", run, a, b, 100 * (b / a - 1) }'
done
