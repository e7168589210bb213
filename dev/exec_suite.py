#!/usr/bin/env python3
"""Runs programs of public suites under `agpusim exec`: which pass their own checks, which are refused and why.

  python3 dev/exec_suite.py build SUITES AGPUSIM          the programs of dev/exec_suite.txt, where they are; makefiles as they are
  python3 dev/exec_suite.py gpu SUITES                    on a GPU: what they print there
  python3 dev/exec_suite.py run SUITES AGPUSIM SECONDS N  N at once, each at most so long: dev/exec_suite.csv, and its sums

SUITES has clones of github.com/zjin-lcf/HeCBench at f27000a5188f and of github.com/NVIDIA/cuda-samples at c94ff366aed1. A line of
dev/exec_suite.txt is a folder there and the arguments, small ones: the interpreter runs 10^9 thread instructions in seconds.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

LIST = pathlib.Path(__file__).with_suffix(".txt")
FAILS = re.compile(r"fail|mismatch|wrong|incorrect|unsuccessful", re.IGNORECASE)
PASSES = re.compile(r"pass|succes|correct|match|identical|\bok\b", re.IGNORECASE)
# Lines that two runs need not share: times, rates, names of devices and files.
VARIES = re.compile(r"time|sec|\b[mun]s\b|/s|flop|bandwidth|throughput|rate|device|agpusim|error|\bnan\b|\binf\b|\[", re.IGNORECASE)


def programs():
    return [(line.split()[0], line.split()[1:]) for line in LIST.read_text().splitlines()]


def build_one(here, agpusim):
    if (here / "Makefile").exists():
        command = ["make", "-B", "program=program", "ARCH=sm_90"]
    else:
        sources = [path.name for kind in ("cu", "cpp") for path in sorted(here.glob(f"*.{kind}"))]
        command = ["nvcc", "-std=c++17", "-O3", "-arch=sm_90", "-I../../../Common", *sources, "-o", "program"]
    done = subprocess.run([agpusim, "build", "--", *command], cwd=here, capture_output=True, text=True, check=False)
    return "built" if done.returncode == 0 else "".join(done.stderr.strip().splitlines()[-1:])


def start(here, command, seconds):
    """Exit code (None: too slow) and what it prints."""
    with subprocess.Popen(command, cwd=here, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as process:
        try:
            printed = process.communicate(timeout=seconds)[0].decode(errors="replace")
            return process.returncode, printed
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, ""


def lasting(text):
    return [line for line in text.splitlines() if line.strip() and not VARIES.search(line)]


def result_of(program, code, sheet, printed, gpu):
    """passes: its own check does; as on a GPU: it has none, and prints the same there; ended: by a finding; wrong: by nothing."""
    if code is None or code == 6:
        return "too slow" if code is None else "refused"
    if any(kernel["stopped"] for kernel in sheet.get("kernels", [])) and not PASSES.search(printed):
        return "ended by a finding"
    own = sheet.get("exit_code", code)
    if program.startswith("cuda-samples"):  # judged by exit codes, as NVIDIA's run_tests.py does
        return {0: "passes", 2: "waived"}.get(own, "wrong")
    if own != 0 or FAILS.search(printed):
        return "fails on a GPU too" if lasting(printed) == lasting(gpu) or FAILS.search(gpu) else "wrong"
    if PASSES.search(printed):
        return "passes"
    return "as on a GPU" if lasting(gpu) and lasting(printed) == lasting(gpu) else "runs"


def run_one(suites, agpusim, seconds, program, arguments):
    here = suites / program
    row = {"program": program, "arguments": " ".join(arguments), "result": "not built"}
    if not (here / "program").exists():
        return row
    began = time.monotonic()
    code, printed = start(here, [agpusim, "exec", "--json", "sheet.json", "--", "./program", *arguments], seconds)
    sheet = json.loads((here / "sheet.json").read_text()) if code is not None and (here / "sheet.json").exists() else {}
    gpu = (here / "gpu.txt").read_text() if (here / "gpu.txt").exists() else ""
    return row | row_of(program, code, sheet, printed.split("\n./program ")[0], gpu, time.monotonic() - began)


def row_of(program, code, sheet, printed, gpu, seconds):
    return {"result": result_of(program, code, sheet, printed, gpu), "exit": code, "kernels": len(sheet.get("kernels", [])),
            "findings": len(sheet.get("findings", [])), "seconds": f"{seconds:.1f}",
            "why": "; ".join([*sheet.get("refused", {}).values(), *sheet.get("unsupported", {})])}


def run_all(suites, agpusim, seconds, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = list(pool.map(lambda entry: run_one(suites, agpusim, seconds, *entry), programs()))
    columns = ["program", "arguments", "result", "exit", "kernels", "findings", "seconds", "why"]
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    for suite in sorted({row["program"].split("/")[0] for row in rows}):
        results = [row["result"] for row in rows if row["program"].startswith(suite)]
        sums = ", ".join(f"{results.count(each)} {each}" for each in sorted(set(results), key=results.count, reverse=True))
        print(f"{suite}: {len(results)} programs: {sums}", file=sys.stderr)


def main(command, folder, *rest):
    suites = pathlib.Path(folder).resolve()
    agpusim = str(pathlib.Path(rest[0]).resolve()) if rest else None
    if command == "build":
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for program, result in pool.map(lambda entry: (entry[0], build_one(suites / entry[0], agpusim)), programs()):
                print(f"{program}: {result}")
    elif command == "gpu":
        for program, arguments in programs():
            here = suites / program
            if (here / "program").exists():
                (here / "gpu.txt").write_text(start(here, ["./program", *arguments], 60)[1])
    else:
        run_all(suites, agpusim, float(rest[1]), int(rest[2]))


if __name__ == "__main__":
    main(*sys.argv[1:])
