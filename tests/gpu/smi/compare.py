#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what two nvidia-smi printed, and how long they take.

    compare.py FOLDER [VENDOR'S AXON'S]

FOLDER is what tests/gpu/smi.sh leaves: a folder for each state, with N.mode
(the words), N.vendor1 to 3, N.axon1 to 3, and N.replay for axon's from a
recording. A byte of a line that the vendor's program does not print the same
three times changes by itself, and so does one that differs among axon's three;
where it stands anything may stand. So may the digits of a figure that the
reading itself changes, or that moves slowly, within the bounds of MEASURED: they
are listed, and do not count. Every other line that differs is reported.

A recording is of another moment: of what is printed from it the words and the
layout are compared, and figures and what they are called by (Active, P0) are not.
Nor are times of day. With the two programs, the time of the table, of a query and
of all details is measured in turn, and the ratio given.

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


# Figures that two readers of one moment need not agree on, by how -q, its XML, a
# query or dmon calls them and what they look like: how far apart they may be, and why.
MEASURED = (
    (r"([TR]x Throughput|[tr]x_util) \d+ KB/s", 4096),  # KB/s: a reading crosses the bus itself; see traffic
    (r"[rt]xpci \d+", 4),  # MB/s
    (r"[TR]X_BYTES +\d+", float("inf")),  # bytes, since the GPU started
    (r"(.*Power Draw|power\.draw.*|\w+_power_draw|pwr) [\d.]+( W)?", 5),  # W
    (r"(.* Temp|temperature\.\w+|\w+_temp(_tlimit)?|gtemp|mtemp) \d+( C)?", 2),  # degrees
    (r"(Max|Min|Avg) [\d.]+ (%|W)|Number of Samples \d+|Duration [\d.]+ sec", 5),  # of samples of the last seconds: watts, percent, or how many
    (r"(GPU|utilization\.gpu|gpu_util) \d+ %|sm \d+", 5),  # percent
    (r"pci \d+", 8),  # replays of the link, which only grow
)
TRAFFIC = re.compile(r"(?:[TR]x Throughput +: |<[tr]x_util>)(\d+) KB/s")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
WORDS = re.compile(r"\b(?:Not Active|Active)\b")


def shapes(line):
    """What a line is but for its figures, once with and once without what they are filled up with: one of them is the same in a line of the same layout."""
    if line.startswith("status "):
        return line, line
    line = WORDS.sub("Active", line)
    padded = re.sub(r" *\d+(?:\.(\d+))?", lambda m: "#%d.%d" % (len(m[0]), len(m[1] or "")), line)
    return padded, re.sub(r"\d+(?:\.(\d+))?", lambda m: "#.%d" % len(m[1] or ""), line)


def like(line, other):
    return any(a == b for a, b in zip(shapes(line), shapes(other)))


def labelled(line, lines):
    """The parts of a line with what each is called: of -q, of XML, of dmon's columns or of a query's."""
    if m := re.fullmatch(r"\s*<(\w+)>(.*)</\1>", line):
        return [(m[1], m[2])]
    if m := re.fullmatch(r"\s*([^:|]+?) *: (.*)", line):
        return [(m[1], m[2])]
    if lines and lines[0].startswith("#"):
        names, parts = lines[0][1:].split(), line.split()
    else:
        names, parts = [n.split(" [")[0] for n in lines[0].split(", ")], line.split(", ")
    return list(zip(names, parts)) if len(names) == len(parts) else []


def traffic(state):
    """How far apart the vendor's own readings of the traffic on the bus are in a state, KB/s: modes run beside each other."""
    all = [int(n) for f in state.glob("*.vendor[123]") for n in TRAFFIC.findall(f.read_text("utf-8", "surrogateescape"))]
    return max(all, default=0) - min(all, default=0)


def measured(vendor, axon, lines, apart):
    """Whether two lines differ in nothing but figures of MEASURED within their bounds; apart is traffic's."""
    theirs, ours = labelled(vendor, lines), labelled(axon, lines)
    if not theirs or not like(vendor, axon) or len(theirs) != len(ours):
        return False
    for (name, v), (_, a) in zip(theirs, ours):
        if v == a:
            continue
        bound = next((far for label, far in MEASURED if re.fullmatch(label, f"{name} {v}")), None)
        if bound and TRAFFIC.search(vendor):
            bound = max(bound, apart)
        if bound is None or any(abs(float(x) - float(y)) > bound for x, y in zip(NUMBER.findall(v), NUMBER.findall(a))):
            return False
    return True


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


def layout(vendor, axon):
    """Lines of a recording's that are not as the vendor's but for figures."""
    theirs = mask(vendor)
    if theirs is not None and len(theirs) != len(axon):
        return [(0, "%d lines" % len(theirs), "%d lines" % len(axon))] + differences(vendor, [axon] * 3)
    versions = [v for v in vendor if len(v) == len(axon)]
    if not versions:
        return [(0, "%d lines" % len(vendor[0]), "%d lines" % len(axon))]
    found = []
    for i, line in enumerate(axon):
        if not any(like(v[i], line) for v in versions):
            found.append((i + 1, versions[0][i], line))
    return found


def compare(folder):
    same = differ = 0
    apart = []
    for state in sorted(p for p in folder.iterdir() if p.is_dir()):
        spread = traffic(state)
        for mode in sorted(state.glob("*.mode"), key=lambda p: int(p.stem)):
            words = mode.read_text().strip() or "(the table)"
            vendor = [read(state / f"{mode.stem}.vendor{i}") for i in (1, 2, 3)]
            axon = [read(state / f"{mode.stem}.axon{i}") for i in (1, 2, 3)]
            found = []
            for number, v, a in differences(vendor, axon):
                if number and measured(v, a, vendor[0], spread):
                    apart.append((f"{state.name}: {words}", v, a))
                else:
                    found.append((number, v, a))
            if found:
                show(f"{state.name}: {words}", found)
            replay = state / f"{mode.stem}.replay"
            from_recording = layout(vendor, read(replay)) if replay.exists() else []
            if from_recording:
                show(f"{state.name}: {words}, from the recording", from_recording)
            if found or from_recording:
                differ += 1
            else:
                same += 1
    if apart:
        print(f"{len(apart)} figures were read otherwise, within what is to be expected:")
        for words, v, a in apart:
            print(f"  {words}: {' '.join(v.split())} / {' '.join(a.split())}")
    print(f"{same} modes the same, {differ or 'none'} differ")
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
