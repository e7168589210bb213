#!/usr/bin/env python3
"""Checks the page of the preset `browser` in a headless Chromium: what it counts is what the native program counts, field by field.

    python3 dev/check_browser.py build/browser/agpusim.html build/release/agpusim                  exit status 77 without Chromium
    python3 dev/check_browser.py build/browser/agpusim.html build/release/agpusim --look FOLDER    also takes screenshots
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

import browser

MACHINE = {"p": "1024", "b": "32", "M": "12288"}
SMALL = {"n": "64", "p": "16", "b": "4", "M": "64"}
LARGE = (  # of 2^16 elements: row, variant, more
    ("bitonic_sort", "", {}), ("bitonic_sort", "", {"type": "u64", "input": "few_distinct"}), ("fused_bitonic_sort", "", {}), ("multiway_merge_sort", "selection", {}),
    ("scan", "", {"type": "f64"}), ("reduce", "ordered", {}), ("transpose", "tiled", {}), ("transpose", "padded", {"b": "16"}), ("vector_add", "", {}),
    ("pram/scan", "", {}), ("pram/maximum", "", {}),
)
TYPED = (
    "bounds --json", "pipeline scan --n 10^10 --budget 3GB --json", "why bitonic_sort --n 2^20 --json", "why radix_sort --n 2^20 --device h100 --json", "pram scan --n 1000 --all-variants --on-agpu --json",
    "compare bitonic_sort multiway_merge_sort:selection cub_merge_sort --n 2^10..2^20 --json", "run no_such_row",
)
MOST_BYTES, MOST_SECONDS, MOST_NATIVE_SECONDS = 12e6, 1.0, 1.0
NEAR = ".derived.near: "  # of statistics:one_lane, natively alone: one read of 126 whose sector its task held already
problems = []


def check(holds, what):
    if not holds:
        problems.append(what)


def differences(ours, theirs, path=""):
    """The paths of a JSON value at which the other has something else; the time of day aside."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [found for key in {**ours, **theirs} if key != "generated" for found in (differences(ours[key], theirs[key], f"{path}.{key}") if key in ours and key in theirs else [f"{path}.{key} is on one side only"])]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [found for i, pair in enumerate(zip(ours, theirs)) for found in differences(*pair, f"{path}[{i}]")]
    return [] if ours == theirs and type(ours) is type(theirs) else [f"{path}: {ours!r} in the browser, {theirs!r} natively"]


def fields(value):
    """How many numbers and texts a JSON value holds."""
    if isinstance(value, (dict, list)):
        return sum(map(fields, value.values() if isinstance(value, dict) else value))
    return 1


class Page:
    """The form of the page, as a reader fills it in."""

    def __init__(self, page):
        self.page = page

    def fill(self, **values):
        for name in sorted(values, key=lambda name: name != "row"):  # what can be chosen depends on the row
            self.page.run("const e = byId(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('change'));", name, values[name])

    def press(self, button, seconds=300):
        """The command, its output and how it ended."""
        self.page.run("byId(arguments[0]).click()", button)
        self.wait(seconds)
        return self.page.run("return [byId('command').value, byId('text').textContent, byId('status').innerText]")

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while self.page.run("return document.body.dataset.state") != "ended":
            if time.monotonic() > end:
                raise RuntimeError("still running: " + self.page.run("return byId('command').value"))
            time.sleep(0.01)


class Comparison:
    def __init__(self, page, agpusim):
        self.page, self.agpusim = page, agpusim
        self.commands = self.fields = self.left_out = 0

    def __call__(self, button, **values):
        """The command of a button of the form."""
        self.page.fill(output="text" if button == "step" else "JSON", **values)
        self.compare(button, self.page.page.run("return argumentsOf(arguments[0])", button))

    def type(self, command):
        self.page.fill(command=command)
        self.compare("execute", command.split())

    def compare(self, button, arguments):
        try:
            native = subprocess.run([self.agpusim, *arguments], capture_output=True, text=True, timeout=MOST_NATIVE_SECONDS)
        except subprocess.TimeoutExpired:
            self.left_out += 1
            return
        command, text, status = self.page.press(button)
        code = int(found.group(1)) if (found := re.search(r"exit code (\d+)", status)) else 0
        check(code == native.returncode, f"{command}: exit code {code} in the browser, {native.returncode} natively: {status}")
        self.commands += 1
        if button == "step":
            check(text == native.stdout, f"{command}: another text in the browser")
        elif native.returncode == 0 and code == 0:
            ours = json.loads(text)
            self.fields += fields(ours)
            found = [each for each in differences(ours, json.loads(native.stdout)) if not ("one_lane" in command and each.startswith(NEAR))]
            check(not found, f"{command}: {len(found)} fields differ: {'; '.join(found[:5])}")
        elif code != 0:
            wanted = native.stderr.strip().splitlines()[-1]
            check(wanted in status or "GiB" in wanted, f"{command}: {status} in the browser, {wanted} natively")  # they have different memory


def check_counts(page, agpusim):
    compare = Comparison(page, agpusim)
    rows = json.loads(subprocess.run([agpusim, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    for n in ("1000", "4096"):
        for row in rows["algorithms"]:
            for variant in row["variants"] or [""]:
                compare("run", row=row["name"], variant=variant, n=n, **MACHINE)
        for row in rows["pram_algorithms"]:
            for variant in row["variants"] or [""]:
                compare("run", row="pram/" + row["name"], variant=variant, n=n)
    for row, variant, more in LARGE:
        compare("run", row=row, variant=variant, n="65536", **{"type": "", "input": "", **MACHINE, **more})
    page.fill(input="")
    compare("run", row="bitonic_sort", n="2^33", **MACHINE)  # more than a pointer of 32 bits can name
    compare("sweep", row="scan", variant="", sizes="2^10..2^14", **MACHINE)
    compare("sweep", row="pram/scan", variant="", sizes="2^4..2^8")
    compare("compare", row="transpose", variant="", sizes="2^10,2^12", **MACHINE)
    for row in ("transpose", "scan", "pram/scan"):
        compare("step", row=row, variant="", sizes="", **{**SMALL, "n": "16"})
    for command in TYPED:
        compare.type(command)
    check(compare.left_out * 10 < compare.commands, f"{compare.left_out} of {compare.commands} commands were left out")
    print(f"counts: {compare.commands} commands, {compare.fields:,} fields compared with {agpusim}; {compare.left_out} commands left out that take it more than {MOST_NATIVE_SECONDS} s")


def check_speed(page):
    page.fill(row="bitonic_sort", variant="", n="65536", output="text", **MACHINE)
    seconds = [float(re.search(r"after ([\d.]+) s", page.press("run")[2]).group(1)) for _ in range(5)]
    check("phase  kernel" in (text := page.press("run")[1]) and "\x1b" not in text, "the text has colours of a terminal, or no phases")
    check(statistics.median(seconds) < MOST_SECONDS, f"bitonic_sort of 2^16 takes {seconds} s")
    print(f"bitonic_sort of 2^16: {statistics.median(seconds)} s, the start of its worker included {seconds}")


def check_pages(page, look):
    """Every button's page is shown, at any width, and can be read without a mouse."""
    for width, dark in ((1280, False), (390, True)):
        page.page.look(width, 900, dark)
        page.fill(row="transpose", variant="", output="page", sizes="2^6..2^12", **SMALL)
        for button in ("run", "step", "sweep", "compare"):
            status = page.press(button)[2]
            time.sleep(1)
            page.page.frame(0)
            drawings, beyond = page.page.run("return [document.querySelectorAll('svg, table').length, document.documentElement.scrollWidth - innerWidth]")
            page.page.frame(None)
            check(status.startswith("Done"), f"{button}: {status}")
            check(drawings > 0 and beyond <= 0, f"{button} at {width}: {drawings} drawings and tables, {beyond} pixels beyond the frame")
            wide = page.page.run("return document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"{button}: {wide} pixels lie beyond a window of {width}")
            if look:
                page.page.screenshot(f"{look}/{button}-{width}.png", full=True)
    nameless = page.page.run("return [...document.querySelectorAll('button, select, input, summary, iframe, [tabindex=\"0\"]')].filter(e => !e.textContent.trim() && !e.ariaLabel && !e.title && !e.labels?.length).length")
    check(nameless == 0, f"{nameless} controls have no name")
    page.page.look(1280, 900)


def check_stop(page):
    page.fill(row="rank_sort", variant="", n="2^17", output="text", **MACHINE)
    page.page.run("byId('run').click()")
    time.sleep(0.5)
    page.page.run("byId('stop').click()")
    page.wait(5)
    check(page.page.run("return byId('status').textContent").startswith("Stopped"), "a run cannot be stopped")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("agpusim")
    parser.add_argument("--look", metavar="FOLDER")
    options = parser.parse_args()
    if not browser.available():
        print("skipped: no chromium or no chromedriver (Debian: chromium-driver)")
        return 77
    size = options.page.stat().st_size
    check(size < MOST_BYTES, f"the page has {size} bytes")
    with browser.Browser() as driver:
        driver.look(1280, 900)
        driver.open(options.page)
        page = Page(driver)
        status = driver.run("return byId('status').textContent")
        print(f"page: {size:,} bytes; {status} Shown after {driver.run('return document.body.dataset.drawn')} ms.")
        check_speed(page)
        check_pages(page, options.look)
        check_stop(page)
        check_counts(page, options.agpusim)
        check(driver.run("return performance.getEntriesByType('resource').every(entry => entry.name.startsWith('blob:'))"), "the page loads something")
        console = driver.console()
        check(not console, f"the console says: {console}")
    print(f"{len(problems)} problems")
    print("\n".join(problems), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
