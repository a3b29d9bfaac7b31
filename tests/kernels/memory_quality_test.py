#!/usr/bin/env python3
"""Tests of memory_quality.py: what it reads of remarks and counters."""

import unittest

import memory_quality as quality

REMARK = 'Remark="keeps {} of loads in flight per SM (1 KiB a block, 16 blocks){}"\n'
COUNTERS = """thread instructions        2048
bank conflicts             3
global requests            8
global sectors             64 (8 a request)
bytes by bulk copies       2048
"""


class Figures(unittest.TestCase):
    def test_the_least_of_several_loops_counts(self):
        self.assertEqual(quality.read_flight(REMARK.format("48 KiB", "") + REMARK.format("16 KiB", "")), 16)

    def test_what_is_all_that_is_loaded_is_enough(self):
        self.assertEqual(quality.read_flight(REMARK.format("2560 bytes", ": all it loads")), 32)
        self.assertEqual(quality.read_flight(REMARK.format("64 KiB", ": all it loads")), 64)

    def test_nothing_is_loaded(self):
        self.assertIsNone(quality.read_flight("nothing"))

    def test_counters(self):
        figures = quality.read_counters(COUNTERS, 2048)
        self.assertEqual(figures["traffic"], 2)
        self.assertEqual(figures["width"], 85.3)  # half of the bytes at 64 bits, half in bulk
        self.assertEqual((figures["conflicts"], figures["instructions"]), (3, 1024))


if __name__ == "__main__":
    unittest.main()
