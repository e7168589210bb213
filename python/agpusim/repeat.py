"""Everything of a paper by one command:

    python3 -m agpusim.repeat FOLDER           runs it again and says what differs from what was saved: exit code 7
    python3 -m agpusim.repeat FOLDER --save    runs it and saves what it gives

FOLDER/commands.txt has lines `agpusim ... > FILE` (# begins a comment), which a shell runs, too. Files of the folder that their words
name, such as records of times, are inputs, unless an option such as --out writes them. The commands run in a copy of these; what they
print and write is saved in FOLDER/saved, and the version and the SHA-256 of each input and output in FOLDER/saved.json. Versions and times of day in outputs are not
compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from .program import Error, path

_CHANGING = [(re.compile(rb'(\bagpusim(?:": ?"| ))\d+\.\d+\.\d+(?:\+[0-9a-f]+)?'), rb"\1{version}"),
             (re.compile(rb"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), b"{time}")]


_WRITES = ("--out", "--json", "--html", "--svg", "--dot", "--csv", "--tex", "--pages", "--markdown", "--sarif")


def _version():
    return subprocess.run([path(), "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]


def _compared(content):
    for pattern, instead in _CHANGING:
        content = pattern.sub(instead, content)
    return content


def _digest(content):
    return hashlib.sha256(_compared(content)).hexdigest()


def _files(folder):
    """The files of a folder by name."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def _inputs(folder):
    """The files that commands read."""
    named = [word for words, _ in _commands(folder) for before, word in zip(["", *words], words) if before not in _WRITES]
    names = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file() and file.relative_to(folder).parts[0] != "saved"}
    names = {"commands.txt"} | {name for name in names if any(name in word for word in named)}
    return {name: (folder / name).read_bytes() for name in sorted(names)}


def _commands(folder):
    """Words, and the file that they print to, of each command."""
    file = folder / "commands.txt"
    if not file.exists():
        raise Error(f"{file} is missing: it has a line `agpusim ... > FILE` for each table and figure", 2)
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise Error(f"{file}:{number}: {error}", 2) from error
        if not words:
            continue
        if words[0] != "agpusim" or ">" not in words[-2:-1] or not re.fullmatch(r"\w[\w.-]*", words[-1]):
            raise Error(f"{file}:{number}: a line is `agpusim ... > FILE`, and this is: {line}", 2)
        if words[-1] in ["commands.txt", "saved", "saved.json", *(name for _, name in found)]:
            raise Error(f"{file}:{number}: {words[-1]} is another file already: give another name", 2)
        found.append((words[1:-2], words[-1]))
    if not found:
        raise Error(f"{file} has no command: write a line `agpusim ... > FILE` for each table and figure", 2)
    return found


def _outputs(folder, inputs):
    """What the commands print and write."""
    with tempfile.TemporaryDirectory() as place:
        copy = pathlib.Path(place, "paper")
        for name, content in inputs.items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes(content)
        for words, name in _commands(folder):
            print(f"agpusim {shlex.join(words)}", file=sys.stderr)
            done = subprocess.run([path(), *words], cwd=copy, capture_output=True)
            if done.returncode != 0:
                raise Error(f"{shlex.join(words)}: exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()}",
                            done.returncode)
            (copy / name).write_bytes(done.stdout)
        return {name: content for name, content in _files(copy).items() if inputs.get(name) != content}


def _first_difference(old, new):
    lines = [_compared(content).decode(errors="replace").splitlines() for content in (old, new)]
    for number, pair in enumerate(zip(*lines), 1):
        if pair[0] != pair[1]:
            return f"line {number} was\n  {pair[0][:200]}\nand is\n  {pair[1][:200]}"
    return f"{len(lines[0])} lines were saved, and there are {len(lines[1])}"


def save(folder: pathlib.Path) -> str:
    inputs = _inputs(folder)
    outputs = _outputs(folder, inputs)
    shutil.rmtree(folder / "saved", ignore_errors=True)
    for name, content in outputs.items():
        file = folder / "saved" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    record = {"agpusim": _version(), "inputs": {name: _digest(content) for name, content in inputs.items()},
              "outputs": {name: _digest(content) for name, content in outputs.items()}}
    (folder / "saved.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return f"saved: {', '.join(outputs)}"


def repeat(folder: pathlib.Path) -> list[str]:
    """What differs from what was saved, a sentence each."""
    if not (folder / "saved.json").exists():
        raise Error(f"{folder}: nothing was saved: add --save", 2)
    try:
        record = json.loads((folder / "saved.json").read_bytes())
        record["agpusim"], record["inputs"].get, record["outputs"].get  # noqa: B018
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Error(f"{folder / 'saved.json'} is damaged: restore it, or save again", 3) from error
    inputs, problems = _inputs(folder), []
    if _version() != record["agpusim"]:
        print(f"saved by agpusim {record['agpusim']}, repeated by {_version()}")
    for name in sorted({*inputs, *record["inputs"]}):
        if record["inputs"].get(name) != (_digest(inputs[name]) if name in inputs else None):
            problems.append(f"{name}: not the input of what was saved")
    outputs = _outputs(folder, inputs)
    for name in sorted({*outputs, *record["outputs"]}):
        file = folder / "saved" / name
        if name not in outputs or name not in record["outputs"]:
            problems.append(f"{name}: {'is new' if name in outputs else 'no command gives it any more'}")
        elif not file.exists() or _digest(file.read_bytes()) != record["outputs"][name]:
            problems.append(f"saved/{name}: changed after it was saved")
        elif _digest(outputs[name]) != record["outputs"][name]:
            problems.append(f"{name}: {_first_difference(file.read_bytes(), outputs[name])}")
        else:
            print(f"equal: {name}")
    return problems


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m agpusim.repeat", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--save", action="store_true", help="save what the commands give")
    options = parser.parse_args(arguments)
    try:
        if options.save:
            print(save(options.folder))
            return 0
        problems = repeat(options.folder)
    except Error as error:
        print(f"agpusim: error: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"agpusim: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 5
    for problem in problems:
        print(f"DIFFERENT: {problem}")
    return 7 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
