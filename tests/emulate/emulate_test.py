#!/usr/bin/env python3
"""What a user without a GPU does: tileiras-cutile --emulate PROGRAM. emulate_test.py CUTILE [unittest …]"""

import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

TOOL = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = HERE.parent / "cutile" / "packages" / "new"
PYTHON = sys.executable


def run(*command, options=("--emulate",), **changes):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("EMULATED_CUDA", "CUDA_LAUNCH"))}
    environment |= {"PYTHONPATH": str(PACKAGES), "PYTHONDONTWRITEBYTECODE": "1"} | changes
    return subprocess.run([TOOL, *options, *map(str, command)], env=environment, text=True, errors="replace",
                          capture_output=True, timeout=300)


class Programs(unittest.TestCase):
    def check(self, result, gpu, count=20):
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout + result.stderr)
        self.assertTrue(result.stdout.endswith(f"{gpu}: {count} of {count} right\n"), result.stdout)

    def test_twenty_programs_are_right(self):
        self.check(run(PYTHON, HERE / "programs.py"), "sm_90")

    def test_where_launches_are_corrected(self):
        self.check(run(PYTHON, HERE / "programs.py", options=["--emulate=sm_80"]), "sm_80")

    def test_with_work_that_is_done_as_late_as_possible(self):
        self.check(run(PYTHON, HERE / "programs.py", options=["--emulate=sm_100"], CUDA_LAUNCH_BLOCKING="0"), "sm_100")

    def test_a_program_that_compiles_by_itself(self):
        """Through libtileiras and the launch library; the driver is the only GPU that there is."""
        example = HERE.parents[1] / "examples" / "vector_add"
        for home in ({}, {"CUDA_HOME": "/nowhere"}):
            result = run(TOOL.parent / "tileiras-run", example / "kernel.mlir", "--launch", example / "launch.json", "--on=gpu",
                         "--repeat=0", **home)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("agrees with what is expected", result.stdout)

    def test_without_an_assembler(self):
        some = ["vector_add", "matmul_f16", "gathered_rows"]
        for gpu in ("sm_80", "sm_90"):
            result = run(PYTHON, HERE / "programs.py", *some, options=[f"--emulate={gpu}"], CUDA_HOME="/nowhere")
            self.check(result, gpu, len(some))


class Mistakes(unittest.TestCase):
    """Each is found, and told by an exception of the call that launches, with the line of the front end's program."""

    def check(self, name, result, line, kind, **options):
        told = run(PYTHON, HERE / "faults.py", name, **options)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertRegex(told.stdout, rf"^{result} cuLaunchKernelEx: .*/home/user/app\.py:{line}:5: {kind} in kernel '{name}'")
        self.assertIn(f"at /home/user/app.py:{line}:5", told.stderr)

    def test_out_of_bounds(self):
        self.check("beyond", 700, 12, "out-of-bounds")

    def test_memory_is_named_by_the_parameter(self):
        told = run(PYTHON, HERE / "faults.py", "beyond")
        self.assertRegex(told.stdout, r"byte \d+ of 'allocation \d+ \(parameter 0\)', which has 400 bytes")

    def test_race(self):
        self.check("race", 719, 22, "data-race")

    def test_failed_assertion(self):
        self.check("fails", 710, 33, "assertion")

    def test_what_is_asked_for_is_looked_for(self):
        self.check("race", 719, 22, "data-race", options=["--emulate", "--sanitize=uninit,races"])
        for asked in ("none", "fences", "uninit,bounds"):
            told = run(PYTHON, HERE / "faults.py", "race", options=["--emulate", f"--sanitize={asked}"])
            self.assertEqual((told.stdout, told.stderr), ("launched\nno mistake was found\n", ""))
        self.check("beyond", 700, 12, "out-of-bounds", options=["--emulate", "--sanitize", "none"])

    def test_later_where_launches_return_at_once(self):
        told = run(PYTHON, HERE / "faults.py", "race", CUDA_LAUNCH_BLOCKING="0")
        self.assertRegex(told.stdout, r"^launched\n719 cuCtxSynchronize: .*app\.py:22:5")


class Interrupts(unittest.TestCase):
    PROGRAM = """
import ctypes, os, signal, sys, threading
sys.path.insert(0, sys.argv[1])
import client
gpu = client.Gpu()
module, function = ctypes.c_void_p(), ctypes.c_void_p()
client.call("cuModuleLoadData", ctypes.byref(module), b".version 8.0\\n.target sm_80\\n.address_size 64\\n"
            b".visible .entry spin() { again: bra again; }")
client.call("cuModuleGetFunction", ctypes.byref(function), module, b"spin")
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    client.call("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, None, None, None)
    print("it ended")
except client.CudaError as error:
    print(error.result)
"""

    def test_a_program_hears_of_it_at_once(self):
        start = time.monotonic()
        result = run(PYTHON, "-c", self.PROGRAM, HERE)
        self.assertIn("KeyboardInterrupt", result.stderr)
        self.assertIn("emulated driver: kernel 'spin' was interrupted; the context is lost", result.stderr)
        self.assertNotIn("it ended", result.stdout)
        self.assertLess(time.monotonic() - start, 60)


class Times(unittest.TestCase):
    def test_a_table_of_all_launches(self):
        some = ["vector_add", "matmul_f16"]
        result = run(PYTHON, HERE / "programs.py", *some, options=["--emulate", "--time", "h100-sxm"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("sm_90: 2 of 2 right", result.stdout)
        self.assertIn("times on h100-sxm, by the clock of the emulator", result.stderr)
        rows = re.findall(r"^(\w+) +(\w+) +(\d+) +([0-9.]+) +([0-9.]+)  \S", result.stderr, re.MULTILINE)
        self.assertEqual([row[:3] for row in rows], [("vector_add", "4x1x1", "1"), ("matmul_f16", "2x2x1", "1")])
        total = float(re.search(r"^total +([0-9.]+)$", result.stderr, re.MULTILINE).group(1))
        self.assertAlmostEqual(total, sum(float(row[4]) for row in rows), delta=0.02)
        self.assertTrue(all(0.5 < float(row[3]) < 50 for row in rows), rows)

    def test_a_mistake_is_found_all_the_same(self):
        result = run(PYTHON, HERE / "faults.py", "beyond", options=["--emulate", "--time=h100-sxm"])
        self.assertRegex(result.stdout, r"^700 cuLaunchKernelEx: .*app\.py:12:5")
        self.assertRegex(result.stderr, r"(?m)^beyond +1x1x1 +1 ")

    def test_the_machine_says_which_gpu(self):
        result = run(PYTHON, HERE / "programs.py", "vector_add", options=["--emulate", "--time=l4"])
        self.assertIn("sm_89: 1 of 1 right", result.stdout)
        program = "import sys; sys.path.insert(0, sys.argv[1]); import client; print(client.Gpu().attribute(16))"
        counts = [run(PYTHON, "-c", program, HERE, options=options).stdout.strip()
                  for options in (["--emulate", "--time=l4"], ["--emulate=sm_90"], ["--emulate=sm_120"])]
        self.assertEqual(counts, ["58", "132", "170"])  # multiprocessors
        self.assertIn("Emulated NVIDIA L4 (sm_89)", run("true", options=["--check", "--emulate", "--time=l4"]).stdout)


class Options(unittest.TestCase):
    def check(self, options, code, text):
        result = run("true", options=options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(text, result.stderr)

    def test_mistakes_are_explained(self):
        self.check(["--emulate=h100"], 2, "--emulate takes a GPU from sm_80 on, as sm_90, not 'h100'")
        self.check(["--emulate=sm_75"], 2, "from sm_80 on")
        self.check(["--emulate", "--sanitize=raes"], 2, "--sanitize takes a list of all, none, races, fences, uninit, ")
        self.check(["--time=l4"], 2, "--sanitize, --time and --report are for --emulate")
        self.check(["--report=x.html"], 2, "--sanitize, --time and --report are for --emulate")
        self.check(["--emulate", "--time=l5"], 2, "there is no machine 'l5'; did you mean 'l4'?")
        self.check(["--emulate=sm_100", "--time=l4"], 2, "the machine does not run what is compiled for sm_100")

    def test_check_knows_the_gpu(self):
        result = run("true", options=["--check", "--emulate=sm_120"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^GPU 0 +Emulated GPU \(sm_120\), compute capability 12\.0")

    def test_children_do_not_find_the_driver(self):
        look = "import ctypes; ctypes.CDLL('libcuda.so.1'); print('emulated' in open('/proc/self/maps').read())"
        child = f"import os, subprocess, sys; {look}; print('emulated' in os.environ.get('LD_LIBRARY_PATH', ''))"
        self.assertEqual(run(PYTHON, "-c", child).stdout, "True\nFalse\n")

    def test_children_do_when_asked(self):
        child = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, {str(HERE / 'programs.py')!r}, 'vector_add']).returncode)"
        result = run(PYTHON, "-c", child, options=["--emulate=sm_89", "--children"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("sm_89: 1 of 1 right", result.stdout)

    def test_the_runtime_library_is_told_what_is_missing(self):
        """What PyTorch and CuPy are built on (docs/guides/cutile.md)."""
        libraries = sorted(pathlib.Path(os.environ.get("TILEIRAS_TEST_CUDA", "/usr/local/cuda")).glob("lib*/libcudart.so.1*"))
        if not libraries:
            self.skipTest("the CUDA runtime library is not installed")
        program = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).cudaGetDeviceCount(ctypes.byref(ctypes.c_int())))"
        result = run(PYTHON, "-c", program, libraries[0])
        self.assertEqual(result.stdout, "801\n")  # cudaErrorNotSupported
        self.assertIn("cuGetExportTable is not emulated: CUDA_ERROR_NOT_SUPPORTED", result.stderr)

    def test_the_version_tells_other_cubins(self):
        """Front ends keep cubins by it."""
        def ask(**changes):
            compiler = TOOL.parent / "tileiras"
            return subprocess.run([compiler, "--version"], env=os.environ | changes, text=True, capture_output=True).stdout
        self.assertNotEqual(ask(), ask(TILEIRAS_KEEP_PTX="emulate"))


@unittest.skipUnless(os.environ.get("TILEIRAS_TEST_CUTILE"), "cuTile Python is not installed: its programs are not run")
class CutilePython(unittest.TestCase):
    path = {"PYTHONPATH": os.environ.get("TILEIRAS_TEST_CUTILE", "").removeprefix("installed")}

    def test_programs(self):
        for gpu in ("sm_80", "sm_90", "sm_100", "sm_120"):
            result = run(PYTHON, HERE / "real_cutile.py", options=[f"--emulate={gpu}"], **self.path)
            self.assertEqual((result.returncode, result.stdout), (0, "12 of 12 right\n"), result.stderr)

    def test_the_tuner_measures_by_the_clock(self):
        results = [run(PYTHON, HERE / "real_cutile.py", "tune", options=["--emulate", "--time=h100-sxm"], **self.path)
                   for _ in range(2)]
        self.assertEqual(results[0].returncode, 0, results[0].stderr)
        self.assertEqual(results[0].stdout, results[1].stdout)  # not by what else the machine does
        times = {tile: float(time) for tile, time in re.findall(r"^(\(.*\)) ([0-9.]+)$", results[0].stdout, re.MULTILINE)}
        self.assertGreater(times["(16, 16, 16)"], 2 * times["(64, 64, 32)"])
        self.assertNotIn("best (16, 16, 16)", results[0].stdout)
        rows = re.findall(r"^multiply_K\S+ +(\w+) +\d+ +([0-9.]+) ", results[0].stderr, re.MULTILINE)
        self.assertAlmostEqual(float(dict(rows)["16x16x1"]), times["(16, 16, 16)"], delta=0.1)

    def test_mistakes_are_exceptions_with_the_line(self):
        lines = (HERE / "real_cutile.py").read_text().splitlines()
        for name, kind, text in (("race", "data-race", "# all blocks"), ("beyond", "out-of-bounds", "check_bounds=False"),
                                 ("fails", "assertion", "all are small")):
            line = next(number for number, content in enumerate(lines, 1) if text in content)
            result = run(PYTHON, HERE / "real_cutile.py", name, **self.path)
            self.assertRegex(result.stderr, rf"RuntimeError: .*real_cutile\.py:{line}:\d+: {kind} in kernel '{name}")


if __name__ == "__main__":
    unittest.main()
