#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what two nvidia-smi printed, and how long they take.

    compare.py FOLDER [VENDOR'S AXON'S]

FOLDER is what tests/gpu/smi.sh leaves: a folder for each state, with N.mode
(the words), N.vendor1 to 3, N.axon1 to 3, and N.replay for axon's from a
recording. A byte of a line that the vendor's
program does not print the same three times changes by itself, and so does one
that differs among axon's three; where it stands anything may stand. Reported is
every other line that differs. With the two programs, the time of the table, of
a query and of all details is measured in turn, and the ratio given.

A recording is of another moment, so its differences are shown and do not count. Nor do times of day.

Exit status 0: nothing differs.
"""

import pathlib
import re
import statistics
import subprocess
import sys
import time

ROUNDS = 21
TIMED = ([], ["--query-gpu=name,memory.used,utilization.gpu", "--format=csv"], ["-q"])


# The ways in which a time is written: of the table and of -q, of a query, of dmon.
MOMENTS = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d \d{4}"
    r"|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{3}|\d{8} +\d\d:\d\d:\d\d"
)


def read(path):
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    return MOMENTS.sub(lambda m: re.sub(r"[\w]", "#", m[0]), text).split("\n")


def mask(versions):
    """The lines of several outputs, each with None for a character that is not the same in all; None for no such lines."""
    if len({len(v) for v in versions}) != 1:
        return None
    lines = []
    for same in zip(*versions):
        width = min(len(s) for s in same)
        line = [same[0][i] if len({s[i] for s in same}) == 1 else None for i in range(width)]
        if len({len(s) for s in same}) != 1:
            line.append(None)  # what follows may be anything
        lines.append(line)
    return lines


def is_as(line, masked, other):
    """Whether a line is as a masked one of the vendor's says, but for what changes in either."""
    if line == "".join(c or "" for c in masked):
        return True
    loose = None in masked or None in other
    if not loose and len(line) != len(masked):
        return False
    for i, c in enumerate(masked):
        if c is None:
            if i == len(masked) - 1:
                return True
            continue
        if i < len(other) and other[i] is None:
            continue
        if i >= len(line) or line[i] != c:
            return False
    return True


def differences(vendor, axon):
    """Lines that differ, as (number, vendor's, axon's)."""
    theirs, ours = mask(vendor), mask(axon)
    if theirs is None or ours is None:
        # The number of lines changes by itself (a process came or went): the nearest pair is as good as it gets.
        return [] if any(v == a for v in vendor for a in axon) else [(0, "%d lines" % len(vendor[0]), "%d lines" % len(axon[0]))]
    out = []
    for i in range(max(len(theirs), len(ours))):
        if i >= len(theirs) or i >= len(ours):
            out.append((i + 1, vendor[0][i] if i < len(theirs) else "(no line)", axon[0][i] if i < len(ours) else "(no line)"))
        elif not is_as(axon[0][i], theirs[i], ours[i]):
            out.append((i + 1, vendor[0][i], axon[0][i]))
    return out


def compare(folder):
    same = differ = 0
    for state in sorted(p for p in folder.iterdir() if p.is_dir()):
        for mode in sorted(state.glob("*.mode"), key=lambda p: int(p.stem)):
            words = mode.read_text().strip() or "(the table)"
            vendor = [read(state / f"{mode.stem}.vendor{i}") for i in (1, 2, 3)]
            axon = [read(state / f"{mode.stem}.axon{i}") for i in (1, 2, 3)]
            found = differences(vendor, axon)
            if not found:
                same += 1
            else:
                differ += 1
                show(f"{state.name}: {words}", found)
            replay = state / f"{mode.stem}.replay"
            if replay.exists():
                found = differences(vendor, [read(replay)] * 3)
                if found:
                    show(f"{state.name}: {words}, from the recording", found)
    print(f"{same} modes the same, {differ} differ")
    return differ


def show(what, found):
    print(f"{what}: {len(found)} lines differ")
    for number, v, a in found[:12]:
        print(f"  {number:4} vendor {v!r}\n       axon   {a!r}")


def timed(program, words):
    begin = time.perf_counter()
    subprocess.run([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return time.perf_counter() - begin


def times(vendor, axon):
    for words in TIMED:
        v, a = [], []
        for _ in range(ROUNDS):
            v.append(timed(vendor, words))
            a.append(timed(axon, words))
        mv, ma = statistics.median(v), statistics.median(a)
        print(f"time of '{' '.join(words)}': vendor {mv * 1e3:.1f} ms, axon {ma * 1e3:.1f} ms, ratio {ma / mv:.2f}")


def main():
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    differ = compare(pathlib.Path(sys.argv[1]))
    if len(sys.argv) == 4:
        times(sys.argv[2], sys.argv[3])
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
