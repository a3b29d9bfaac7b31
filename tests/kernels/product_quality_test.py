#!/usr/bin/env python3
"""Tests of product_quality.py: loops, limits, what stands where."""

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
    def test_a_turn_has_inner_loops_and_waits_once(self):
        figures = quality.measure_loop(PROFILE)
        self.assertEqual(figures["wgmma"], 1)
        self.assertEqual(figures["shared"], 2)
        self.assertEqual(figures["global"], 2)
        # branch 1, shared-load 2, a turn of the wait 2, global-load 2; for 4 products.
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
    LIMITS = [(".", "global", 0), ("long", "global", 4), (".", "wgmma", 1), (".", "others", 12)]

    def judge(self, name, figures, expected=None, recorded=None):
        rows, wrong = quality.TABLE.judge(name, figures, self.LIMITS, expected or {}, recorded or {})
        return {figure: status for figure, _, _, status in rows}, wrong

    def test_the_last_limit_that_matches_counts(self):
        self.assertEqual(self.judge("long", {"global": 3}), ({"global": "holds"}, []))
        self.assertEqual(self.judge("short", {"global": 3})[0], {"global": "FAILS"})

    def test_what_does_not_hold_yet_may_not_get_worse(self):
        known = {("short", "global"): 8}
        self.assertEqual(self.judge("short", {"global": 8}, known), ({"global": "not yet"}, []))
        self.assertIn("worse than 8 before", self.judge("short", {"global": 9}, known)[1][0])

    def test_what_begins_to_hold_must_be_promoted(self):
        _, wrong = self.judge("short", {"global": 0}, {("short", "global"): 8})
        self.assertIn("take it out of product-expectations.txt", wrong[0])

    def test_at_least(self):
        self.assertEqual(self.judge("short", {"wgmma": 1})[0], {"wgmma": "holds"})
        self.assertEqual(self.judge("short", {"wgmma": 0})[0], {"wgmma": "FAILS"})

    def test_others_count_beside_wgmma_only(self):
        self.assertEqual(self.judge("short", {"wgmma": 1, "others": 13})[0]["others"], "FAILS")
        self.assertEqual(self.judge("short", {"wgmma": 0, "others": 13})[0]["others"], "")

    def test_no_kernel_gets_slower(self):
        self.assertEqual(self.judge("short", {"instructions": 101}, recorded={"short": 100})[1], [])
        self.assertIn("100 before", self.judge("short", {"instructions": 103}, recorded={"short": 100})[1][0])


if __name__ == "__main__":
    unittest.main()
