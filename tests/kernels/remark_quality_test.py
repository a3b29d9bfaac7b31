#!/usr/bin/env python3
"""Tests of remark_quality.py: what it takes for a hint that the kernel does not keep to."""

import unittest

import remark_quality

SOURCE = """cuda_tile.module @m {
  entry @k() optimization_hints=<default = {occupancy = 2}, sm_90 = {num_worker_warps_per_cta = 8}> {
"""
SMALL = {"block_size": [128, 1, 1], "static_shared_bytes": 0, "dynamic_shared_bytes": 0, "registers": 32}


class Hints(unittest.TestCase):
    def test_those_of_the_chip_and_of_all_are_read(self):
        self.assertEqual(remark_quality.read_hints(SOURCE, "sm_90"), {"occupancy": 2, "num_worker_warps_per_cta": 8})
        self.assertEqual(remark_quality.read_hints(SOURCE, "sm_100"), {"occupancy": 2})
        of_a_load = "entry @k() {\n load optimization_hints = <sm_90 = {latency = 3}>"
        self.assertEqual(remark_quality.read_hints(of_a_load, "sm_90"), {})

    def test_warps(self):
        self.assertEqual(remark_quality.find_broken_hints({"num_worker_warps_per_cta": 4}, SMALL), [])
        self.assertEqual(remark_quality.find_broken_hints({"num_worker_warps_per_cta": 8}, SMALL),
                         ["num_worker_warps_per_cta"])

    def test_occupancy_is_what_threads_registers_and_shared_memory_leave(self):
        self.assertEqual(remark_quality.find_broken_hints({"occupancy": 16}, SMALL), [])
        for too_much in ({"block_size": [256, 1, 1]}, {"registers": 33}, {"dynamic_shared_bytes": 16 * 1024}):
            with self.subTest(too_much):
                self.assertEqual(remark_quality.find_broken_hints({"occupancy": 16}, SMALL | too_much), ["occupancy"])


if __name__ == "__main__":
    unittest.main()
