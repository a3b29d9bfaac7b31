#!/usr/bin/env python3
"""Compiles kernels, assembles them, runs them on the PTX emulator, and compares with the expected data.
Or, with --interpreter, runs them on the reference interpreter instead.

  run.py own    [NAME…]   the kernels of this folder: NAME/kernel.mlir with NAME/case.py
  run.py corpus [NAME…]   other people's kernels, in a folder of meta.json + bytecode

A case is a folder with launch.txt (kernel, grid, buffers, parameters), buf_*.bin, exp_*.bin, and compare.txt with the
types and tolerances of the latter; the emulator compares, and leaves out_*.bin beside them. A table closes the run: by
category, or by chip where `--gpu` names several. The exit code is 0
only when every kernel did what `--expect FILE` says: a line `NAME STAGE REASON` names a kernel that stops at a stage
(compile, run, check); `NAME@CHIP,CHIP` says so for these chips only.

`--part K/N` takes every N-th kernel, from the K-th on (from 0). `--part commit/N` takes the part that the hash of the
commit says; `commit+1/N` is the one after it. Which part it was is printed.
"""

import argparse
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.append(str(HERE))  # for what a case.py shares with others
import rotation  # noqa: E402

choose_part = rotation.choose_part

STAGES = ("compile", "run", "check", "pass")
# Less than any two numbers differ: as an absolute tolerance it makes the two zeros equal, and nothing else.
ZEROS_ARE_EQUAL = 1e-300


def load_module(path, name):
    specification = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def write_comparisons(folder, tolerances):
    """compare.txt, from {buffer: (type, relative, absolute)}."""
    lines = [f"expected {name} exp_{name}.bin {kind} {relative} {absolute}"
             for name, (kind, relative, absolute) in tolerances.items()]
    (folder / "compare.txt").write_text("".join(line + "\n" for line in lines))


class OwnKernel:
    """NAME/case.py defines KERNEL, GRID, buffers(), PARAMETERS, expected(buffers), and optionally TOLERANCE, GPU,
    canonical(name, values) for results that may be written in several ways, and options(gpu) for the compiler."""

    def __init__(self, folder):
        self.name, self.category = folder.name, folder.name
        self.source = folder / "kernel.mlir"
        self.sources = [self.source]
        self.case = load_module(folder / "case.py", f"case_{folder.name}")
        self.gpu = getattr(self.case, "GPU", "sm_90")
        self.options = getattr(self.case, "options", lambda gpu: [])

    def dump(self, folder):
        buffers = self.case.buffers()
        lines = [f"kernel {self.case.KERNEL}", "grid {} {} {}".format(*self.case.GRID)]
        for name, data in buffers.items():
            data.tofile(folder / f"buf_{name}.bin")
            lines.append(f"buffer {name} {data.nbytes} buf_{name}.bin")
        lines += [f"param {parameter}" for parameter in self.case.PARAMETERS]
        lines += [f"read {name} {buffers[name].nbytes} out_{name}.bin" for name in self.case.expected(buffers)]
        (folder / "launch.txt").write_text("\n".join(lines) + "\n")
        if not hasattr(self.case, "canonical"):  # else what is right may be written in several ways: check() knows them
            self.write_expected(folder)
            write_comparisons(folder, self.tolerances())

    def write_expected(self, folder):
        for name, expected in self.case.expected(self.case.buffers()).items():
            expected.tofile(folder / f"exp_{name}.bin")

    def tolerances(self):
        tolerances = {}
        for name, expected in self.case.expected(self.case.buffers()).items():
            relative, absolute = getattr(self.case, "TOLERANCE", (0, 0)) if expected.dtype.kind == "f" else (0, 0)
            tolerances[name] = (f"{expected.dtype.kind}{8 * expected.dtype.itemsize}", relative, absolute)
        return tolerances

    def check(self, folder):
        relative, absolute = getattr(self.case, "TOLERANCE", (0, 0))
        for name, expected in self.case.expected(self.case.buffers()).items():
            actual = numpy.fromfile(folder / f"out_{name}.bin", expected.dtype).reshape(expected.shape)
            if canonical := getattr(self.case, "canonical", None):
                actual = canonical(name, actual)
            close = numpy.isclose(actual.astype(float), expected.astype(float), relative, absolute, equal_nan=True)
            if not close.all():
                where = tuple(int(i[0]) for i in numpy.nonzero(~close))
                return f"{name}{list(where)} is {actual[where]}, expected {expected[where]}; {(~close).sum()} differ"
        return None


class CorpusKernel:
    def __init__(self, folder, tool):
        self.meta = json.loads((folder / "meta.json").read_text())
        self.name, self.folder, self.tool = folder.name, folder, tool
        self.category = self.meta["tags"][0]
        self.gpu = "sm_90"
        self.options = lambda gpu: []
        self.sources = [folder / version["file"] for version in self.meta["files"].values()]
        self.source = self.sources[0]

    def dump(self, folder):
        self.tool.dump(self.tool.Case(str(self.folder)), str(folder))
        write_comparisons(folder, self.tolerances())

    def tolerances(self):
        types = {buffer["name"]: buffer["dtype"] for buffer in self.meta["buffers"]}
        tolerances = {}
        for name, rule in self.meta["check"].items():
            known = re.fullmatch(r"[iu](8|16|32|64)|b?f16|f32|f64", types[name])
            absolute = rule.get("atol", 0) or (0 if rule.get("signed_zero", True) else ZEROS_ARE_EQUAL)
            tolerances[name] = (types[name] if known else "u8", rule.get("rtol", 0), absolute)
        return tolerances

    def check(self, folder):
        case = self.tool.Case(str(self.folder))
        for name, expected in case.expected(case.buffers()).items():
            ok, message = case.compare(name, numpy.fromfile(folder / f"out_{name}.bin", numpy.uint8), expected)
            if not ok:
                return message
        return None


def find_own_kernels():
    return [OwnKernel(folder) for folder in sorted(path.parent for path in HERE.glob("*/case.py"))]


def find_corpus_kernels(corpus):
    """None where there is no corpus."""
    if not corpus or not pathlib.Path(corpus).is_dir():
        return None
    tool = load_module(pathlib.Path(corpus) / "cutile_case.py", "cutile_case")
    folders = sorted(path.parent for path in (pathlib.Path(corpus) / "kernels").glob("*/meta.json"))
    return [CorpusKernel(folder, tool) for folder in folders]


def run(command, timeout):
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, errors="replace")
    except subprocess.TimeoutExpired:
        return f"took more than {timeout} s"
    if result.returncode == 0:
        return None
    text = (result.stderr or result.stdout).strip()
    error = next((line for line in text.splitlines() if "error" in line), text.splitlines()[0] if text else "")
    return f"exit code {result.returncode}: {error}"


def interpret(kernel, folder, arguments):
    """Runs the kernel on the reference interpreter, every version of it."""
    start = time.monotonic()
    kernel.dump(folder)
    for source in kernel.sources:
        command = [arguments.interpreter, str(source), "--case", str(folder), "--no-check", "--quiet"]
        failure = run(command + arguments.option, arguments.timeout)
        stage = "run"
        if not failure:
            stage, failure = "check", kernel.check(folder)
        if failure:
            return stage, f"{source.name}: {failure}", time.monotonic() - start
    return "pass", "", time.monotonic() - start


def get_dynamic_shared(metadata, folder):
    """The bytes of shared memory that the launch of the case in `folder` has to provide."""
    launch = (folder / "launch.txt").read_text().splitlines()
    entry = next(line.split()[1] for line in launch if line.startswith("kernel "))
    kernels = json.loads(metadata.read_text())["kernels"]
    return next(kernel["dynamic_shared_bytes"] for kernel in kernels if kernel["name"] == entry)


def check_on_emulator(kernel, gpu, options, folder, tileiras, emulator):
    """Why the kernel, compiled with the options, is wrong on the emulator, or nothing. `folder`, a new one, keeps its
    kernel.ptx."""
    folder.mkdir()
    ptx, metadata = folder / "kernel.ptx", folder / "kernel.json"
    failure = run([tileiras, str(kernel.source), "--gpu-name", gpu, *options, "-o", str(ptx), f"--metadata={metadata}"], 120)
    if failure:
        return failure
    kernel.dump(folder)
    failure = run([emulator, "run", str(ptx), "--case", str(folder), "--strict", "--seeds", "1", "--smem",
                   str(get_dynamic_shared(metadata, folder))], 120)
    return failure or kernel.check(folder)


def process(kernel, gpu, arguments):
    """The stage the kernel stops at, why, and the seconds it took to compile (or to interpret)."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(arguments.keep or temporary) / gpu / kernel.name
        folder.mkdir(parents=True, exist_ok=True)
        if arguments.interpreter:
            return interpret(kernel, folder, arguments)
        base = [arguments.tileiras, str(kernel.source), "--gpu-name", gpu] + kernel.options(gpu) + arguments.option
        start = time.monotonic()
        failure = run(base + ["-o", str(folder / "kernel.cubin")], arguments.timeout)
        seconds = time.monotonic() - start
        if failure:
            return "compile", failure, seconds
        if not arguments.emulator:
            return "pass", "", seconds
        metadata = folder / "kernel.json"
        failure = run(base + ["-o", str(folder / "kernel.ptx"), f"--metadata={metadata}"], arguments.timeout)
        if failure:
            return "compile", failure, seconds
        kernel.dump(folder)
        again = ["--chain", "--case", str(folder), "--quiet"] if arguments.overlap else []
        failure = run([arguments.emulator, "run", str(folder / "kernel.ptx"), "--case", str(folder), *again, "--strict",
                       "--seeds", str(arguments.seeds), *arguments.run_option, "--smem", str(get_dynamic_shared(metadata, folder))],
                      arguments.timeout)
        if arguments.overlap and (not failure or "elements differ" in failure):
            return "pass", "", seconds
        if failure:
            return "check" if "elements differ" in failure else "run", failure, seconds
        failure = kernel.check(folder)
        return ("check", failure, seconds) if failure else ("pass", "", seconds)


class Expectations:
    """What `--expect` says: the stage at which a kernel stops on a chip, and why."""

    def __init__(self, path):
        self.lines = {}
        for line in path.read_text().splitlines() if path else []:
            if line.strip() and not line.startswith("#"):
                kernel, stage, reason = line.split(None, 2)
                name, _, chips = kernel.partition("@")
                for chip in chips.split(",") if chips else [""]:
                    self.lines[name, chip] = (stage, reason)

    def get(self, kernel, gpu):
        chip = gpu.rstrip("af")  # variants are not listed
        return self.lines.get((kernel.name, chip)) or self.lines.get((kernel.name, ""), ("pass", ""))


def count_reached(stages, executed):
    """How many kernels compiled, ran, and were correct."""
    return [sum(STAGES.index(stage) > index for stage in stages) for index in range(3 if executed else 1)]


def print_by_category(results, executed):
    categories = {}
    for (kernel, _), result in results.items():
        categories.setdefault(kernel.category, []).append(result.stage)
    columns = ["compile", "run", "correct"] if executed else ["compile"]
    print(f"\n{'category':16}{'kernels':>8}" + "".join(f"{column:>9}" for column in columns))
    rows = sorted(categories.items()) + [("total", [stage for stages in categories.values() for stage in stages])]
    for category, stages in rows:
        print(f"{category:16}{len(stages):8}" + "".join(f"{count:9}" for count in count_reached(stages, executed)))


def print_by_chip(results, executed):
    """Markdown, to be pasted into a report."""
    chips = {}
    for (_, gpu), result in results.items():
        chips.setdefault(gpu, []).append(result)
    columns = ["chip", "kernels", "compile"] + (["run", "correct"] if executed else []) + ["as expected"]
    print("\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    for gpu, of_chip in chips.items():
        counts = count_reached([result.stage for result in of_chip], executed)
        cells = [gpu, len(of_chip), *counts, sum(result.as_expected for result in of_chip)]
        print("| " + " | ".join(map(str, cells)) + " |")


class Reporter:
    """Prints what stopped or surprised; of many that do so in the same way, a few and their number."""

    FEW = 5

    def __init__(self):
        self.seen = {}

    def add(self, kernel, gpu, result, expected):
        if result.stage == "pass" and result.as_expected:
            return
        mark = "known" if result.as_expected else "WRONG"
        what = f"stops at {result.stage}: {result.reason}" if result.stage != "pass" else \
            f"passes, but is listed as stopping at {expected}"
        names = self.seen.setdefault((mark, gpu, what), [])
        names.append(kernel.name)
        if len(names) <= self.FEW:
            print(f"{mark} {kernel.name} on {gpu}: {what}", flush=True)

    def close(self):
        for (mark, gpu, what), names in self.seen.items():
            if len(names) > self.FEW:
                print(f"{mark} and {len(names) - self.FEW} more on {gpu}: {what}")


class Result:
    def __init__(self, stage, reason, seconds, expected, executed):
        self.stage, self.reason, self.seconds = stage, reason, seconds
        # Without the emulator a kernel that compiles has done all that is asked of it.
        self.as_expected = stage == expected or (not executed and stage == "pass" and expected != "compile")


def run_all(kernels, arguments, executed):
    """(kernel, chip) -> its result, chip by chip."""
    expectations, reporter = Expectations(arguments.expect), Reporter()
    jobs = [(kernel, gpu) for gpu in arguments.gpu or [None] for kernel in kernels]
    jobs = [(kernel, gpu or kernel.gpu) for kernel, gpu in jobs]
    results = dict.fromkeys(jobs)
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        futures = {pool.submit(process, *job, arguments): job for job in jobs}
        for future in concurrent.futures.as_completed(futures):
            job = futures[future]
            expected, _ = expectations.get(*job)
            results[job] = Result(*future.result(), expected, executed)
            reporter.add(*job, results[job], expected)
    reporter.close()
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=["own", "corpus"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--emulator", help="the ptx-emulator; without it kernels are only compiled and assembled")
    parser.add_argument("--interpreter", help="run the kernels on the reference interpreter, and compile nothing")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS") or None)
    parser.add_argument("--gpu", type=lambda text: text.split(","), default=[], metavar="CHIP[,CHIP]",
                        help="compile for these chips instead of what the kernels say")
    parser.add_argument("--part", metavar="K/N", help="take only a part of the kernels")
    parser.add_argument("--expect", type=pathlib.Path, help="kernels that are known to stop, and where")
    parser.add_argument("--seeds", type=int, default=1, help="run each kernel under so many schedules")
    parser.add_argument("--option", action="append", default=[], help="one more compiler option")
    parser.add_argument("--run-option", action="append", default=[], help="one more option of the emulator")
    parser.add_argument("--overlap", action="store_true",
                        help="launch each kernel twice on the same memory, the second time while the first may still run; "
                             "only that nothing races is checked: what is computed twice may differ")
    parser.add_argument("--keep", help="keep the cases in this folder")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    kernels = find_own_kernels() if arguments.suite == "own" else find_corpus_kernels(arguments.corpus)
    if kernels is None:
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to run other people's kernels")
        return 77
    if arguments.interpreter and arguments.gpu:
        parser.error("--gpu is for compiled kernels, not for --interpreter")
    if arguments.names:
        kernels = [kernel for kernel in kernels if any(name in kernel.name for name in arguments.names)]
    if not kernels:
        print("error: no kernel has such a name")
        return 1

    kernels = choose_part(kernels, arguments.part)
    executed = bool(arguments.emulator or arguments.interpreter)
    results = run_all(kernels, arguments, executed)
    (print_by_chip if len(arguments.gpu) > 1 else print_by_category)(results, executed)
    slowest = sorted(results, key=lambda job: -results[job].seconds)[:5]
    print("slowest: " + ", ".join(f"{kernel.name} {results[kernel, gpu].seconds:.2f} s" for kernel, gpu in slowest))
    wrong = sum(not result.as_expected for result in results.values())
    print(f"{len(results) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
