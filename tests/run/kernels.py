#!/usr/bin/env python3
"""Runs kernels in all places at once, and wants them to agree.

  kernels.py TILEIRAS-RUN own     the kernels of tests/kernels: launch.txt, and the same launch as launch.json, on two GPUs
  kernels.py TILEIRAS-RUN corpus  twenty of other people's (TILEIRAS_CORPUS; exit code 77 where there is none)
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels"
sys.path.insert(0, str(KERNELS))
import run as runner  # noqa: E402

# One of each kind, that runs in a moment everywhere.
CORPUS = """arange_full_i32 args_list_sum copy_2d_f32 atomic_add_contended_f32 matmul_f16_small bin_add_f16 cast_f32_bf16
scatter_1d_i32 for_break gather_2d_f32 gs_view_rows_i32 inplace_rmw_f32 layer_norm_fwd_bf16 mma_f16_f32_64x8x32 pack_i32
red_argmax_f32_ax0 scan_sum_f32_ax0 softmax_f32 transpose_f32 vec_add_1d_tail_f32""".split()

FLOATS = {"f16": "e", "f32": "f", "f64": "d"}


def parse_parameter(kind, words):
    if kind == "ptr":
        return {"buffer": words[0], "offset": int(words[1])}
    if kind in FLOATS:
        return {f"u{8 * struct.calcsize(FLOATS[kind])}": int(words[0], 16)}
    return {{"i1": "u8"}.get(kind, kind): int(words[0])}


def convert(folder):
    """The launch of a case as launch.json."""
    launch = {"buffers": [], "parameters": [], "expect": [], "write": []}
    for line in (folder / "launch.txt").read_text().splitlines():
        kind, *words = line.split()
        if kind == "kernel":
            launch["entry"] = words[0]
        elif kind == "grid":
            launch["grid"] = [int(word) for word in words]
        elif kind == "buffer":
            launch["buffers"].append({"name": words[0], "bytes": int(words[1]), "file": words[2]})
        elif kind == "param":
            launch["parameters"].append(parse_parameter(words[0], words[1:]))
        elif kind == "read":
            launch["write"].append({"buffer": words[0], "bytes": int(words[1]), "file": "json_" + words[2]})
        else:
            raise ValueError(f"launch.txt has '{line}', for which there is no rule here")
    comparisons = folder / "compare.txt"
    for line in comparisons.read_text().splitlines() if comparisons.exists() else []:
        _, buffer, file, kind, relative, absolute = line.split()
        launch["expect"].append({"buffer": buffer, "file": file, "type": kind, "rtol": float(relative),
                                 "atol": float(absolute)})
    (folder / "launch.json").write_text(json.dumps(launch))


def check(tool, kernel, folder, options):
    """What is wrong; nothing if all is right."""
    report = folder / "report.json"
    command = [tool, str(kernel.source), "--all", "--quiet", "--json", str(report), *options]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return f"{' '.join(command)}: exit status {result.returncode}\n{result.stdout}{result.stderr}"
    found = json.loads(report.read_text())
    if [each["on"] for each in found["runs"]] != ["emulator", "interpreter"]:
        return f"{command}: ran in {found['runs']}"
    if not found["comparisons"][0]["elements"]:
        return f"{command}: nothing was compared"
    return None


def report(kernel, gpu, launch, problem):
    print(f"{'FAILED' if problem else 'agrees'} {kernel.name} {gpu} {launch}", flush=True)
    return [problem] if problem else []


def run_own(tool):
    problems = []
    for source in sorted(KERNELS.glob("*/case.py")):
        kernel = runner.OwnKernel(source.parent)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            kernel.dump(folder)
            convert(folder)
            for gpu in dict.fromkeys([kernel.gpu, "sm_100"]):
                options = ["--gpu-name", gpu, *kernel.options(gpu)]
                for launch in (["--case", name], ["--launch", str(folder / "launch.json")]):
                    problems += report(kernel, gpu, launch[0], check(tool, kernel, folder, options + launch))
    return problems


def run_corpus(tool, corpus):
    cases = runner.load_module(corpus / "cutile_case.py", "cutile_case")
    problems = []
    for name in CORPUS:
        kernel = runner.CorpusKernel(corpus / "kernels" / name, cases)
        with tempfile.TemporaryDirectory() as folder:
            kernel.dump(pathlib.Path(folder))
            options = ["--gpu-name", kernel.gpu, "--case", folder]
            problems += report(kernel, kernel.gpu, "--case", check(tool, kernel, pathlib.Path(folder), options))
    return problems


def main():
    tool, suite = sys.argv[1:]
    corpus = pathlib.Path(os.environ.get("TILEIRAS_CORPUS") or "none")
    if suite == "corpus" and not corpus.is_dir():
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to run other people's kernels")
        return 77
    problems = run_corpus(tool, corpus) if suite == "corpus" else run_own(tool)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
