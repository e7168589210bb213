#!/usr/bin/env python3
"""Compares what the remedies of `agpusim ptx --why` promise with what they gained on a GPU.

  python3 dev/remedies.py AGPUSIM validation/data/h200/remedies.csv    the table of docs/reference/exec.md; the file is that of `dev/ptx_on_gpu.py gains`

The kernels are those of tests/ptx/fixtures/patterns.cu.
"""

import csv
import json
import statistics
import subprocess
import sys

from ptx_on_gpu import ROOT, pairs


def explained(agpusim, kernel, grid, block, arguments):
    command = [agpusim, "ptx", ROOT / "tests/ptx/fixtures/patterns.ptx", "--kernel", kernel, "--grid", grid, "--block", block, "--why", "--json"]
    for argument in arguments.split(","):
        command += ["--arg", argument]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["why"]


def main(agpusim, path):
    print("| pattern | measured, us | predicted, us | gain measured | gain promised |\n|---|---|---|---|---|")
    measured = {row["pattern"]: row for row in csv.DictReader(open(path))}
    distances, right = [], 0
    for pattern, kernel, *launch in pairs():
        if kernel.endswith("_mended"):
            continue
        why = explained(agpusim, kernel, *launch)
        before, after = (float(measured[pattern][twin]) for twin in ("defect_us", "mended_us"))
        promised = next(row["gain"] for row in why["remedies"] if row["pattern"] == pattern)
        gained = 1 - after / before
        right += gained > 0
        distances.append(abs(gained - promised))
        print(f"| {pattern} | {before:.1f} to {after:.1f} | {1000 * why['ms']:.1f} to {1000 * why['ms'] * (1 - promised):.1f} | {gained:.0%} | {promised:.0%} |")
    print(f"\n{right} of {len(distances)} gain; the promise is {100 * statistics.mean(distances):.0f} points off in the mean, {100 * max(distances):.0f} at most.")


if __name__ == "__main__":
    main(*sys.argv[1:])
