#!/usr/bin/env python3
"""Runs a program that checks what libraries of CUDA compute, under `agpusim exec`, and reads its sheet.
usage: run.py AGPUSIM PROGRAM [SEED]"""

import json
import subprocess
import sys

WANTED = {("cuBLAS", "cublasSgemm"): 80, ("cuBLAS", "cublasIsamax"): 80, ("cuBLAS", "cublasGemmEx"): 4, ("cuRAND", "curandGenerateNormal"): 2}
REFUSED = {"cublasGemmEx", "cublasStrsm", "cublasLtMatmul", "cusparseSpMV", "cusolverDnSgetrf", "cufftPlan1d"}
REASONS = ("2004 bytes; allocation", "which is no memory of the device", "44 bytes; allocation", "when stream is capturing")


def main():
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    command = [sys.argv[1], "exec", "--quiet-program", "--json", "-", "--", sys.argv[2], seed]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    sheet = json.loads(run.stdout)
    calls = {(row["library"], row["function"]): row["calls"] for row in sheet["library_calls"]}
    reasons = [call["reason"] for call in sheet["failed_calls"]]
    told = {
        "the program's exit code": sheet["exit_code"] == 0,
        "exec's exit code": run.returncode == 6,  # not all is supported
        "calls": WANTED.items() <= calls.items(),
        "unsupported": set(sheet["unsupported"]) == REFUSED,
        "failed calls": all(any(part in reason for reason in reasons) for part in REASONS),
        "findings": sheet["findings"] == [],
    }
    for what in (what for what, holds in told.items() if not holds):
        print(f"{what}, seed {seed}: {run.stdout}{run.stderr}")
    return 0 if all(told.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
