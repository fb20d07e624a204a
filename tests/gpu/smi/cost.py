# SPDX-License-Identifier: Apache-2.0
"""What NVIDIA's nvidia-smi and axon's cost: cost.py VENDOR-SMI AXON-SMI AXOND-PID.
Time and processor time of a start from nothing, in turn, and processor time of a
loop of --query-gpu. axon's includes what axond and its workers take for it.
Exit status 0: the goals are met."""

import os
import statistics
import subprocess
import sys
import time

TICKS = os.sysconf("SC_CLK_TCK")
MODES = [[], ["--query-gpu=name,memory.used,utilization.gpu,temperature.gpu,power.draw", "--format=csv"], ["-q"]]
STARTS, LOOPS, EVERY = 15, 40, 100  # starts of each; rounds of the loop, ms between them
vendor, axon, axond = sys.argv[1], sys.argv[2], int(sys.argv[3])


def family(pid):
    """Processor seconds of axond and of the workers that it has."""
    total, found = 0, [pid]
    while found:
        p = found.pop()
        try:
            with open("/proc/%d/stat" % p) as f:
                total += sum(map(int, f.read().rpartition(")")[2].split()[11:13])) / TICKS
            threads = os.listdir("/proc/%d/task" % p)
        except OSError:
            continue  # it has ended
        for thread in threads:
            try:
                with open("/proc/%d/task/%s/children" % (p, thread)) as f:
                    found += map(int, f.read().split())
            except OSError:
                pass  # the thread has ended
    return total


def run(smi, arguments, seconds=None):
    """Wall time and processor time of one run."""
    before, began = family(axond), time.monotonic()
    p = subprocess.Popen([smi] + arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    if seconds:
        time.sleep(seconds)
        if os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            sys.exit("%s %s has ended by itself" % (smi, " ".join(arguments)))
        p.terminate()
    _, status, usage = os.wait4(p.pid, 0)
    took = time.monotonic() - began
    if not seconds and status:
        sys.exit("%s %s: status %d" % (smi, " ".join(arguments), status))
    return took, usage.ru_utime + usage.ru_stime + (family(axond) - before if smi == axon else 0)


if not os.path.exists("/proc/%d/task/%d/children" % (axond, axond)):
    sys.exit("this kernel does not tell which processes axond has started (CONFIG_PROC_CHILDREN)")
met = True


def say(what, native, ours, unit, goal):
    global met
    ratio = ours / native
    met = met and ratio <= goal
    print("%-64s native %8.2f %s, axon %8.2f %s: x%.2f, goal <=%.2f %s"
          % (what, native, unit, ours, unit, ratio, goal, "met" if ratio <= goal else "MISSED"), flush=True)


for arguments in MODES:
    took = {vendor: [], axon: []}
    cost = {vendor: [], axon: []}
    for i in range(STARTS + 1):
        for smi in (vendor, axon) if i % 2 else (axon, vendor):
            t, c = run(smi, arguments)
            if i:  # the first one finds files that are not in memory
                took[smi].append(t * 1e3)
                cost[smi].append(c * 1e3)
    name = " ".join(arguments)[:40] or "(the table)"
    say(name + ", from its start to its end", statistics.median(took[vendor]), statistics.median(took[axon]), "ms", 0.8)
    say(name + ", processor time", statistics.mean(cost[vendor]), statistics.mean(cost[axon]), "ms", 1)
loop = MODES[1] + ["-lms", str(EVERY)]
per = {smi: [run(smi, loop, LOOPS * EVERY / 1e3)[1] * 1e3 / LOOPS for _ in range(3)] for smi in (vendor, axon)}
say("--query-gpu every %d ms, processor time of a round" % EVERY, statistics.median(per[vendor]), statistics.median(per[axon]), "ms", 1)
sys.exit(not met)
