"""agpusim from Python: each function runs a command of the program `agpusim` and returns what its --json prints, as plain data.

    import agpusim
    result = agpusim.run("bitonic_sort", n=2**20, b=32, M=4096)
    result["T"], result["Q"]          # time units, blocks of b words

Nothing is computed here. Members and their units are those of docs/reference/schemas; lists of objects ("rows", "points") are
what pandas.DataFrame takes. Options of a command are keywords: `n_max=2**20` is `--n-max 1048576`, `no_checks=True` is
`--no-checks`, `set={"tile": 1024}` is `--set tile=1024`; a list, range or array is joined by commas, and one of files is an option
each. None and False leave an option out.

The program is that of the environment variable AGPUSIM, else the one on the PATH. It is a process of its own: long calls hold no
lock of the interpreter, Ctrl-C ends them, and what they say of their progress goes to stderr.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

__all__ = ["Error", "algorithms", "analyze", "bounds", "command", "compare", "experiment", "pram", "predict", "records", "run",
           "sweep"]

_REASON = "agpusim: error: "
_FILES = ("counts", "records")  # options that take several files, whose names may have commas


class Error(Exception):
    """A command failed; the text is the command's own. `code`: its exit code (`agpusim help exit-codes`)."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def _program():
    found = os.environ.get("AGPUSIM") or shutil.which("agpusim")
    if found is None:
        raise Error("the program agpusim is not on the PATH: install it, or name it in the environment variable AGPUSIM", 2)
    return found


def _option(name, value):
    """The arguments of one option."""
    flag = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, dict):
        return [word for key, each in value.items() for word in (flag, f"{key}={each}")]
    if hasattr(value, "__iter__") and not isinstance(value, str):
        if name in _FILES:
            return [word for each in value for word in (flag, str(each))]
        value = ",".join(str(each) for each in value)
    return [flag, str(value)]


def command(*words, **options):
    """What `agpusim WORDS OPTIONS --json` prints, decoded. Raises Error when the command fails."""
    arguments = [_program(), *(str(word) for word in words)]
    for name, value in options.items():
        arguments += _option(name, value)
    reasons = []
    with tempfile.TemporaryFile() as printed:
        with subprocess.Popen([*arguments, "--json"], stdout=printed, stderr=subprocess.PIPE, text=True) as program:
            for line in program.stderr:
                if line.startswith(_REASON):
                    reasons.append(line[len(_REASON):].rstrip())
                else:
                    sys.stderr.write(line)
        if program.returncode != 0:
            raise Error(" ".join(reasons) or f"agpusim ended with exit code {program.returncode}", program.returncode)
        printed.seek(0)
        return json.load(printed)


def algorithms():
    """The rows of the algorithm table: name, bounds, variants, types, inputs, parameters of each."""
    return command("list")["algorithms"]


def run(algorithm, n, **options):
    """One run on AGPU(p, b, M, w): T, Q and all counts. Machine: p, b, M, w, V; run: variant, type, input, seed, set."""
    return command("run", algorithm, n=n, **options)


def pram(algorithm, n, **options):
    """One run on a PRAM: steps, processors, work. Options: model, variant, input, processors, seed."""
    return command("pram", algorithm, n=n, **options)


def sweep(*programs, n, **options):
    """Counts, bounds and predicted times over sizes and machines: {"points": [...], ...}. n, p, b, M may be lists."""
    return command("sweep", *programs, n=n, **options)


def compare(*contestants, n, **options):
    """Algorithms side by side: counts, predicted and measured times, and where the order changes."""
    return command("compare", *contestants, n=n, **options)


def predict(algorithm, n, **options):
    """The time that a device is predicted to take, its parts, and what each count adds to it."""
    return command("why", algorithm, n=n, **options)


def bounds(n, **options):
    """The I/O of the sorts beside the lower bound, in blocks."""
    return command("bounds", n=n, **options)


def analyze(*files, **options):
    """Predicted beside measured times of records (of files or folders; the bundled ones where none is named)."""
    return command("analyze", *files, **{"no_html": "html" not in options, **options})


def experiment(name, **options):
    """The repeated experiment of a paper: "integer-sorts", "statistics" or "out-of-core"."""
    return command("experiment", name, **options)


def records(path):
    """The records of a JSON Lines file of `agpusim measure`, one object a line (docs/reference/formats.md)."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]
