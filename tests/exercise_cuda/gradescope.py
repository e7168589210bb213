#!/usr/bin/env python3
"""Runs Gradescope's autograder in its folders, without a container: gradescope.py AGPUSIM RUN_AUTOGRADER EXERCISES."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def results(agpusim, run_autograder, files):
    """results.json of a submission of these files, by name."""
    with tempfile.TemporaryDirectory() as folder:
        submission = pathlib.Path(folder) / "submission"
        submission.mkdir()
        for name, file in files.items():
            shutil.copy(file, submission / name)
        path = f"{pathlib.Path(agpusim).resolve().parent}:{os.environ['PATH']}"
        subprocess.run([run_autograder], env=os.environ | {"AUTOGRADER": folder, "PATH": path}, check=True)
        return json.loads((pathlib.Path(folder) / "results/results.json").read_text())


def main(agpusim, run_autograder, exercises):
    right = results(agpusim, run_autograder, {"reverse.hpp": f"{exercises}/reverse/solution.hpp"})
    tests = [(test["name"], test["score"], test["max_score"], test["status"]) for test in right["tests"]]
    assert tests == [(f"reverse: {mark}", 1, 1, "passed") for mark in ("result", "legality", "cost")], right
    gap = results(agpusim, run_autograder, {"reverse.hpp": f"{exercises}/reverse/exercise.hpp"})
    assert sum(test["score"] for test in gap["tests"]) < 3, gap
    nothing = results(agpusim, run_autograder, {"notes.md": __file__})
    assert nothing["score"] == 0 and "holds no answer" in nothing["output"], nothing


if __name__ == "__main__":
    main(*sys.argv[1:])
