#!/usr/bin/env python3
"""data_test.py TOOLS FOLDER: what --report leaves, without looking at it."""

import pathlib
import subprocess
import sys
import unittest

import pages

TOOLS, FOLDER = (pathlib.Path(argument).resolve() for argument in (sys.argv.pop(1), sys.argv.pop(1)))
FOLDER.mkdir(parents=True, exist_ok=True)
KERNELS = [pages.ROOT / "examples" / name / "kernel.mlir" for name in ("matmul", "vector_add")] + [
    pages.ROOT / "tests" / "kernels" / name / "kernel.mlir" for name in ("transpose", "sigmoid_attention", "two_layers")]


class Data(unittest.TestCase):
    def test_code_is_the_same_with_a_report(self):
        for kernel in KERNELS:
            for gpu in ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120"):
                ptx, page = FOLDER / "plain.ptx", FOLDER / "page.html"
                pages.run(TOOLS, "tileiras", kernel, "-o", ptx, "--gpu-name", gpu, "--lineinfo")
                plain = ptx.read_text()
                pages.run(TOOLS, "tileiras", kernel, "-o", ptx, "--gpu-name", gpu, "--lineinfo", "--report", page)
                self.assertEqual(ptx.read_text(), plain, f"{kernel} for {gpu}")
                (unit,) = pages.read_data(page)
                self.check(unit["compilation"], plain, kernel, gpu)

    def check(self, data, ptx, kernel, gpu):
        self.assertEqual(data["ptx"], ptx)
        self.assertEqual(data["metadata"]["target"]["gpu"], gpu)
        self.assertEqual(data["sources"][0]["text"], kernel.read_text())
        self.assertGreater(len(data["remarks"]), 0)
        changed = [each for each in data["passes"] if each["added"] + each["removed"]]
        self.assertGreater(len(changed), 5)
        for each in changed:
            lines = [line for hunk in each["hunks"] for line in hunk["lines"]]
            shown = sum(line[0] in "+-" for line in lines)
            self.assertLessEqual(shown, each["added"] + each["removed"], each["pass"])
            if not each["left"]:
                self.assertEqual(shown, each["added"] + each["removed"], each["pass"])
        for memory in data["memory"]:
            for part in memory["parts"]:
                self.assertLessEqual(0, part["begin"])
                self.assertLessEqual(part["begin"], part["end"])
                self.assertLessEqual(part["end"], memory["positions"])
                self.assertLessEqual(part["offset"] + part["bytes"], memory["limit"])

    def test_a_matmul_is_all_there(self):
        pages.run(TOOLS, "tileiras", KERNELS[0], "-o", FOLDER / "x.ptx", "--gpu-name", "sm_90", "--report", FOLDER / "page.html")
        data = pages.read_data(FOLDER / "page.html")[0]["compilation"]
        (schedule,) = data["schedules"]
        self.assertEqual([operation["line"] for operation in schedule["operations"]], [29, 31])
        self.assertIn(f"II {schedule['ii']} ", next(r["message"] for r in data["remarks"] if r["name"] == "LoopSchedule"))
        (memory,) = data["memory"]
        (pipeline,) = memory["pipelines"]
        self.assertEqual((pipeline["stages"], pipeline["filled"], pipeline["producers"], pipeline["consumers"]), (6, "tma", [0], [1]))
        loads, multiplies = data["agents"][0]["agents"]
        self.assertEqual((loads["roles"], loads["warps"], multiplies["warps"]), (["loads"], 1, 8))
        self.assertIn("MMAs", multiplies["roles"])
        for verb, agent in (("dec", loads), ("inc", multiplies)):
            self.assertRegex(data["ptx"], rf"setmaxnreg\.{verb}\.sync\.aligned\.u32\s+{agent['registers']};")

    def test_bytecode_has_its_text(self):
        pages.run(TOOLS, "tileiras", KERNELS[0], "-o", FOLDER / "x.tileirbc")
        pages.run(TOOLS, "tileiras", FOLDER / "x.tileirbc", "-o", FOLDER / "x.ptx", "--gpu-name", "sm_90", "--report", FOLDER / "p.html")
        data = pages.read_data(FOLDER / "p.html")[0]["compilation"]
        self.assertIn("entry @matmul", data["program"])

    def test_what_is_no_page(self):
        def tell(*options):
            command = [TOOLS / "tileiras", KERNELS[1], "-o", FOLDER / "x.ptx", "--gpu-name", "sm_90", *options]
            return subprocess.run(command, capture_output=True, text=True).stderr
        self.assertIn("the report would replace the output", tell(f"--report={FOLDER / 'x.ptx'}"))
        self.assertIn("/nowhere/x.html", tell("--report=/nowhere/x.html"))
        run = subprocess.run([TOOLS / "tileiras-run", KERNELS[1], "--launch", KERNELS[1].parent / "launch.json", "--machine", "b200"],
                             capture_output=True, text=True)
        self.assertEqual((run.returncode, "--machine says whose times --report shows" in run.stderr), (2, True), run.stderr)

    def test_nothing_ends_the_page_before_its_end(self):
        """What looks like the end of a script, in a name that comes from outside."""
        (FOLDER / "evil.mlir").write_text(
            'cuda_tile.module @m {\n  // </script><script>alert(1)</script> <!-- \n  entry @k() {\n    return\n  }\n}\n')
        pages.run(TOOLS, "tileiras", FOLDER / "evil.mlir", "-o", FOLDER / "x.ptx", "--gpu-name", "sm_90", "--report", FOLDER / "p.html")
        self.assertIn("</script><script>alert(1)", pages.read_data(FOLDER / "p.html")[0]["compilation"]["sources"][0]["text"])
        self.assertEqual((FOLDER / "p.html").read_text().count("</script>"), 2)


if __name__ == "__main__":
    unittest.main()
