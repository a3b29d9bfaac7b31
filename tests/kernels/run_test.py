#!/usr/bin/env python3
"""Tests of run.py: parts, expectations by chip, tables."""

import argparse
import contextlib
import io
import pathlib
import tempfile
import unittest
import unittest.mock

import run


class Kernel:
    def __init__(self, name):
        self.name, self.category, self.gpu = name, "c", "sm_1"


KERNELS = [Kernel(f"k{number}") for number in range(10)]


def quietly(function, *arguments):
    """What it returns and what it prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        result = function(*arguments)
    return result, text.getvalue()


class Parts(unittest.TestCase):
    def test_all_parts_are_all_kernels_once(self):
        for which in ("{}/4", "commit+{}/4"):
            parts = [quietly(run.choose_part, KERNELS, which.format(index))[0] for index in range(4)]
            self.assertEqual(sorted(kernel.name for part in parts for kernel in part),
                             sorted(kernel.name for kernel in KERNELS))

    def test_the_part_is_printed_as_it_can_be_asked_for(self):
        chosen, text = quietly(run.choose_part, KERNELS, "commit/4")
        self.assertEqual(quietly(run.choose_part, KERNELS, text.split()[1].rstrip(":")), (chosen, text))

    def test_the_part_depends_on_the_commit_alone(self):
        with unittest.mock.patch.object(run.rotation, "read_commit", lambda: "0000000b" + 32 * "a"), \
                unittest.mock.patch("time.time", lambda: 0):
            self.assertEqual(quietly(run.choose_part, KERNELS, "commit/4"), quietly(run.choose_part, KERNELS, "3/4"))
        with unittest.mock.patch.object(run.rotation, "read_commit", lambda: ""):  # an unpacked archive
            self.assertEqual(quietly(run.choose_part, KERNELS, "commit/4"), quietly(run.choose_part, KERNELS, "0/4"))

    def test_nonsense_is_refused(self):
        for part in ("1", "x/4", "1/0", "1/x", "commit+/x", "today/4"):
            with self.assertRaises(SystemExit):
                quietly(run.choose_part, KERNELS, part)


class Expecting(unittest.TestCase):
    def test_a_line_may_be_about_some_chips(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "expectations"
            path.write_text("# comment\nk0 run why not\nk1@sm_1,sm_2 compile too old\nk0@sm_3 check wrong there\n")
            expectations = run.Expectations(path)
        get = lambda index, gpu: expectations.get(KERNELS[index], gpu)
        self.assertEqual(get(0, "sm_1"), ("run", "why not"))
        self.assertEqual(get(0, "sm_3"), ("check", "wrong there"))
        self.assertEqual(get(1, "sm_2"), ("compile", "too old"))
        self.assertEqual(get(1, "sm_1a"), ("compile", "too old"))
        self.assertEqual(get(1, "sm_3"), ("pass", ""))


class Running(unittest.TestCase):
    def run_all(self, outcomes, gpus, expected=None):
        """run_all() on kernels that stop as `outcomes` says: (name, chip) -> stage."""
        arguments = argparse.Namespace(expect=expected, gpu=gpus, j=1)
        process, run.process = run.process, lambda kernel, gpu, _: (outcomes.get((kernel.name, gpu), "pass"), "why", 0.0)
        try:
            return quietly(run.run_all, KERNELS, arguments, True)
        finally:
            run.process = process

    def test_kernels_run_for_the_chips_that_are_named_else_for_their_own(self):
        results, _ = self.run_all({}, [])
        self.assertEqual({gpu for _, gpu in results}, {"sm_1"})
        results, _ = self.run_all({}, ["sm_2", "sm_3"])
        self.assertEqual({gpu for _, gpu in results}, {"sm_2", "sm_3"})

    def test_a_chip_that_cannot_is_no_secret(self):
        results, text = self.run_all({(kernel.name, "sm_2"): "compile" for kernel in KERNELS}, ["sm_1", "sm_2"])
        self.assertEqual(sum(not result.as_expected for result in results.values()), len(KERNELS))
        self.assertIn("WRONG k0 on sm_2: stops at compile: why", text)
        self.assertIn("WRONG and 5 more on sm_2: stops at compile: why", text)
        _, table = quietly(run.print_by_chip, results, True)
        self.assertIn("| chip | kernels | compile | run | correct | as expected |", table)
        self.assertIn("| sm_1 | 10 | 10 | 10 | 10 | 10 |\n| sm_2 | 10 | 0 | 0 | 0 | 0 |", table)


if __name__ == "__main__":
    unittest.main()
