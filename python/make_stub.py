#!/usr/bin/env python3
"""make_stub.py [--check] AGPUSIM: writes agpusim/__init__.pyi: the module's functions with the options of the program's help."""

import ast
import pathlib
import re
import subprocess
import sys
import textwrap

MODULE = pathlib.Path(__file__).resolve().parent / "agpusim"
HEAD = '''"""Written by `python3 python/make_stub.py AGPUSIM`."""

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Union

from .program import Error as Error
from .program import call as call
from .program import map as map
from .result import Result as Result
from .result import Rows as Rows

__version__: str
_Number = Union[int, float, str, Iterable[Union[int, float, str]], None]
_Text = Union[str, int, float, PathLike[str], Iterable[Any], None]
_File = Union[str, PathLike[str], Iterable[Union[str, PathLike[str]]], bool, None]
'''
NUMBERS = ("SIZE", "SIZES", "NUMBER", "BYTES", "COUNT", "PERCENT", "SECONDS", "BITS", "STEP", "P")
FILES = ("FILE", "DIR", "FOLDER", "PATH")
LEFT_OUT = ("help", "csv", "tex", "no-html")
KEYWORDS = ("as", "with")


def options_of(agpusim, words):
    """The options of a command: (name as a keyword, type or "" of a flag, what it is)."""
    lines = subprocess.run([agpusim, *words, "--help"], capture_output=True, text=True, check=True).stdout.splitlines()
    for line, below in zip(lines, [*lines[1:], ""]):
        # "  -n,--n SIZE=5 Excludes: --m", and in column 30 or on a line of its own what it is
        if re.match(r"  (-\w,)?--\w", line):
            left, about = (line, below) if below.startswith(" " * 30) else (line[:30], line[30:])
            name, _, value = left.partition("--")[2].strip().partition(" ")
            value = re.sub(r"(^| )(Excludes:|REQUIRED).*|:(INT|\{).*", "", value)
            if name == "json":
                value, about = "FILE", "also write the JSON"
            if name not in LEFT_OUT:
                yield name.replace("-", "_") + "_" * (name in KEYWORDS), value, about.strip()


def annotation(name, value):
    kind = re.match(r"\w*", value)[0]
    if not value:
        return "bool"
    if name == "set":
        return "Mapping[str, object] | None"
    return "_Number" if kind in NUMBERS else "_File" if kind in FILES else "_Text"


def stub_of(function, agpusim):
    """The text of one function. Its command is what it gives to `command`."""
    words = next(([word.value for word in call.args if isinstance(word, ast.Constant)] for call in ast.walk(function)
                  if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "command"), [])
    words = [word for word in words if word != "--"]
    doc = ast.get_docstring(function)
    if words and function.args.kwarg:
        options = list(options_of(agpusim, words))
        known = {each.arg for each in function.args.args + function.args.kwonlyargs}
        if options:
            doc += f"\n\nOptions of `agpusim {' '.join(words)}`:\n"
        for name, value, about in options:
            doc += textwrap.fill(f"{name}{value and f' ({value})'}: {about}", 116, subsequent_indent="    ",
                                 break_on_hyphens=False, break_long_words=False) + "\n"
            if name not in known:
                function.args.kwonlyargs.append(ast.arg(name, ast.parse(annotation(name, value), mode="eval").body))
                function.args.kw_defaults.append(ast.Constant(...))
        function.args.kwarg = None
    doc = doc.rstrip()
    doc = textwrap.indent(doc + "\n    " * ("\n" in doc), "    ", lambda line: line.strip()).lstrip()
    text = ast.unparse(ast.FunctionDef(function.name, function.args, [ast.Pass()], [], function.returns, lineno=0))
    return signature(text.partition("\n")[0]) + f'\n    """{doc}"""\n'


def signature(line):
    """`def` of one function, with its arguments on lines of their own where it is too long for one."""
    head, arguments, tail = re.fullmatch(r"(def \w+\()(.*)(\) -> .*)", line).groups()
    arguments = [each.replace("=", " = ").replace(" ", "\0") for each in re.split(r", (?=\*{0,2}\w*(?:[:=,]|$))", arguments)]
    filled = textwrap.fill(", ".join(arguments), 116, initial_indent="    ", subsequent_indent="    ")
    short = head + ", ".join(arguments) + tail
    return (short if len(short) <= 120 else f"{head}\n{filled},\n{tail}").replace("\0", " ")


def main(agpusim, check):
    source = ast.parse((MODULE / "__init__.py").read_text(encoding="utf-8"))
    functions = [each for each in source.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
    text = "\n\n".join([HEAD, *(stub_of(function, agpusim) for function in functions)])
    file = MODULE / "__init__.pyi"
    if not check:
        file.write_text(text, encoding="utf-8")
    elif file.read_text(encoding="utf-8") != text:
        sys.exit(f"{file.name} is not what this program's help says: python3 python/make_stub.py {agpusim} writes it anew")


if __name__ == "__main__":
    main(sys.argv[-1], "--check" in sys.argv)
