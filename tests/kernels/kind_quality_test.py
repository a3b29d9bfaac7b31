#!/usr/bin/env python3
"""Tests of kind_quality.py and loops_of_ptx.py: what a structure is, what a remark explains, what is known."""

import contextlib
import io
import pathlib
import tempfile
import types
import unittest

import kind_quality as quality
import kinds
import loops_of_ptx

COPY = "cp.async.cg.shared.global [%r1], [%rd1], 16;"
PRODUCT = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r2}, {%r3}, {%r4}, {%r2};"
WARPGROUP = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%r2}, %rd3, %rd4, 1;"
LOAD, STORE = "ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%rd2];", "st.shared.v4.b32 [%rd5], {%r10, %r11, %r12, %r13};"
TEXT = """entry @kernel() {
  %s = for %i in (%z to %n, step %one) : tile<i32> {
    %a, %r = load_view_tko weak %v[%i] : tile<64x64xf16>, token
    %c = ftof %a : tile<64x64xf16> -> tile<64x64xf32>
    %p = mmaf %a, %b, %acc : tile<64x64xf32>
    continue %p : tile<64x64xf32>
  }
  %t = store_view_tko weak %s, %w[%z] : token
}
"""
STAGES = 'k.mlir:2:3: remark: [Analysis] PipelineStages | Category:pipeline | Function=k | Remark="4 stages of 16 bytes"\n'
CLEAN = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"


def loop(*lines, before=(), behind=()):
    body = ["$L__BB0_1:", *lines, "@%p1 bra $L__BB0_1;"]
    return "\n".join([".reqntid 128, 1, 1", "{", *before, *body, *behind, "ret;", "}"]) + "\n"


def judge(ptx, gpu="sm_80", remarks=STAGES, assembled=CLEAN, **changed):
    """Keys of what is missed, and the kernel."""
    case = types.SimpleNamespace(**{"kind": "plain", "text": TEXT, "tile_bytes": 8192, "computes": False, "loops": True,
                                    "steps": 4, "counted": False, **changed})
    kernel = quality.Kernel(case, gpu, ptx, remarks, assembled)
    return [what for what, _ in kernel.judge()], kernel


class Loops(unittest.TestCase):
    def test_a_loop_is_between_its_label_and_its_branch(self):
        found, = loops_of_ptx.find_loops(loop(COPY, PRODUCT, before=["mov.b32 %r1, 0;"], behind=["mov.b32 %r1, 1;"]))
        self.assertEqual([instruction.name.split(".")[0] for instruction in found.code], ["cp", "mma", "bra"])

    def test_blocks_that_leave_the_loop_are_outside(self):
        text = loop(PRODUCT, "@%p2 bra $L__BB0_9;", COPY, behind=["ret;", "$L__BB0_9:", STORE])
        found, = loops_of_ptx.find_loops(text)
        self.assertEqual(found.count("st.shared"), 0)
        self.assertEqual(found.count("cp.async"), 1)

    def test_what_multiplies_is_the_innermost_loop_with_products(self):
        text = loop("$L__BB0_2:", PRODUCT, "@%p2 bra $L__BB0_2;", LOAD, PRODUCT)
        loops = loops_of_ptx.find_loops(text)
        self.assertEqual(len(loops), 2)
        self.assertEqual([found.count("mma") for found in loops_of_ptx.find_multiplying(loops)], [1])
        self.assertEqual([found.count("ld.global") for found in loops_of_ptx.find_feeding(loops)], [0])

    def test_labels_of_inline_assembly_are_no_loops(self):
        self.assertEqual(len(loops_of_ptx.find_loops(loop("WAIT:", "@!complete bra WAIT;", PRODUCT))), 1)


class Structure(unittest.TestCase):
    def test_a_pipelined_loop_misses_nothing(self):
        self.assertEqual(judge(loop("bar.sync 0;", COPY, PRODUCT))[0], [])
        self.assertEqual(judge(loop(COPY, WARPGROUP), "sm_90")[0], [])

    def test_products_of_another_chip_are_missed(self):
        self.assertEqual(judge(loop(COPY, PRODUCT), "sm_90")[0], ["product"])
        self.assertEqual(judge(loop(COPY, WARPGROUP), "sm_100a")[0], ["product"])
        self.assertEqual(judge(loop(COPY, "fma.rn.f32 %f1, %f2, %f3, %f4;"))[0], ["product"])
        self.assertEqual(judge("ret;\n.reqntid 128, 1, 1\n", loops=False)[0], ["product"])
        self.assertEqual(judge(PRODUCT + "\n.reqntid 128, 1, 1\n", loops=False)[0], [])

    def test_threads_that_load_tiles(self):
        self.assertEqual(judge(loop(LOAD, WARPGROUP, STORE, COPY), "sm_90", tile_bytes=2048)[0], ["copies"])
        self.assertEqual(judge(loop(LOAD, WARPGROUP, STORE, COPY), "sm_90", tile_bytes=1 << 20)[0], [])
        self.assertEqual(judge(loop(LOAD, PRODUCT, STORE), tile_bytes=2048)[0], [])
        self.assertEqual(judge(loop(PRODUCT))[0], ["copies"])

    def test_loads_are_used_behind_products(self):
        self.assertEqual(judge(loop(LOAD, "add.s32 %r10, %r10, 1;", STORE, PRODUCT), tile_bytes=2048)[0], ["waits"])
        self.assertEqual(judge(loop(STORE, PRODUCT, LOAD), tile_bytes=2048)[0], ["waits"])
        self.assertEqual(judge(loop(LOAD, PRODUCT, "add.s32 %r10, %r10, 1;", STORE), tile_bytes=2048)[0], [])
        moved = ["st.shared.b32 [%rd5], %r20;", LOAD, PRODUCT, "mov.b32 %r20, %r10;"]
        self.assertEqual(judge(loop(*moved), tile_bytes=2048)[0], [])

    def test_products_of_warpgroups_are_under_way_until_they_are_awaited(self):
        body = [LOAD, STORE, COPY, WARPGROUP]
        self.assertIn("waits", judge(loop(*body, "wgmma.wait_group.sync.aligned 0;"), "sm_90", tile_bytes=2048)[0])
        self.assertNotIn("waits", judge(loop(*body, "wgmma.wait_group.sync.aligned 1;"), "sm_90", tile_bytes=2048)[0])

    def test_stores_and_barriers(self):
        self.assertEqual(judge(loop(COPY, STORE, PRODUCT))[0], ["stores"])
        self.assertEqual(judge(loop(COPY, STORE, PRODUCT), computes=True)[0], [])
        self.assertEqual(judge(loop(COPY, *["bar.sync 0;"] * 3, PRODUCT))[0], ["barriers"])
        self.assertEqual(judge(loop(COPY, *["bar.sync 0;"] * 3, WARPGROUP), "sm_90")[0], [])

    def test_stages(self):
        self.assertEqual(judge(loop(COPY, PRODUCT), remarks=STAGES.replace("4 stages", "2 stages"))[0], ["stages"])
        self.assertEqual(judge(loop(COPY, PRODUCT), remarks=STAGES.replace("4 stages", "2 stages"), steps=2)[0], [])
        self.assertEqual(judge(loop(COPY, PRODUCT), remarks="")[0], ["stages"])

    def test_spills(self):
        self.assertEqual(judge(loop(COPY, PRODUCT), assembled=CLEAN.replace("0 bytes spill l", "4 bytes spill l"))[0], ["spills"])

    def test_instructions(self):
        least = quality.OWN + quality.READS[0]
        self.assertEqual(judge(loop(COPY, PRODUCT, *["add.s32 %r1, %r1, 1;"] * (least - 2)))[0], [])
        self.assertEqual(judge(loop(COPY, PRODUCT, *["add.s32 %r1, %r1, 1;"] * (least - 1)))[0], ["instructions"])

    def test_written_out_iterations_are_in_no_loop(self):
        behind = ["st.global.b32 [%rd1], %r1;"]
        self.assertEqual(judge(loop(LOAD, STORE, PRODUCT, *behind), tile_bytes=2048, counted=True)[0], [])
        self.assertNotEqual(judge(loop(LOAD, STORE, PRODUCT, *behind), tile_bytes=2048)[0], [])


class Reasons(unittest.TestCase):
    def explain(self, what, line, name):
        remark = f'k.mlir:{line}:3: remark: [Missed] {name} | Category:c | Function=k | Remark="because it is so"\n'
        found = judge(loop(COPY, PRODUCT), remarks=STAGES + remark)[1].explain(what)
        return found and found.message

    def test_a_remark_counts_at_loads_products_and_what_is_in_loops(self):
        self.assertEqual(self.explain("copies", 3, "NotQueued"), "because it is so")
        self.assertEqual(self.explain("copies", 4, "AsyncCopy"), "because it is so")
        self.assertEqual(self.explain("product", 5, "WarpgroupProduct"), "because it is so")
        self.assertEqual(self.explain("stages", 2, "PipelineStages"), "because it is so")
        self.assertIsNone(self.explain("copies", 8, "TensorCopy"))
        self.assertIsNone(self.explain("copies", 1, "NotQueued"))

    def test_a_remark_about_something_else_is_no_reason(self):
        self.assertIsNone(self.explain("product", 5, "RegisterPressure"))
        self.assertIsNone(self.explain("waits", 4, "AsyncCopy"))

    def test_some_are_about_the_whole_kernel(self):
        self.assertEqual(self.explain("spills", 1, "RegisterPressure"), "because it is so")
        self.assertEqual(self.explain("barriers", 1, "LargeTiles"), "because it is so")


class Known(unittest.TestCase):
    def report(self, misses, lines, all_needed=False):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            path = pathlib.Path(folder) / "known.txt"
            path.write_text(lines)
            case = types.SimpleNamespace(kind="plain", name="plain_1", seed=1, drawn=["f16"])
            result = quality.Result(case, "sm_80", misses)
            return quality.report([result], quality.read_known(path), all_needed), output.getvalue()

    def test_a_miss_is_an_error_unless_it_is_known(self):
        self.assertEqual(self.report([("waits", "how")], "")[0], 1)
        self.assertEqual(self.report([("waits", "how")], "# comment\nplain sm_80 waits since it is so\n")[0], 0)
        self.assertEqual(self.report([("waits", "how")], "plain sm_90 waits since it is so\n")[0], 1)
        self.assertEqual(self.report([], "")[0], 0)

    def test_a_line_that_is_not_needed_is_an_error(self):
        self.assertEqual(self.report([], "plain sm_80 waits since it is so\n", True)[0], 1)
        self.assertEqual(self.report([], "plain sm_80 waits since it is so\n")[0], 0)
        self.assertEqual(self.report([], "other sm_80 waits since it is so\n", True)[0], 0)

    def test_a_wrong_result_is_an_error(self):
        case = types.SimpleNamespace(kind="plain", name="plain_1", seed=1, drawn=[])
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(quality.report([quality.Result(case, "sm_80", [], wrong="1 differs")], {}, False), 1)


class Generator(unittest.TestCase):
    def test_a_seed_is_a_program(self):
        for kind in kinds.KINDS:
            first, again, other = kinds.make(kind, 3), kinds.make(kind, 3), kinds.make(kind, 4)
            self.assertEqual(first.text, again.text)
            self.assertNotEqual(first.text, other.text)
            self.assertEqual(set(first.expected(None)) - set(first.buffers()), set())


if __name__ == "__main__":
    unittest.main()
