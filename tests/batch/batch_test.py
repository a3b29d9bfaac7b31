#!/usr/bin/env python3
"""tileiras --batch: what is refused, what is said of each line, how many run at once, and that products are those of
single runs.

  batch_test.py TILEIRAS [SUBJECT…]
"""

import json
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTOR_ADD = ROOT / "examples" / "vector_add" / "kernel.mlir"
MATMUL = ROOT / "examples" / "matmul" / "kernel.mlir"
TILEIRAS = ""

# Stands for an assembler: says when it begins and ends, and makes nothing.
SLOW_PTXAS = """#!/bin/sh
[ "$1" = --version ] && exit 0
echo begin >> "$PTXAS_LOG"
sleep 0.3
echo end >> "$PTXAS_LOG"
exit 1
"""


def environment(**changes):
    inherited = {name: value for name, value in os.environ.items()
                 if not name.startswith("TILEIR") and name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return {**inherited, **changes}


class Batches(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="tileiras-batch-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.list, self.log = self.folder / "list", self.folder / "log.jsonl"

    def run_batch(self, lines, *options, **rest):
        self.list.write_text("\n".join(lines) + "\n")
        rest.setdefault("env", environment())
        return subprocess.run([TILEIRAS, f"--batch={self.list}", f"--batch-log={self.log}", *options], cwd=self.folder,
                              capture_output=True, text=True, timeout=300, check=False, **rest)

    def read_log(self):
        """By line."""
        return {entry["line"]: entry for entry in map(json.loads, self.log.read_text().splitlines())}


class Lists(Batches):
    def test_lines(self):
        result = self.run_batch([
            "# two kernels, with a comment",
            f"{VECTOR_ADD} -o a.ptx",
            "",
            f"  '{MATMUL}' -o \"b c.ptx\" -O2 --metadata b.json  ",
        ], "--gpu-name", "sm_90", "-j2")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertIn(".target sm_90", (self.folder / "a.ptx").read_text())
        self.assertEqual(json.loads((self.folder / "b.json").read_text())["profile"]["name"], "o2")
        self.assertTrue((self.folder / "b c.ptx").exists())
        log = self.read_log()
        self.assertEqual(sorted(log), [2, 4])
        self.assertEqual((log[4]["exit_code"], log[4]["output"], log[4]["messages"]), (0, "b c.ptx", ""))
        self.assertGreater(log[4]["seconds"], 0)

    def test_failures(self):
        result = self.run_batch([
            f"{VECTOR_ADD} -o a.ptx",
            "nowhere.mlir -o b.ptx",
            f"{VECTOR_ADD} -o c.ptx --gpu-nam sm_90",
            f"{VECTOR_ADD} -o d.ptx --gpu-name sm_12345",
            f"{VECTOR_ADD} -o ./a.ptx",
            f"{MATMUL} -o e.ptx --time-limit 1",
            f"{VECTOR_ADD} -o f.ptx --set num-warps=4",
        ], "-j2", "--gpu-name=sm_90")
        codes = {number: entry["exit_code"] for number, entry in self.read_log().items()}
        self.assertEqual(codes, {1: 0, 2: 4, 3: 1, 4: 2, 5: 1, 6: 5, 7: 0})
        self.assertEqual(result.returncode, 4)  # of line 2
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.ptx")), ["a.ptx", "f.ptx"])
        for text in (f"{self.list}:2: exit code 4: nowhere.mlir -o b.ptx\nerror: cannot read 'nowhere.mlir': No such file",
                     f"{self.list}:3: exit code 1: ", "did you mean '--gpu-name'?", "unknown GPU 'sm_12345'",
                     "line 1 writes './a.ptx', too", "did not finish within 1 ms (--time-limit)",
                     "error: 5 of 7 lines have failed\n"):
            self.assertIn(text, result.stderr)

    def test_what_a_line_may_not_have(self):
        refused = {"--help": "it compiles nothing", "--list-plugins": "it compiles nothing", "-j4": "it is for all of them",
                   "--memory-limit=5": "it is for all of them", "--mlir-timing": "has no place beside --batch",
                   "--batch=x": "it is for all of them"}
        lines = [f"{VECTOR_ADD} -o {number}.ptx {option}" for number, option in enumerate(refused)]
        lines += [f"{VECTOR_ADD} -o -", "- -o x.ptx", "-O3", f"{VECTOR_ADD} {MATMUL} -o y.ptx"]
        result = self.run_batch(lines, "--gpu-name=sm_90")
        self.assertEqual({entry["exit_code"] for entry in self.read_log().values()}, {1})
        messages = [entry["messages"] for _, entry in sorted(self.read_log().items())]
        for message, reason in zip(messages, [*refused.values(), "share standard", "share standard", "no input file",
                                              "more than one input"]):
            self.assertIn(reason, message)
        self.assertEqual(result.stdout, "")

    def test_what_a_batch_may_not_have(self):
        self.list.write_text(f"{VECTOR_ADD} -o a.ptx\n")
        for options, reason in ((["-o", "x"], "-o has no place"), (["x.mlir"], "an input file has no place"),
                                (["--list-plugins"], "questions have no place"), (["-j0"], "-j takes 1 or more"),
                                (["--mlir-timing"], "--mlir-timing is for one compilation"),
                                (["--metadata=x"], "--metadata has no place")):
            result = subprocess.run([TILEIRAS, f"--batch={self.list}", *options], capture_output=True, text=True,
                                    cwd=self.folder, check=False, env=environment())
            self.assertEqual(result.returncode, 1, options)
            self.assertIn(reason, result.stderr)
        result = subprocess.run([TILEIRAS, str(VECTOR_ADD), "-j4"], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (1, "error: -j and --batch-log are for --batch=FILE\n"))
        result = subprocess.run([TILEIRAS, "--batch=nowhere"], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr),
                         (4, "error: cannot read 'nowhere': No such file or directory\n"))

    def test_standard_input(self):
        result = subprocess.run([TILEIRAS, "--batch", "-", "--gpu-name=sm_90"], cwd=self.folder, text=True, check=False,
                                input=f"{VECTOR_ADD} -o a.ptx\nnowhere.mlir\n", capture_output=True, env=environment())
        self.assertEqual(result.returncode, 4)
        self.assertEqual(result.stderr, "<stdin>:2: exit code 4: nowhere.mlir\nerror: cannot read 'nowhere.mlir': No such "
                         "file or directory\nerror: 1 of 2 lines have failed\n")
        self.assertTrue((self.folder / "a.ptx").exists())

    def test_warnings_and_remarks(self):
        result = self.run_batch([f"{MATMUL} -o a.ptx -O2", f"{MATMUL} -o b.ptx"], "--gpu-name=sm_90", "--remarks=missed")
        self.assertEqual(result.returncode, 0)
        self.assertIn(f"{self.list}:1: {MATMUL} -o a.ptx -O2\n{MATMUL}:", result.stderr)
        self.assertIn("[Missed]", self.read_log()[1]["messages"])

    def test_memory(self):
        """It does not grow with the number of lines."""
        peaks = []
        for count in (150, 1200):
            result = self.run_batch([f"{VECTOR_ADD} -o {n % 7}-{n}.ptx --set tuning.access-cost={n + 2}" for n in range(count)],
                                    "--gpu-name=sm_90", "-j2", "--report-memory", "-w")
            self.assertEqual(result.returncode, 0, result.stderr)
            peaks.append(int(re.search(r"peak memory: (\d+) MiB", result.stderr).group(1)))
        self.assertLess(peaks[1], peaks[0] * 1.2 + 8, peaks)

    def test_interrupt(self):
        """The whole batch ends; what is complete stays, and nothing else."""
        lines = [f"{MATMUL} -o {n}.ptx --gpu-name=sm_90 --set tuning.access-cost={n + 2}" for n in range(200)]
        self.list.write_text("\n".join(lines))
        process = subprocess.Popen([TILEIRAS, f"--batch={self.list}", "-j2"], cwd=self.folder, env=environment())
        while not list(self.folder.glob("*.ptx")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), -signal.SIGINT)
        self.assertEqual(list(self.folder.glob("*.tmp")), [])
        products = list(self.folder.glob("*.ptx"))
        self.assertLess(len(products), len(lines))
        for product in products:
            self.assertIn("ret;", product.read_text())

    def test_progress(self):
        self.list.write_text("".join(f"{VECTOR_ADD} -o {i}.ptx\n" for i in range(5)) + "nowhere.mlir\n")
        parent, child = pty.openpty()
        process = subprocess.Popen([TILEIRAS, f"--batch={self.list}", "--gpu-name=sm_90", "-j1"], cwd=self.folder,
                                   stderr=child, stdout=child, env=environment())
        os.close(child)
        shown = b""
        while True:
            try:
                piece = os.read(parent, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        os.close(parent)
        self.assertEqual(process.wait(), 4)
        for text in (b"\r\x1b[Ktileiras: 1 of 6 lines", b"\r\x1b[Ktileiras: 6 of 6 lines, 1 failed\r\x1b[K"):
            self.assertIn(text, shown)


class Jobs(Batches):
    """How many lines run at once, as their assemblers tell."""

    def setUp(self):
        super().setUp()
        toolkit = self.folder / "cuda"
        (toolkit / "bin").mkdir(parents=True)
        (toolkit / "bin" / "ptxas").write_text(SLOW_PTXAS)
        (toolkit / "bin" / "ptxas").chmod(0o755)
        self.times = self.folder / "times"
        self.toolkit = {"CUDA_ROOT": str(toolkit), "PTXAS_LOG": str(self.times)}
        self.lines = [f"{VECTOR_ADD} -o {i}.cubin --gpu-name=sm_90" for i in range(6)]

    def count_jobs(self, *options, **rest):
        """The most lines at once. Each fails: it gets no cubin."""
        self.times.write_text("")
        result = self.run_batch(self.lines, *options, **rest)
        self.assertEqual(result.returncode, 5, result.stderr)
        self.stderr = result.stderr
        running, most = 0, 0
        for event in self.times.read_text().split():
            running += 1 if event == "begin" else -1
            most = max(most, running)
        self.assertEqual(running, 0)
        self.assertEqual(len(self.times.read_text().split()), 2 * len(self.lines))
        return most

    def test_option(self):
        self.assertEqual(self.count_jobs("-j1", env=environment(**self.toolkit)), 1)
        self.assertEqual(self.count_jobs("-j3", env=environment(**self.toolkit)), 3)

    def test_time_limit(self):
        """It ends an assembler, too, and that of one line alone."""
        lines = [f"{VECTOR_ADD} -o {i}.cubin --gpu-name=sm_90{limit}" for i, limit in enumerate(["", " --time-limit=150"])]
        self.times.write_text("")
        self.run_batch(lines, "-j2", env=environment(**self.toolkit))
        messages = [entry["messages"] for _, entry in sorted(self.read_log().items())]
        self.assertNotIn("--time-limit", messages[0])
        self.assertIn("did not finish within 150 ms (--time-limit)", messages[1])
        self.assertEqual(sorted(self.times.read_text().split()), ["begin", "begin", "end"])

    def serve(self, tokens, jobs):
        """What make says where it serves so many tokens by a named pipe, which is returned, too."""
        path = self.folder / "jobserver"
        if path.exists():
            path.unlink()
        os.mkfifo(path)
        pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, pipe)
        os.write(pipe, tokens)
        return pipe, environment(**self.toolkit, MAKEFLAGS=f" -j{jobs} --jobserver-auth=fifo:{path}")

    def test_named_pipe(self):
        for tokens, jobs, most in ((b"", 8, 1), (b"x", 8, 2), (b"xyz", 4, 4)):
            with self.subTest(tokens):
                pipe, variables = self.serve(tokens, jobs)
                self.assertEqual(self.count_jobs(env=variables), most)
                try:
                    returned = os.read(pipe, 100)
                except BlockingIOError:
                    returned = b""
                self.assertEqual(sorted(returned), sorted(tokens))
        _, variables = self.serve(b"", 8)
        self.assertEqual(self.count_jobs("-j3", env=variables), 3)  # whoever says a number means it

    def test_descriptors(self):
        read, write = os.pipe()
        os.write(write, b"ab")
        flags = f" -j3 --jobserver-auth={read},{write}"
        self.assertEqual(self.count_jobs(env=environment(**self.toolkit, MAKEFLAGS=flags), pass_fds=(read, write)), 3)
        os.set_blocking(read, False)
        self.assertEqual(sorted(os.read(read, 100)), sorted(b"ab"))
        # As in a recipe that make does not take for one of its own: they are closed.
        self.assertEqual(self.count_jobs(env=environment(**self.toolkit, MAKEFLAGS=flags)), 1)
        self.assertIn("note: make's jobserver cannot be reached, and one line is compiled at a time", self.stderr)
        os.close(read)
        os.close(write)

    def test_make(self):
        make = shutil.which("make")
        if not make:
            self.skipTest("make is not installed")
        self.list.write_text("\n".join(self.lines) + "\n")
        (self.folder / "Makefile").write_text(f"all:\n\t+-{TILEIRAS} --batch={self.list}\n")
        self.times.write_text("")
        subprocess.run([make, "-j2"], cwd=self.folder, env=environment(**self.toolkit), capture_output=True, check=True,
                       timeout=100)
        running, most = 0, 0
        for event in self.times.read_text().split():
            running += 1 if event == "begin" else -1
            most = max(most, running)
        self.assertEqual((most, running), (2, 0))


class Orders(Batches):
    """Lines in any order, with errors between them, say and make what they do alone, also from a cache."""

    SETTINGS = ["", "-O0", "-O1", "-O2", "--profile=o3-ws", "--set num-warps=8", "--lineinfo", "--set ftz=true -w",
                "--remarks=all", "--set approx=true --remarks=missed", "--emit=tileas", "--emit=llvm-ir",
                "--set tuning.access-cost=3", "--gpu-name=sm_12345", "--set num-warp=3", "-Werror"]
    GPUS = ["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"]

    def collect_inputs(self, chance):
        inputs = sorted((ROOT / "tests" / "kernels").glob("*/kernel.mlir")) + sorted((ROOT / "examples").glob("*/kernel.mlir"))
        inputs = chance.sample(inputs, 14)
        corpus = os.environ.get("TILEIRAS_CORPUS")
        if corpus:
            inputs += chance.sample(sorted(pathlib.Path(corpus).glob("kernels/*/kernel.tileirbc")), 14)
        broken = []
        for number, source in enumerate(chance.sample(inputs, 8)):
            data = bytearray(source.read_bytes())
            if number % 2:
                del data[chance.randrange(len(data)):]
            else:
                for _ in range(3):
                    data[chance.randrange(len(data))] = chance.randrange(256)
            path = self.folder / f"broken-{number}{source.suffix}"
            path.write_bytes(data)
            broken.append(path)
        return inputs + broken

    def run_alone(self, line, name):
        result = subprocess.run([TILEIRAS, *line.split(), "-o", name], cwd=self.folder, capture_output=True, text=True,
                                errors="replace", check=False, env=environment(), timeout=100)
        product = self.folder / name
        return result.returncode, result.stderr, product.read_bytes() if product.exists() else None

    def test_orders(self):
        seed = int(os.environ.get("TILEIRAS_BATCH_SEED", "54"))
        chance = random.Random(seed)
        inputs = self.collect_inputs(chance)
        lines = [f"{chance.choice(inputs)} --gpu-name={chance.choice(self.GPUS)} {chance.choice(self.SETTINGS)} --emit=ptx"
                 if chance.random() < 0.8 else f"{chance.choice(inputs)} --gpu-name={chance.choice(self.GPUS)} --emit=tileaa"
                 for _ in range(int(os.environ.get("TILEIRAS_BATCH_LINES", "120")))]
        lines = [line.replace(" --emit=ptx", "") if line.count("--emit") > 1 else line for line in lines]
        lines = [line if "--emit" in line else line + " --emit=ptx" for line in lines]
        alone = [self.run_alone(line, f"alone-{number}.ptx") for number, line in enumerate(lines)]
        codes = [code for code, _, _ in alone]
        self.assertGreater(codes.count(0), len(lines) // 3)
        self.assertGreater(len(set(codes)), 3, "there are errors of several kinds")
        cache = f"--cache={self.folder}/cache"
        for round_number, (jobs, *options) in enumerate(((1,), (2,), (3,), (2, cache), (2, cache))):
            order = list(range(len(lines)))
            chance.shuffle(order)
            self.run_batch([f"{lines[number]} -o together-{number}.ptx" for number in order], f"-j{jobs}", *options)
            log = self.read_log()
            for place, number in enumerate(order, start=1):
                product = self.folder / f"together-{number}.ptx"
                together = (log[place]["exit_code"], log[place]["messages"],
                            product.read_bytes() if product.exists() else None)
                self.assertEqual(together, alone[number], f"seed {seed}, round {round_number}: {lines[number]}")
                if product.exists():
                    product.unlink()
        # In the last round all that does not fail is in the cache.
        hits = [entry["cached"] for entry in log.values() if entry["exit_code"] == 0]
        self.assertEqual(hits, [True] * codes.count(0))


if __name__ == "__main__":
    TILEIRAS = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
