#!/usr/bin/env python3
"""Compares the lists of cudalibs/names with the headers of a CUDA toolkit and with what the libraries of a folder export.
usage: names.py [--write] FOLDER [INCLUDE]; --write makes the lists anew; exits with 77 without a toolkit"""

import pathlib
import re
import subprocess
import sys

HEADERS = {
    "cublas": "cublas.h cublas_v2.h cublasXt.h",
    "cublasLt": "cublasLt.h",
    "cufft": "cufft.h cufftXt.h",
    "curand": "curand.h",
    "cusolver": "cusolverDn.h cusolverRf.h cusolverSp.h cusolverSp_LOWLEVEL_PREVIEW.h",
    "cusparse": "cusparse.h",
}
LISTS = pathlib.Path(__file__).resolve().parent.parent.parent / "cudalibs" / "names"
# A function without a body: its name, parameters with at most one pair of parentheses inside, and what follows.
DECLARED = r"\b(%s\w+)\s*\((?:[^(){};]|\([^()]*\))*\)\s*(?:\[\[|__attribute__|;)"


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def declared(name, include):
    begin = "cublas(?!Lt)" if name == "cublas" else name
    found = set()
    for header in HEADERS[name].split():
        text = output_of("c++", "-E", "-P", "-x", "c++", "-I", include, f"{include}/{header}")
        found |= set(re.findall(DECLARED % begin, text))
    return found


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    include = arguments[1] if len(arguments) > 1 else "/usr/local/cuda/include"
    differs = False

    def compare(name, what, found, listed):
        nonlocal differs
        for function in sorted(found ^ listed):
            differs = True
            print(f"{name}: {function} is {'not ' if function in listed else ''}{what}, and {'' if function in listed else 'not '}in the list")

    has_toolkit = pathlib.Path(include, "cublas_v2.h").exists()
    for name in HEADERS:
        path = LISTS / f"{name}.def"
        if "--write" in sys.argv:
            path.write_text("".join(f"X({function})\n" for function in sorted(declared(name, include))), encoding="utf-8")
        listed = set(re.findall(r"X\((\w+)\)", path.read_text(encoding="utf-8")))
        [library] = pathlib.Path(arguments[0]).glob(f"lib{name}.so.*")
        compare(name, "exported", {line.split()[-1].split("@")[0] for line in output_of("nm", "-D", "--defined-only", library).splitlines()
                                   if line.split()[-2] in "TWi"}, listed)
        if has_toolkit:
            compare(name, "declared", declared(name, include), listed)
    if not has_toolkit:
        print(f"skipped: no headers of CUDA's libraries in {include}")
    return 1 if differs else 0 if has_toolkit else 77


if __name__ == "__main__":
    sys.exit(main())
