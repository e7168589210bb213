#!/usr/bin/env python3
"""Grades the answers in CUDA that the exercises bring, right and wrong ones: run.py AGPUSIM EXERCISES GENERATED. Needs clang++ or nvcc.

EXERCISES has the folders of exercises, GENERATED the wrong answers that come of each wrong.diff. 77: there is no compiler of CUDA.
"""
import csv
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile

MARKS = ("legality", "result", "cost")


def require_compiler():
    if not any(map(shutil.which, ("nvcc", "clang++", *(f"clang++-{version}" for version in range(14, 20))))):
        print("no nvcc and no clang++")
        sys.exit(77)


def grade(agpusim, folder, *options):
    """How grading the answers of a folder ended, and its rows by student and exercise."""
    command = [pathlib.Path(agpusim).resolve(), "exercise", "grade", folder, "--csv", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done, {(row["student"], row["exercise"]): row for row in csv.DictReader(io.StringIO(done.stdout))}


def main(agpusim, exercises, generated, folder):
    expected = {}
    for exercise in sorted(pathlib.Path(exercises).glob("cuda_*")):
        wrong = sorted((pathlib.Path(generated) / exercise.name).glob("wrong_*.cu"))
        answers = {"right": (exercise / "solution.cu", "none"), "gap": (exercise / "exercise.cu", "any")}
        answers |= {file.stem: (file, file.read_text().splitlines()[0].split(", ")[1].split(":")[0]) for file in wrong}
        for student, (file, lost) in answers.items():
            shutil.copy(file, folder / f"{student}-{exercise.name}.cu")
            expected[student, exercise.name] = lost
    done, rows = grade(agpusim, folder)
    faults = 0 if done.returncode == 0 else 1
    for answer, lost in expected.items():
        row = rows.get(answer)
        if row is None:
            print(f"FAULT {answer}: not marked")
            faults += 1
            continue
        found = next((mark for mark in MARKS if row[mark] == "false"), "none")
        right = found == lost or (lost == "any" and found != "none")
        faults += not right
        print(f"{'ok   ' if right else 'FAULT'} {answer[1]} {answer[0]}: loses {found}"
              f"{'' if right else f', must lose {lost}'}; {row['costs']}; {row['message'][:160]}")
    print(f"{len(expected)} answers, {faults} faults")
    print(done.stderr, end="")
    return 1 if faults or not expected else 0


if __name__ == "__main__":
    require_compiler()
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(main(*sys.argv[1:], pathlib.Path(temporary)))
