#!/usr/bin/env python3
"""Compares what `agpusim exec` says of CUDA programs with Nsight Compute's counters of a GPU.

  python3 dev/exec_on_gpu.py measure PROGRAMS COUNTERS.csv       on the GPU: the counters of each kernel, summed over its launches
  python3 dev/exec_on_gpu.py compare PROGRAMS COUNTERS.csv AGPUSIM MACHINE  a line for each kernel, then how many agree

A line of PROGRAMS is a program, built by `agpusim build`, and its arguments.
"""

import csv
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from ptx_on_gpu import profiled

GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
METRICS = {
    "requests": [GLOBAL.format("requests", op) for op in ("ld", "st")],
    "sectors": [GLOBAL.format("sectors", op) for op in ("ld", "st")],
    "wavefronts": [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st")],
    "ns": ["gpu__time_duration.sum"],
}
MOST_SECONDS = 60


def programs(path):
    return [line.split() for line in pathlib.Path(path).read_text().splitlines() if line.strip()]


def name_of(kernel):
    """Without results, parameters and template arguments."""
    return re.sub(r"<.*", "", re.sub(r"^void ", "", kernel)).split("(")[0].split("::")[-1]


def counters_of(program):
    """Launches and the sums of the metrics, by kernel."""
    wanted = [metric for metrics in METRICS.values() for metric in metrics]
    result = {}
    for (_, kernel), values in profiled(program, wanted, ["--cache-control", "none"], MOST_SECONDS, check=False).items():
        sums = result.setdefault(name_of(kernel), {"launches": 0, **dict.fromkeys(METRICS, 0)})
        sums["launches"] += 1
        for what, metrics in METRICS.items():
            sums[what] += sum(values.get(metric, 0) for metric in metrics)
    return result


def measure(list_of_programs, path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["program", "kernel", "launches", *METRICS])
        for program in programs(list_of_programs):
            name = os.path.basename(program[0])
            try:
                for kernel, sums in counters_of(program).items():
                    writer.writerow([name, kernel, sums["launches"], *(sums[what] for what in METRICS)])
            except (subprocess.TimeoutExpired, ValueError) as error:
                print(f"{name}: not measured: {type(error).__name__}", file=sys.stderr)


def simulated(program, agpusim, machine, folder):
    """What exec says of each kernel."""
    sheet = pathlib.Path(folder) / "sheet.json"
    sheet.unlink(missing_ok=True)
    subprocess.run([agpusim, "exec", "--check", "none", "--machine", machine, "--json", sheet, "--", *program],
                   capture_output=True, timeout=MOST_SECONDS)
    result = {}
    for kernel in json.loads(sheet.read_text())["kernels"]:
        sums = result.setdefault(name_of(kernel["name"]), {"launches": 0, "requests": 0, "sectors": 0, "wavefronts": 0, "ns": 0})
        counts = kernel["counts"]
        sums["launches"] += kernel["launches"]
        for op in ("read", "write"):
            sums["requests"] += counts[f"global_{op}.requests"]
            sums["sectors"] += counts[f"global_{op}.sectors"]
            sums["wavefronts"] += counts[f"shared_{op}.wavefronts"]
        sums["ns"] += 1e6 * (kernel["predicted_ms"] or 0)
    return result


def compare(list_of_programs, path, agpusim, machine):
    measured = {}
    for row in csv.DictReader(open(path)):
        measured.setdefault(row["program"], {})[row["kernel"]] = {what: int(row[what]) for what in ("launches", *METRICS)}
    kernels = 0
    agree = dict.fromkeys(("requests", "sectors", "wavefronts"), 0)
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        for program in programs(list_of_programs):
            name = os.path.basename(program[0])
            try:
                ours = simulated(program, agpusim, machine, folder)
            except (subprocess.TimeoutExpired, OSError) as error:
                print(f"{name}: not run: {type(error).__name__}")
                continue
            for kernel, theirs in measured.get(name, {}).items():
                if kernel not in ours or ours[kernel]["launches"] != theirs["launches"]:
                    print(f"{name} {kernel}: {theirs['launches']} launches measured, {ours.get(kernel, {'launches': 0})['launches']} simulated")
                    continue
                kernels += 1
                mine = ours[kernel]
                for what in agree:
                    agree[what] += mine[what] == theirs[what]
                ratio = mine["ns"] / theirs["ns"]
                if theirs["ns"] / theirs["launches"] > 5000:
                    errors.append(abs(ratio - 1))
                other = "; ".join(f"{what} {mine[what]:,} for {theirs[what]:,}" for what in agree if mine[what] != theirs[what])
                print(f"{name} {kernel}: {theirs['ns'] / theirs['launches'] / 1000:.1f} us, predicted/measured {ratio:.2f}{'; ' + other if other else ''}")
    print(f"{kernels} kernels: " + ", ".join(f"{what} equal in {count}" for what, count in agree.items()))
    if errors:
        print(f"times of {len(errors)} above 5 us: mean error {statistics.mean(errors):.1%}, median {statistics.median(errors):.1%}")


if __name__ == "__main__":
    if sys.argv[1] == "measure":
        measure(*sys.argv[2:])
    else:
        compare(*sys.argv[2:])
