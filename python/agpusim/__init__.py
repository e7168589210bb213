"""agpusim from Python: each function runs a command of the program `agpusim` and returns what its --json prints.

    import agpusim
    result = agpusim.exec("./reduce", 2**20, require="conflicts == 0")   # a CUDA program, without a GPU
    result.frame(), result.frame("lines"), result.output                # kernels, source lines, what the program printed
    result = agpusim.run("bitonic_sort", n=2**20, b=32, M=4096)
    result["T"], result["Q"]                                            # time units, blocks of b words

Nothing is computed here. Members and their units are those of docs/reference/schemas. Options of a command are keywords:
`n_max=2**20` is `--n-max 1048576`, `no_checks=True` is `--no-checks`, `set={"tile": 1024}` is `--set tile=1024`, `as_="scan"` is
`--as scan`; a list, range or array is joined by commas, and one of files, arguments or conditions is an option each. None and False
leave an option out; html=False saves the time of the page.

A result is a dict. `.frame()` is a pandas.DataFrame of its main table, `.frame("lines")` of another, `.tables()` has them all;
`.plot()` draws with matplotlib; a notebook shows the page of --html. A command that fails raises Error, with what it returned.

The program is that of the environment variable AGPUSIM, else the one that the wheel brought, else the one on the PATH. It is a
process of its own: long calls hold no lock of the interpreter, an exception such as that of Ctrl-C ends them, and what they say of
their progress goes to stderr. `map` makes many calls at once. `__version__` is the program's.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import pathlib
import pkgutil
import tempfile

from . import program
from .program import Error, call, map
from .result import COMMANDS, Result, Rows


def __getattr__(name):
    if name == "__version__":
        return program.run(["--version"], {})[0].split()[-1]
    raise AttributeError(f"module {__name__} has no attribute {name}")


def command(*words: object, **options: object) -> Result | str:
    """What `agpusim WORDS OPTIONS --json` prints, or its text where it is no JSON. Raises Error when the command fails.

    Options stand before a word "--", and before the program of "exec" and "build"."""
    words = [str(word) for word in words]
    name = " ".join(words[:2] if words[0] == "exercise" else words[:1])
    saved, page = options.pop("json", None) if name in COMMANDS else None, None
    with tempfile.TemporaryDirectory() as folder:
        if name in COMMANDS:
            wanted = options.pop("html", None)
            if wanted is not False and not options.pop("no_html", False):
                page = options["html"] = pathlib.Path(folder, "page.html") if wanted in (None, True) else pathlib.Path(wanted)
            if "--json" not in words[:words.index("--") if "--" in words else None]:
                options["json"] = "-" if name == "exec" else True
        text, error = program.run(words, options, unsaid=folder)
        begin = text.rfind('{\n  "agpusim": "') if name == "exec" else 0  # behind what the program printed
        try:
            members, end = json.JSONDecoder().raw_decode(text, begin) if begin >= 0 else (None, 0)
        except ValueError:
            members = None
        result = text
        if isinstance(members, dict):
            if isinstance(saved, (str, os.PathLike)):
                pathlib.Path(saved).write_text(text[begin:end] + "\n", encoding="utf-8")
            shown = page.read_text(encoding="utf-8") if page and page.exists() else None
            result = Result(members, name, shown, text[:begin] + text[end:].lstrip("\n"))
    if error:
        error.result = result if isinstance(result, Result) else None
        raise error
    return result


def exec(program: object = None, *arguments: object, **options) -> Result:
    """What a CUDA program costs and does wrong, without a GPU; `program` may be a list with its arguments.

    Tables "kernels", "launches", "lines", "findings"; `.output` is what the program printed. A finding, a broken condition
    of `require` and a program that fails raise Error, whose `result` has all that. The plot: y ("predicted_ms") of each kernel."""
    words = [*program] if isinstance(program, (list, tuple)) else [] if program is None else [program]
    words = [os.path.abspath(word) if isinstance(word, os.PathLike) else word for word in words]
    return command("exec", "--", *words, *arguments, **options)


def build(*words: object, **options) -> str:
    """Builds a CUDA program for `exec` by its own recipe: `build("make", "-B")`. Returns what that prints."""
    return command("build", "--", *words, **options)


def cc(*words: object) -> str:
    """Compiles a CUDA program for `exec` with clang, without CUDA: `cc("prog.cu", "-o", "prog")`. Returns what that prints."""
    return command("cc", *words)


def ptx(*files: object, **options) -> Result:
    """A kernel of PTX files: T in time units, sectors, conflicts. The plot: y ("time") of its costliest lines.

    grid=(64, 2) and block=256 are the launch, arg=["in:u32:2^16", "out:u32:64:zeros", 65536] its arguments."""
    return command("ptx", *files, **options)


def algorithms() -> Rows:
    """The rows of the algorithm table: name, bounds, variants, types, inputs, parameters of each."""
    return Rows(command("list")["algorithms"])


def run(algorithm: str, n: object, **options) -> Result:
    """One run on AGPU(p, b, M, w): T in time units, Q in blocks, all counts. by_line=True: also table "lines".

    The plot: y ("T") of each phase."""
    return command("run", algorithm, n=n, **options)


def step(algorithm: str, n: object, **options) -> Result:
    """Every instruction of a small run, with its T in time units and Q in blocks, or every step on a PRAM: table "runs.steps"."""
    return command("step", algorithm, n=n, **options)


def pram(algorithm: str, n: object, **options) -> Result:
    """One run on a PRAM: steps, processors, work in operations. The plot: y ("active" processors) of each step."""
    return command("pram", algorithm, n=n, **options)


def sweep(*programs: str, n: object, **options) -> Result:
    """Counts, bounds and predicted_ms over sizes and machines; n, p, b, M, w, V may be lists. fit=True: also table "fits".

    The plot: y ("T") over n."""
    return command("sweep", *programs, n=n, **options)


def merge(*parts: object, **options) -> Result:
    """The points of several files of `sweep(..., out=FILE)`, as `sweep` returns them."""
    return command("merge", *parts, **options)


def compare(*contestants: str, n: object, **options) -> Result:
    """Algorithms side by side: T, Q, predicted_ms and measured_ms in table "machines.rows", and where the order changes.

    The plot: y ("T") over n."""
    return command("compare", *contestants, n=n, **options)


def predict(algorithm: str, n: object, **options) -> Result:
    """What `agpusim why` prints: predicted_ms, its parts (table "resources", plotted) and what each count adds to it."""
    return command("why", algorithm, n=n, **options)


def bounds(n: object = None, **options) -> Result:
    """The I/O of the sorts: Q in blocks and in passes of n/b blocks (table "rows.sorts", plotted), and the lower bound."""
    return command("bounds", n=n, **options)


def pipeline(task: str, n: object, **options) -> Result:
    """The plan of a primitive on data larger than the device: seconds, bytes; table "operations" is plotted over time."""
    return command("pipeline", task, n=n, **options)


def new(name: str, **options) -> str:
    """Writes a project with an algorithm of your own. Returns what to do next."""
    return command("new", name, **options)


def analyze(*files: object, **options) -> Result:
    """predicted_ms beside measured_ms of records (files or folders; the bundled ones where none is named): plotted.

    Table "scores" has the errors of each algorithm, as fractions."""
    return command("analyze", *files, **options)


def validate(**options) -> Result:
    """How well times are predicted of runs that the model was not fitted to. Errors are fractions; the plot has them in %."""
    return command("validate", **options)


def experiment(name: str, **options) -> Result:
    """The repeated experiment of a paper: "integer-sorts", "statistics" or "out-of-core"."""
    return command("experiment", name, **options)


def count(*records: object, **options) -> Result:
    """Counts recorded runs and stores the counts: table "added". The plot: y ("T") over n."""
    return command("count", *records, **options)


def measure(**options) -> Result:
    """Measures the algorithms on this machine's GPU: times in ms in table "plans.runs". The plot: y ("median_ms") over n."""
    return command("measure", **options)


def import_counters(plan: object, profile: object, **options) -> Result:
    """Turns a profile of Nsight Compute into counter records: table "kernels"."""
    return command("import-counters", plan, profile, **options)


def calibrate(**options) -> Result:
    """Measures the constants of this machine's GPU: table "constants"."""
    return command("calibrate", **options)


def exercises(**options) -> Rows:
    """The exercises, each with its machine and what it is about."""
    return Rows(command("exercise", "list", **options)["exercises"])


def grade(*answers: object, **options) -> Result:
    """Compiles, runs and marks answers to exercises: files, folders, zip archives. Those without all marks raise Error,
    whose `result` has them: table "answers", or "of" and "costs" of one answer alone. The plot: marks, or costs."""
    return command("exercise", "grade", *answers, **options)


def records(path: object) -> Rows:
    """The records of a JSON Lines file of `measure`, one object a line (docs/reference/formats.md)."""
    with open(path, encoding="utf-8") as file:
        return Rows(json.loads(line) for line in file if line.strip())


def _document(stub):
    """Gives the functions the docstrings and keywords of the stub, which has the options of the program."""
    for function in (each for each in ast.parse(stub).body if isinstance(each, ast.FunctionDef)):
        ours = globals()[function.name]
        ours.__doc__ = ast.get_docstring(function)
        *known, last = inspect.signature(ours).parameters.values() or [None]
        if last and last.kind is last.VAR_KEYWORD:
            names = [each.arg for each in function.args.kwonlyargs if each.arg not in {one.name for one in known}]
            options = [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=None) for each in names]
            ours.__signature__ = inspect.signature(ours).replace(parameters=[*known, *options, last])


_document(pkgutil.get_data(__name__, "__init__.pyi"))
__all__ = ["Error", "Result", "Rows"]
__all__ += [name for name, each in globals().items() if inspect.isfunction(each) and name not in ("exec", "map") and name[0] != "_"]
