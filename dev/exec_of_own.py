#!/usr/bin/env python3
"""Runs agpusim's own CUDA half under agpusim's CUDA runtime, and writes what Nsight Compute would: agpusim compares it with its counts.

  python3 dev/exec_of_own.py AGPUSIM CUDA_HALF FOLDER [ARGUMENT...]    arguments of measure, such as --algorithm scan
  agpusim import-counters FOLDER/plan.jsonl FOLDER/counters.csv --out FOLDER/counters.jsonl
  agpusim analyze FOLDER/counters.jsonl --devices FOLDER/devices --no-html

CUDA_HALF is an agpusim of `agpusim build -- cmake --preset cuda -B build/exec -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared`, built likewise.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of the counts of a phase, by their places in its list (validation/counts/phase_json.cpp).
METRICS = {
    f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum": place
    for (what, op), place in {("requests", "ld"): 2, ("requests", "st"): 5, ("sectors", "ld"): 4, ("sectors", "st"): 7}.items()
}
METRICS |= {f"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum": place for op, place in {"ld": 12, "st": 15}.items()}


def main(agpusim, cuda_half, folder, *arguments):
    place = pathlib.Path(folder).resolve()
    place.mkdir(parents=True, exist_ok=True)
    report = place / "report.jsonl"
    report.write_text("")
    (place / "devices").mkdir(exist_ok=True)
    card = (ROOT / "validation/devices/h200.json").read_text().replace('"NVIDIA H200"', '"agpusim: NVIDIA H200"')
    (place / "devices/h200.json").write_text(card)
    library = pathlib.Path(agpusim).resolve().parent / "lib/agpusim/cudart/13"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library), "AGPUSIM_EXEC": str(report)}
    subprocess.run([cuda_half, "measure", "--profile", "--out", place / "plan.jsonl", *arguments], env=environment, check=True)
    launches = [entry for entry in map(json.loads, report.read_text().splitlines()) if entry["kind"] == "launch"]
    names = subprocess.run(["c++filt"], input="\n".join(entry["kernel"] for entry in launches), capture_output=True, text=True, check=True)
    with open(place / "counters.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(["ID", "Process ID", "Kernel Name", *METRICS])
        writer.writerow(["", "", "", *("" for _ in METRICS)])
        for number, (entry, name) in enumerate(zip(launches, names.stdout.splitlines())):
            writer.writerow([number, entry["pid"], name, *(entry["phase"][8][at] for at in METRICS.values())])
    print(f"{len(launches)} launches")


if __name__ == "__main__":
    main(*sys.argv[1:])
