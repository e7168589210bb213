#!/usr/bin/env python3
"""Checks that README.md answers a reader's questions within two links, and that the kernel it shows is one in the tree.

Each question of QUESTIONS has a page and the phrases of its answer. The page must be reachable from README.md by at most two links
and hold every phrase, whatever the line breaks. The C++ in README.md is a part of KERNEL. Every number of README.md's table of errors
stands in the page that measured it. CITATION.cff and CHANGELOG.md have the version of the project. With a program, the numbers in the
picture of the bundled runs are those of `analyze`, and docs/install.md names the packages of the libraries that the program needs.

    dev/check_questions.py [AGPUSIM]
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNEL = "exercises/tree_sum/solution.hpp"
MOST_LINKS = 2
MOST_WORDS = 1000  # of README.md
LINK = re.compile(r"\]\(([^()\s#]+)(?:#[^()\s]*)?\)")
ERRORS = ("docs/reference/accuracy.md", "docs/reference/analyze.md", "examples/README.md")  # where README.md's errors come from
CODE = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)

QUESTIONS_PAGE = "docs/questions.md"
QUESTIONS = (
    # a researcher
    ("How do I count my own algorithm?", "docs/developer/add_an_algorithm.md", "agpusim new my_sort && cd my_sort", "`my_sort.hpp` is the whole algorithm"),
    ("What does each instruction cost?", "docs/reference/vocabulary.md", "every word that a kernel may use, with its price", "$ agpusim help vocabulary"),
    ("How do I attach my bound and my formula?", "docs/developer/add_an_algorithm.md", "row.io = {", "row.formulas"),
    ("Which PRAMs are there, and which Sum?", "docs/reference/pram.md", "| `erew`, `crew` |", "| `sum`, `max`, `min`, `or`, `xor` |", "**Sum has two readings.**"),
    ("How do I repeat a paper's tables?", "docs/experiments/integer_sorts.md", "agpusim experiment integer-sorts --html sorts.html"),
    ("How do I sweep on a cluster?", "docs/scale.md", "`--mpi` shares the runs among the ranks of one job", "`--shard` deals the runs out once"),
    ("How far off is the predicted time of my kernel?", "README.md", "| CUDA programs nobody had looked at (1) | | 43 % (25 %) | H100 |",
     "(1) Kernels above 5 us, by the model of 27 November", "74 % lie inside their interval"),
    ("How does it compare with other tools?", "docs/comparison.md", *(f"| [{tool}](" for tool in (
        "PantheonSim", "Accel-Sim", "FlashGPU-Sim", "GPGPU-Sim", "Nsight Compute", "compute-sanitizer", "Faial", "GPUVerify", "RaCUDA",
        "CodSpeed", "llvm-mca", "NVBench", "Extra-P"))),
    ("How do I cite it, and who wrote it?", "CITATION.cff", "cff-version: 1.2.0", "authors:"),
    # a teacher
    ("How do I mark 60 answers?", "docs/course/teacher.md", 'agpusim exercise grade answers/ ', "**Hide the inputs.**", "**Trust an answer.**", "**Measure time.**"),
    ("Where are the solutions?", "docs/course/teacher.md", "`exercises/NAME/solution.hpp` of the repository"),
    ("Which machine is for paper and pencil?", "docs/course/teacher.md", "`--machine textbook` is the machine of the chapters"),
    ("Does marking work from the package alone?", "docs/course/teacher.md", "Marking from the installed package works without the sources"),
    # a student
    ("Does it run on Windows or macOS?", "docs/install.md", "## Windows", "wsl --install", "## macOS", "## A container"),
    ("Which chapter first, how long?", "docs/course/README.md", "Chapters 1 to 4 are about PRAMs", "ten minutes to read"),
    ("What does a word mean that agpusim prints?", "docs/glossary.md", *(f"| {term} |" for term in (
        "wavefront", "round", "sector", "request", "tile", "row", "efficiency", "lanes", "CTA", "contestant", "scheme", "budget", "chunk",
        "makespan", "MAPE, median error", "Spearman", "style", "blind", "sheet", "finding", "seed (of an input)", "90 % interval"))),
    ("Where does each measured time come from?", "docs/developer/records.md", *(f"| `{folder.name}` |" for folder in sorted(
        (ROOT / "validation/data").glob("h*/*")) if folder.is_dir())),
    ("What do I do about reliance on lockstep?", "docs/glossary.md", "| reliance on lockstep |", "sync()"),
    ("What are formula, bound, lower bound and optimality?", "docs/glossary.md", *(f"| {term} |" for term in (
        "formula", "bound", "lower bound", "optimality"))),
    # a CUDA engineer
    ("Does it run my .cu?", "README.md", "agpusim build -- make", "agpusim exec -- ./prog"),
    ("My program calls cuBLAS", QUESTIONS_PAGE, "Put the call behind an `#ifdef`, or run your own kernel alone"),
    ("Which CUDA versions, and where is nvcc?", QUESTIONS_PAGE, "runs programs that nvcc of CUDA 11.8, 12 or 13 built. nvcc needs no GPU", "cuda-toolkit-13-0"),
    ("What does T mean for my GPU, and can I trust a time?", QUESTIONS_PAGE, "so it is no GPU's time", "the table of errors"),
    ("How slow is exec?", QUESTIONS_PAGE, "30 million instructions of warps a second", "121 took less than a second"),
    ("Several GPUs, MPI, grid.sync, dynamic parallelism, tensor cores?", QUESTIONS_PAGE, "`cudaGetDeviceCount` gives 1", "Cooperative launches work"),
    ("PyTorch, Triton, Numba, JAX, CuPy, HIP?", QUESTIONS_PAGE, "those of PyTorch, CuPy and HIP do not", "ctypes.CDLL"),
    ("Run one kernel; JSON of every line; two versions in CI", QUESTIONS_PAGE, "`--only NAME`", "`exec --json FILE`", "`--against base.json`"),
    ("Is a reported race certain, what is missed?", "docs/reference/ptx.md", "Five more limits let a race pass"),
    ("Occupancy, roofline, lanes of a bank of my CUDA kernel?", QUESTIONS_PAGE, "warps at once", "draws each access"),
    ("An exercise about CUDA code?", QUESTIONS_PAGE, "4 for a race or another finding, 7 for a cost"),
    ("Which version made this number, how do I repeat an error?", QUESTIONS_PAGE, "prints version and commit", "dev/build.sh agpusim_zoo"),
    ("How large may n be?", QUESTIONS_PAGE, "from 2^32 words of memory on, with `--w 64`"),
    ("Are there exp, log, sqrt, compare-and-swap, a global fetch?", "docs/limits.md",
     "`exp` and its like of double, compare-and-swap, floating-point atomics, atomics on global memory that return a value | the kernel does not compile"),
    ("My card is an A100 or a 4090: what works?", "docs/limits.md", "-DCMAKE_CUDA_ARCHITECTURES=80", "Constants and machines of another GPU come from `agpusim calibrate`"),
    ("How do I fail a test on a bank conflict?", "docs/developer/add_an_algorithm.md", "`REQUIRE_COST(report, conflicts == 0)`"),
    ("Which counter of the profiler is Q?", "docs/reference/analyze.md", "| blocks (Q) | `..._set_accesses_pipe_lsu_mem_global_op_"),
    # a contributor
    ("Where is what, and how do I add a command or a column?", "docs/architecture.md", "| folder | what it holds |", "| a command | `commands/<name>/<name>.cpp`",
     "| a column of a report |"),
    ("What do I run before a commit?", "CONTRIBUTING.md", *(f"| `{command}` |" for command in (
        "dev/test.sh", "dev/check_format.sh", "dev/check_tree.py", "dev/docs --check", "dev/check.sh"))),
    ("What stays stable?", "CONTRIBUTING.md", "the one public header, `agpusim/agpusim.hpp`", "the command line and the exit codes"),
)


def plain(text):
    return " ".join(text.split()).lower()


def links_away(most):
    """The number of links from README.md to each file that at most so many links lead to."""
    found, newest = {}, [ROOT / "README.md"]
    for distance in range(most + 1):
        found.update({page: distance for page in newest if page not in found})
        pages = [page for page in newest if page.suffix == ".md" and page.is_file() and distance < most]
        newest = [(page.parent / link).resolve() for page in pages for link in LINK.findall(page.read_text(encoding="utf-8"))]
        newest = [page / "README.md" if page.is_dir() else page for page in newest]
    return found


def wrong_in_picture(agpusim):
    report = json.loads(subprocess.run([agpusim, "analyze", "--json"], check=True, capture_output=True, text=True).stdout)
    summary, picture = report["summary"], ROOT / "docs/analysis-times.svg"
    texts = {f"{summary['rows']:,} runs on {report['device']['name']}: median error {100 * summary['median']:.1f} %",
             f"90 % of the runs are at most {100 * summary['error_p90']:.1f} % off"}
    drawn = set(re.findall(r">([^<>]* %[^<>]*)<", picture.read_text(encoding="utf-8")))
    return [] if drawn == texts else [f"{picture.relative_to(ROOT)} says {sorted(drawn)}, analyze {sorted(texts)}"]


def unnamed_packages(agpusim):
    """Shared libraries of the program and its CUDA runtime whose Debian package docs/install.md does not name."""
    files = [pathlib.Path(agpusim), *pathlib.Path(agpusim).parent.glob("lib/agpusim/cudart/*/libcudart.so.*")]
    printed = subprocess.run(["ldd", *map(str, files)], capture_output=True, text=True).stdout
    needed = {f"{name}{version}" for name, version in re.findall(r"\b(lib(?:tbb|fmt|lzma|zstd))\.so\.(\d+)", printed)}
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    return [f"docs/install.md does not name {package}" for package in sorted(needed) if f"`{package}`" not in page]


def main():
    problems, reached = [problem for agpusim in sys.argv[1:] for problem in wrong_in_picture(agpusim) + unnamed_packages(agpusim)], links_away(MOST_LINKS)
    for question, name, *phrases in QUESTIONS:
        page = ROOT / name
        text = plain(page.read_text(encoding="utf-8")) if page.is_file() else ""
        missing = [phrase for phrase in phrases if plain(phrase) not in text]
        if page not in reached:
            problems.append(f"{question} {name} is more than {MOST_LINKS} links from README.md")
        if missing:
            problems.append(f"{question} {name} does not say: {'; '.join(missing)}")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    if len(readme.split()) > MOST_WORDS:
        problems.append(f"README.md has {len(readme.split())} words, the limit is {MOST_WORDS}")
    version = re.search(r"project\(agpusim VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    for name, line in (("CITATION.cff", f"version: {version}"), ("CHANGELOG.md", f"## {version} (")):
        if f"\n{line}" not in (ROOT / name).read_text(encoding="utf-8"):
            problems.append(f"{name} does not say: {line}")
    if plain("".join(CODE.findall(readme))) not in plain((ROOT / KERNEL).read_text(encoding="utf-8")):
        problems.append(f"README.md: its C++ is no part of {KERNEL}")
    known = " ".join((ROOT / name).read_text(encoding="utf-8") for name in ERRORS)
    errors = re.findall(r"\d[\d,.]*", " ".join(line.partition("|")[2].partition("|")[2] for line in readme.splitlines() if " % (" in line))
    problems += [f"README.md: {number} stands in none of {', '.join(ERRORS)}" for number in errors if number.rstrip(".") not in known]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"questions: {len(QUESTIONS)} questions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
