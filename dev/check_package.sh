#!/usr/bin/env bash
# dev/check_package.sh [FOLDER]: checks the Debian packages of dev/package.sh in FOLDER (build/package): what is in which, no folder of
# the build, no error of lintian, and that they come out byte for byte the same when packed again. --rebuild also compiles again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rebuild=
if [ "${1:-}" = --rebuild ]; then rebuild=1; shift; fi
folder=$(cd "${1:-build/package}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
fail() { echo "wrong: $*" >&2; wrong=1; }

program=("$folder"/agpusim_*.deb) dev=("$folder"/agpusim-dev_*.deb)
for package in "${program[0]}" "${dev[0]}"; do
  [ -f "$package" ] || { echo "no $package: dev/package.sh makes it" >&2; exit 2; }
done
dpkg-deb -x "${program[0]}" "$work/program"
dpkg-deb -x "${dev[0]}" "$work/dev"

for file in bin/agpusim lib/agpusim/cudart/13/libcudart.so.13 share/man/man1/agpusim.1.gz share/doc/agpusim/copyright; do
  [ -f "$work/program/usr/$file" ] || fail "agpusim lacks $file"
done
[ -f "$work/dev/usr/include/agpusim/agpusim.hpp" ] || fail "agpusim-dev lacks the header"
if [ -n "$(find "$work/program" -name '*.a' -o -path '*/include/agpusim/*.hpp' | head -1)" ]; then fail "agpusim has what belongs to agpusim-dev"; fi
if [ -n "$(find "$work/dev" -perm -u+x -type f | head -1)" ]; then fail "agpusim-dev has programs"; fi
if grep -rlF "$PWD" "$work/program" "$work/dev" >&2; then fail "these name the folder of the build, $PWD"; fi
"$work/program/usr/bin/agpusim" run scan --n 1000 >/dev/null || fail "the program does not run"
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error "${program[0]}" "${dev[0]}" || fail "lintian has errors"
else
  echo "not checked: no lintian (Debian: lintian)" >&2
fi

SOURCE_DATE_EPOCH=$(cat "$folder/epoch")
export SOURCE_DATE_EPOCH
if [ -n "$rebuild" ]; then cmake --build "$folder" --clean-first; fi
cpack -G DEB --config "$folder/CPackConfig.cmake" -B "$work/again" >/dev/null
for package in "${program[0]}" "${dev[0]}"; do
  cmp "$package" "$work/again/$(basename "$package")" || fail "$(basename "$package") is another one when it is made again"
done
[ "$wrong" = 0 ] && echo "agpusim and agpusim-dev: in order"
exit "$wrong"
