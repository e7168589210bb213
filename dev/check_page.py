#!/usr/bin/env python3
"""Checks the pages of agpusim in a headless Chromium: that of `analyze` with its numbers, keyboard, filters and downloads.

    python3 dev/check_page.py build/release/agpusim                          the checks; exit status 77 without Chromium
    python3 dev/check_page.py build/release/agpusim --look FOLDER            screenshots: wide, narrow, light, dark
    python3 dev/check_page.py build/release/agpusim --exec-page FILE         a picture of the page of examples/exec, as docs/exec-page.png; needs nvcc
    python3 dev/check_page.py build/release/agpusim --speed 10000            bytes and time of a page of so many synthetic rows
    python3 dev/check_page.py build/release/agpusim --step-speed             bytes and time of pages of `step`
"""

import argparse
import base64
import copy
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import browser

ENTER, LEFT, RIGHT, HOME, END, DATA = "\ue007", "\ue012", "\ue014", "\ue011", "\ue010", re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.DOTALL)
ANSWER = pathlib.Path(__file__).parents[1] / "exercises/pairs/solution.hpp"
PTX = str(ANSWER.parents[2] / "tests/ptx")
WIDTHS = ((1280, 800, False), (1280, 800, True), (390, 844, False), (390, 844, True))
PAPER = (1047, 718)  # of A4, landscape, without its margins
# Numbers of tables that a reader has to scroll to the right for.
OUTSIDE = """return [...document.querySelectorAll('th.number, td.number, .listing td, h1')].filter(cell => {
    const at = cell.getBoundingClientRect(), box = cell.closest('.scroll')?.getBoundingClientRect();
    return at.width > 0 && (at.right > innerWidth + 1 || (box && at.right > box.right + 1));
}).map(cell => `${cell.closest('.scroll')?.ariaLabel}: ${cell.textContent}`)"""
OTHERS = (
    ("run", "bitonic_sort", "--n", "2^14", "--by-line"),
    ("exec", "--", "./agpusim_cudart_program", "races"),
    ("ptx", f"{PTX}/fixtures/reduce.ptx", "--kernel", "reduce<256>", "--grid", "2048", "--block", "256", "--arg", "in:u32:2^20", "--arg", "out:u32:2048:zeros", "--arg", "1048576"),
    ("ptx", f"{PTX}/defects/unwritten.ptx", "--kernel", "reduce_tail_defect", "--grid", "1", "--block", "128", "--arg", "in:u32:100", "--arg", "out:u32:1:zeros", "--arg", "100"),
    ("why", "bitonic_sort", "--n", "2^20"),
    ("pram", "scan", "--n", "256", "--on-agpu"),
    ("bounds",),
    ("sweep", "scan", "reduce", "--n", "2^10..2^14"),
    ("validate",),
    ("exercise", "grade", "pairs.hpp"),
    ("compare", "bitonic_sort", "fused_bitonic_sort", "cub_radix_sort_keys", "--n", "2^12,2^16"),
    ("pipeline", "scan", "--n", "10^8", "--budget", "1GB"),
    ("experiment", "statistics"),
    ("experiment", "out-of-core"),
)
STEPS = (
    ("transpose", "--n", "16", "--b", "4", "--M", "64"),
    ("transpose", "--n", "16,64", "--b", "4,8", "--M", "256", "--variant", "naive,tiled,padded"),
    ("sum", "--n", "8"),
    ("bitonic_sort", "--n", "2^13"),
)
FINDING = 4  # the exit code of what is wrong in a program
problems = []


def check(holds, what):
    if not holds:
        problems.append(what)


def shown(text):
    """The number of a cell, and half a unit of its last digit; percentages as fractions."""
    digits = text.replace(",", "").replace("\u00a0%", "").replace("+", "")
    decimals = len(digits.partition(".")[2])
    scale = 0.01 if "%" in text else 1
    return float(digits) * scale, 0.5001 * 10**-decimals * scale


def check_number(text, expected, what):
    value, unit = shown(text)
    check(abs(value - expected) <= unit + 1e-7 * abs(expected), f"{what}: the page shows {text}, the JSON says {expected}")


def quantile(values, q):
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    below = math.floor(at)
    return ordered[below] + (at - below) * (ordered[min(below + 1, len(ordered) - 1)] - ordered[below])


def forms(analysis):
    """The rows of the JSON by algorithm and variant, as the page names them."""
    result = {}
    for group in analysis["algorithms"]:
        name = ":".join(part for part in (group["name"], group["variant"]) if part)
        result.setdefault(name, []).extend({**row, "type": group["type"]} for row in group["rows"])
    return result


def check_numbers(page, analysis):
    rows = [row for members in forms(analysis).values() for row in members]
    errors = [abs(row["error"]) for row in rows]
    cards = page.run("return Object.fromEntries([...document.querySelectorAll('[data-score]')].map(e => [e.dataset.score, e.querySelector('dd').textContent]))")
    check_number(cards["median"], analysis["summary"]["median"], "median error")
    check_number(cards["p90"], quantile(errors, 0.9), "90 % of the errors")
    check_number(cards["within"], statistics.mean(error <= 0.1 for error in errors), "share within 10 %")
    check_number(cards["spearman"], analysis["summary"]["spearman"], "rank correlation")
    check_number(cards["equal"], analysis["counters"]["equal"], "launches with equal counters")
    table = page.run("return [...document.querySelectorAll('#algorithms tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    by_name = {cells[0]: cells for cells in table}
    limited_by = {":".join(part for part in (score["algorithm"], score["variant"]) if part): score["limited_by"] for score in analysis["scores"]}
    check(len(table) == len(by_name), "an algorithm stands in the table twice")
    for name, members in forms(analysis).items():
        errors = [abs(row["error"]) for row in members]
        _, ratio, median, p90, within, count, limits, *_ = by_name[name]
        check_number(ratio, statistics.median(row["error"] + 1 for row in members), f"{name}: predicted / measured")
        check_number(median, statistics.median(errors), f"{name}: median error")
        check_number(p90, quantile(errors, 0.9), f"{name}: 90 % of the errors")
        check_number(within, statistics.mean(error <= 0.1 for error in errors), f"{name}: share within 10 %")
        check_number(count, len(members), f"{name}: rows")
        check(limits == limited_by[name], f"{name}: the page shows '{limits}', the JSON says '{limited_by[name]}'")
    return len(table)


def check_sorting(page):
    page.run("document.querySelectorAll('#algorithms thead button')[2].click()")
    cells = page.run("return [...document.querySelectorAll('#algorithms tbody tr')].map(r => r.cells[2].textContent)")
    medians = [shown(cell)[0] for cell in cells if cell != "\u2013"]
    check(medians == sorted(medians, reverse=True), f"sorted by median error, descending: {medians}")


def check_keyboard(page, name):
    page.run("document.querySelector(`#algorithms tr[data-form='${arguments[0]}'] a`).focus()", name)
    page.keys(ENTER)
    check(page.run("return document.activeElement.id") == "panel-title", "Enter on an algorithm does not lead to its panel")
    check(page.run("return document.activeElement.textContent") == name, f"the panel is not that of {name}")
    check(f"show={name.replace(':', '%3A')}" in page.run("return location.hash"), "the address does not name the chosen algorithm")
    for figure in ("predicted-measured", "time", "parts", "error", "count-T", "count-Q"):
        page.run("document.querySelector(`#${arguments[0]} .plot`).focus()", figure)
        page.keys(RIGHT)
        check(page.run("return !byId('tooltip').hidden && byId('tooltip').textContent.length > 10"), f"arrow keys show nothing of the figure {figure}")
    small = page.run("return [...document.querySelectorAll('button, select, a, summary, [tabindex=\"0\"]')].filter(e => !e.textContent.trim() && !e.ariaLabel).length")
    check(small == 0, f"{small} controls have no name")


def check_downloads(page, rows):
    page.run("window.files = {}; saveFile = (name, type, content) => { files[name] = content; }; document.querySelectorAll('figure button, .table button.small').forEach(button => button.click())")
    files = page.run("return files")
    for name in ("predicted-measured", "time", "parts", "error", "count-T", "count-Q"):
        image = files.get(f"{name}.svg", "")
        broken = page.run("return new DOMParser().parseFromString(arguments[0], 'image/svg+xml').querySelector('parsererror')?.textContent", image)
        check(image and broken is None and "var(" not in image, f"{name}.svg: {broken or 'absent, or with unresolved colours'}")
        check(files.get(f"{name}.csv", "").count("\n") > 1, f"{name}.csv is absent or empty")
    lines = files["predicted-measured.csv"].count("\n")
    check(lines == rows + 1, f"predicted-measured.csv has {lines} lines for {rows} rows")
    check("algorithms.csv" in files, "the table of algorithms cannot be saved")


def check_filter(page, analysis):
    rows = [row for members in forms(analysis).values() for row in members]
    for field in ("type", "limit"):
        value = rows[-1][field]
        name = {"limit": "limited by"}.get(field, field)
        found = page.run("const s = document.querySelector(`#filters select[name='${arguments[0]}']`); if (!s) return false; s.value = arguments[1]; s.dispatchEvent(new Event('change')); return true", name, value)
        if not found:
            check(len({row[field] for row in rows}) == 1, f"no filter of {name}")
            continue
        note = page.run("return document.querySelector('[data-score=within] dd:last-child').textContent")
        expected = sum(row[field] == value for row in rows)
        check(note == f"of {expected:,} runs", f"{name} = {value}: the page has '{note}', the JSON {expected} runs")
        page.run("document.querySelector('#filters button').click()")


def check_run(page):
    """The last bar says its part and stands on the others; the saved lines have their source."""
    page.run("document.querySelectorAll('#phases-2 .plot')[0].focus()")
    page.keys(END)
    tip = page.run("return byId('tooltip').textContent")
    check(re.search(r"^shared wavefrontsphase\d+time units[\d,]+", tip), f"run: the last bar says {tip}")
    heights = []
    for key in (END, LEFT, LEFT):
        page.keys(key)
        heights.append(float(page.run("return document.querySelector('#phases-2 .cursor circle').getAttribute('cy')")))
    check(heights[0] < heights[1] < heights[2], f"run: the parts of the last bar end at {heights}, downwards")
    page.run("window.files = {}; saveFile = (name, type, content) => { files[name] = content; }; document.querySelectorAll('.table button.small').forEach(button => button.click())")
    header = page.run("return files['table-2-1.csv'].split('\\n')[0]")
    check(header == "kernel,line,time units,of T,instructions,Q,sectors,wavefronts,conflicts,lanes,rounds,text", f"run: the saved lines have the columns {header}")


def check_in_sight(page, path, name):
    """Nothing lies beyond the width of a screen, a phone or a sheet of paper, no number beyond its table's box."""
    def check_width(where):
        page.run("document.querySelectorAll('details').forEach(part => { part.open = true; }); return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wide = page.run("return document.documentElement.scrollWidth - innerWidth")
        check(wide <= 0, f"{name}: {wide} pixels lie beyond {where}")
        outside = page.run(OUTSIDE)
        check(not outside, f"{name}: {len(outside)} numbers lie beyond {where}: {outside[:3]}")
    for width, height, dark in WIDTHS:
        page.look(width, height, dark)
        page.open(path)
        check_width(f"a window of {width}")
    page.look(*PAPER)
    page.cdp("Emulation.setEmulatedMedia", media="print")
    check_width("a sheet of paper")
    page.cdp("Emulation.setEmulatedMedia", media="")
    check_print(page, path, name)
    nameless = page.run("return [...document.querySelectorAll('svg')].filter(image => !image.closest('[aria-hidden=true]') && !(image.ariaLabel || image.querySelector(':scope > title')?.textContent.trim())).length")
    check(nameless == 0, f"{name}: {nameless} drawings have no name")
    check_shade(page, name)


def check_print(page, path, name):
    """What A4 upright, as a reader prints it, shows of each table is all that the table has."""
    if not shutil.which("pdftotext"):
        return
    page.look(1280, 800)
    page.open(path)
    sheet = path.with_name("sheet.pdf")
    sheet.write_bytes(base64.b64decode(page.cdp("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"]))
    printed = "".join(subprocess.run(["pdftotext", sheet, "-"], check=True, capture_output=True, text=True).stdout.split())
    numbers = page.run("return [...document.querySelectorAll('tr:not([hidden]) > .number')].map(cell => cell.textContent)")
    # Titles of several lines stand beside each other in the text, and a hyphen at a line's end is not in it.
    lost = {part for number in numbers for part in re.split(r"[\s-]+", number) if part not in printed}
    check(not lost, f"{name}: {len(lost)} numbers and words of titles are not printed: {sorted(lost)[:5]}")


def check_shade(page, name):
    """What can be scrolled has a shade at its edge."""
    bare = page.run("""return [...document.querySelectorAll('body *')].filter(box => {
        const { overflowX, overflowY, backgroundAttachment } = getComputedStyle(box), moves = way => way === 'auto' || way === 'scroll';
        return ((moves(overflowX) && box.scrollWidth > box.clientWidth + 1) || (moves(overflowY) && box.scrollHeight > box.clientHeight + 1)) && !backgroundAttachment.includes('local');
    }).map(box => box.className || box.tagName)""")
    check(not bare, f"{name}: these scroll, and do not show it: {bare}")


def check_first(page, name):
    """A sentence comes first, then what is wrong, then the source with its hottest line opened."""
    order = page.run("return [...document.querySelectorAll('main > *')].map(node => node.className + (node.querySelector('table.listing') ? ' source' : ''))")
    at = lambda kind: next((i for i, names in enumerate(order) if kind in names), len(order))
    check(at("alarm") < at("source") or at("alarm") == len(order), f"{name}: what is wrong stands below the costs: {order}")
    check(at("answer") < at("source") < len(order), f"{name}: no sentence before the source: {order}")
    opened = page.run("return [...document.querySelectorAll('.listing [aria-expanded=true]')].length")
    hot = page.run("return [...document.querySelectorAll('.listing tr.hot')].length")
    check(opened == hot == 1 or not opened, f"{name}: {hot} lines are the hottest, {opened} are opened")


def check_others(page, agpusim, folder):
    """The pages of other commands: drawn, nothing loaded, nothing wrong, nothing out of sight."""
    shutil.copy(ANSWER, pathlib.Path(folder) / "pairs.hpp")
    program = pathlib.Path(agpusim).with_name("agpusim_cudart_program")
    (pathlib.Path(folder) / program.name).symlink_to(program)
    for command in OTHERS:
        path = pathlib.Path(folder) / "other.html"
        name = " ".join(command[:2])
        end = command.index("--") if "--" in command else len(command)
        done = subprocess.run([agpusim, *command[:end], "--html", path, *command[end:]], check=False, capture_output=True, text=True, cwd=folder)
        check(done.returncode in (0, FINDING), f"{name}: exit code {done.returncode}: {done.stderr}")
        check_in_sight(page, path, name)
        if command[0] in ("run", "exec", "ptx"):
            check_first(page, name)
        if command[0] == "run":
            check_run(page)
        figures = page.run("return [...document.querySelectorAll('figure')].map(f => [f.id, f.querySelectorAll('svg g path').length])")
        check(command[0] in ("why", "exercise", "exec", "ptx") or figures, f"{name}: no figure")
        check(all(count > 0 for _, count in figures), f"{name}: empty figures: {figures}")
        raw = page.run("return document.querySelectorAll('table:not(.listing)').length - document.querySelectorAll('.table table').length")
        check(raw == 0, f"{name}: {raw} tables cannot be sorted or saved")
        check(page.run("return document.title !== 'agpusim: agpusim'"), f"{name}: no title")
        check(not page.run("return [...document.querySelectorAll('svg')].some(image => image.outerHTML.includes('NaN'))"), f"{name}: a drawing holds NaN")
        check(page.run("return performance.getEntriesByType('resource').length") == 0, f"{name}: the page loads something")
        console = page.console()
        check(not console, f"{name}: the console says: {console}")
        joined = page.run("return [...document.querySelectorAll('.table td, .table th')].filter(cell => cell.querySelector('code') && cell.textContent !== cell.querySelector('code').textContent).length")
        check(joined == 0, f"{name}: {joined} cells have a place and code in one")


def check_words_in_sight(page, agpusim, path):
    """The words of a conflict, or of blocks too many, are in sight without scrolling; of many lanes a part is shown that can be moved."""
    in_sight = """return [...document.querySelectorAll('#memory td.conflict, #memory td.write')].filter(word => {
        const at = word.getBoundingClientRect(), box = word.closest('.scroll').getBoundingClientRect();
        return at.left >= box.left && at.right <= box.right && at.top >= box.top && at.bottom <= Math.min(box.bottom, innerHeight);
    }).length"""
    lanes = lambda: page.run("return [...document.querySelectorAll('#lanes thead th')].slice(2).map(cell => Number(cell.textContent))")
    for command, steps in (("--n 64 --b 8 --M 1024 --variant tiled,naive", ("#run=0&step=36", "#run=0&step=54", "#run=1&step=21")), ("--n 1024 --b 32 --M 4096 --V 1024 --variant tiled", ("#step=15",))):
        subprocess.run([agpusim, "step", "transpose", *command.split(), "--html", path], check=True, capture_output=True)
        for width, height, least in ((1400, 900, 6), (390, 844, 2)):
            page.look(width, height)
            for step in steps:
                page.open(path, step)
                words = page.run(in_sight)
                check(words >= least, f"step transpose {command}, {step}: {words} accessed words are in sight in a window of {width} x {height}")
                wide = page.run("return document.documentElement.scrollWidth - innerWidth")
                check(wide <= 0, f"step transpose {command}, {step}: {wide} pixels lie beyond a window of {width}")
    check(lanes() == list(range(32)), f"step: of 1024 lanes are shown: {lanes()}")
    page.keys("lll" + "L")
    check(lanes() == list(range(64, 96)) and page.run("return document.getElementById('part').selectedOptions[0].textContent") == "64\u201395 of 1,024", f"step: later lanes are: {lanes()}")


def check_class(page, agpusim, folder):
    """The page of a class shows how many marks the answers have and links to a page for each, which shows the answer with what is wrong at its line."""
    answers, path = pathlib.Path(folder) / "answers", pathlib.Path(folder) / "class.html"
    right = ANSWER.read_text(encoding="utf-8")
    texts = {"ann": right, "bob": right.replace("    mp.sync();\n", "")}
    for student, text in texts.items():
        (answers / student).mkdir(parents=True)
        (answers / student / "pairs.hpp").write_text(text, encoding="utf-8")
    subprocess.run([agpusim, "exercise", "grade", answers, "--html", path, "--pages", path.with_name("pages")], check=True, capture_output=True)
    check_in_sight(page, path, "class")
    check(page.run("return document.querySelector('.answer').innerText").startswith("1 of 2 answers have all marks."), "class: no distribution of marks")
    links = page.run("return [...document.querySelectorAll('td a, th a')].map(link => decodeURI(link.getAttribute('href')))")
    check([pathlib.Path(link).name for link in links] == ["ann.pairs.html", "bob.pairs.html"], f"class: the links are {links}")
    for link, text, wrong in zip(links, texts.values(), (0, 1)):
        check_in_sight(page, path.parent / link, link)
        lines = page.run("return [...document.querySelectorAll('.listing code')].map(line => line.textContent)")
        check([line.strip() for line in lines] == [line.strip() for line in text.splitlines()], f"{link}: the page does not show the answer")
        found = page.run("return document.querySelectorAll('.listing tr.wrong').length")
        check(found == wrong, f"{link}: {found} lines are marked as wrong")


def check_steps(page, agpusim, folder):
    """The pages of `step`: keys, the address, what a step says, conflicts with their labels, names of all controls."""
    path = pathlib.Path(folder) / "step.html"
    status = lambda: page.run("return document.getElementById('status').textContent")
    sums = lambda: page.run("return document.getElementById('counts').textContent")
    subprocess.run([agpusim, "step", "transpose", "--n", "16", "--b", "4", "--M", "64", "--variant", "naive,tiled", "--html", path], check=True, capture_output=True)
    for width, dark in ((1280, False), (390, True)):
        page.look(width, 800, dark)
        page.open(path, "#run=1&step=0")
        wide = page.run("return document.documentElement.scrollWidth - innerWidth")
        check(wide <= 0, f"step: {wide} pixels lie beyond a window of {width}")
    check(status().startswith("Step 0 of 34: "), f"step: the address does not lead to step 0: {status()}")
    page.keys("c")
    check("4 wavefronts, 3 bank conflicts: bank 0 \u00d74" in status(), f"step: c leads to: {status()}")
    check_shade(page, "step")
    crowded = page.run("return [...document.querySelectorAll('th.conflict')].map(cell => cell.textContent)")
    check(crowded == ["0 \u00d74"], f"step: the bank of the conflict is labelled {crowded}")
    check("&step=24" in page.run("return document.getElementById('link').href"), "step: the link is not to the step that is shown")
    page.keys(END)
    check("conflicts 12 of 12" in sums() and "Q 8 of 8" in sums(), f"step: the sums at the end are: {sums()}")
    page.keys(HOME + RIGHT)
    check(status().startswith("Step 1 of 34: "), f"step: home and right lead to: {status()}")
    page.run("const choice = document.getElementById('axis-variant'); choice.value = 'naive'; choice.dispatchEvent(new Event('change'))")
    check("transpose_naive" in status(), f"step: another variant is not shown: {status()}")
    nameless = page.run("return [...document.querySelectorAll('button, select, input, a, svg, [tabindex=\"0\"]')].filter(e => !e.textContent.trim() && !e.ariaLabel && !e.labels?.length).length")
    check(nameless == 0, f"step: {nameless} controls have no name")
    check_words_in_sight(page, agpusim, path)
    subprocess.run([agpusim, "step", "sum", "--n", "8", "--html", path], check=True, capture_output=True)
    page.open(path)
    check(status() == "Step 1 of 1: add all: 8 processors, 8 reads, 8 writes; 1 cell with concurrent writes", f"step: a step of a PRAM is described as: {status()}")
    memory = page.run("return document.getElementById('memory').innerText")
    check("35" in memory and "8 write" in memory, f"step: eight writers of a cell are shown as: {memory}")
    console = page.console()
    check(not console, f"step: the console says: {console}")


def check_page(agpusim, extra):
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as page:
        path, analysis = analyze(agpusim, folder, extra)
        check_in_sight(page, path, "analyze")
        page.look(1280, 800)
        page.open(path)
        algorithms = check_numbers(page, analysis)
        rows = analysis["summary"]["rows"]
        check_sorting(page)
        check_keyboard(page, next(iter(forms(analysis))))
        check_downloads(page, rows)
        check_filter(page, analysis)
        check(page.run("return performance.getEntriesByType('resource').length") == 0, "the page loads something")
        console = page.console()
        check(not console, f"the console says: {console}")
        if not extra:
            check_others(page, agpusim, folder)
            check_class(page, agpusim, folder)
            check_steps(page, agpusim, folder)
        print(f"page: {algorithms} algorithms, {rows} rows, {path.stat().st_size} bytes, {len(problems)} problems")


def analyze(agpusim, folder, extra=()):
    """The page and the JSON of one analysis."""
    path = pathlib.Path(folder) / "report.html"
    done = subprocess.run([agpusim, "analyze", "--json", "--html", path, *extra], check=True, capture_output=True, text=True)
    return path, json.loads(done.stdout)


def with_rows(html, rows):
    """The page with its groups so often, under names of their own, that it has at least so many rows."""
    data = json.loads(DATA.search(html).group(2))
    groups = tuple(data["algorithms"])
    for number in range(1, math.ceil(rows / sum(len(group["rows"]) for group in groups))):
        for group in copy.deepcopy(groups):
            group["name"] += f"_{number}"
            for i, row in enumerate(group["rows"]):
                row["error"] += 0.03 * math.sin(number + i)
            data["algorithms"].append(group)
    return DATA.sub(lambda match: match.group(1) + json.dumps(data, separators=(",", ":")).replace("<", "\\u003c") + match.group(3), html)


def step_speed(page, agpusim, folder):
    """Of each page: the time of the command, bytes, and the time from opening it until its first step is drawn."""
    page.look(1280, 800)
    path = pathlib.Path(folder) / "step.html"
    for command in STEPS:
        begin = time.perf_counter()
        subprocess.run([agpusim, "step", *command, "--html", path], check=True, capture_output=True)
        made = time.perf_counter() - begin
        times = []
        for _ in range(5):
            page.open(path)
            times.append(page.run("return Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd)"))
        recorded = page.run("return data.runs.reduce((sum, r) => sum + (r.events ?? r.steps).length, 0)")
        print(f"step {' '.join(command)}: {recorded} steps, made in {made:.2f} s, {path.stat().st_size} bytes, shown after {statistics.median(times)} ms {times}")


def exec_page(page, agpusim, folder, path):
    """What a reader sees first of the page of examples/exec."""
    example = shutil.copytree(ANSWER.parents[2] / "examples/exec", pathlib.Path(folder) / "exec")
    subprocess.run([agpusim, "build", "--", "make", "-B"], check=True, capture_output=True, cwd=example)
    subprocess.run([agpusim, "exec", "--html", "page.html", "--", "./reduce", "1048576"], check=True, capture_output=True, cwd=example)
    page.look(1100, 720)
    page.open(example / "page.html")
    page.run("document.documentElement.style.overflow = 'hidden'")  # no scroll bar
    page.screenshot(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agpusim", type=os.path.abspath)
    parser.add_argument("--look", metavar="FOLDER")
    parser.add_argument("--exec-page", metavar="FILE")
    parser.add_argument("--speed", metavar="ROWS", type=int)
    parser.add_argument("--step-speed", action="store_true")
    options, extra = parser.parse_known_args()
    if not browser.available():
        print("skipped: no chromium or no chromedriver (Debian: chromium-driver)")
        return 77
    if options.step_speed or options.exec_page:
        with tempfile.TemporaryDirectory() as folder, browser.Browser() as page:
            if options.step_speed:
                step_speed(page, options.agpusim, folder)
            else:
                exec_page(page, options.agpusim, folder, options.exec_page)
        return 0
    if not (options.look or options.speed):
        check_page(options.agpusim, extra)
        print("\n".join(problems), file=sys.stderr)
        return 1 if problems else 0
    with tempfile.TemporaryDirectory() as folder, browser.Browser() as page:
        path, analysis = analyze(options.agpusim, folder, extra)
        chosen = "#show=" + next(iter(forms(analysis)))
        if options.look:
            for name, width, height in (("wide", 1280, 800), ("phone", 390, 844)):
                for theme in ("light", "dark"):
                    page.look(width, height, theme == "dark")
                    page.open(path)
                    page.screenshot(f"{options.look}/{name}-{theme}.png")
                    page.open(path, chosen)
                    page.screenshot(f"{options.look}/{name}-{theme}-algorithm.png", full=True)
        if options.speed:
            large = path.with_name("large.html")
            large.write_text(with_rows(path.read_text(encoding="utf-8"), options.speed), encoding="utf-8")
            page.cdp("Performance.enable", timeDomain="threadTicks")
            page.look(1280, 800)
            times, work = [], []
            for _ in range(5):
                page.open(large)
                times.append(page.run("return Number(document.body.dataset.drawn)"))
                work.append(round(1e3 * next(metric["value"] for metric in page.cdp("Performance.getMetrics")["metrics"] if metric["name"] == "TaskDuration")))
            print(f"{options.speed} rows: {large.stat().st_size} bytes, drawn after {statistics.median(times)} ms {times}; the page's thread works {statistics.median(work)} ms {work}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
