#!/usr/bin/env python3
"""million_points.py POINTS FILE: writes the points of `agpusim sweep --out POINTS` again under 10^6 seeds in all, each line with its
digest (FNV-1a), so that it can be seen what a long file costs. Needs NumPy."""
import re
import sys

import numpy

lines = open(sys.argv[1]).read().splitlines()
seeds = range(10**6, 10**6 + 10**6 // len(lines))  # all of one length
with open(sys.argv[2], "wb") as out:
    for line in lines:
        digest = re.search(r'"digest":"[0-9a-f]{16}",', line)
        body = line[:digest.start()] + line[digest.end():]
        body = re.sub(r'seed\\":\d+', r'seed\\":#######', body).encode()
        place = body.index(b"#######")
        bodies = numpy.tile(numpy.frombuffer(body, dtype=numpy.uint8), (len(seeds), 1))
        bodies[:, place:place + 7] = numpy.array([list(str(seed).encode()) for seed in seeds], dtype=numpy.uint8)
        hashes = numpy.full(len(seeds), 0xcbf29ce484222325, dtype=numpy.uint64)
        for byte in bodies.T:
            hashes = (hashes ^ byte) * numpy.uint64(0x100000001b3)
        for row, value in zip(bodies, hashes):
            out.write(row[:digest.start()].tobytes() + b'"digest":"%016x",' % value + row[digest.start():].tobytes() + b"\n")
