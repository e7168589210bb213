"""Puts the engine, its data and the page's parts into one HTML file: assemble.py ENGINE.js PAGE.html"""

import base64
import gzip
import json
import pathlib
import re
import sys

WEB = pathlib.Path(__file__).resolve().parent.parent
ROOT = WEB.parent
HOME = "/agpusim/"  # AGPUSIM_HOME of cmake/AgpusimBrowser.cmake
# The sources whose lines are shown, device constants, counts that take long to simulate, compiled kernels, and measured times.
FILES = ("algorithms/**/*.[hc]pp", "model/**/*.hpp", "validation/devices/*.json", "validation/data/**/*.jsonl*", "validation/ptx/*.ptx.xz")
LEFT_OUT = re.compile(r"/counters[^/]*$|/zoo/|/out_of_core/")  # profiled launches, programs of the zoo, records of an experiment
STYLES = ("page.css", "browser/browser.css")
SCRIPTS = ("js/dom.js", "js/download.js", "browser/engine.js", "browser/form.js", "browser/page.js")


def text(*paths):
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def held(path):
    """A text; of a file of xz its bytes, which JSON holds as base64."""
    return base64.b64encode(path.read_bytes()).decode() if path.suffix == ".xz" else text(path)


def packed(content):
    """The number of bytes, then seven bits a character, and 256 more where a page does not keep the character as it is."""
    content = gzip.compress(content, mtime=0)
    bits = "".join(f"{byte:08b}" for byte in content)
    bits += "0" * (-len(bits) % 7)
    characters = (int(bits[i:i + 7], 2) for i in range(0, len(bits), 7))
    return f"{len(content)} " + "".join(chr(c | 256 if c in b"\0\r<" else c) for c in characters)


def main():
    engine, page = map(pathlib.Path, sys.argv[1:])
    files = {HOME + str(path.relative_to(ROOT)): held(path) for pattern in FILES for path in sorted(ROOT.glob(pattern)) if not LEFT_OUT.search(str(path))}
    parts = {
        "STYLE": text(*(WEB / name for name in STYLES)),
        "WASM": packed(engine.with_suffix(".wasm").read_bytes()),
        "FILES": packed(json.dumps(files).encode()),
        "WORKER": text(engine, WEB / "browser/xz.js", WEB / "browser/worker.js"),
        "SCRIPT": text(*(WEB / name for name in SCRIPTS)),
    }
    result = (WEB / "browser/page.html").read_text(encoding="utf-8")
    for name, content in parts.items():
        if name in ("WORKER", "SCRIPT") and "</script" in content:
            sys.exit(f"{name} would end its script element")
        result = result.replace(f"/*AGPUSIM_{name}*/", content, 1)
    page.write_text(result, encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
