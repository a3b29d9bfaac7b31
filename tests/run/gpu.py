#!/usr/bin/env python3
"""tileiras-run with a GPU, which is the emulated CUDA driver: it has the real one's rules, and no speed.

  gpu.py TILEIRAS-RUN TILEIRAS DRIVER-FOLDER
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INPUTS = HERE / "lit" / "Inputs"
KERNELS = HERE.parent / "kernels"
sys.path.insert(0, str(KERNELS))
import run as runner  # noqa: E402

# Adds 1 to a number that must be 5: it traps on what an earlier launch has left.
INCREMENT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 p) .reqntid 1, 1, 1 {
  .reg .b64 %p;
  .reg .b32 %v;
  .reg .pred %wrong;
  ld.param.u64 %p, [p];
  ld.global.b32 %v, [%p];
  setp.ne.b32 %wrong, %v, 5;
  @%wrong trap;
  add.s32 %v, %v, 1;
  st.global.b32 [%p], %v;
  ret;
}
"""


class Bench:
    def __init__(self, tool, compiler, driver, folder):
        self.tool, self.compiler, self.driver, self.folder = tool, compiler, driver, folder
        self.problems = []

    def compile(self, source, gpu, *options):
        """The cubin as tileiras-run makes it, with its PTX beside it, from which the emulated driver runs it."""
        cubin = self.folder / f"{source.parent.name}_{source.stem}_{gpu}.cubin"
        for product in (cubin, cubin.with_suffix(".ptx")):
            subprocess.run([self.compiler, source, "-o", product, "--gpu-name", gpu, "--lineinfo", *options], check=True)
        return cubin

    def expect(self, status, pattern, *arguments, capability="9.0", **environment):
        """Runs the tool; the pattern has to be in what it prints. Returns that."""
        command = [self.tool, *map(str, arguments)]
        inherited = {name: value for name, value in os.environ.items() if name != "CUDA_VISIBLE_DEVICES"}
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=inherited | {
            "LD_LIBRARY_PATH": str(self.driver), "EMULATED_CUDA_IMAGES": str(self.folder),
            "EMULATED_CUDA_CC": capability, **environment})
        text = result.stderr + result.stdout
        good = result.returncode == status and re.search(pattern, text)
        print(f"{'ok    ' if good else 'FAILED'} {' '.join(str(a).rsplit('/', 1)[-1] for a in arguments)}")
        if not good:
            self.problems.append(f"{' '.join(command)}: exit status {result.returncode}, expected {status} and "
                                 f"'{pattern}':\n{text}")
        return text

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


def test_own_kernels(bench):
    """Tile IR, compiled for the GPU that is there; all three places agree."""
    for name in ("vector_add", "matmul_f16", "softmax", "linear_recurrence"):
        kernel = runner.OwnKernel(KERNELS / name)
        case = bench.folder / name
        case.mkdir()
        kernel.dump(case)
        for gpu, capability in (("sm_90", "9.0"), ("sm_80", "8.0")):
            cubin = bench.compile(kernel.source, gpu)
            agree = (r"(?s)compiled for {}.*gpu .*clean, agrees.*compared +gpu and emulator: agree.*"
                     "gpu and interpreter: agree")
            bench.expect(0, agree.format(gpu), kernel.source, "--case", case, "--all", "--repeat", "1",
                         capability=capability)
            bench.expect(0, "gpu .*clean, agrees", cubin, "--case", case, "--repeat", "0", capability=capability)


def test_measuring(bench, launch):
    cubin = bench.compile(INPUTS / "scale.mlir", "sm_90")
    bench.expect(0, r"(?s)running on the GPU, .*median [0-9.]+ us, best [0-9.]+ us of 4 launches, each with an empty L2 "
                    r"cache; [0-9.e-]+ GB/s; [0-9.e-]+ TFLOP/s\n.*driver says: \d+ registers, .* 32 threads a block; \d+ blocks "
                    r"fit on a multiprocessor \(occupancy \d+ %\)", cubin, "--launch", launch, "--repeat", "4", "--flush-l2")
    bench.expect(0, r"(?s)^(?!.*median)", cubin, "--launch", launch, "--repeat", "0")
    report = bench.folder / "report.json"
    bench.expect(0, "^$", cubin, "--launch", launch, "--json", report, "--quiet", "--repeat", "3", "--warm-up", "0")
    run = json.loads(report.read_text())["runs"][0]
    times = run["time"]
    if not (run["on"] == "gpu" and times["launches"] == 3 and 0 < times["best_us"] <= times["median_us"] and
            abs(times["gigabytes_per_second"] * times["median_us"] - 16e-3) < 1e-9):
        bench.problems.append(f"the report says {run}")
    increment = bench.write("increment.ptx", INCREMENT)
    fives = bench.write("fives.json", json.dumps({
        "grid": [1], "buffers": [{"name": "p", "type": "u32", "values": [5]}], "parameters": [{"buffer": "p"}],
        "expect": [{"buffer": "p", "type": "u32", "values": [6]}]}))
    # Launches start from the first contents, and what is compared is what the first one leaves.
    bench.expect(0, "of 5 launches", increment, "--launch", fives, "--repeat", "5")
    sixes = bench.write("sixes.json", fives.read_text().replace("[5]", "[6]"))
    bench.expect(1, "(?s)gpu: cuCtxSynchronize: CUDA_ERROR_LAUNCH_FAILED .*; tileiras-run --on emulator .*gpu .*: FAILED",
                 increment, "--launch", sixes)


def test_forms(bench, launch):
    bench.expect(0, "gpu .*clean, agrees", INPUTS / "store.ptx", "--launch", INPUTS / "store.json")
    no_block = bench.write("no_block.json", (INPUTS / "store.json").read_text().replace('"block": [1], ', ""))
    bench.expect(3, "'store' has no .reqntid: the launch, or --block, must give a block size", INPUTS / "store.ptx",
                 "--launch", no_block)
    bench.expect(0, "gpu .*clean, agrees", INPUTS / "store.ptx", "--launch", no_block, "--block", "1")
    bench.expect(3, "has no entry 'other'", INPUTS / "store.ptx", "--launch", no_block, "--entry", "other")
    # A cubin that has lost its metadata, and the file that has them.
    source = INPUTS / "scale.mlir"
    for gpu, capability in (("sm_90", "9.0"), ("sm_80", "8.0")):
        cubin = bench.compile(source, gpu, f"--metadata={bench.folder / 'scale.metadata'}")
        bench.expect(0, "gpu .*clean, agrees", cubin.with_suffix(".ptx"), "--launch", launch, capability=capability)
        cubin.write_bytes(cubin.read_bytes().replace(b"__tileiras_metadata", b"__anonymous_metadat"))
        bench.expect(3, "--metadata", cubin, "--launch", launch, capability=capability)
        bench.expect(0, "gpu .*clean, agrees", cubin, "--launch", launch, "--metadata", bench.folder / "scale.metadata",
                     capability=capability)
    # The driver's own form of tensor maps.
    tensor = HERE.parents[1] / "emulator" / "kernels" / "matmul_tma_wgmma"
    bench.expect(0, "(?s)gpu .*clean.*gpu and emulator: agree", tensor.with_suffix(".ptx"), "--all", "--repeat", "1",
                 "--launch", tensor.with_suffix(".json"))


def test_refusals(bench, launch):
    source = INPUTS / "scale.mlir"
    cubin = bench.compile(source, "sm_80")
    bench.expect(3, r"the cubin is for sm_80, this GPU is sm_90 .*: compile it with --gpu-name=sm_90", cubin, "--launch", launch)
    bench.expect(3, r"the cubin is for sm_80, this GPU is sm_90", source, "--launch", launch, "--gpu-name", "sm_80")
    bench.expect(3, r"buffer 'o' has 8 bytes, the GPU has \d+ of 8 left", source, "--launch", launch,
                 EMULATED_CUDA_MEMORY="8")
    bench.compile(source, "sm_90")
    wrong = bench.write("wrong.json", launch.read_text().replace("[0.5, 1]", "[0.5, 2]"))
    bench.expect(1, r"(?s)gpu: buffer 'o': 1 of 2 elements differ.*gpu .*DIFFERS from what is expected", source, "--launch",
                 wrong)
    bench.expect(3, r"type.json: parameter 2 of 'scale' \(%n: tile<i32>\) is of type 'i32'", source, "--launch",
                 bench.write("type.json", launch.read_text().replace('"i32": 2', '"f32": 2')))


def main():
    with tempfile.TemporaryDirectory(prefix="tileiras run ") as name:
        bench = Bench(sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(name))
        launch = INPUTS / "scale.json"
        test_own_kernels(bench)
        test_measuring(bench, launch)
        test_forms(bench, launch)
        test_refusals(bench, launch)
    for problem in bench.problems:
        print(problem, file=sys.stderr)
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())
