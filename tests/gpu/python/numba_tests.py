# SPDX-License-Identifier: Apache-2.0
# numba-cuda's own tests: OUTCOME<TAB>NAME a line, as far as the time goes
#
# TESTS_SELECT: pytest's arguments instead of the whole suite; TESTS_SECONDS: no test begins later.
import os
import shlex
import time

import numpy as np
import pytest

if not hasattr(np, "row_stack"):  # numba-cuda 0.28 asks for a name that NumPy 2.5 has dropped
    np.row_stack = np.vstack

out = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # what the tests print is for the log
deadline = time.monotonic() + float(os.environ.get("TESTS_SECONDS", "60"))

# What most programs use comes first: the time may not be enough for all.
FIRST = ("cudadrv", "test_array", "test_cuda", "test_stream", "test_event", "test_managed", "test_atomics", "test_device_func",
         "test_dispatcher", "test_ipc", "test_sync", "test_warp_ops", "test_print", "test_record", "test_reduction")


class Report:
    def pytest_collection_modifyitems(self, items):
        def rank(item):
            at = [i for i, name in enumerate(FIRST) if name in item.nodeid]
            return (min(at) if at else len(FIRST), item.nodeid)

        items.sort(key=rank)
        print("# %d tests" % len(items), file=out)

    def pytest_runtest_logstart(self, nodeid):
        print("begin " + nodeid, file=out)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or (report.when == "setup" and report.outcome != "passed"):
            print("%s\t%s" % (report.outcome, report.nodeid), file=out)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        if time.monotonic() > deadline:
            item.session.shouldstop = "out of time"
        yield


select = shlex.split(os.environ.get("TESTS_SELECT", "")) or ["--pyargs", "numba.cuda.tests"]
pytest.main(select + ["-q", "--maxfail=100000", "-p", "no:cacheprovider", "--continue-on-collection-errors",
                      "-o", "addopts=", "--tb=short"], plugins=[Report()])
# The outcomes say it all; a last test that hangs in a destructor must not.
out.flush()
os._exit(0)
