# SPDX-License-Identifier: Apache-2.0
"""What the harness says of programs that hang, crash, differ or ask for what is
not there: a harness that is wrong about these is worse than none. Run by the
Go test in render/, or by python3 -m unittest."""

import argparse
import importlib.machinery
import importlib.util
import os
import select
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

loader = importlib.machinery.SourceFileLoader("measure", os.path.join(HERE, "measure"))
measure = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure", loader))
loader.exec_module(measure)
import cases  # noqa: E402
import sides  # noqa: E402


class Bare(sides.Machine):
    """No build and no axond: programs only learn on which side they are."""

    def __init__(self, build):
        self.build = self.vendor = self.scratch = build
        self.running, self.stopped = set(), False

    def start_axond(self):
        pass

    def axond_log(self, lines=40):
        return "the log\n"

    def environment(self, side, own_caches=False, extra=None):
        return dict(os.environ, SIDE=side, **(extra or {}))


class Cases(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.mkdir(os.path.join(folder.name, "bin"))
        sample = os.path.join(folder.name, "bin", "driver_axpy")
        with open(sample, "w") as f:
            f.write("#!/bin/sh\necho device: test\n")
        os.chmod(sample, 0o755)
        options = argparse.Namespace(out=folder.name, only=None, quick=True, rounds=2, budget=60, jobs=1, tests="",
                                     tests_seconds=5)
        machine = Bare(folder.name)
        machine.vendor = "softgpu"
        self.run_ = measure.Run(options, machine)
        self.run_.say = lambda text: None
        self.addCleanup(self.run_.failures.close)
        self.folder = folder.name

    def compare(self, script, limit=20, **rest):
        self.run_.compare(cases.Compare("x", "y", ["sh", "-c", script], limit, **rest))
        return self.run_.rows[-1]

    def kept(self):
        with open(os.path.join(self.folder, "failures.log")) as f:
            return f.read()

    def test_the_same_output_is_the_same(self):
        row = self.compare("echo a; echo $SIDE >&2")
        self.assertEqual(row["result"], "same")
        self.assertEqual(row["gpu"], "test")

    def test_another_output_differs_and_its_first_line_is_said(self):
        row = self.compare("echo a; echo $SIDE")
        self.assertEqual((row["result"], row["detail"]), ("differs", "line 2: native native, axon axon"))
        self.assertIn("the log", self.kept())

    def test_another_exit_status_is_not_the_same(self):
        row = self.compare("echo a; test $SIDE = native || { echo why >&2; exit 3; }")
        self.assertEqual((row["result"], row["detail"]), ("fails", "exit status 3: why"))

    def test_a_crash_is_named(self):
        row = self.compare("test $SIDE = native || kill -SEGV $$")
        self.assertEqual(row["result"], "fails")
        self.assertIn("SIGSEGV", row["detail"])

    def test_what_hangs_through_axon_is_ended_with_all_that_it_started(self):
        pid = os.path.join(self.folder, "pid")
        row = self.compare("test $SIDE = native || { sleep 1000 & echo $! >%s; wait; }" % pid, limit=1)
        self.assertEqual(row["result"], "hangs")
        with open(pid) as f:
            child = f.read().strip()
        try:
            ended = os.pidfd_open(int(child))
        except ProcessLookupError:
            return
        self.assertTrue(select.select([ended], [], [], 10)[0], "it still runs")
        os.close(ended)

    def test_what_does_not_run_natively_is_nobodys_fault(self):
        self.assertEqual(self.compare("exit 1")["result"], "left out")
        row = self.compare("echo two GPUs please >&2; exit 77")
        self.assertEqual((row["result"], row["detail"]), ("left out", "two GPUs please"))

    def test_a_call_that_is_not_there_is_named(self):
        missing = "echo 'axon: cuFoo is not supported (docs/coverage.md says why)' >&2"
        row = self.compare("test $SIDE = native || { %s; echo broken >&2; exit 1; }" % missing)
        self.assertEqual((row["result"], row["detail"]), ("unsupported", "cuFoo; broken"))
        row = self.compare("test $SIDE = native || " + missing)
        self.assertEqual(row["result"], "same")
        self.assertIn("cuFoo", row["detail"])

    def test_what_varies_natively_is_not_held_against_axon(self):
        self.assertEqual(self.compare("echo $$")["result"], "varies")

    def test_of_a_test_suite_the_tests_that_fail_through_axon_only_are_listed(self):
        script = ("printf 'passed\\ta\\npassed\\tb\\nfailed\\tc\\n'; echo begin d;"
                  "if test $SIDE = native; then printf 'passed\\td\\n'; else printf 'failed\\tb\\n'; kill -SEGV $$; fi")
        row = self.compare(script, outcomes=True)
        self.assertEqual(row["result"], "differs")
        self.assertEqual(row["tests"], ["b", "d (no outcome; died of SIGSEGV)"])

    def test_figures_come_from_rounds_in_turn_without_the_first_one(self):
        script = "n=0; while read x; do n=$((n+1)); v=$n; test $SIDE = native || v=$((n*3)); printf 'f\\t%s\\tus\\ndone\\n' $v; done"
        self.run_.speed(cases.Speed("s", ["sh", "-c", script], {"f": ("figure", "<=3.5")}))
        row = self.run_.rows[-1]
        self.assertEqual((row["native"], row["axon"], row["ratio"], row["runs"]), (2.5, 7.5, 3, 2))
        self.assertTrue(measure.met(row))
        row["goal"] = "<=2.9"
        self.assertFalse(measure.met(row))

    def test_a_program_that_ends_between_rounds_is_a_failure_of_its_side(self):
        self.run_.speed(cases.Speed("s", ["sh", "-c", "while read x; do test $SIDE = native || exit 4; echo done; done"],
                                    {"f": ("figure", "<=1")}))
        self.assertEqual(self.run_.rows[-1]["result"], "fails")
        self.assertIn("axon: ended with status 4", self.run_.rows[-1]["detail"])

    def test_nothing_starts_when_the_time_is_up(self):
        self.run_.options.budget = 0
        self.assertEqual(self.compare("echo a")["detail"], "out of time")

    def test_every_case_is_there(self):
        names = [c.name for c in cases.compare()]
        self.assertEqual(len(names), len(set(names)))
        for wanted in ("driver_axpy", "torch_amp", "nvcc_graphs", "nccl_collectives", "numba_tests"):
            self.assertIn(wanted, names)
        for case in cases.compare():
            self.assertGreater(len(case.what), 10, case.name)
            self.assertNotIn("SPDX", case.what)


if __name__ == "__main__":
    unittest.main()
