#!/usr/bin/env bash
# Measures every row of the zoo on this machine's GPU, from the root of the repository and a build with CUDA:
#   zoo/measure.sh TIMES.jsonl                   adds records of times
#   zoo/measure.sh TIMES.jsonl COUNTERS.jsonl    also records of hardware counters, by Nsight Compute
# ZOO names the program, SECONDS_EACH bounds each of the eight parts.
set -euo pipefail
zoo=${ZOO:-build/release/agpusim_zoo}
times=$1
counters=${2:-}

# A row has the name of its file. The host computes the references of some rows too slowly for the largest sizes.
rows=$(basename -s .hpp zoo/*/*.hpp)
up_to_2_20=$(grep -vx closest <<<"$rows")
up_to_2_24=$(grep -vxE 'gemm|list_hops|cycle_steps|tree_descent|gather|permute|one_warp_scan|recurrence|grid_path' <<<"$up_to_2_20")

measure() { # ROWS OPTION...
  local algorithms
  mapfile -t algorithms <<<"$1"
  shift
  "$zoo" measure "${algorithms[@]/#/--algorithm=}" --max-seconds "${SECONDS_EACH:-60}" "$@"
}
times_of() { # ROWS MACHINE SIZE
  measure "$1" --machine "$2" --n-min "$3" --n-max "$3" --input uniform --out "$times"
}

times_of "$rows" h200-block 2^12
for machine in h200 h200-block h200-wide; do
  times_of "$rows" "$machine" 2^16
  times_of "$up_to_2_20" "$machine" 2^20
done
times_of "$up_to_2_24" h200-block 2^24
[ -z "$counters" ] && exit
metrics=$(grep -oh '[a-z0-9_]*__[a-z0-9_]*\.sum' commands/analyze/check_counters.cpp validation/records/ncu_csv.hpp |
  sort -u | paste -sd,)
work=$(mktemp -d)
for size in 2^12 2^16; do # of larger runs the host does not know the kernels of all rows
  mapfile -t algorithms <<<"$up_to_2_20"
  ncu --clock-control none --csv --page raw --print-units base --metrics "device__attribute_display_name,$metrics" \
    --log-file "$work/ncu.csv" "$zoo" measure "${algorithms[@]/#/--algorithm=}" --machine h200-block --profile \
    --n-min "$size" --n-max "$size" --out "$work/plan.jsonl"
  "$zoo" import-counters "$work/plan.jsonl" "$work/ncu.csv" --out "$counters"
  rm "$work"/*
done
rmdir "$work"
