#!/usr/bin/env bash
# dev/package.sh [CMAKE OPTION...]: builds the Debian package build/package/agpusim_VERSION_ARCHITECTURE.deb, and installs what that needs.
# With -DAGPUSIM_ARCH_PROGRAMS= it has one program for every x86-64 processor and none for newer ones: a third of the time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dev/install_packages.sh dpkg-dev file git
cmake --preset package "$@"
cmake --build --preset package
cmake --build --preset package --target exercise_pages
cpack --preset package
