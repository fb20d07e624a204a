# SPDX-License-Identifier: Apache-2.0
"""Programs at once on one GPU: that each gets its own right results, also while
another one faults."""

import os
import re
import select
import signal
import tempfile
import time

import sides


class Load:
    """tests/programs/load.c, doing what it is told."""

    def __init__(self, many, machine, side="axon", words=()):
        self.machine = machine
        self.err = tempfile.TemporaryFile()
        self.p = machine.start(side, [many.load] + list(words), False, None, bufsize=0, stdin=-1, stdout=-1, stderr=self.err)
        self.rest = b""

    def ask(self, line):
        try:
            self.p.stdin.write(line.encode() + b"\n")
        except BrokenPipeError:
            pass  # the answer says more

    def answer(self, limit=60):
        """The next line; Broken if there is none."""
        deadline = time.monotonic() + limit
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.p.stdout], [], [], left)[0]:
                raise sides.Broken("a program does not answer in %.0f s; %s" % (limit, self.said()))
            chunk = os.read(self.p.stdout.fileno(), 4096)
            if not chunk:
                raise sides.Broken("a program ended with status %s; %s" % (self.p.wait(), self.said()))
            self.rest += chunk
        line, self.rest = self.rest.split(b"\n", 1)
        line = line.decode(errors="replace")
        if line.startswith("FAILED"):
            raise sides.Broken(line)
        return line

    def tell(self, line, limit=60):
        self.ask(line)
        return self.answer(limit)

    def said(self):
        self.err.seek(0)
        return self.err.read().decode(errors="replace").strip()[-300:]

    def close(self, how=None):
        """Ends it: by the end of its input, or by a signal."""
        if how:
            os.kill(self.p.pid, how)
        self.p.stdin.close()
        try:
            self.p.wait(60)
        finally:
            sides.end_group(self.p)
            self.machine.running.discard(self.p)
            self.p.stdout.close()
            self.err.close()
        return self.p.returncode


def works(many):
    """Sixteen different amounts of work, from many small pieces to few large ones."""
    larger = 1 if many.software else 16
    return ["work %d %d %d" % (many.options.seed * 1000 + i, (120, 60, 30, 15)[i % 4], (1, 4, 16, 64)[i % 4] * larger)
            for i in range(many.options.programs)]


def opened(many, machine, n):
    """n programs that have their sessions, all at once."""
    loads = [Load(many, machine) for _ in range(n)]
    try:
        for l in loads:
            l.ask("open")
        for l in loads:
            l.answer()
    except BaseException:
        close_all(loads, signal.SIGKILL)
        raise
    return loads


def close_all(loads, how=None):
    return [l.close(how) for l in loads]


def together(many):
    machine = many.machine("--warm", "0")
    loads = []
    try:
        work = works(many)
        alone = [many.digest(machine, [w]).strip() for w in work]
        loads = opened(many, machine, len(work))
        workers = len({sides.worker_of(l.p.pid) for l in loads})
        rounds, wrong = 2, []
        began = time.monotonic()
        for _ in range(rounds):
            for l, w in zip(loads, work):
                l.ask(w)
            for i, l in enumerate(loads):
                try:
                    got = l.answer(120)
                    if got != alone[i]:
                        wrong.append("%s: %s, alone %s" % (work[i], got, alone[i]))
                except sides.Broken as e:
                    wrong.append("%s: %s" % (work[i], e))
        seconds = time.monotonic() - began
        many.found("together", "programs at once compute what each computes alone on the vendor's library", not wrong and
                   workers == len(work), "%d programs, %d workers, %d rounds in %.1f s%s" % (
                       len(work), workers, rounds, seconds, "; wrong: " + "; ".join(wrong[:4]) if wrong else ""))
        codes = close_all(loads)
        loads = []
        many.found("together", "each of them leaves in peace", not any(codes), "statuses %s" % sorted(set(codes)))
    finally:
        close_all(loads, signal.SIGKILL)
        machine.close()


class Neighbours:
    """Programs that work on while something happens to another."""

    def __init__(self, many, machine, n):
        self.work, self.done = works(many)[:n], 0
        self.want = [many.digest(machine, [w]).strip() for w in self.work]
        self.loads = opened(many, machine, n)
        self.ask()

    def ask(self):
        for l, w in zip(self.loads, self.work):
            l.ask(w)

    def round(self):
        """Every one's answer to what it does now, which must be right; then they go on. What was wrong, as text."""
        wrong = []
        for i, l in enumerate(self.loads):
            try:
                got = l.answer(120)
                if got != self.want[i]:
                    wrong.append("%s, not %s" % (got, self.want[i]))
                self.done += 1
            except sides.Broken as e:
                wrong.append(str(e))
        self.ask()
        return wrong


def faults(many):
    machine = many.machine("--warm", "0")
    near = None
    try:
        near = Neighbours(many, machine, many.options.programs - 1)
        for kind in ("illegal", "assert", "trap"):  # 700, 710 and 719
            native = many.digest(machine, ["fault " + kind]).strip()
            bad = Load(many, machine)
            got = bad.tell("fault " + kind)
            wrong = near.round()
            again = bad.tell("wait")
            bad.close()
            sticky = re.match(r"fault ([1-9]\d*)( \1){3}$", native)
            many.found("faults", "a program with the fault %s gets the vendor's error for good, its neighbours none" % kind,
                       bool(sticky) and got == native and again == "wait " + sticky.group(1) and not wrong,
                       "natively %s, through axon %s, then %s; neighbours: %s" % (native, got, again, "; ".join(wrong[:3]) or "well"))
        for who in ("program", "worker"):
            bad = Load(many, machine)
            bad.tell("busy")
            worker = sides.worker_of(bad.p.pid)
            wrong = near.round()  # the endless kernel takes its turns with theirs
            bad.ask("wait")
            os.kill(bad.p.pid if who == "program" else worker, signal.SIGKILL)
            got = "wait 46" if who == "program" else bad.answer()
            wrong += near.round()
            bad.close()
            deadline = time.monotonic() + 30
            while os.path.exists("/proc/%d" % worker) and time.monotonic() < deadline:
                time.sleep(0.01)
            gone = not os.path.exists("/proc/%d" % worker)
            many.found("faults", "an endless kernel ends with its %s, and nobody else does" % who,
                       got == "wait 46" and gone and not wrong,
                       "its call gave %s, its worker is %s; neighbours: %s" % (
                           got if who == "worker" else "nothing", "gone" if gone else "there", "; ".join(wrong[:3]) or "well"))
        wrong = near.round()
        many.found("faults", "the neighbours are well afterwards", not wrong, "%d programs, %d answers right%s" % (
            len(near.loads), near.done, "; " + "; ".join(wrong[:3]) if wrong else ""))
    finally:
        close_all(near.loads if near else [], signal.SIGKILL)
        machine.close()
