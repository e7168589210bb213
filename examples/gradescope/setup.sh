#!/bin/sh
# Gradescope runs this once, when it builds the autograder of setup.sh, run_autograder and agpusim's package in one zip archive.
set -e
apt-get update
apt-get install -y --no-install-recommends g++ libtbb-dev libfmt-dev bubblewrap "$(dirname "$0")"/agpusim_*.deb
