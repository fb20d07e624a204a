# SPDX-License-Identifier: Apache-2.0
"""Sessions that come and go, well and badly, and that nothing of them is left:
no process, descriptor, memory file, socket, file, control group, goroutine of
axond's, nor memory of the GPU."""

import array
import collections
import concurrent.futures
import glob
import os
import random
import re
import signal
import socket
import struct
import subprocess
import threading
import time

import crowd
import sides

AT_ONCE = 16


# --- what is there

def children(pid):
    """Processes whose parent it is and that have not ended."""
    found = []
    for d in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % d) as f:
                state, parent = f.read().rsplit(")", 1)[1].split()[:2]
        except (OSError, IndexError):
            continue
        if d.isdigit() and int(parent) == pid and state != "Z":
            found.append(int(d))
    return found


def ours(many):
    """Processes of this run's: they have its folder in their environment or arguments."""
    mark, found = many.scratch.encode(), set()
    for d in os.listdir("/proc"):
        for name in ("environ", "cmdline"):
            try:
                with open("/proc/%s/%s" % (d, name), "rb") as f:
                    if mark in f.read() and int(d) != os.getpid():
                        found.add(int(d))
            except (OSError, ValueError):
                pass
    return found


def descriptors(pid):
    """How many of each kind a process has open."""
    count = collections.Counter()
    for fd in os.listdir("/proc/%d/fd" % pid):
        try:
            name = os.readlink("/proc/%d/fd/%s" % (pid, fd))
        except OSError:
            continue
        count[re.sub(r"[:\[]?\[?\d+\]?$", "", name)] += 1
    return count


def files(many):
    """Files that a session could leave: in this run's folders, and those named after axon where all put theirs."""
    found = [os.path.join(d, f) for d, _, fs in os.walk(many.scratch) for f in fs]
    found += [f for f in glob.glob("/dev/shm/*axon*") + glob.glob("/tmp/*axon*") + glob.glob("/run/axon*/*")
              # Those of other runs of these tests, here at the same time.
              if not re.match(r"/tmp/axon-(\d|many-|measure-|vm|test|confined-)", f)]
    return set(found)


def scopes(pid):
    """Control groups named after axon, below a process's own and beside it."""
    with open("/proc/%d/cgroup" % pid) as f:
        own = [l.strip().split(":", 2)[2].lstrip("/") for l in f if l.startswith("0::")]
    return {d for o in own for up in (o, os.path.dirname(o)) for d in glob.glob(os.path.join("/sys/fs/cgroup", up, "*axon*"))}


def free_memory(many, machine):
    """Bytes of the GPU's memory that are free, by the vendor's own word."""
    return int(many.digest(machine, ["memory"]).split()[1])


class Here:
    """What is there at a moment without sessions."""

    def __init__(self, many, machine):
        pid = machine.axond.pid
        self.workers = len(children(pid))
        self.processes = len(ours(many))
        self.fds = descriptors(pid)
        self.files = files(many) | scopes(pid)
        with open("/proc/net/unix") as f:
            self.sockets = sum(machine.socket in l for l in f)

    def more_than(self, before):
        """What is there that was not, as text; "" for nothing."""
        more = []
        for name in ("workers", "processes", "sockets"):
            if getattr(self, name) > getattr(before, name):
                more.append("%s: %d, before %d" % (name, getattr(self, name), getattr(before, name)))
        for kind in self.fds:
            if self.fds[kind] > before.fds[kind]:
                more.append("descriptors of axond's, %s: %d, before %d" % (kind, self.fds[kind], before.fds[kind]))
        more += ["file or control group " + f for f in sorted(self.files - before.files)]
        return "; ".join(more)


def settle(many, machine, before, limit=30):
    """Waits until no more is there than before; what is there all the same, as text."""
    deadline = time.monotonic() + limit
    while True:
        more = Here(many, machine).more_than(before)
        if not more or time.monotonic() > deadline:
            return more
        time.sleep(0.05)


def goroutines(many, *flags, axond=None):
    """How many an axond has: one that is given, or one that has had one session. It ends by that."""
    machine = axond or many.machine(*flags)
    try:
        if not axond:
            many.axon(machine, ["open"])
            warm_again(machine)
        machine.axond.send_signal(signal.SIGQUIT)  # Go's way to say where each of them is
        machine.axond.wait(20)
        with open(machine.log, errors="replace") as f:
            each = re.split(r"^(?=goroutine \d)", f.read(), flags=re.M)[1:]
        # The runtime's own come when they are needed, and stay. What they wait for does not tell them all from others.
        own = re.compile(r"^created by runtime\.|^goroutine 0 ", re.M)
        state = re.compile(r"goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[([^,\]]*)")
        return [state.match(g).group(1) for g in each if not own.search(g)]
    finally:
        if not axond:
            machine.close()


def warm_again(machine, limit=60):
    """Waits until axond has all its warm workers: their number does not change for a second."""
    deadline, since, was = time.monotonic() + limit, time.monotonic(), None
    while time.monotonic() < deadline:
        now = sorted(children(machine.axond.pid))
        if now != was:
            was, since = now, time.monotonic()
        elif time.monotonic() - since > 1:
            return
        time.sleep(0.02)


# --- ends

def well(many, machine, draw):
    got = many.axon(machine, [many.small])
    return "" if got == many.small_digest else "its work came out as %r" % got


def leaves_at_work(many, machine, draw):
    got = many.axon(machine, ["busy", "leave"])
    return "" if got == "busy 0\n" else "it printed %r" % got


def killed(many, machine, draw):
    """At any moment, also before its session is there."""
    l = crowd.Load(many, machine, words=[many.small] * 50)
    time.sleep(draw.random() * many.typical * 1.5)
    l.close(signal.SIGKILL)
    return ""


def worker_killed(many, machine, draw):
    l = crowd.Load(many, machine)
    try:
        l.tell("open")
        worker = sides.worker_of(l.p.pid)
        if draw.random() < 0.5:
            l.ask("work 1 1000 1")
            time.sleep(draw.random() * 0.02)
        os.kill(worker, signal.SIGKILL)
        l.ask("wait")
        while True:
            got = l.answer()
            if got.startswith("wait"):
                return "" if got == "wait 46" else "its worker was killed, and it got %s" % got
    except sides.Broken as e:
        # The work that was under way says so in its own words.
        return "" if "gave 46" in str(e) else str(e)
    finally:
        l.close()


def faults(many, machine, draw):
    got = many.axon(machine, ["fault illegal"])
    return "" if got == "fault 700 700 700 700\n" else "its fault gave %r" % got


def connection(machine):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(20)
    s.connect(machine.socket)
    return s


def half_open(many, machine, draw):
    with connection(machine):
        time.sleep(draw.random() * 0.1)
    return ""


def refused(many, machine, draw):
    """A first word that is none, with descriptors of several kinds and numbers."""
    word = draw.choice([b"GET / HTTP/1.1", bytes(32), draw.randbytes(32), struct.pack("<II16sII", 0x4e4f5841, 1, bytes(16), 1, 0),
                        struct.pack("<II16sII", 0x4e4f5841, 1, bytes(16), 1, 1 << 30) + draw.randbytes(2000), draw.randbytes(70000)])
    with open("/dev/null") as null, connection(machine) as s:
        fds = draw.choice([[], [null.fileno()], [null.fileno(), s.fileno()], [s.fileno()] * 9])
        try:
            s.sendmsg([word], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else [])
            answer = s.recv(65536)
        except OSError as e:
            return "" if len(word) > 65536 else "a hello that is none is not answered: %s" % e
        if len(answer) < 20 or not struct.unpack_from("<III", answer)[2]:
            return "a hello that is none got the answer %r" % answer
    return ""


# How a session ends, and how many of a hundred do.
ENDS = [(well, 38), (killed, 26), (leaves_at_work, 8), (worker_killed, 7), (faults, 5), (half_open, 8), (refused, 8)]


def sessions(many):
    many.small = "work 7 3 1"
    half = many.options.sessions // 2
    for flags, what in ((("--warm", "0"), "without warm workers"), (("--warm", "2"), "with two warm workers")):
        expected = len(goroutines(many, *flags))
        machine = many.machine(*flags)
        try:
            one_half(many, machine, what, half, expected)
        finally:
            machine.close()


def one_half(many, machine, what, n, expected):
    many.small_digest = many.digest(machine, [many.small])
    draw = random.Random(many.options.seed)
    began = time.monotonic()
    well(many, machine, draw)
    many.typical = time.monotonic() - began
    warm_again(machine)
    memory, used, apps = free_memory(many, machine), many.smi("memory.used"), many.smi("pid", "compute-apps")
    before = Here(many, machine)
    left_open = [connection(machine) for _ in range(8)]  # axond drops them after 5 s
    count, wrong, lock = collections.Counter(), [], threading.Lock()
    began = time.monotonic()

    def one(i):
        if time.monotonic() - began > many.options.sessions_seconds / 2:
            return
        own = random.Random(many.options.seed * 100000 + i)
        end = own.choices([e for e, _ in ENDS], [w for _, w in ENDS])[0]
        try:
            text = end(many, machine, own)
        except (sides.Broken, OSError, subprocess.SubprocessError) as e:
            text = "%s: %s" % (type(e).__name__, e)
        with lock:
            count[end.__name__] += 1
            if text:
                wrong.append("%s: %s" % (end.__name__, text))

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, range(n)))
    seconds = time.monotonic() - began
    for s in left_open:
        s.close()
    warm_again(machine)
    more = settle(many, machine, before)
    done = sum(count.values())
    many.found("sessions", what + ": each session is as if it were alone", not wrong and done > 0, "%d of %d in %.1f s (%s)%s" % (
        done, n, seconds, ", ".join("%s %d" % (k.replace("_", " "), v) for k, v in sorted(count.items())),
        "; %d wrong: %s" % (len(wrong), "; ".join(wrong[:5])) if wrong else ""), sessions=done, seconds=round(seconds, 1))
    many.found("sessions", what + ": no process, descriptor, socket, file or control group is left", not more,
               more or "%d workers, %d descriptors, as before" % (before.workers, sum(before.fds.values())))
    # The vendor's driver frees memory of processes that were killed a moment later.
    deadline = time.monotonic() + 20
    # Some pages it keeps for itself; a session that stays is hundreds of MiB.
    enough = memory if many.software else memory - (4 << 20)
    while (after := free_memory(many, machine)) < enough and time.monotonic() < deadline:
        time.sleep(0.2)
    text = "%.1f MiB free, before %.1f" % (after / 1048576, memory / 1048576)
    if used is not None:
        text += "; nvidia-smi: %s MiB used, before %s; compute processes %s, before %s" % (
            many.smi("memory.used"), used, len(many.smi("pid", "compute-apps") or []), len(apps or []))
    many.found("sessions", what + ": the GPU has its memory back", after >= enough, text)
    now = goroutines(many, axond=machine)
    many.found("sessions", what + ": axond has no goroutine more", len(now) <= expected, "%d, after one session %d%s" % (
        len(now), expected, "" if len(now) <= expected else ": %s" % dict(collections.Counter(now))))
