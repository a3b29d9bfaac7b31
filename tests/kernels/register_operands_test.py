#!/usr/bin/env python3
"""Tests of register_operands.py: which operands are needed behind others, and which are not."""

import unittest

import register_operands


def product(sums, a):
    return f"{{ wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{sums}}}, {{{a}}}, %rd1, sum, 1, 1, 0; wgmma.commit_group; }}"


FIRST, SECOND = product("%f1, %f2", "%r1, %r2"), product("%f3, %f4", "%r3, %r4")
LOAD = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r9];"
NARROW = ["cvt.rn.f16x2.f32 %r3, %f1, %f2;", "cvt.rn.f16x2.f32 %r4, %f2, %f1;"]


def loop(before, body):
    """The line numbers that are found in a loop; the first line of its body is 3 behind `before`."""
    text = [".visible .entry k()", "{", *before, "$L__BB0_1:", *body, "@%p1 bra \t$L__BB0_1;", "ret;"]
    return register_operands.examine("\n".join([*("\t" + line if not line.startswith("$") else line for line in text), "}"]))[1]


class Operands(unittest.TestCase):
    def test_one_of_before_the_loop_beside_one_of_the_loop(self):
        self.assertEqual(loop([LOAD], [FIRST, *NARROW, SECOND]), [5])

    def test_alone_it_is_not_beside_another(self):
        self.assertEqual(loop([LOAD], [FIRST]), [])

    def test_two_products_of_the_same_operand_are_no_others(self):
        self.assertEqual(loop([LOAD], [FIRST, product("%f3, %f4", "%r1, %r2")]), [])

    def test_one_that_is_loaded_in_the_loop_is_another_each_time(self):
        self.assertEqual(loop([], [LOAD, FIRST, *NARROW, SECOND]), [])
        self.assertEqual(loop([LOAD], [FIRST, *NARROW, SECOND, LOAD]), [])

    def test_one_in_memory_needs_no_registers(self):
        self.assertEqual(loop([LOAD], [FIRST.replace("{%r1, %r2}", "%rd2"), *NARROW, SECOND]), [])

    def test_arithmetic_does_not_make_another_of_it(self):
        copies = ["mov.b32 %r1, %r5;", "xor.b32 %r2, %r5, %r6;"]
        self.assertEqual(loop(["ld.shared.b32 %r5, [%r9];", "ld.param.b32 %r6, [k_param_0];"], [*copies, FIRST, *NARROW, SECOND]), [8])
        exchange = ["shfl.sync.idx.b32 %r1, %r5, %r6, 31, -1;", "shfl.sync.idx.b32 %r2, %r5, %r6, 31, -1;"]
        self.assertEqual(loop(["ld.shared.b32 %r5, [%r9];"], [*exchange, FIRST, *NARROW, SECOND]), [])

    def test_the_others_may_be_in_a_loop_of_their_own(self):
        inner = ["$L__BB0_2:", *NARROW, SECOND, "@%p2 bra \t$L__BB0_2;"]
        self.assertEqual(loop([LOAD], [FIRST, *inner]), [5])
        self.assertEqual(loop([], [LOAD, FIRST, *inner]), [])

    def test_registers_of_another_function_are_others(self):
        text = "\n".join(["{", LOAD, "$L__BB0_1:", FIRST, "bra.uni \t$L__BB0_1;", "}", "{", "$L__BB0_1:", SECOND,
                          "bra.uni \t$L__BB0_1;", "}"])
        self.assertEqual(register_operands.examine(text), (2, []))


if __name__ == "__main__":
    unittest.main()
