#!/usr/bin/python3
"""Tests the lab without a GPU: the payload's own program, with a small PyTorch (fake_torch), a small Triton (fake_triton) and
tools that only answer (fake_tools), on the emulated driver, which really runs the kernels.

  lab_test.py PAYLOAD FOLDER_OF_EMULATED_LIBCUDA GPU_LAUNCHER

PAYLOAD is of the rows of lab_rows.py. Wrong results, crashes and hangs are planted; each has to be told, and to stop nothing
else.
"""

import gzip
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE / "measure")]

import lab_samples  # noqa: E402

report, timing, tools = (importlib.import_module(name) for name in ("report", "timing", "tools"))
PAYLOAD, DRIVER, LAUNCHER = None, None, None
QUICK = ["--launches", "1", "--seconds", "0", "--flush-bytes", "65536"]


class Parsers(unittest.TestCase):
    """What NVIDIA's tools print."""

    def test_samples(self):
        samples = tools.parse_samples(lab_samples.SMI_SAMPLES)
        self.assertEqual([sample["sm_mhz"] for sample in samples], [1980, 1755, 1890])
        self.assertAlmostEqual(samples[2]["time"] - samples[0]["time"], 0.2, 3)
        self.assertEqual(tools.spread(samples, "sm_mhz"), [1755, 1890, 1980])
        self.assertEqual(tools.spread(samples, "watt"), [650, (650 + 690.11) / 2, 690.11])
        self.assertIsNone(tools.spread([], "watt"))

    def test_clocks_of_a_measurement(self):
        clocks = tools.Clocks(tool="none")
        clocks.samples = tools.parse_samples(lab_samples.SMI_SAMPLES)
        start = clocks.samples[0]["time"]
        entry = {"torch": {"missing": "nothing"}, "triton": {}, "tiles": [{"from": start + 0.05, "to": start + 0.15}]}
        clocks.attach(entry)
        self.assertEqual(entry["tiles"][0]["clocks"]["sm_mhz"], [1755, 1755, 1755])
        self.assertIsNone(entry["tiles"][0]["clocks"]["watt"])

    def test_state(self):
        state = tools.parse_state(lab_samples.SMI_STATE)
        self.assertEqual([state[key] for key in ("name", "power.limit", "ecc.mode.current")],
                         ["NVIDIA H200", "700.00", "[Not Supported]"])

    def test_counters(self):
        found = tools.name_counters(tools.parse_counters(lab_samples.NCU))
        self.assertEqual(found, {"dram_read_bytes": 67108864, "time_us": 182.4, "tensor_pipe_percent": 87.25})
        self.assertEqual(tools.complaints(lab_samples.NCU), ([], set()))
        self.assertEqual(tools.parse_counters(lab_samples.NCU_FORBIDDEN), {})
        others, unknown = tools.complaints(lab_samples.NCU_FORBIDDEN)
        self.assertIn("ERR_NVGPUCTRPERM", others[0])
        self.assertFalse(unknown)
        self.assertEqual(tools.complaints(lab_samples.NCU_UNKNOWN), ([], {tools.METRICS["wgmma_percent"]}))

    def test_sanitizer(self):
        self.assertEqual(tools.parse_report("memcheck", lab_samples.MEMCHECK),
                         {"errors": 1, "first": "Invalid __global__ read of size 4 bytes"})
        self.assertEqual(tools.parse_report("memcheck", lab_samples.MEMCHECK_CLEAN), {"errors": 0, "first": ""})
        self.assertEqual(tools.parse_report("racecheck", lab_samples.RACECHECK)["errors"], 1)
        self.assertEqual(tools.parse_report("racecheck", lab_samples.RACECHECK_CLEAN), {"errors": 0, "first": ""})
        self.assertIn("Device not supported", tools.parse_report("memcheck", lab_samples.REFUSED)["error"])
        self.assertEqual(tools.parse_report("racecheck", ""), {"error": "no report"})

    def test_targets(self):
        self.assertEqual([tools.runs_on(target, "9.0") for target in ("90", "90a", "80", "100a")], [True, True, False, False])
        self.assertEqual([tools.runs_on(target, "8.6") for target in ("80", "86", "89", "80a")], [True, True, False, False])

    def test_finding(self):
        self.assertEqual(tools.finding({"errors": 0, "first": "", "case": "pass"}), "0")
        self.assertEqual(tools.finding({"errors": 0, "first": "", "case": "fail", "detail": "y[0] is 1, not 2"}),
                         "0; fail: y[0] is 1, not 2")
        self.assertEqual(tools.finding({"error": "took more than 120 s"}), "took more than 120 s")

    def test_agreement(self):
        clean, found = {"errors": 0, "first": "", "case": "pass"}, {"errors": 2, "first": "x", "case": "fail"}
        broken = {"error": "no report", "case": "pass"}
        for verdict, memcheck, racecheck, wanted in (
                ("clean", clean, clean, True), ("clean", found, clean, False), ("clean", clean, found, False),
                ("clean", clean, {**clean, "case": "fail"}, False), ("clean", clean, broken, None), ("traps", found, clean, None),
                ("out-of-bounds", found, clean, True), ("out-of-bounds", clean, clean, False),
                ("data-race", found, clean, False), ("data-race", clean, found, True)):
            reports = {"memcheck": memcheck, "racecheck": racecheck}
            self.assertIs(tools.agree(verdict, reports), wanted, (verdict, reports))


class Clock:
    """A device on which a launch takes `each` microseconds, and a flush `flush_us`."""

    def __init__(self, each, flush_us):
        self.now, self.each, self.flush_us, self.launches = 0.0, list(each), flush_us, 0

    def record(self):
        return self.now

    def elapsed(self, first, second):
        return second - first

    def synchronize(self):
        pass

    def flush(self):
        self.now += self.flush_us

    def launch(self):
        self.now += self.each[self.launches % len(self.each)]
        self.launches += 1


class Times(unittest.TestCase):
    def test_median(self):
        device = Clock([10, 10, 10, 90], 100)
        found = timing.measure(device, device.launch, timing.Effort(seconds=1, least=8, most=40))
        self.assertEqual((found["us"], found["least_us"], len(found["samples_us"])), (10, 10, 40))
        self.assertAlmostEqual(found["back_to_back_us"], 30)

    def test_effort(self):
        effort = timing.Effort(seconds=0.2, least=7, most=100)
        self.assertEqual([effort.launches(us) for us in (1, 4000, 1e6)], [100, 50, 7])


class Model(unittest.TestCase):
    def test_machine(self):
        both = {"h100-sxm": {"us": 2}, "h200-sxm": {"us": 1}}
        self.assertEqual(report.machine_of({"name": "NVIDIA H200"}, both), "h200-sxm")
        self.assertEqual(report.machine_of({"name": "NVIDIA H100 80GB HBM3"}, both), "h100-sxm")
        self.assertEqual(report.machine_of({"name": "NVIDIA H100 80GB HBM3"}, {"h200-sxm": {}}), "h200-sxm")
        self.assertIsNone(report.machine_of({"name": "NVIDIA H200"}, {}))
        self.assertEqual([report.machine_named({"name": name}) for name in ("NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "A100")],
                         ["h100-sxm", None, None])
        results = {"device": {"name": "NVIDIA H100 80GB HBM3"}, "rows": [{"tiles": [{"machine": "h200-sxm"}]}]}
        self.assertIn("which this GPU is not", report.model_line(results))
        results["device"]["name"] = "NVIDIA H200"
        self.assertNotIn("which this GPU is not", report.model_line(results))


def timed(us, off=None):
    return {"choice": f"{us}", "time": {"us": us}, "check": {"ok": True}} | ({"off": off} if off is not None else {})


class Summary(unittest.TestCase):
    def test_sentences(self):
        rows = [{"name": "first", "tiles": [timed(10, -0.1), timed(9)], "torch": {"time": {"us": 20}}},
                {"name": "second", "tiles": [timed(10, 0.5), timed(11)], "torch": {"missing": "nothing"}},
                {"name": "third", "tiles": [timed(10, 0.2)], "torch": {"time": {"us": 5}}},
                {"name": "fourth", "tiles": [{"error": "crashed"}, timed(1)], "torch": {"time": {"us": 1}}}]
        self.assertEqual(report.summary(rows), (
            "3 of 4 rows have a right result and a time. The model is off by 20 % in the middle, at worst by 50 % (second). "
            "No tile is faster than the model's choice in 1 of 2 rows with several. PyTorch takes 1.00 times as long as our "
            "kernels (geometric mean of 2)."))
        self.assertEqual(report.summary(rows[3:]), "0 of 1 rows have a right result and a time.")


class Measured(unittest.TestCase):
    """measure.py, from a copy of the payload that each test may spoil."""

    @classmethod
    def setUpClass(cls):
        cls.pristine = tempfile.TemporaryDirectory(prefix="gpu-lab-test-")
        shutil.copytree(PAYLOAD, pathlib.Path(cls.pristine.name) / "payload")
        for text in pathlib.Path(cls.pristine.name).glob("payload/kernels/*.ptx.gz"):
            text.with_suffix("").write_bytes(gzip.decompress(text.read_bytes()))

    @classmethod
    def tearDownClass(cls):
        cls.pristine.cleanup()

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="gpu-lab-test-")
        self.folder = pathlib.Path(self.temporary.name)
        self.payload, self.results = self.folder / "payload", self.folder / "results.json"
        shutil.copytree(pathlib.Path(self.pristine.name) / "payload", self.payload)

    def tearDown(self):
        self.temporary.cleanup()

    def measure(self, *arguments, fakes=("torch", "triton"), **environment):
        """(exit code, results, what was printed)"""
        variables = {"LD_LIBRARY_PATH": DRIVER, "EMULATED_CUDA_IMAGES": str(self.payload / "kernels"), "EMULATED_CUDA_VERBOSE": "1",
                     "PATH": f"{HERE / 'fake_tools'}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1",
                     "PYTHONPATH": ":".join(str(HERE / f"fake_{name}") for name in fakes), **environment}
        done = subprocess.run([sys.executable, str(self.payload / "measure.py"), str(self.results), *arguments],
                              capture_output=True, text=True, env=os.environ | variables, timeout=600)
        results = json.loads(self.results.read_text()) if self.results.exists() else None
        return done.returncode, results, done.stdout + done.stderr

    def edit(self, change):
        path = self.payload / "lab.json"
        lab = json.loads(path.read_text())
        change({row["name"]: row for row in lab["rows"]})
        path.write_text(json.dumps(lab))

    def row(self, results, name):
        return next(row for row in results["rows"] if row["name"].startswith(name))

    def test_all_rows(self):
        code, results, text = self.measure(*QUICK)
        self.assertEqual(code, 0, text)
        names = [row["name"] for row in json.loads((self.payload / "lab.json").read_text())["rows"]]
        self.assertEqual([row["name"] for row in results["rows"]], names)
        for row in results["rows"]:
            self.assertTrue(row["tiles"][0]["check"]["ok"], row)
            self.assertGreater(row["tiles"][0]["measured_us"], 0)
            self.assertGreater(row["tiles"][0]["predicted_us"], 0)
            self.assertGreater(row["tiles"][0]["kernel"]["threads"], 0)
            self.assertTrue("missing" in row["torch"] or row["torch"]["check"]["ok"], row["torch"])
            kind, shape = row["operation"]["kind"], row["operation"].get("shape")
            has_triton = kind in ("softmax", "attention") or shape in ("plain", "persistent", "split")
            self.assertEqual("time" in row["triton"], has_triton, row["triton"])
        self.assertEqual(results["nvidia_smi"]["driver_version"], "580.159.04")
        self.assertEqual(results["clocks"]["sm_mhz"], [1755, 1755, 1755])
        self.assertEqual(results["payload"]["commit"], (self.payload / "commit.txt").read_text().strip())
        table = self.results.with_suffix(".md").read_text()
        for name in names:
            self.assertIn(f"| {name} |", table)

    def test_wrong_result_and_crash(self):
        def spoil(rows):
            rows["matmul f16 nn 64x64x128"]["variants"][0]["parameters"][5] = {"i32": 64}  # half of the sum
            addition = rows["add f32 4096"]["variants"][0]  # goes on far behind the buffers
            addition["grid"][0], addition["parameters"][3] = 1 << 10, {"i32": 2048 << 10}
        self.edit(spoil)
        code, results, text = self.measure(*QUICK, "matmul f16 nn 64x64x128", "add", "softmax f32")
        self.assertEqual(code, 1, text)
        product, addition = self.row(results, "matmul"), self.row(results, "add")
        self.assertFalse(product["tiles"][0]["check"]["ok"])
        self.assertRegex(product["tiles"][0]["check"]["detail"], r"c\[\d+\] is .*, not .* of 4096 wrong")
        self.assertTrue(product["torch"]["check"]["ok"])
        self.assertRegex(addition["tiles"][0]["error"], "CUDA error|CUDA_ERROR")
        self.assertTrue(addition["torch"]["check"]["ok"], "the stages behind an error run in another process")
        self.assertTrue(self.row(results, "softmax")["tiles"][0]["check"]["ok"])
        table = self.results.with_suffix(".md").read_text()
        self.assertRegex(table, r"matmul f16 nn 64.*\| FAIL \|")
        self.assertRegex(table, r"add f32.*\| ERROR \|")

    def test_unwritten_result(self):
        """A kernel that leaves elements as they were: there is poison in them."""
        self.edit(lambda rows: rows["add f32 4096"]["variants"][0]["grid"].__setitem__(0, 1))
        code, results, text = self.measure(*QUICK, "add")
        self.assertEqual(code, 1, text)
        self.assertIn("c[2048] is nan", results["rows"][0]["tiles"][0]["check"]["detail"])

    def test_hang_and_crash_of_others(self):
        code, results, text = self.measure(*QUICK, "layer norm", "cumulative sum", "--stage-limit", "15", FAKE_TORCH_HANG="cumsum",
                                           FAKE_TORCH_CRASH="native_layer_norm")
        self.assertEqual(code, 0, text)
        self.assertEqual(self.row(results, "cumulative")["torch"]["error"], "took more than 15 s")
        self.assertEqual(self.row(results, "layer norm")["torch"]["error"], "crashed with signal 6")
        for row in results["rows"]:
            self.assertTrue(row["tiles"][0]["check"]["ok"])
            self.assertIn("missing", row["triton"])

    def test_missing_parts(self):
        code, results, text = self.measure(*QUICK, "softmax f32", fakes=("torch",), PATH=os.environ["PATH"])
        self.assertEqual(code, 0, text)
        self.assertEqual(results["rows"][0]["triton"], {"missing": "there is no Triton"})
        if not shutil.which("nvidia-smi"):
            self.assertIn("there is no nvidia-smi", self.results.with_suffix(".md").read_text())
        code, results, text = self.measure(*QUICK, "softmax f32", "matmul f16 nn 64x64x128", fakes=())
        self.assertEqual(code, 0, text)
        for row in results["rows"]:
            self.assertEqual((row["torch"]["missing"], row["tiles"][0]["check"]["missing"]), ("there is no PyTorch with CUDA",) * 2)
            self.assertGreater(row["tiles"][0]["measured_us"], 0)
        self.assertIn("not checked", self.results.with_suffix(".md").read_text())

    def test_fresh_interpreters(self):
        code, results, text = self.measure(*QUICK, "add", "--fresh")
        self.assertEqual(code, 0, text)
        self.assertTrue(results["rows"][0]["tiles"][0]["check"]["ok"])

    def test_no_time_left(self):
        code, results, text = self.measure(*QUICK, "add", "--budget", "-1")
        self.assertEqual(code, 0, text)
        self.assertEqual(results["rows"][0]["tiles"][0]["missing"], "the time was up")
        self.assertIn("| not run |", self.results.with_suffix(".md").read_text())

    def test_no_gpu(self):
        for environment, says in (({"EMULATED_CUDA_DEVICES": "0"}, "cuInit: CUDA_ERROR_NO_DEVICE"),
                                  ({"LD_LIBRARY_PATH": "/nowhere"}, "there is no CUDA driver"),
                                  ({"EMULATED_CUDA_CC": "8.0"}, "the kernels are for compute capability 9.0")):
            code, results, text = self.measure(*QUICK, **environment)
            self.assertEqual((code, results), (77, None), text)
            self.assertRegex(text, f"SKIPPED: .*{says}")

    def test_unknown_row(self):
        code, _, text = self.measure(*QUICK, "no such row")
        self.assertEqual(code, 1)
        self.assertIn("error: no row is named like no such row", text)

    def test_missing_tools(self):
        if tools.find("ncu") or tools.find("compute-sanitizer"):
            self.skipTest("this machine has NVIDIA's tools")
        for options, says in ((["--ncu"], "there is no ncu"), (["--sanitizer", str(self.folder)], "there is no compute-sanitizer")):
            code, _, text = self.measure(*options, PATH=os.environ["PATH"])
            self.assertEqual(code, 1, text)
            self.assertIn(says, self.results.with_suffix(".md").read_text())

    def test_tools_beside_earlier_results(self):
        """--sanitizer and --ncu add to what is there."""
        self.measure(*QUICK, "add")
        corpus = self.folder / "corpus"
        shutil.copytree(self.payload / "planted" / "read_behind", corpus / "sm_90" / "fixed")
        for name in ("kernel.ptx", "launch.txt", "emulator.txt"):
            path = corpus / "sm_90" / "fixed" / name
            path.write_text(path.read_text().replace("buffer in 256", "buffer in 260").replace("out-of-bounds", "clean"))
        shutil.copytree(corpus / "sm_90" / "fixed", corpus / "sm_80" / "for_another_gpu")
        (corpus / "sm_80" / "for_another_gpu" / "target.txt").write_text("80\n")
        shutil.copy(LAUNCHER, corpus / "gpu-launcher")
        shutil.copy(self.payload / "libtileiras-launch.so.0", corpus)
        code, results, text = self.measure("--sanitizer", str(corpus), "-j", "1", EMULATED_CUDA_IMAGES=".")
        self.assertEqual(code, 0, text)
        self.assertEqual({case["name"]: (case["emulator"], case["agree"]) for case in results["sanitizer"]["cases"]},
                         {"planted/misaligned": ("misaligned", True), "planted/read_behind": ("out-of-bounds", True),
                          "planted/shared_race": ("data-race", True), "sm_90/fixed": ("clean", True)})
        code, results, text = self.measure("--ncu")
        self.assertEqual(code, 0, text)
        kernel, = results["ncu"]["kernels"]
        self.assertEqual(kernel["unknown"], [tools.METRICS["wgmma_percent"]])
        self.assertEqual(kernel["measured"]["time_us"], 1.5)
        self.assertGreater(kernel["model"]["warp_instructions"], 0)
        self.assertEqual(len(results["rows"]), 1)
        table = self.results.with_suffix(".md").read_text()
        for section in ("## Kernels", "## compute-sanitizer", "## Counters"):
            self.assertIn(section, table)


if __name__ == "__main__":
    PAYLOAD, DRIVER, LAUNCHER = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
