# SPDX-License-Identifier: Apache-2.0
"""Running programs on two sides: on the vendor's library itself ("native"), and
through axon's shim and an axond of our own ("axon"). Nothing that a program
does may stop the run: everything has a limit of time, and what it leaves
behind is ended with it."""

import os
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time

SIDES = ("native", "axon")
SKIPPED = 77  # exit status of a case that cannot run here; its last line says why

CACHES = ("CUDA_CACHE_PATH", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "CUPY_CACHE_DIR", "NUMBA_CACHE_DIR")

VENDOR_FOLDERS = (
    "/usr/local/nvidia/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/run/opengl-driver/lib",
)


class Broken(Exception):
    """A program that did not do its part: its text says how."""


class Outcome:
    """What a program printed and how it ended; status None: it was out of time."""

    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds

    def ending(self):
        if self.status is None:
            return "hangs: ended after %.0f s" % self.seconds
        if self.status < 0:
            return "died of %s" % signal.Signals(-self.status).name
        return "exit status %d" % self.status

    def last_words(self):
        for text in (self.err, self.out):
            lines = [l for l in text.splitlines() if l.strip() and not l.startswith("axon: ")]
            if lines:
                return lines[-1].strip()[:200]
        return ""

    def unsupported(self):
        """The calls that the shim said it does not have (AXON_DEBUG=1)."""
        return sorted(set(re.findall(r"^axon: (\w+) is not supported", self.err, re.M)))


class Machine:
    """The build, the vendor's library, an axond, and a folder for what runs need."""

    def __init__(self, build, vendor, axond_flags):
        self.build = os.path.abspath(build)
        self.vendor = vendor or os.environ.get("AXON_VENDOR") or next(
            (d for d in VENDOR_FOLDERS if os.path.exists(os.path.join(d, "libcuda.so.1"))), None)
        if not self.vendor:
            raise Broken("no NVIDIA driver here (looked for libcuda.so.1 in %s); name its folder with --vendor"
                         % ", ".join(VENDOR_FOLDERS))
        self.vendor = os.path.abspath(self.vendor)
        self.scratch = tempfile.mkdtemp(prefix="axon-measure-")
        self.socket = os.path.join(self.scratch, "sock")
        self.log = os.path.join(self.scratch, "axond.log")
        self.axond_flags = axond_flags
        self.axond = None
        self.running, self.stopped = set(), False
        self.start_axond()

    def path(self, *parts):
        return os.path.join(self.build, *parts)

    def start_axond(self):
        """Starts axond unless it runs, and waits for its socket."""
        if self.axond and self.axond.poll() is None:
            return
        if os.path.exists(self.socket):
            os.unlink(self.socket)
        with open(self.log, "ab") as log:
            self.axond = subprocess.Popen(
                [self.path("bin", "axond"), "--verbose", "--socket", self.socket, "--vendor", self.vendor] + self.axond_flags,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + 20
        while not os.path.exists(self.socket):
            if self.axond.poll() is not None or time.monotonic() > deadline:
                raise Broken("axond did not start: " + self.axond_log(20))
            time.sleep(0.02)

    def axond_log(self, lines=40):
        with open(self.log, errors="replace") as f:
            return "".join(f.readlines()[-lines:])

    def sessions(self):
        """How many sessions there were, how many of them found a warm worker, and how many workers were warm at some time."""
        with open(self.log, errors="replace") as f:
            log = f.read()
        started = re.findall(r'msg="session started".*', log)
        return len(started), sum("warm=true" in l for l in started), log.count('msg="a worker is warm"')

    def wait_warm(self, limit=3):
        """Waits until a warm worker is there, where axond keeps any: it says so in its first line."""
        deadline = time.monotonic() + limit
        with open(self.log, errors="replace") as f:
            if not re.search(r" warm=[1-9]", f.readline()):
                return
        while time.monotonic() < deadline:
            started, used, made = self.sessions()
            if made > used:
                return
            time.sleep(0.01)

    def stop(self):
        """Ends all programs that run; from now on none starts."""
        self.stopped = True
        for p in list(self.running):
            if p.returncode is None:  # whoever waits for it does so still
                kill_group(p)

    def start(self, side, argv, own_caches, extra, **rest):
        if self.stopped:
            raise Broken("stopped")
        p = subprocess.Popen(argv, env=self.environment(side, own_caches, extra), cwd=self.scratch, start_new_session=True, **rest)
        self.running.add(p)
        return p

    def close(self):
        if self.axond and self.axond.poll() is None:
            self.axond.terminate()
            try:
                self.axond.wait(10)
            except subprocess.TimeoutExpired:
                self.axond.kill()
                self.axond.wait()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def environment(self, side, own_caches=False, extra=None):
        env = {k: v for k, v in os.environ.items() if not k.startswith("AXON_")}
        rest = env.get("LD_LIBRARY_PATH", "")
        first = self.vendor if side == "native" else self.path("lib")
        env["LD_LIBRARY_PATH"] = first + (":" + rest if rest else "")
        if side == "axon":
            env["AXON_SESSION"] = self.socket
            env["AXON_DEBUG"] = "1"  # costs something for calls that fail only
        # Where outputs are compared, what one side has compiled must not help the other. Where time is
        # taken, the environment is the usual one: the driver's variables decide which warm worker fits.
        caches = os.path.join(self.scratch, "caches-" + side)
        for name in CACHES if own_caches else ():
            env[name] = os.path.join(caches, name.lower())
            os.makedirs(env[name], exist_ok=True)
        env.update(
            PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0", PYTHONUNBUFFERED="1",
            CUBLAS_WORKSPACE_CONFIG=":4096:8",  # without it cuBLAS may differ from one run to the next
            XLA_PYTHON_CLIENT_PREALLOCATE="false",  # several cases share the GPU's memory
            XLA_FLAGS="--xla_gpu_autotune_level=0",
            HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
        env.update(extra or {})
        return env

    def run(self, side, argv, limit, extra=None, own_caches=True):
        """Runs a program to its end, or to the end of its time."""
        # Files, not pipes: what a program leaves running must not hold us up.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            began = time.monotonic()
            p = self.start(side, argv, own_caches, extra, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            try:
                status = p.wait(max(limit, 1))
            except subprocess.TimeoutExpired:
                status = None
            end_group(p)
            self.running.discard(p)
            seconds = time.monotonic() - began
            out.seek(0)
            err.seek(0)
            return Outcome(status, out.read().decode(errors="replace"), err.read().decode(errors="replace"), seconds)


def kill_group(p):
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_group(p):
    """Ends a program and all that it started in its own process group."""
    kill_group(p)
    p.wait()


class Rounds:
    """A program that measures everything once for each line that it is given."""

    def __init__(self, machine, side, argv, extra=None):
        self.side = side
        self.err = tempfile.TemporaryFile()
        self.p = machine.start(side, argv, False, extra, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=self.err)
        self.rest = b""

    def ask(self):
        self.p.stdin.write(b"\n")

    def answer(self, limit):
        """{name: (value, unit)} of the round that was asked for."""
        figures, deadline = {}, time.monotonic() + limit
        with selectors.DefaultSelector() as s:
            s.register(self.p.stdout, selectors.EVENT_READ)
            while True:
                while b"\n" in self.rest:
                    line, self.rest = self.rest.split(b"\n", 1)
                    if line == b"done":
                        return figures
                    parts = line.decode(errors="replace").split("\t")
                    if len(parts) == 3 and parts[1] != "nan":
                        figures[parts[0]] = (float(parts[1]), parts[2])
                left = deadline - time.monotonic()
                if left <= 0 or not s.select(left):
                    raise Broken("%s: no answer in %.0f s; %s" % (self.side, limit, self.last_words()))
                chunk = os.read(self.p.stdout.fileno(), 65536)
                if not chunk:
                    raise Broken("%s: ended with status %s; %s" % (self.side, self.p.wait(), self.last_words()))
                self.rest += chunk

    def errors(self):
        self.err.seek(0)
        return self.err.read().decode(errors="replace")

    def last_words(self):
        return Outcome(0, "", self.errors(), 0).last_words()

    def close(self):
        self.p.stdin.close()
        try:
            self.p.wait(20)
        except subprocess.TimeoutExpired:
            pass
        end_group(self.p)
        self.p.stdout.close()


def resident(pid):
    """The KiB of memory that a process has in use."""
    with open("/proc/%d/status" % pid) as f:
        return int(re.search(r"^VmRSS:\s*(\d+) kB", f.read(), re.M).group(1))


def regions(pid):
    """The shared memory, by its number, that a process has mapped."""
    try:
        with open("/proc/%d/maps" % pid) as f:
            return {l.split()[4] for l in f if "/memfd:" in l}
    except OSError:
        return set()


def worker_of(client):
    """The process that shares a client's region."""
    mine = regions(client)
    found = [int(d) for d in os.listdir("/proc") if d.isdigit() and int(d) != client and regions(int(d)) & mine]
    if not mine or len(found) != 1:
        raise Broken("%d processes share the client's %d regions; there should be one, its worker" % (len(found), len(mine)))
    return found[0]
