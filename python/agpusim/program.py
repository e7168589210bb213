"""The program agpusim as a process."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

_BROUGHT = pathlib.Path(__file__).parent / "installed/bin/agpusim"  # by the wheel
_REASON = "agpusim: error: "
_FILES = ("counts", "records")  # options that take several files, whose names may have commas


class Error(Exception):
    """A command failed; the text is the command's own. `code`: its exit code (`agpusim help exit-codes`)."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def path():
    """The program: that of the environment variable AGPUSIM, else the one that the wheel brought, else the one on the PATH."""
    found = os.environ.get("AGPUSIM") or (_BROUGHT if _BROUGHT.exists() else shutil.which("agpusim"))
    if found is None:
        raise Error("the program agpusim is not on the PATH: install it, or name it in the environment variable AGPUSIM", 2)
    return str(found)


def become():
    """The command `agpusim` of a wheel."""
    os.execv(path(), [path(), *sys.argv[1:]])


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


def run(words, options, unsaid=None):
    """The bytes that `agpusim WORDS OPTIONS` prints. What it says goes to stderr, without lines that have the text `unsaid`."""
    arguments = [path(), *(str(word) for word in words)]
    for name, value in options.items():
        arguments += _option(name, value)
    reasons = []
    with tempfile.TemporaryFile() as printed:
        with subprocess.Popen(arguments, stdout=printed, stderr=subprocess.PIPE, text=True) as program:
            for line in program.stderr:
                if line.startswith(_REASON):
                    reasons.append(line[len(_REASON):].rstrip())
                elif unsaid is None or unsaid not in line:
                    sys.stderr.write(line)
        if program.returncode != 0:
            raise Error(" ".join(reasons) or f"agpusim ended with exit code {program.returncode}", program.returncode)
        printed.seek(0)
        return printed.read()
