#!/usr/bin/env python3
"""Runs the kernels of tests/ptx on a GPU, one after the other, and writes what they leave in their buffers.

  python3 dev/ptx_on_gpu.py run RESULTS.json      every kernel without a defect once
  python3 dev/ptx_on_gpu.py counters RESULTS.csv  the same under Nsight Compute: its address counters
  python3 dev/ptx_on_gpu.py pairs                 launches each pair of tests/ptx/fixtures/patterns.cu five times
  python3 dev/ptx_on_gpu.py gains GAINS.csv       the same under Nsight Compute: median times with caches flushed before each launch

Needs CuPy, nvcc and, for counters, ncu. The contents of the buffers are those of `agpusim ptx` (ptx/run/arguments.cpp).
"""

import csv
import io
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEED = 17
LAUNCHES = 5  # of each kernel of a pair
METRICS = [
    "smsp__inst_executed.sum",
    *(f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum" for what in ("requests", "set_accesses", "sectors") for op in ("ld", "st", "red", "atom")),
    *(f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")),
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
]
RUN = re.compile(r"// (?:run|mended): grid=(\S+) block=(\S+) shared=(\d+) args=(\S*)")
KERNEL = re.compile(r"__global__ void (\w+)\(|^TWINS\((\w+),")
TYPES = {"u8": "u1", "s8": "i1", "u16": "u2", "s16": "i2", "u32": "u4", "s32": "i4", "u64": "u8", "s64": "i8", "f32": "f4", "f64": "f8"}


def kernels():
    """(source, name, grid, block, shared bytes, arguments) of each kernel that is right."""
    for source in sorted(ROOT.glob("tests/ptx/programs/*.cu")) + sorted(ROOT.glob("tests/ptx/defects/*.cu")):
        run = None
        for line in source.read_text().splitlines():
            if found := RUN.search(line):
                run = found.groups()
            elif (found := KERNEL.search(line)) and run:
                name = found[1] or f"{found[2]}_mended"
                if not name.endswith("_defect"):
                    yield source, name, *run
                run = None


def dimensions(text):
    return tuple(int(n) for n in (text.split("x") + ["1", "1"])[:3])


def mixed(numpy, numbers):
    numbers = numbers * numpy.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> numpy.uint64(30)) * numpy.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> numpy.uint64(27)) * numpy.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> numpy.uint64(31)


def buffer_of(numpy, text, number):
    name, kind, count, *content = text.split(":")
    count = 1 << int(count[2:]) if count.startswith("2^") else int(count)
    values = numpy.arange(count, dtype="u8")
    if content and content[0] == "random":
        values = mixed(numpy, values + numpy.uint64(((SEED + number) << 40) + 1))
        if kind[0] == "f":
            values &= numpy.uint64(0xFFFFFF)
    elif content:
        values[:] = 0
    return values.astype(TYPES[kind])


def pairs():
    """(pattern, kernel, grid, block, arguments) of each kernel of patterns.cu, the defect before the mended one."""
    runs = []
    for line in (ROOT / "tests/ptx/fixtures/patterns.cu").read_text().splitlines():
        if found := re.match(r"// (.+): grid=(\S+) block=(\S+) args=(\S+)$", line):
            runs.append(found.groups())
        elif (found := KERNEL.match(line)) and runs:
            for pattern, grids, block, arguments in runs:
                for twin, grid in zip(("defect", "mended"), grids.split("|") * 2):
                    yield pattern, f"{found[2]}_{twin}", grid, block, arguments
            runs = []


class Launcher:
    """Launches kernels of source files, each compiled once."""

    def __init__(self, folder):
        import cupy
        import numpy

        self.cupy, self.numpy, self.folder, self.modules = cupy, numpy, pathlib.Path(folder), {}
        (self.folder / "agpusim").symlink_to(ROOT)

    def prepare(self, arguments):
        values = []
        for i, text in enumerate(arguments.split(",") if arguments else []):
            if ":" in text:
                values.append(self.cupy.asarray(buffer_of(self.numpy, text, i)))
            else:
                values.append(self.numpy.float32(text) if "." in text else self.numpy.uint64(int(text)) if int(text) >= 1 << 31 else self.numpy.int32(text))
        return values

    def launch(self, source, name, grid, block, shared, values):
        if source not in self.modules:
            cubin = self.folder / (source.stem + ".cubin")
            subprocess.run(["nvcc", "-arch=sm_90", "-std=c++17", "-lineinfo", f"-fmad={str('fixtures' in source.parts).lower()}", f"-I{self.folder}", "-cubin", source, "-o", cubin], check=True)
            self.modules[source] = self.cupy.RawModule(path=str(cubin))
        self.modules[source].get_function(name)(dimensions(grid), dimensions(block), tuple(values), shared_mem=int(shared))
        self.cupy.cuda.runtime.deviceSynchronize()


def launch_all():
    """Checksums of the buffers that each kernel leaves."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        launcher = Launcher(folder)
        for source, name, grid, block, shared, arguments in kernels():
            values = launcher.prepare(arguments)
            launcher.launch(source, name, grid, block, shared, values)
            results[name] = [zlib.crc32(value.get().tobytes()) for value in values if isinstance(value, launcher.cupy.ndarray)]
    return results


def launch_pairs():
    with tempfile.TemporaryDirectory() as folder:
        launcher = Launcher(folder)
        for _, name, grid, block, arguments in pairs():
            values = launcher.prepare(arguments)
            for _ in range(LAUNCHES):
                launcher.launch(ROOT / "tests/ptx/fixtures/patterns.cu", name, grid, block, 0, values)


def profiled(program, metrics, options=(), timeout=None, check=True):
    """The launches of a program under Nsight Compute: number and kernel, and values of the metrics. Raises ValueError where none was profiled."""
    command = ["ncu", "--csv", "--print-units", "base", "--clock-control", "none", *options, "--metrics", ",".join(metrics), *program]
    text = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=check).stdout
    rows = {}
    for row in csv.DictReader(io.StringIO(text[text.index('"ID"'):])):
        if (row["ID"] or "").isdigit():
            rows.setdefault((int(row["ID"]), row["Kernel Name"]), {})[row["Metric Name"]] = int(float(row["Metric Value"].replace(",", "")))
    return rows


def counters(path):
    """One row a launch: the kernel, and the sum of each metric."""
    rows = profiled([sys.executable, __file__, "run", "/dev/null"], METRICS)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", *METRICS])
        for (_, kernel), values in sorted(rows.items()):
            writer.writerow([kernel.split("(")[0], *(values.get(metric, "") for metric in METRICS)])


def gains(path):
    """One row a pair: the pattern, microseconds of the defect and of the mended kernel, and the largest distance from these medians."""
    rows = profiled([sys.executable, __file__, "pairs"], ["gpu__time_duration.sum"], ["--cache-control", "all"])
    names = {name for _, name, *_ in pairs()}
    times = [value["gpu__time_duration.sum"] / 1000 for (_, kernel), value in sorted(rows.items()) if kernel.split("(")[0] in names]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["pattern", "defect_us", "mended_us", "spread"])
        for i, (pattern, name, *_) in enumerate(pairs()):
            of_kernel = times[LAUNCHES * i : LAUNCHES * (i + 1)]
            median = statistics.median(of_kernel)
            row = [pattern] if i % 2 == 0 else row
            row.append(f"{median:.2f}")
            spread = max(spread if i % 2 else 0, *(abs(time / median - 1) for time in of_kernel))
            if i % 2:
                writer.writerow([*row, f"{spread:.3f}"])


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    if command == "run":
        pathlib.Path(paths[0]).write_text(json.dumps(launch_all(), indent=0) + "\n")
    else:
        {"counters": counters, "pairs": launch_pairs, "gains": gains}[command](*paths)
