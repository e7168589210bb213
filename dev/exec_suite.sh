#!/usr/bin/env bash
# Builds programs of a public suite and runs them under `agpusim exec`: which pass their own checks, which are refused and why.
# usage: dev/exec_suite.sh AGPUSIM SUITE [NAME...] <dev/exec_suite.txt
#   SUITE: a clone of github.com/zjin-lcf/HeCBench at f27000a5188f; a line of the input is a program of its src/ and arguments.
set -euo pipefail

agpusim=$1
suite=$2
shift 2
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

# value KEY FILE: of a member of the JSON file, as text
value() { python3 -c 'import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' "$1" "$2"; }

printf '%-32s %-8s %8s  %s\n' program result kernels refused
while read -r name arguments; do
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  folder=$suite/src/$name-cuda
  if ! (cd "$folder" && "$agpusim" build -- nvcc -std=c++17 -O3 -I../../include ./*.cu -o "$made/program") >"$made/log" 2>&1; then
    printf '%-32s %-8s\n' "$name" "no build"
    continue
  fi
  code=0
  # shellcheck disable=SC2086 # arguments are several words
  (cd "$folder" && timeout 120 "$agpusim" exec --json "$made/sheet.json" -- "$made/program" $arguments) >"$made/out" 2>&1 || code=$?
  result=runs
  if grep -qiE 'fail|mismatch|wrong' "$made/out"; then result=wrong; elif grep -qi pass "$made/out"; then result=passes; fi
  [ "$code" = 0 ] || [ "$code" = 4 ] || result="code $code"
  if [ "$code" = 124 ]; then
    printf '%-32s %-8s\n' "$name" "too slow"
    continue
  fi
  kernels=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["kernels"]))' "$made/sheet.json")
  printf '%-32s %-8s %8s  %s\n' "$name" "$result" "$kernels" "$(value refused "$made/sheet.json")"
done
