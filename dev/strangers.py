#!/usr/bin/env python3
"""Compares predicted with measured times of the kernels of CUDA programs.

  python3 dev/strangers.py PROGRAMS TIMES.csv AGPUSIM MACHINE   a line for each program, worst first, then all

PROGRAMS is the folder src of HeCBench (commit f27000a5188f), in which each NAME-cuda of TIMES.csv was built by
`agpusim build -- make -B program=program ARCH=sm_90`. TIMES.csv has the durations of the first two launches of each kernel on a GPU:
dev/strangers_h100.csv, dev/strangers_h200.csv. Launches above 5 us count; those of a kernel with one grid count as one.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from exec_on_gpu import name_of

SHORTEST_NS = 5000
MOST_SECONDS = 600


def predicted(folder, arguments, agpusim, machine):
    """[Milliseconds, ends of their interval] by kernel, variant of its template and launch."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([agpusim, "exec", "--check", "none", "--first", "2", "--quiet-program", "--machine", machine, "--json", file.name,
                        "--", "./program", *arguments], cwd=folder, capture_output=True, timeout=MOST_SECONDS)
        launches = json.loads(pathlib.Path(file.name).read_text())["launches"]
    variants, times = {}, {}
    for launch in sorted(launches, key=lambda each: each["index"]):
        if launch["skipped"]:
            continue
        names = variants.setdefault(name_of(launch["name"]), [])
        if launch["kernel"] not in names:
            names.append(launch["kernel"])
        of_kernel = times.setdefault((name_of(launch["name"]), names.index(launch["kernel"])), [])
        one = [(launch[value] or 0) / launch["launches"] for value in ("predicted_ms", "low_ms", "high_ms")]
        of_kernel += [one] * launch["launches"]
    return times


def main(programs, times, agpusim, machine):
    rows = {}
    for row in csv.DictReader(open(times, newline="")):
        rows.setdefault((row["program"], row["arguments"]), []).append(row)
    errors, inside = {}, {}

    def attempt(key):
        try:
            return predicted(pathlib.Path(programs) / f"{key[0]}-cuda", key[1].split(), agpusim, machine)
        except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
            print(f"{key[0]}: {type(error).__name__}", file=sys.stderr)
            return {}

    with concurrent.futures.ThreadPoolExecutor(max(1, os.cpu_count() // 2)) as pool:
        for (program, _), found, measured in zip(rows, pool.map(attempt, rows), rows.values()):
            for row in measured:
                ours = found.get((row["kernel"], int(row["variant"])), [])[int(row["launch"]) - 1:][:1]
                if ours and ours[0][0] and int(row["ns"]) > SHORTEST_NS:
                    ms, low, high = (1e6 * value / int(row["ns"]) for value in ours[0])
                    errors.setdefault(program, {}).setdefault((row["kernel"], row["variant"], row["grid"]), []).append(abs(ms - 1))
                    inside.setdefault(program, []).append(low <= 1 <= high)
    kernels = [statistics.mean(each) for of in errors.values() for each in of.values()]
    for program, of in sorted(errors.items(), key=lambda item: -statistics.mean(map(statistics.mean, item[1].values()))):
        print(f"{program:16} {len(of):3} kernels {100 * statistics.mean(map(statistics.mean, of.values())):7.1f} %, "
              f"{sum(inside[program])} of {len(inside[program])} launches inside")
    print(f"{len(kernels)} kernels of {len(errors)} programs: mean {100 * statistics.mean(kernels):.1f} %, "
          f"median {100 * statistics.median(kernels):.1f} %, 90 % within {100 * sorted(kernels)[int(0.9 * len(kernels))]:.1f} %; "
          f"inside {100 * statistics.mean(statistics.mean(of) for of in inside.values()):.0f} %, each program as one")


if __name__ == "__main__":
    main(*sys.argv[1:3], pathlib.Path(sys.argv[3]).resolve(), sys.argv[4])
