#!/usr/bin/env python3
"""Builds repositories of others by `agpusim build` and runs them under `agpusim exec`: dev/repositories.csv, and how many do.

  python3 dev/repositories.py SOURCES AGPUSIM [REPOSITORY...]

SOURCES has a clone OWNER/NAME of each section of dev/repositories.ini, or gets it from GitHub. Each is built in a copy, SOURCES/built.
A section has the commit, the kind of recipe, the folder, the recipe (one command a line) as the repository has it, a run and what the
run must print (a regular expression).
"""

import configparser
import csv
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

import exec_suite

LIST = pathlib.Path(__file__).with_suffix(".ini")
BUILD_SECONDS, RUN_SECONDS = 240, 120
COLUMNS = ["repository", "kind", "build", "run", "exit", "kernels", "findings", "build seconds", "run seconds", "why"]


def clone(sources, name, commit):
    here = sources / name
    if not here.exists():
        subprocess.run(["git", "clone", "--quiet", f"https://github.com/{name}", here], check=True)
        subprocess.run(["git", "-C", here, "checkout", "--quiet", commit], check=True)
    copy = sources / "built" / name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(here, copy, symlinks=True)
    return copy


def last_error(printed):
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|cannot|No such|not found", line, re.IGNORECASE)]
    return (errors or lines or ["no message"])[0]


def run_one(sources, agpusim, name, entry):
    here = clone(sources, name, entry["commit"]) / entry.get("folder", ".")
    row = {"repository": name, "kind": entry["kind"], "build": "built", "run": "not run"}
    began = time.monotonic()
    for recipe in entry["build"].strip().splitlines():
        code, printed = exec_suite.start(here, [agpusim, "build", "--", *shlex.split(recipe)], BUILD_SECONDS)
        if code != 0:
            return row | {"build": "too slow" if code is None else "fails", "why": "" if code is None else last_error(printed)}
    row["build seconds"] = f"{time.monotonic() - began:.0f}"
    if "unrun" in entry:
        return row | {"why": entry["unrun"]}
    began = time.monotonic()
    sheet = here / "agpusim.json"
    command = [agpusim, "exec", "--json", sheet, "--", *shlex.split(entry["run"])]
    code, printed = exec_suite.start(here, command, RUN_SECONDS)
    told = json.loads(sheet.read_text()) if code is not None and sheet.exists() else {}
    (here / "agpusim.txt").write_text(printed)
    right = told.get("exit_code", code) == 0 and re.search(entry["prints"], printed, re.MULTILINE)
    stopped = any(kernel["stopped"] for kernel in told.get("kernels", []))
    result = "ended by a finding" if stopped else "right" if right and told.get("kernels") else "wrong"
    result = {None: "too slow", 6: "refused"}.get(code, result)
    suite = exec_suite.row_of(name, code, told, printed, "", time.monotonic() - began)
    why = suite["why"] or ("" if told or code is None else last_error(printed))
    return row | {"run": result, "run seconds": suite["seconds"], "why": why} | {key: suite[key] for key in ("exit", "kernels", "findings")}


def main(folder, program, *names):
    sources, agpusim = pathlib.Path(folder).resolve(), str(pathlib.Path(program).resolve())
    entries = configparser.ConfigParser(interpolation=None)
    entries.read(LIST)
    rows = []
    for name in names or entries.sections():
        rows.append(run_one(sources, agpusim, name, entries[name]))
        print("  ".join(str(rows[-1].get(column, "")) for column in COLUMNS), file=sys.stderr, flush=True)
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    for kind in [*sorted({row["kind"] for row in rows}), ""]:
        some = [row for row in rows if kind in ("", row["kind"])]
        built, right = (sum(row[key] == value for row in some) for key, value in (("build", "built"), ("run", "right")))
        print(f"{kind or 'all'}: {len(some)} repositories, {built} built, {right} ran right", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
