#!/usr/bin/env python3
"""The speed of two agpusim programs side by side: compare_speed.py OLD NEW [ROW[:VARIANT[:NAME=VALUE]]...]

OLD and NEW are programs of any two commits. Each row is simulated at n = 2^20 on one host thread,
priced and checked, by both in turns (--rounds times); printed are the lane operations per CPU
second within launches (the best turn of each) and their ratio. With --threads 2 or more, those per
second.

With --benchmarks REGEX, OLD and NEW are agpusim_bench of both, and the benchmarks of these names are compared.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROWS = """bitonic_sort histogram:global histogram:shared:range=4096 histogram:sorted:range=4096 scatter transpose:naive
transpose:tiled hp_sort:global hp_sort:shared:range=4096 vector_add reduce scan""".split()
HERE = pathlib.Path(__file__).resolve().parent.parent


def run(program, row, n, threads, library, times):
    name, variant, parameter = (row.split(":") + ["", ""])[:3]
    command = [program, "run", name, "--n", str(n), "--threads", str(threads), "--json"]
    if variant:
        command += ["--variant", variant]
    if parameter:
        command += ["--set", parameter]
    environment = dict(os.environ, LD_PRELOAD=library, AGPUSIM_LAUNCH_TIMES=times)
    if threads > 1:
        environment["AGPUSIM_LAUNCH_WALL"] = "1"
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    result = json.loads(done.stdout)
    lane_operations = result["counts"]["lane_slots"]  # issued warp instructions times b
    # Before the run itself, a program may make small ones to see how long it takes.
    launches = [float(line) for line in pathlib.Path(times).read_text().split()]
    return sum(launches[-result["phases"]:]), lane_operations


def benchmark(program, name):
    """CPU milliseconds of an iteration."""
    command = [program, f"--benchmark_filter=^{re.escape(name)}$", "--benchmark_format=json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    bench = json.loads(done.stdout)["benchmarks"][0]
    return bench["cpu_time"] * {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}[bench["time_unit"]]


def compare_benchmarks(programs, names, rounds):
    command = [programs[0], "--benchmark_list_tests", f"--benchmark_filter={names}"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    print(f"CPU time of an iteration, best of {rounds} turns; ratio of them, and median of the ratios of the turns")
    for name in listed:
        turns = [[], []]
        for turn in range(rounds):
            for i in (0, 1) if turn % 2 == 0 else (1, 0):
                turns[i].append(benchmark(programs[i], name))
        best = [min(times) for times in turns]
        median = statistics.median(old / new for old, new in zip(*turns))
        print(f"{name.partition('/min_time')[0].partition('/iterations')[0]:36} {best[0]:8.3f} ms -> {best[1]:8.3f} ms  x{best[0] / best[1]:.3f}  x{median:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("rows", nargs="*", default=ROWS)
    parser.add_argument("--n", type=int, default=2**20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--benchmarks", metavar="REGEX")
    arguments = parser.parse_args()
    if arguments.benchmarks:
        compare_benchmarks([arguments.old, arguments.new], arguments.benchmarks, arguments.rounds)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/time_launches.so"
        source = str(HERE / "bench" / "time_launches.cpp")
        subprocess.run(["g++", "-O2", "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
        unit = "CPU second" if arguments.threads == 1 else "second"
        print(f"n = {arguments.n}, threads = {arguments.threads}, best of {arguments.rounds} turns; G/s = 10^9 lane operations per {unit}")
        for row in arguments.rows:
            best = [float("inf"), float("inf")]
            for _ in range(arguments.rounds):
                for i, program in enumerate([arguments.old, arguments.new]):
                    seconds, lane_operations = run(program, row, arguments.n, arguments.threads, library, f"{folder}/times")
                    best[i] = min(best[i], seconds)
            rates = [1e-9 * lane_operations / seconds for seconds in best]
            print(f"{row:30} {rates[0]:6.3f} G/s -> {rates[1]:6.3f} G/s  x{best[0] / best[1]:.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
