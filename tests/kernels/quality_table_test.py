#!/usr/bin/env python3
"""Tests of quality_table.py and of how quality.py records: which kernels are measured, what is printed, exit codes."""

import argparse
import concurrent.futures
import contextlib
import io
import pathlib
import tempfile
import types
import unittest

import quality
import quality_table

TEXT = """[limits]
. spills <= 0 because tiles fit

[not yet]

[measured]
kernel_. instructions <= 102 because its loop is bare
"""
FIGURES = {"kernel_a": {"spills": 0, "instructions": 100}, "kernel_b": {"spills": 0, "instructions": 90}}


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "some-bounds.txt"
        self.path.write_text(TEXT)

    def run_table(self, results=FIGURES, takes_corpus=False, record=False, profile=None, names=(), part=None, allowed=()):
        """The exit code, and what is printed. A text among the results is the mistake of a kernel that was run."""
        def measure(kernel, arguments):
            self.profile = arguments.profile
            if isinstance(results[kernel.name], str):
                raise RuntimeError(results[kernel.name])
            return results[kernel.name]

        table = quality_table.QualityTable("some", ("spills", "instructions"), lambda folder, corpus, tool: [
            types.SimpleNamespace(name=name) for name in results], measure, set(), takes_corpus=takes_corpus)
        table.path = self.path
        arguments = argparse.Namespace(profile=profile, corpus=None, names=names, part=part, record=record, allow_worse=allowed, j=1)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = quality.examine_tables([table], arguments)
        return code, printed.getvalue()

    def test_a_table_has_values_and_bounds(self):
        code, text = self.run_table()
        self.assertEqual(code, 0)
        self.assertRegex(text, r"some kernels +spills +instructions\nkernel_a +0/0 +100/102\nkernel_b +0/0 +90/102\n")

    def test_mistakes_have_reasons(self):
        code, text = self.run_table({**FIGURES, "kernel_b": {"spills": 8, "instructions": 90}, "kernel_c": "traps"})
        self.assertEqual(code, 1)
        self.assertRegex(text, r"kernel_b +8/0! +90/102\nkernel_c +traps\n")
        self.assertIn("kernel_b: spills is 8, the limit 0 because tiles fit", text)
        self.assertIn("2 mistakes", text)

    def test_a_row_about_no_kernel_is_seen_where_all_are_measured(self):
        others = {"other": {"spills": 0, "instructions": 1}}
        for options, code in (({}, 1), ({"names": ["other"]}, 1), ({"takes_corpus": True}, 77)):
            with self.subTest(options):
                self.assertEqual(self.run_table(others, **options)[0], code)
        self.assertEqual(self.run_table({**others, **FIGURES}, names=["other"])[0], 0)
        self.assertEqual(self.run_table({**others, **FIGURES}, part="0/3")[0], 0)

    def test_a_table_has_a_profile(self):
        self.run_table()
        self.assertEqual(self.profile, "o3-unspecialized")
        self.run_table(profile="o3")
        self.assertEqual(self.profile, "o3")

    def test_a_refusal_is_printed_alone(self):
        code, text = self.run_table({**FIGURES, "kernel_c": None})
        self.assertEqual(code, 0)
        self.assertRegex(text, r"kernel_c +refused by the compiler\n")

    def test_a_recording_writes_what_is_better(self):
        code, text = self.run_table({name: {"spills": 0, "instructions": 50} for name in FIGURES}, record=True)
        self.assertEqual(code, 0)
        self.assertIn("  better by 50.0 %: some-bounds.txt: kernel_. instructions 102 -> 51\n", text)
        self.assertIn("<=     51 because its loop is bare", self.path.read_text())
        self.assertIn("No bound changed.", self.run_table(record=True, results={name: {"spills": 0, "instructions": 50}
                                                                                for name in FIGURES})[1])

    def test_a_recording_refuses_what_is_worse(self):
        worse = {**FIGURES, "kernel_a": {"spills": 0, "instructions": 200}}
        code, text = self.run_table(worse, record=True)
        self.assertEqual(code, 1)
        self.assertIn("--allow-worse kernel_.", text)
        self.assertIn("<=    102 because", self.path.read_text())
        self.assertEqual(self.run_table(worse, record=True, allowed=["kernel_."])[0], 0)
        self.assertIn("<=    204 because", self.path.read_text())

    def test_with_a_wrong_kernel_nothing_is_recorded(self):
        self.assertEqual(self.run_table({**FIGURES, "kernel_a": "traps"}, record=True)[0], 1)
        self.assertEqual(self.path.read_text(), TEXT)


if __name__ == "__main__":
    unittest.main()
