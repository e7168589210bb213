#!/usr/bin/env bash
# dev/package.sh [CMAKE OPTION...]: builds the Debian packages agpusim and agpusim-dev in build/package, and installs what that needs.
# With -DAGPUSIM_ARCH_PROGRAMS= it has one program for every x86-64 processor and none for newer ones: a third of the time.
# The page for a browser is built first where emscripten is there. A commit gives the same bytes each time: dev/check_package.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dev/install_packages.sh dpkg-dev file git
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
if command -v emcc >/dev/null; then cmake --workflow --preset browser; fi
rm -f build/package/*.deb
cmake --preset package "$@"
echo "$SOURCE_DATE_EPOCH" >build/package/epoch
cmake --build --preset package
cmake --build --preset package --target exercise_pages
cpack --preset package
