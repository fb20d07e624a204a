# SPDX-License-Identifier: Apache-2.0
"""A soak: programs come and go, well and badly, beside long-lived ones that copy,
allocate, launch, load and call back all the time. Now and then all is quiet for
a moment and is weighed: nothing may grow."""

import concurrent.futures
import os
import random
import re
import signal
import subprocess
import time

import crowd
import leftovers
import sides

LONG_LIVED = 3
COMING = 2        # programs that come and go, at once
WEIGHINGS = 30    # in a soak that is long enough
WARM_UP = 1 / 3   # of the weighings: allocators get their arenas, tables their first pages, names go round once

# What may be more at the end than after the warm-up, by the fitted line. KiB of memory: an allocator that
# returns memory late, and Go's collector, which lets a heap of 4 MiB double, move by this much and come back. One
# page lost with every piece of work or with every session is beyond it after seconds, and 100 bytes after minutes.
GROWTH = {"axond KiB": 4096, "worker KiB": 1536,
          # With what is recorded by the names of a thousand functions and nodes, until those go round.
          "client KiB": 2560,
          # What a piece of pinned memory takes. (One that is lost with every tenth piece of work is beyond it after seconds.)
          "region KiB": 256,
          # A page of the program's that was registered once keeps a mapping of its own: there are as many as its heap has pages.
          "client mappings": 192,
          # A thread of Go's runtime stays when it was once needed.
          "axond threads": 3, "axond descriptors": 0.5, "worker threads": 0.5, "worker descriptors": 0.5, "client threads": 0.5,
          "client descriptors": 0.5, "worker mappings": 8, "workers": 0.5}

# Slots of names, at most, whatever the line: of the kinds whose names the worker gives so many rest before they are
# used again (handles.c), and some are in use.
NAMES = LONG_LIVED * (1024 + 256)


def anonymous(pid):
    """KiB of memory of its own."""
    with open("/proc/%d/status" % pid) as f:
        return int(re.search(r"^RssAnon:\s*(\d+) kB", f.read(), re.M).group(1))


def region(pid):
    """KiB that the session's memory file has."""
    for fd in os.listdir("/proc/%d/fd" % pid):
        path = "/proc/%d/fd/%s" % (pid, fd)
        if "memfd:axon-region" in os.readlink(path):
            return os.stat(path).st_blocks // 2
    return 0


def lines(path):
    with open(path) as f:
        return sum(1 for _ in f)


def weigh(machine, loads, workers):
    """Everything that may not grow, the sum over the long-lived ones."""
    axond = machine.axond.pid
    w = {"axond KiB": anonymous(axond), "axond threads": len(os.listdir("/proc/%d/task" % axond)),
         "axond descriptors": sum(leftovers.descriptors(axond).values()), "workers": len(leftovers.children(axond))}
    for who, pids in (("client", [l.p.pid for l in loads]), ("worker", workers)):
        w[who + " KiB"] = sum(anonymous(p) for p in pids)
        w[who + " threads"] = sum(len(os.listdir("/proc/%d/task" % p)) for p in pids)
        w[who + " descriptors"] = sum(sum(leftovers.descriptors(p).values()) for p in pids)
        w[who + " mappings"] = sum(lines("/proc/%d/maps" % p) for p in pids)
    w["region KiB"] = sum(region(p) for p in workers)
    w["names"] = sum(int(l.tell("names").split()[1]) for l in loads)
    return w


def growth(weighings, what):
    """From the first to the last by the line through all (least squares)."""
    values = [w[what] for w in weighings]
    n = len(values)
    x, y = (n - 1) / 2, sum(values) / n
    return (n - 1) * sum((i - x) * (v - y) for i, v in enumerate(values)) / sum((i - x) ** 2 for i in range(n))


def soak(many):
    machine = many.machine("--warm", "0")
    loads, native = [], None
    seconds, wrong = many.options.soak_seconds, []
    step = max(seconds / WEIGHINGS, 0.6)
    weighings, natively, rounds, came = [], [], 0, 0
    try:
        many.small = "work 7 3 1"
        many.small_digest = many.digest(machine, [many.small])
        many.typical = 0.1 if many.software else 0.6
        # How much the vendor's library itself grows is seen at a program that has it to itself.
        native = crowd.Load(many, machine, "native")
        native.tell("open")
        loads = crowd.opened(many, machine, LONG_LIVED)
        workers = [sides.worker_of(l.p.pid) for l in loads]
        work = "work %d 50 4" % many.options.seed
        want = many.digest(machine, [work]).strip()
        # Much of what grows to a bound is there after this: a lane's areas, names.
        for l in loads + [native]:
            if l.tell("large", 120) != "large 0":
                raise sides.Broken("a large copy came back wrong")
            l.ask("work %d %d 1" % (many.options.seed, 5000 if many.software else 1500))
        for l in loads + [native]:
            l.answer(120)
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(COMING) as pool:
            while time.monotonic() - began < seconds and not wrong:
                until = time.monotonic() + step

                def come_and_go(i):
                    draw, text, n = random.Random(many.options.seed + i), "", 0
                    while time.monotonic() < until and not text:
                        end = draw.choices([e for e, _ in leftovers.ENDS], [w for _, w in leftovers.ENDS])[0]
                        try:
                            text = end(many, machine, draw)
                        except (sides.Broken, OSError, subprocess.SubprocessError) as e:
                            text = "%s: %s" % (type(e).__name__, e)
                        text, n = text and "%s: %s" % (end.__name__, text), n + 1
                    return text, n

                coming = [pool.submit(come_and_go, len(weighings) * COMING + i) for i in range(COMING)]
                while time.monotonic() < until:
                    for l in loads + [native]:
                        l.ask(work)
                    got = [l.answer(120) for l in loads + [native]]
                    rounds += 1
                    wrong += ["%s, not %s" % (g, want) for g in got if g != want]
                for c in coming:
                    text, n = c.result()
                    came += n
                    wrong += [text] if text else []
                deadline = time.monotonic() + 30
                while len(leftovers.children(machine.axond.pid)) > LONG_LIVED and time.monotonic() < deadline:
                    time.sleep(0.01)
                weighings.append(weigh(machine, loads, workers))
                natively.append({"worker KiB": anonymous(native.p.pid), "worker mappings": lines("/proc/%d/maps" % native.p.pid)})
        took = time.monotonic() - began
        many.found("soak", "all that came, and all that stayed, computed what they should", not wrong,
                   "%d programs came and went, %d long-lived ones did %d rounds of work each, in %.0f s%s" % (
                       came, LONG_LIVED, rounds, took, "; wrong: " + "; ".join(wrong[:5]) if wrong else ""))
        many.found("soak", "each long-lived program leaves in peace", not any(c := crowd.close_all(loads)), "statuses %s" % sorted(set(c)))
        loads = []
        first = int(len(weighings) * WARM_UP)
        kept = weighings[first:]
        if len(kept) < 5:
            many.found("soak", "it was long enough to see growth", False, "only %d weighings after the warm-up" % len(kept))
            return
        for k, most in sorted(GROWTH.items()):
            grown, text = growth(kept, k), ""
            if k in natively[0]:  # what the vendor's library keeps natively, it keeps in a worker
                alone = growth(natively[first:], k)
                most, text = most + LONG_LIVED * max(alone, 0), ", a native program alone %+.1f" % alone
            many.found("soak", "no growth: " + k, grown <= most, "%+.1f by the line through %d weighings (at most %.1f), last %d%s" % (
                grown, len(kept), most, kept[-1][k], text), values=[w[k] for w in weighings])
        names = kept[-1]["names"]
        many.found("soak", "names are used again", names <= NAMES, "%d slots (at most %d)" % (names, NAMES))
    finally:
        crowd.close_all(loads, signal.SIGKILL)
        if native:
            native.close(signal.SIGKILL)
        machine.close()
