#!/usr/bin/env python3
"""Checks the tree: who may include whom, where third-party headers live, how long a file and all of them may be, that comments have a subject, that what is cited exists,
that docs/architecture.md says who may include whom."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 500
MAX_SUM = 170_156  # lines of all sources; rises only in a commit that says for what
SOURCES = {".hpp", ".cpp", ".cuh", ".cu"}

# layer -> layers it may include; the second set holds for .cu and .cuh, and from validation on for headers without device code
LAYERS = {
    "model": ({"model"}, set()),
    "ptx": ({"model", "ptx"}, set()),
    "cuda": ({"model", "cuda"}, set()),
    "algorithms": ({"model", "algorithms"}, {"cuda"}),
    "validation": ({"model", "ptx", "algorithms", "validation"}, {"cuda"}),
    "cli": ({"model", "ptx", "algorithms", "validation", "cli"}, {"cuda"}),
    "commands": ({"model", "ptx", "algorithms", "validation", "cli", "commands"}, {"cuda"}),
    "papers": ({"model", "ptx", "algorithms", "validation", "cli", "commands", "papers"}, {"cuda"}),
    "cudart": ({"model", "ptx", "validation", "cudart"}, set()),
    "cudalibs": ({"cudart", "cudalibs"}, set()),
    "bench": ({"bench", "model", "ptx", "algorithms", "validation", "commands", "papers", "tests"}, {"cuda"}),
    "examples": ({"cli", "examples"}, set()),
    "zoo": ({"cli", "zoo"}, set()),
    "tests": ({"model", "ptx", "algorithms", "validation", "cudart", "cudalibs", "cli", "commands", "papers", "examples", "zoo", "tests"}, {"cuda"}),
}

# layer -> its folders, each on its floor: one may include itself and those on floors below it; ".": files of the layer itself,
# "*": every other folder
FLOORS = {
    "model": [".", "agpu", "cost pram", "run", "transfer"],
    "ptx": ["text", "lower", "run"],
    "algorithms": ["common", ".", "*", "scan", "hash_table integer_sorts segmented", "out_of_core"],
    "validation": ["io", "records", "predict counts", "report compiled", "ranks", "rows steps", "exec", "measure"],
    "papers": ["common", "*", "."],
}
FLOOR_OF = {(layer, folder): floor for layer, floors in FLOORS.items() for floor, folders in enumerate(floors) for folder in folders.split()}

# Files <room>* of commands/ read a command line. The others judge and report from these layers; what links them has no command line.
SHARED = {"model", "ptx", "cuda", "algorithms", "validation"}

# first part of the included path -> (its name, whether a file may include it)
HOMES = {
    "CLI": ("CLI11", lambda layer, file: layer in ("cli", "commands", "papers")),
    "benchmark": ("google-benchmark", lambda layer, file: layer == "bench"),
    "catch2": ("Catch2", lambda layer, file: layer == "tests"),
    "Eigen": ("Eigen", lambda layer, file: layer == "cudalibs" or layer in ("validation", "tests") and file.suffix == ".cpp"),
    "nlohmann": ("nlohmann-json", lambda layer, file: layer in ("validation", "cli", "commands", "papers", "tests")),
    "boost": ("Boost", lambda layer, file: file.suffix == ".cpp"),
    "cub": ("CUB", lambda layer, file: file.name in ("cub.cu", "cub_sort.cu", "cub_steps.cuh") or "regressions" in file.parts),
    "lzma.h": ("liblzma", lambda layer, file: file.name == "xz.cpp"),
    "lz4.h": ("liblz4", lambda layer, file: file.name == "fat_binary.cpp" or layer == "tests"),
    "zstd.h": ("libzstd", lambda layer, file: file.name == "fat_binary.cpp" or layer == "tests"),
    "mpi.h": ("MPI", lambda layer, file: file.parts[-2:] == ("ranks", "job.cpp")),
    "tbb": ("oneTBB", lambda layer, file: file.suffix == ".cpp"),
    "oneapi": ("oneTBB", lambda layer, file: file.suffix == ".cpp"),
    "fmt": ("fmt", lambda layer, file: layer != "model" or file.suffix == ".cpp"),
}

# "theory 3.8", "docs/theory.md#3.8" and the rules of the theory, each an anchor of docs/theory.md
THEORY = ROOT / "docs" / "theory.md"
LINK = re.compile(r"\]\(#([^)]+)\)")
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
CITATION = re.compile(r"theory(?:\.md#| )([A-Z]{0,2}[0-9]+(?:\.[0-9]+)*)|\b((?:[AEHKLMNPRSX]|PS)[0-9]{1,2})\b")
QUOTED = re.compile(r"`([^`]*)`")
NO_RULES = {"A01", "P0"}  # an array of a sort, a processor

# a comment that cannot be read alone: behind code, or where a comment begins
SUBJECTLESS = re.compile(r"^((?:[^\"]|\"[^\"]*\")*?)//[/!]?<? *(?:of|those|likewise|that|the same)\b", re.IGNORECASE)

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(parts):
    return parts[1] if len(parts) > 2 else "."


def floor_of(layer, folder):
    return FLOOR_OF.get((layer, folder), FLOOR_OF.get((layer, "*")))


def check_include(file, layer, quote, path):
    """Returns what is wrong with one include line, or None."""
    parts = path.split("/")
    if parts[0] == "agpusim":
        if parts[1:] == ["agpusim.hpp"]:  # cli/agpusim.hpp, as programs outside the repository include it
            parts[1:] = ["cli", "agpusim.hpp"]
        target = parts[1]
        if target not in LAYERS:
            return f"no such layer: {path}"
        if not (ROOT / "/".join(parts[1:])).is_file():
            return f"no such file: {path}"
        host, device = LAYERS[layer]
        plain = path.endswith(".hpp") and layer in ("validation", "cli", "commands", "papers", "tests")
        allowed = host | (device if plain or file.suffix in (".cu", ".cuh") else set())
        if target not in allowed:
            return f"{layer} may not include {target} here: {path}"
        if layer == target and layer in FLOORS:
            mine, other = folder_of(file.relative_to(ROOT).parts), folder_of(parts[1:])
            upper, lower = floor_of(layer, mine), floor_of(layer, other)
            if mine != other and upper <= lower:
                return f"{mine} stands on floor {upper} of {layer}, {other} on {lower}: {path}"
        place = file.relative_to(ROOT).parts
        if layer == "commands":
            room = place[1]
            if target == "commands" and parts[2] != room:
                return f"{room} may not include what is {parts[2]}'s: {path}"
            if not file.stem.startswith(room) and target not in SHARED | {"commands"}:
                return f"a judge reads no command line: {path}"
        if layer == "papers" and len(place) > 2 and target not in SHARED | {"commands", "papers"}:
            return f"a judge reads no command line: {path}"
        if "detail" in parts and file.suffix != ".cpp" and "detail" not in file.parts:
            return f"a detail header is not installed, include it in .cpp files: {path}"
    elif quote == '"' and parts[0] != "embed" and layer not in ("examples", "zoo"):  # they are for copying
        return f'our headers are included as "agpusim/<layer>/...": {path}'
    home = HOMES.get(parts[0])
    if home and not home[1](layer, file.relative_to(ROOT)):
        return f"{home[0]} has another home: {path}"
    if parts[0].startswith(("cuda_runtime", "cooperative_groups", "thrust", "nvml")):
        if file.suffix not in (".cu", ".cuh") and layer != "cuda":
            return f"CUDA headers belong to .cu and .cuh: {path}"
    return None


def check_citations():
    """Returns the citations of a section or rule that docs/theory.md does not have, and its dead links."""
    theory = THEORY.read_text(encoding="utf-8")
    anchors = set(ANCHOR.findall(theory))
    problems = [f"docs/theory.md: no such anchor: #{link}" for link in LINK.findall(theory) if link not in anchors]
    files = [ROOT / "README.md"]
    for folder in [*LAYERS, "docs"]:
        files += [file for file in sorted((ROOT / folder).rglob("*")) if file.suffix in SOURCES | {".md"}]
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for cited in ("".join(groups) for groups in CITATION.findall(line)):
                if cited not in anchors | NO_RULES:
                    problems.append(f"{file.relative_to(ROOT)}:{number}: docs/theory.md has no {cited}")
    return problems


def check_architecture():
    """Returns the layers whose line in docs/architecture.md names other layers that they may include than LAYERS."""
    lines = [line.split(" | ") for line in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    told = {layer: set(QUOTED.findall(line[-1])) & set(LAYERS) | ({layer} if "itself" in line[-1] else set())
            for line in lines for layer in QUOTED.findall(line[0])}
    return [f"docs/architecture.md: {layer} may include {', '.join(sorted(host | device))}"
            for layer, (host, device) in LAYERS.items() if told.get(layer) != host | device]


def main():
    problems = check_citations() + check_architecture()
    count = 0
    total = 0
    for layer in LAYERS:
        for file in sorted((ROOT / layer).rglob("*")):
            if file.suffix not in SOURCES or not file.is_file():
                continue
            name = file.relative_to(ROOT)
            count += 1
            lines = file.read_text(encoding="utf-8").splitlines()
            total += len(lines)
            if len(lines) > MAX_LINES:
                problems.append(f"{name}: {len(lines)} lines, the limit is {MAX_LINES}")
            is_answer = name.parent.name == "answers"  # to an exercise, as students hand it in
            if file.suffix in (".hpp", ".cuh") and "#pragma once" not in lines and not is_answer:
                problems.append(f"{name}: no #pragma once")
            before = ""
            for number, line in enumerate(lines, 1):
                subjectless = SUBJECTLESS.match(line)
                if subjectless and (subjectless.group(1).strip() or not before.lstrip().startswith("//")):
                    problems.append(f"{name}:{number}: the comment has no subject")
                if re.search(r'TEST_CASE\("[^"]*;', line):
                    problems.append(f"{name}:{number}: CTest cuts the name of a test at ';' and then runs none")
                before = line
                match = INCLUDE.match(line)
                problem = check_include(file, layer, *match.groups()) if match else None
                if problem:
                    problems.append(f"{name}:{number}: {problem}")
    if total > MAX_SUM:
        problems.append(f"{total} lines in all, the limit is {MAX_SUM}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"tree: {count} files, {total} lines, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
