"""The program agpusim as a process, and many of them at once."""

from __future__ import annotations

import concurrent.futures
import contextlib
import contextvars
import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable

_BROUGHT = pathlib.Path(__file__).parent / "installed/bin/agpusim"  # by the wheel
_REASON = "agpusim: error: "
_REPEATED = {"arg", "counts", "cub_records", "own", "records", "require", "with_"}  # options that take one value each time
_COMMANDS_OF_OTHERS = ("exec", "build", "cc")  # what follows their options is a command line of another program
_GRACE = 10  # seconds in which a process that was interrupted may write what it has


class Error(Exception):
    """A command failed; the text is the command's own. `code`: its exit code (`agpusim help exit-codes`).

    `result`: what it returned all the same, such as the findings of `exec`, or None."""

    def __init__(self, text: str, code: int, result: dict | None = None):
        super().__init__(text, code, result)  # so that it is the same after pickling
        self.code, self.result = code, result

    def __str__(self):
        return self.args[0]


def path() -> str:
    """The program: that of the environment variable AGPUSIM, else the one that the wheel brought, else the one on the PATH."""
    found = os.environ.get("AGPUSIM") or (_BROUGHT if _BROUGHT.exists() else shutil.which("agpusim"))
    if found is None:
        raise Error("the program agpusim is not on the PATH: install it, or name it in the environment variable AGPUSIM", 2)
    return str(found)


def become():
    """The command `agpusim` of a wheel."""
    os.execv(path(), [path(), *sys.argv[1:]])


def _option(command, name, value):
    """The arguments of one option."""
    flag = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, dict):
        value = [f"{key}={each}" for key, each in value.items()]
    elif isinstance(value, str) or not hasattr(value, "__iter__"):
        value = [value]
    elif command != "measure" and name not in _REPEATED:
        value = [("x" if name in ("grid", "block") else ",").join(str(each) for each in value)]
    return [f"{flag}={each}" for each in value]


def _arguments(words, options):
    """The options stand before the words of another program and behind all others."""
    end = words.index("--") if "--" in words else 1 if words[0] in _COMMANDS_OF_OTHERS else len(words)
    given = [argument for name, value in options.items() for argument in _option(words[0], name, value)]
    return [*words[:end], *given, *words[end:]]


def run(words: list[str], options: dict, unsaid: str | None = None) -> tuple[str, Error | None]:
    """What `agpusim WORDS OPTIONS` prints, and how it failed. What it says goes to stderr, but for lines with the text `unsaid`."""
    reasons = []
    with tempfile.TemporaryFile() as printed, _process([path(), *_arguments(words, options)], printed) as process:
        for line in process.stderr:
            if line.startswith(_REASON):
                reasons.append(line[len(_REASON):].rstrip())
            elif unsaid is None or unsaid not in line:
                sys.stderr.write(line)
        code = process.wait()
        printed.seek(0)
        text = printed.read().decode(errors="replace")
    return text, Error(" ".join(reasons) or f"agpusim {words[0]} ended with exit code {code}", code) if code else None


class _Batch:
    """The processes of one `map`, which end together."""

    def __init__(self):
        self.processes, self.is_ended = [], False

    def end(self):
        self.is_ended = True
        _end(list(self.processes))


_batch: contextvars.ContextVar[_Batch | None] = contextvars.ContextVar("agpusim_batch", default=None)


@contextlib.contextmanager
def _process(arguments, printed):
    """A process in a session of its own: one that Ctrl-C of the terminal does not reach, so that it is told once."""
    try:
        process = subprocess.Popen(arguments, stdout=printed, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                                   start_new_session=True)
    except OSError as failure:
        raise Error(f"cannot run {arguments[0]}: {failure.strerror}", 5) from None
    with process:
        try:
            batch = _batch.get() or _Batch()
            batch.processes.append(process)
            if batch.is_ended:
                raise Error("another run of this map has failed", 130)
            yield process
        except BaseException:
            _end([process])
            raise
        batch.processes.remove(process)


def _signal(process, number):
    """Sends it to the process and its children. Returns whether there are any."""
    process.poll()
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return False
    return True


def _end(processes):
    """Interrupts processes, and kills those that live on."""
    try:
        for process in processes:
            if "exec" in process.args[:2]:  # it tells its program, and writes the sheet
                process.send_signal(signal.SIGINT)
            else:
                _signal(process, signal.SIGINT)
        last = time.monotonic() + _GRACE
        while time.monotonic() < last and any([_signal(process, 0) for process in processes]):
            time.sleep(0.01)
    finally:
        for process in processes:
            _signal(process, signal.SIGKILL)
            process.wait()


def call(function: Callable, run):
    """`function` of one run: a dict of keywords, a tuple of arguments, or the one argument. Dask and Ray can pickle it."""
    if isinstance(run, dict):
        return function(**run)
    return function(*run) if isinstance(run, tuple) else function(run)


def map(function: Callable | Iterable[Callable], runs: Iterable | None = None, jobs: int | None = None,
        errors: bool = False) -> list:
    """What `call(function, run)` returns for each of the runs, in their order; `jobs` of them at a time (default: one a core).

    `map(functions)` calls functions without arguments, such as those of functools.partial. The first failure ends the other
    runs and is raised; with errors=True each Error stands in the place of its result, and all are run."""
    calls = list(function) if runs is None else [functools.partial(call, function, each) for each in runs]
    batch = _Batch()
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count(), "agpusim", _batch.set, (batch,)) as pool:
        try:
            futures = [pool.submit(_result_or_error if errors else call, each, ()) for each in calls]
            for future in concurrent.futures.as_completed(futures):
                future.result()
            return [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            batch.end()
            raise


def _result_or_error(function, run):
    try:
        return call(function, run)
    except Error as error:
        return error
