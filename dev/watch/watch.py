#!/usr/bin/env python3
"""Writes a page to step through for each exercise of the lane machine and of a PRAM: its solution, and wrong ways.

    python3 dev/watch/watch.py FOLDER BUILD    FOLDER gets index.html and a page for each; BUILD has the libraries of a build
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXERCISES = re.search(r"set\(AGPUSIM_EXERCISES\s+([^)]*)\)", (ROOT / "exercises/exercises.cmake").read_text()).group(1).split()


def wrong_ways(folder):
    """Name, mark with what is wrong, and text of each, as cmake/AgpusimAnswers.cmake makes them of wrong.diff."""
    solution = (folder / "solution.hpp").read_text().splitlines()
    for part in (folder / "wrong.diff").read_text().split("@@ ")[1:]:
        title, *changes = part.rstrip("\n").split("\n")
        name, what = re.match(r"(\w+), (.*)", title).groups()
        text, at, drops = [], 0, False
        for change in changes:
            if change == "-...":
                drops = True
            elif change.startswith("+"):
                text.append(change[1:])
            else:
                found = next(i for i in range(at, len(solution)) if solution[i].strip() == change[1:].strip())
                text += [] if drops else solution[at:found]
                text += [] if change.startswith("-") else [solution[found]]
                at, drops = found + 1, False
        yield name, what, "\n".join(text + solution[at:]) + "\n"


def sources(name, folder):
    """Writes the answers into the folder; returns the code that makes the page, and what the wrong ways are."""
    (folder / name).mkdir()
    launch = (ROOT / "exercises" / name / "launch.hpp").exists()
    answers = [("solution", "", (ROOT / "exercises" / name / "solution.hpp").read_text()), *wrong_ways(ROOT / "exercises" / name)]
    kind, run, case = ("Launch", "launch", "KernelCase") if launch else ("Solve", "solve", "PramCase")
    code, calls = "", []
    for answer, _, text in answers:
        (folder / name / f"{answer}.hpp").write_text(text)
        code += f'namespace {name}_{answer} {{\n#include "{name}/{answer}.hpp"\n'
        code += f'#include "{ROOT}/exercises/{name}/launch.hpp"\n' if launch else ""
        code += "}\n"
        calls.append(f'{{"{answer}", exercise::{kind}({name}_{answer}::{run})}}')
    code += f'namespace {name}_judge {{\n#include "{ROOT}/exercises/{name}/judge.hpp"\n}}\n'
    code += f'void page_{name}() {{ exercise::write_page<exercise::{case}, decltype({name}_judge::judge()), exercise::{kind}>("{name}", {name}_judge::judge(), {{{", ".join(calls)}}}); }}\n'
    return code, [(answer, what) for answer, what, _ in answers]


def main():
    pages, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pages.mkdir(parents=True, exist_ok=True)
    rows = ""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        code = f'#include <numeric>\n#include "agpusim/commands/exercise/exercise_table.hpp"\n#include "{ROOT}/dev/watch/watch.hpp"\n#include "agpusim/algorithms/common/pram/logarithms.hpp"\nusing namespace agpusim;\n'
        for name in EXERCISES:
            text, answers = sources(name, folder)
            code += text
            about = (ROOT / "exercises" / name / "exercise.hpp").read_text().splitlines()[0].partition("): ")[2]
            ways = "".join(f"<li>{html.escape(answer)}: {html.escape(what)}</li>" for answer, what in answers[1:])
            rows += f'<h2><a href="{name}.html">{name}</a></h2><p>{html.escape(about)}</p><ul>{ways}</ul>\n'
        code += "int main() {\n" + "".join(f"  page_{name}();\n" for name in EXERCISES) + "}\n"
        (folder / "watch.cpp").write_text(code)
        subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-w", "-O0", "watch.cpp", "-o", "watch", f"-I{build}/include", f"-L{build}", "-Wl,--start-group", "-lagpusim_cli",
                        "-lagpusim_algorithms", "-lagpusim_ptx", "-lagpusim_validation", "-lagpusim_model", "-lagpusim_cuda", "-Wl,--end-group", "-lfmt", "-ltbb", "-llzma"], cwd=folder, check=True)
        subprocess.run(["./watch"], cwd=folder, check=True)
        for page in folder.glob("*.html"):
            (pages / page.name).write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    (pages / "index.html").write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        "<title>Exercises to watch</title><style>body{font-family:system-ui,sans-serif;max-width:45em;margin:auto;padding:1em}</style>\n"
        f"<h1>Exercises to watch</h1><p>Each page has the solution, and wrong ways with the mark that they lose: choose one as <em>variant</em>.</p>\n{rows}</html>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
