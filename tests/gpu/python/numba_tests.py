# SPDX-License-Identifier: Apache-2.0
# numba-cuda's own tests: OUTCOME<TAB>NAME a line, as far as the time goes
#
# They are loaded under the names by which they import each other, each module by itself: one that cannot be imported
# here (it needs a package that is not installed) is named and left out. Several processes share them, module by module.
# TESTS_SELECT: only tests with this regular expression in their names; TESTS_SECONDS: no test begins later;
# TESTS_PROCESSES: how many.
import importlib.abc
import importlib.machinery
import io
import os
import pkgutil
import re
import subprocess
import sys
import time
import types
import unittest
import warnings

import numpy as np

SECONDS = float(os.environ.get("TESTS_SECONDS", "60"))
PROCESSES = int(os.environ.get("TESTS_PROCESSES", "4"))

# What most programs use comes first: the time may not be enough for all.
FIRST = ("cudadrv", "test_array", "test_cuda", "test_stream", "test_event", "test_managed", "test_atomics", "test_device_func",
         "test_dispatcher", "test_ipc", "test_sync", "test_warp_ops", "test_print", "test_record", "test_reduction")


def share_out():
    """Starts the processes that run the tests; they print by themselves, line by line."""
    env = dict(os.environ, TESTS_BEGAN=str(time.monotonic()))
    running = [subprocess.Popen([sys.executable, __file__], env=dict(env, TESTS_SHARE="%d/%d" % (i, PROCESSES)))
               for i in range(PROCESSES)]
    for i, p in enumerate(running):
        if p.wait():
            print("# process %d of %d ended with %d" % (i, PROCESSES, p.returncode), flush=True)


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """What helper modules of the tests import and few tests use: those fail, on both sides alike."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("filecheck", "cffi"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = self.anything
        return module

    @staticmethod
    def anything(attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return type(attribute, (), {})

    def exec_module(self, module):
        pass


def cases_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from cases_of(test)
        else:
            yield test


class Result(unittest.TestResult):
    def __init__(self, out):
        super().__init__()
        self.out = out

    def say(self, outcome, test, error=None):
        print("%s\t%s" % (outcome, test.id()), file=self.out)
        if error:
            print("%s: %s" % (test.id(), self._exc_info_to_string(error, test)), file=sys.stderr)

    def startTest(self, test):
        super().startTest(test)
        print("begin " + test.id(), file=self.out)

    def addSuccess(self, test):
        self.say("passed", test)

    def addExpectedFailure(self, test, error):
        self.say("passed", test)

    def addUnexpectedSuccess(self, test):
        self.say("failed", test)

    def addFailure(self, test, error):
        self.say("failed", test, error)

    def addError(self, test, error):
        self.say("failed", test, error)

    def addSkip(self, test, reason):
        self.say("skipped", test)


def run_share(share, of, deadline):
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the tests print is for the log
    warnings.simplefilter("ignore")
    sys.meta_path.append(Absent())
    if not hasattr(np, "row_stack"):  # numba-cuda 0.28 asks for a name that NumPy 2.5 has dropped
        np.row_stack = np.vstack
    import numba.cuda
    import numba.cuda.tests as tests

    select = re.compile(os.environ.get("TESTS_SELECT", ""))
    names = [m.name for m in pkgutil.walk_packages(tests.__path__, tests.__name__ + ".", onerror=lambda name: None)
             if m.name.rsplit(".", 1)[1].startswith("test_") and not m.ispkg]
    names.sort(key=lambda name: (min([i for i, f in enumerate(FIRST) if f in name], default=len(FIRST)), name))
    result = Result(out)
    for name in names[share::of]:
        if time.monotonic() > deadline:
            print("# out of time before " + name, file=out)
            break
        try:
            suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name))
        except BaseException as e:  # a skipped module, too, says so by an exception
            print("# not loaded: %s: %s" % (name, " ".join(str(e).split())[:200]), file=out)
            continue
        for test in cases_of(suite):
            if not select.search(test.id()):
                continue
            if time.monotonic() > deadline:
                break
            sys.stdout = io.StringIO()  # some tests look at what they print
            try:
                unittest.TestSuite([test]).run(result)
            except BaseException as e:
                print("failed\t%s" % test.id(), file=out)
                print("%s: %s" % (test.id(), e), file=sys.stderr)
            finally:
                sys.stdout = sys.__stdout__
    # The outcomes say it all; a last test that hangs in a destructor must not.
    out.flush()
    os._exit(0)


if "TESTS_SHARE" in os.environ:
    i, n = map(int, os.environ["TESTS_SHARE"].split("/"))
    run_share(i, n, float(os.environ["TESTS_BEGAN"]) + SECONDS)
else:
    share_out()
