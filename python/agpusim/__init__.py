"""agpusim from Python: each function runs a command of the program `agpusim` and returns what its --json prints.

    import agpusim
    result = agpusim.run("bitonic_sort", n=2**20, b=32, M=4096)
    result["T"], result["Q"]          # time units, blocks of b words

Nothing is computed here. Members and their units are those of docs/reference/schemas. Options of a command are keywords:
`n_max=2**20` is `--n-max 1048576`, `no_checks=True` is `--no-checks`, `set={"tile": 1024}` is `--set tile=1024`; a list, range or
array is joined by commas, and one of files is an option each. None and False leave an option out.

A result is a dict. `.frame()` is a pandas.DataFrame of its main table, `.frame("lines")` of another, `.tables()` has them all;
`.plot()` draws with matplotlib; a notebook shows the page of --html.

The program is that of the environment variable AGPUSIM, else the one that the wheel brought, else the one on the PATH. It is a
process of its own: long calls hold no lock of the interpreter, Ctrl-C ends them, and what they say of their progress goes to
stderr. `__version__` is the program's.
"""

import json
import pathlib
import tempfile

from . import program
from .program import Error
from .result import COMMANDS, Result, Rows

__all__ = ["Error", "Result", "Rows", "algorithms", "analyze", "bounds", "command", "compare", "experiment", "pipeline", "pram",
           "predict", "records", "run", "step", "sweep", "validate"]


def __getattr__(name):
    if name == "__version__":
        return program.run(["--version"], {}).decode().split()[-1]
    raise AttributeError(f"module {__name__} has no attribute {name}")


def command(*words, **options):
    """What `agpusim WORDS OPTIONS --json` prints. Raises Error when the command fails."""
    options["json"] = True
    if words[0] not in COMMANDS:
        return Result(json.loads(program.run(words, options)), words[0], None)
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(options.get("html") or pathlib.Path(folder, "page.html"))
        members = json.loads(program.run(words, {**options, "no_html": None, "html": page}, unsaid=folder))
        return Result(members, words[0], page.read_text(encoding="utf-8"))


def algorithms():
    """The rows of the algorithm table: name, bounds, variants, types, inputs, parameters of each."""
    return Rows(command("list")["algorithms"])


def run(algorithm, n, **options):
    """One run on AGPU(p, b, M, w): T in time units, Q in blocks, all counts. by_line=True: also table "lines".

    Machine: machine, p, b, M, w, V; run: variant, type, input, seed, set. The plot: y ("T") of each phase."""
    return command("run", algorithm, n=n, **options)


def step(algorithm, n, **options):
    """Every instruction of a small run, with its T in time units and Q in blocks, or every step on a PRAM: table "runs.steps"."""
    return command("step", algorithm, n=n, **options)


def pram(algorithm, n, **options):
    """One run on a PRAM: steps, processors, work in operations. Options: model, variant, input, processors, seed.

    The plot: y ("active" processors) of each step."""
    return command("pram", algorithm, n=n, **options)


def sweep(*programs, n, **options):
    """Counts, bounds and predicted_ms over sizes and machines; n, p, b, M, w, V may be lists. fit=True: also table "fits".

    The plot: y ("T") over n."""
    return command("sweep", *programs, n=n, **options)


def compare(*contestants, n, **options):
    """Algorithms side by side: T, Q, predicted_ms and measured_ms in table "machines.rows", and where the order changes.

    The plot: y ("T") over n."""
    return command("compare", *contestants, n=n, **options)


def predict(algorithm, n, **options):
    """What `agpusim why` prints: predicted_ms, its parts (table "resources", plotted) and what each count adds to it."""
    return command("why", algorithm, n=n, **options)


def bounds(n=None, **options):
    """The I/O of the sorts: Q in blocks and in passes of n/b blocks (table "rows.sorts", plotted), and the lower bound."""
    return command("bounds", n=n, **options)


def pipeline(task, n, **options):
    """The plan of a primitive on data larger than the device: seconds, bytes; table "operations" is plotted over time."""
    return command("pipeline", task, n=n, **options)


def analyze(*files, **options):
    """predicted_ms beside measured_ms of records (files or folders; the bundled ones where none is named): plotted.

    Table "scores" has the errors of each algorithm, as fractions."""
    return command("analyze", *files, **options)


def validate(**options):
    """How well times are predicted of runs that the model was not fitted to. Errors are fractions; the plot has them in %."""
    return command("validate", **options)


def experiment(name, **options):
    """The repeated experiment of a paper: "integer-sorts", "statistics" or "out-of-core"."""
    return command("experiment", name, **options)


def records(path):
    """The records of a JSON Lines file of `agpusim measure`, one object a line (docs/reference/formats.md)."""
    with open(path, encoding="utf-8") as file:
        return Rows(json.loads(line) for line in file if line.strip())
