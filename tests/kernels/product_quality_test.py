#!/usr/bin/env python3
"""Tests of product_quality.py: loops, estimates, what is limited."""

import pathlib
import tempfile
import unittest
import unittest.mock

import product_quality as quality

PROFILE = """loop at line 10 of k: 4 entries, 8 iterations
  move                     16
loop at line 20 of k, in the loop at line 10: 8 entries, 32 iterations
  branch                   32
  shared-load              64
  wgmma                    128
loop at line 25 of k, in the loop at line 20: 32 entries, 900 iterations
  branch                   900
  mbarrier                 900
loop at line 28 of k, in the loop at line 20: 32 entries, 64 iterations
  global-load              64
"""


class Loops(unittest.TestCase):
    def test_an_iteration_has_inner_loops_and_waits_once(self):
        figures = quality.measure_loop(PROFILE)
        self.assertEqual(figures["wgmma"], 1)
        self.assertEqual(figures["shared"], 2)
        self.assertEqual(figures["global"], 2)
        # branch 1, shared-load 2, an iteration of the wait 2, global-load 2; for 4 products.
        self.assertEqual(figures["others"], 7 / 4)

    def test_without_products_there_is_no_loop_to_measure(self):
        self.assertEqual(quality.measure_loop("loop at line 1 of k: 1 entries, 1 iterations\n  move  3\n"), {})


class Estimates(unittest.TestCase):
    REMARK = 'Remark="estimated 100 registers per thread, of 255"'

    def rate(self, taken, within, remark=REMARK):
        """`within`: what the assembler takes where it may take no more than 104."""
        with unittest.mock.patch.object(quality, "assemble_within", lambda limit, ptx, ptxas: {104: within}[limit]):
            return quality.rate_estimate(remark, taken, None, None).get("estimate")

    def test_what_the_assembler_takes_counts(self):
        self.assertEqual(self.rate(108, within=101), 7.4)
        self.assertEqual(self.rate(80, within=None), 25)
        self.assertIsNone(self.rate(100, 100, remark=""))

    def test_where_it_takes_much_more_what_it_needs_counts(self):
        self.assertEqual(self.rate(200, within=104), 3.8)
        self.assertEqual(self.rate(200, within=None), 50)

    def test_a_limit_takes_the_place_of_the_kernels_own(self):
        seen = []

        def assemble(ptx, *_):
            seen.append(ptx.read_text())
            return self.output

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(quality, "run_assembler", assemble):
            ptx = pathlib.Path(folder) / "k.ptx"
            ptx.write_text(".reqntid 128, 1, 1\n.maxnreg 200\n{\n")
            self.output = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nUsed 54 registers"
            self.assertEqual(quality.assemble_within(56, ptx, "ptxas"), 54)
            self.assertEqual(seen, [".reqntid 128, 1, 1\n.maxnreg 56\n{\n"])
            self.output = self.output.replace("0 bytes spill loads", "8 bytes spill loads")
            self.assertIsNone(quality.assemble_within(56, ptx, "ptxas"))
            self.output = "error"
            self.assertIsNone(quality.assemble_within(56, ptx, "ptxas"))


class Limits(unittest.TestCase):
    def test_others_count_beside_wgmma_only(self):
        self.assertTrue(quality.TABLE.is_limited("others", {"wgmma": 1, "others": 13}))
        self.assertFalse(quality.TABLE.is_limited("others", {"wgmma": 0, "others": 13}))
        self.assertTrue(quality.TABLE.is_limited("wgmma", {"wgmma": 0}))


if __name__ == "__main__":
    unittest.main()
