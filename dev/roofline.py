#!/usr/bin/env python3
"""Draws the roofline of an H200 with bundled algorithms under it: python3 dev/roofline.py FILE.svg

The roof is of the device's constants. A point is a run: what `agpusim why` says that issue and bandwidth take alone are warp
instructions and bytes; the time is the measured one of the table.
"""

import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = [(row, "2^24") for row in ("vector_add", "reduce", "scan", "minmax", "transpose", "transpose:naive", "histogram", "scatter",
                                  "sorted_search", "bitonic_sort", "multiway_merge_sort")] + [("rank_sort", "2^16")]
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 680, 400, 64, 16, 16, 52
X, Y = (1e-3, 10), (1, 2000)  # warp instructions a byte; warp instructions a ns
ROOF, RUN, INK, GRID = "#0072b2", "#b45000", "#1c2024", "#d5d9de"


def point(row, n, issue_rate, bandwidth):
    name, _, variant = row.partition(":")
    command = ["agpusim", "why", name, "--n", n, "--json"] + (["--variant", variant] if variant else [])
    why = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    alone = {resource["resource"]: resource["alone_ms"] for resource in why["resources"]}
    instructions = alone["issue"] * issue_rate
    return row, instructions / (alone["bandwidth"] * bandwidth), instructions / why["measured_ms"]


def x_of(intensity):
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(intensity / X[0]) / math.log(X[1] / X[0])


def y_of(rate):
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(rate / Y[0]) / math.log(Y[1] / Y[0])


def main():
    constants = json.loads((ROOT / "validation/devices/h200.json").read_text(encoding="utf-8"))["constants"]
    issue_rate, bandwidth = (constants[name]["value"] for name in ("issue_rate", "bandwidth_read"))
    balance = issue_rate / bandwidth
    points = sorted((point(row, n, issue_rate, bandwidth) for row, n in RUNS), key=lambda p: -p[2])
    text = lambda x, y, anchor, what, colour=INK: f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{what}</text>'
    line = lambda a, b, c, d, style: f'<line x1="{x_of(a):.1f}" y1="{y_of(b):.1f}" x2="{x_of(c):.1f}" y2="{y_of(d):.1f}" {style}/>'
    parts = []
    for exponent in range(-3, 2):
        parts += [line(10.0**exponent, Y[0], 10.0**exponent, Y[1], f'stroke="{GRID}"'), text(x_of(10.0**exponent), HEIGHT - BOTTOM + 18, "middle", f"{10.0**exponent:g}")]
    for exponent in range(0, 4):
        parts += [line(X[0], 10**exponent, X[1], 10**exponent, f'stroke="{GRID}"'), text(LEFT - 8, y_of(10**exponent) + 4, "end", 10**exponent)]
    parts += [text((LEFT + WIDTH) / 2, HEIGHT - 10, "middle", "warp instructions for each byte moved"), text(LEFT + 6, TOP + 14, "start", "warp instructions a ns")]
    roof = f'stroke="{ROOF}" stroke-width="2"'
    parts += [line(X[0], X[0] * bandwidth, balance, issue_rate, roof), line(balance, issue_rate, X[1], issue_rate, roof)]
    parts += [text(x_of(X[1]) - 4, y_of(issue_rate) - 7, "end", f"issue: {issue_rate:,.0f} a ns", ROOF),
              text(x_of(0.02) - 8, y_of(0.02 * bandwidth), "end", f"bandwidth: {bandwidth:,.0f} GB/s", ROOF)]
    taken = []
    for row, intensity, rate in points:
        x, y = x_of(intensity), y_of(rate)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{RUN}"/>')
        width, label = 6.6 * len(row), y + 4
        right = x + 8 + width > WIDTH - RIGHT
        left = x - 8 - width if right else x + 8
        while any(abs(label - other) < 13 and left < end and begin < left + width for other, begin, end in taken):
            label += 3
        taken.append((label, left, left + width))
        name = text(x - 8 if right else x + 8, label, "end" if right else "start", row)
        parts.append(name.replace("<text", '<text paint-order="stroke" stroke="#ffffff" stroke-width="4"'))  # over lines
    told = "; ".join(f"{row} {intensity:.2g} a byte, {rate:.0f} a ns" for row, intensity, rate in points)
    pathlib.Path(sys.argv[1]).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12">\n<title>Roofline of an H200</title>\n'
        f"<desc>{bandwidth:,.0f} GB/s up to {balance:.2g} warp instructions a byte, then {issue_rate:,.0f} a ns. Runs: {told}.</desc>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
