#!/usr/bin/env python3
"""Does `agpusim exec --against` see published performance regressions, and is it quiet where nothing changed?

  python3 dev/regressions.py AGPUSIM [NAME...]     a row for each pair of tests/regressions, then how many were flagged

Each NAME.cu has two versions of a kernel, reduced from what pairs.csv cites: AFTER=0 the better one, AFTER=1 the one that was
worse, or for a neutral pair the later one. Needs nvcc. Rows: pair, what it is, what was flagged (the first cost), where that rose
most, the source.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "regressions"
FAILED = 7  # exit code of --against


def built(agpusim, name, after, folder):
    folder.mkdir()
    (folder / f"{name}.cu").symlink_to(FOLDER / f"{name}.cu")
    (folder / "agpusim").symlink_to(FOLDER.parent.parent)
    subprocess.run([agpusim, "build", "--", "nvcc", "-O3", "-std=c++17", "-I.", "-o", "pair", f"{name}.cu", f"-DAFTER={after}"],
                   cwd=folder, check=True, capture_output=True)


def run(agpusim, folder, *options):
    return subprocess.run([agpusim, "exec", *options, "--", "./pair"], cwd=folder, capture_output=True, text=True)


def judged(agpusim, name):
    """Whether it was flagged, the first cost, and the line where that rose most."""
    with tempfile.TemporaryDirectory() as top:
        folders = [pathlib.Path(top) / str(after) for after in (0, 1)]
        for after, folder in enumerate(folders):
            built(agpusim, name, after, folder)
        base, now = pathlib.Path(top) / "base.json", pathlib.Path(top) / "now.json"
        first = run(agpusim, folders[0], "--json", base)
        second = run(agpusim, folders[1], "--against", base, "--json", now)
        if first.returncode not in (0, FAILED) or first.stdout.split("\n")[0] != second.stdout.split("\n")[0]:
            raise RuntimeError(f"{name}: {first.stderr}{second.stderr}")
        against = json.loads(now.read_text())["against"]
        flagged = second.returncode == FAILED
        said = next((line[8:] for line in second.stdout.splitlines() if line.startswith("dearer: ")), "a new kernel" if flagged else "")
        cost = said.split(" of ")[0]
        rises = [line for line in against["lines"] if line["cost"] == cost and line["now"] > line["base"]]
        rises = rises or [line for line in against["lines"] if line["cost"] == "T" and line["now"] > line["base"]]
        place = max(rises, key=lambda line: line["now"] - line["base"], default={"place": ""})["place"]
        return flagged, said, place


def main(agpusim, names):
    count = {}
    print("| pair | cause | flagged | line | source |\n|---|---|---|---|---|")
    for row in csv.DictReader(open(FOLDER / "pairs.csv", newline="")):
        if names and row["name"] not in names:
            continue
        flagged, said, place = judged(agpusim, row["name"])
        of = count.setdefault(row["kind"], [0, 0])
        of[0] += flagged
        of[1] += 1
        if flagged or row["kind"] == "regression":
            line = place and f"`{place}`"
            print(f"| {row['name']} | {row['cause']} | {said or 'no'} | {line} | {row['source']} |", flush=True)
    print("\n" + "; ".join(f"{flagged} of {all_of} {kind} pairs are flagged" for kind, (flagged, all_of) in count.items()) + ".")


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:])
