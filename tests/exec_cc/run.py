#!/usr/bin/env python3
"""Compiles CUDA programs with `agpusim cc` and runs them under `agpusim exec`: run.py AGPUSIM. Needs clang++; 77: there is none."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent
failed = 0


def run(*command, **settings):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False, **settings)
    return done.returncode, done.stdout + done.stderr


def expect(name, is_right, text):
    global failed
    print(f"{'ok   ' if is_right else 'FAULT'} {name}", flush=True)
    if not is_right:
        failed += 1
        print(text)


def main(agpusim, folder):
    for source in ("puzzles.cu", "functions.cu"):
        code, text = run(agpusim, "cc", HERE / source, "-o", folder / "program", "-Wall", "-Werror")
        expect(f"{source} compiles without a warning", code == 0 and not text, text)
        code, text = run(agpusim, "exec", "--by-line", "--", folder / "program")
        expect(f"{source} computes what the host does", code == 0 and re.search("^correct$", text, re.M) and "0 findings" in text, text)
        lines = set(re.findall(r"^(\S+):\d+ ", text, re.M))
        expect(f"all cost of {source} stands in it", lines == {source}, f"{lines}\n{text}")
    for source, found in (("reduce.cu", r"reduce\.cu:14 takes"), ("printed.cu", r"printed\.cu:22")):
        run(agpusim, "cc", SOURCES / "examples/exec" / source, "-o", folder / "example")
        text = run(agpusim, "exec", "--", folder / "example")[1]
        expect(f"the sheet of {source} has its line", re.search(found, text), text)

    (folder / "scale.cu").write_text("#include <memory>\n__device__ __noinline__ int scaled(int i) { return SCALE * i; }\n"
                                     "__global__ void scale(int* p) { p[threadIdx.x] = scaled(threadIdx.x); }\n"
                                     "void launch(int* p) { scale<<<1, 32>>>(p); }\n")
    (folder / "main.cpp").write_text("#include <cuda_runtime.h>\n#include <cstdio>\nvoid launch(int*);\nint main() {\n"
                                     "  int *d, h[32];\n  cudaMalloc(&d, 128);\n  launch(d);\n"
                                     "  cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", h[31]);\n}\n")
    of_nvcc = ["-arch=sm_80", "-gencode", "arch=compute_80,code=sm_80", "-lineinfo", "-Xcompiler", "-Wall,-fPIC", "--extended-lambda",
               "--expt-relaxed-constexpr", "-rdc=false", "-cudart", "shared", "-std", "c++14", "-O3", "-DSCALE=3"]
    code, text = run(agpusim, "cc", *of_nvcc, "-c", "scale.cu", cwd=folder)
    expect("-c with options of nvcc", code == 0 and (folder / "scale.o").exists(), text)
    code, text = run(agpusim, "cc", "scale.o", "main.cpp", "-lcudart", "-lm", "-o", "both", cwd=folder)
    expect("an object and a source of C++ are linked", code == 0, text)
    code, text = run(agpusim, "exec", "--", folder / "both")
    expect("both halves are one program", code == 0 and text.startswith("93\n"), text)
    code, text = run(agpusim, "cc", "-ptx", "-DSCALE=2", "scale.cu", cwd=folder)
    expect("-ptx stops at PTX", code == 0 and ".entry" in (folder / "scale.ptx").read_text(), text)
    for words, code, said in ((["-rdc=true", "scale.cu"], 6, "does not link kernels"), (["none.cu"], 2, "no file 'none.cu'"),
                              (["scale.cu", "-c"], 1, "SCALE")):
        got, text = run(agpusim, "cc", *words, cwd=folder)
        expect(f"cc {' '.join(words)} fails", got == code and said in text, f"{got}: {text}")
    without = {name: value for name, value in os.environ.items() if name != "CXX"} | {"PATH": str(folder)}
    code, text = run(agpusim, "cc", "scale.cu", cwd=folder, env=without)
    expect("without clang the remedy is named", code == 6 and "apt-get install clang" in text, f"{code}: {text}")

    headers = SOURCES / "cudacc/include"
    code, text = run("clang++", "-std=c++20", "-O2", "-ffp-contract=fast", *(["-mfma"] if os.uname().machine == "x86_64" else []),
                     "-I", folder / "include", HERE / "math_error.cc", "-o", folder / "math_error")
    expect("math_error.cc compiles", code == 0, text)
    code, text = run(folder / "math_error")
    expect("errors of mathematics are below their bounds", code == 0 and text.count("\n") > 50, text)
    code, text = run("clang++", "-std=c++20", "-fsyntax-only", "-DAGPUSIM_CUDACC", "-x", "c++", "-I", headers, "-I", folder / "include",
                     SOURCES / "tests/cudart/abi_check.cu")
    expect("types of the runtime are those of cudart/abi.hpp", code == 0, text)


if __name__ == "__main__":
    if shutil.which("clang++") is None:
        print("skipped: no clang++")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        (place / "include").mkdir()
        (place / "include/agpusim").symlink_to(SOURCES)
        main(pathlib.Path(sys.argv[1]).resolve(), place)
    print(f"{failed} failed")
    sys.exit(failed != 0)
