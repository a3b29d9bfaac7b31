#!/usr/bin/env python3
"""What goes wrong between a cubin and a result: the driver's own error for a program that launches as cuTile Python does,
and where tileiras-run or tileiras-cutile is in between, the explanation."""

import argparse
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("chain", HERE / "chain.py")
chain = importlib.util.module_from_spec(specification)
specification.loader.exec_module(chain)

ASSERTION = """cuda_tile.module @kernels {
  entry @fails(%p: tile<ptr<f32>>) {
    %no = constant <i1: 0> : tile<i1>
    assert %no, "as it should" : tile<i1>
    return
  }
}
"""
ASSERTION_LAUNCH = "kernel fails\ngrid 1 1 1\nbuffer p 4 buf_p.bin\nparam ptr p 0\n"
WITHOUT_METADATA = re.compile(r"^\.global[^\n]*__tileiras_metadata[^\n]*$", re.MULTILINE)


class Images:
    """A folder with cubins, their PTX, and two cases."""

    def __init__(self, folder, arguments):
        self.folder, self.arguments = folder, arguments
        kernel = chain.kernels_run.OwnKernel(chain.KERNELS / "vector_add")
        self.sum, self.fails = folder / "sum", folder / "fails"
        self.sum.mkdir()
        kernel.dump(self.sum)
        self.fails.mkdir()
        (self.fails / "buf_p.bin").write_bytes(bytes(4))
        (self.fails / "launch.txt").write_text(ASSERTION_LAUNCH)
        (folder / "fails.mlir").write_text(ASSERTION)
        for gpu in ("sm_80", "sm_90"):
            self.compile(kernel.source, gpu, f"sum-{gpu}")
            self.compile(folder / "fails.mlir", gpu, f"fails-{gpu}")
            self.strip_metadata(f"sum-{gpu}", f"stripped-{gpu}")
        (folder / "text.cubin").write_text("neither a cubin nor a program\n")
        image = (folder / "sum-sm_90.cubin").read_bytes()
        (folder / "bare.cubin").write_bytes(image.replace(b"vector_add", b"vector_odd"))
        (folder / "elsewhere").mkdir()
        (folder / "elsewhere" / "unknown.cubin").write_bytes(image.replace(b"vector_add", b"vector_ode"))

    def compile(self, source, gpu, name):
        for suffix in (".cubin", ".ptx"):
            subprocess.run([self.arguments.tileiras, str(source), "--gpu-name", gpu, "-o",
                            str(self.folder / name) + suffix], check=True)

    def strip_metadata(self, name, stripped):
        """As if another compiler had made it."""
        text, count = WITHOUT_METADATA.subn("", (self.folder / f"{name}.ptx").read_text())
        assert count == 1, "the compiler writes its metadata into PTX in another way than this test thinks"
        path = self.folder / f"{stripped}.ptx"
        path.write_text(text)
        target = re.search(r"^\.target (\w+)", text, re.MULTILINE).group(1)
        subprocess.run([self.arguments.ptxas, f"-arch={target}", str(path), "-o", str(path.with_suffix(".cubin"))],
                       check=True)


def scenarios(images, arguments):
    """(what, settings of the driver, command, exit code, what it says)"""
    client = [arguments.client, f"--case={images.sum}"]
    failing = [arguments.client, f"--case={images.fails}"]
    run = [arguments.run, f"--case={images.sum}", "--on=gpu", "--repeat=0"]
    run_failing = [arguments.run, f"--case={images.fails}", "--on=gpu", "--repeat=0"]
    shim = [arguments.cutile]
    program = [sys.executable, str(HERE / "program.py")]
    sm_80 = {"EMULATED_CUDA_CC": "8.0"}
    little = {"EMULATED_CUDA_MEMORY": "5000"}

    def image(name):
        return [str(images.folder / f"{name}.cubin")]

    yield "nothing is wrong", {}, client + image("sum-sm_90"), 0, ""
    yield "nothing is wrong: run", {}, run + image("sum-sm_90"), 0, "agrees"
    yield "nothing is wrong: run on sm_80", sm_80, run + image("sum-sm_80"), 0, "agrees"
    yield "wrong image", {}, client + image("text"), 3, "200 CUDA_ERROR_INVALID_IMAGE"
    yield "wrong image: run", {}, run + image("text"), 3, "neither Tile IR .*, nor PTX .*, nor a cubin"
    yield "a cubin without PTX", {}, client + image("bare"), 3, "bare.ptx.*does not exist.*200 CUDA_ERROR_INVALID_IMAGE"
    yield "an unknown cubin", {}, client + image("elsewhere/unknown"), 3, \
        "EMULATED_CUDA_IMAGES.*200 CUDA_ERROR_INVALID_IMAGE"
    yield "wrong GPU", sm_80, client + image("sum-sm_90"), 3, "209 CUDA_ERROR_NO_BINARY_FOR_GPU"
    yield "wrong GPU: run", sm_80, run + image("sum-sm_90"), 3, \
        r"is for sm_90a, this GPU is sm_80.*--gpu-name=sm_80"
    yield "wrong GPU under tileiras-cutile", sm_80, shim + client + image("sum-sm_90"), 3, "209 CUDA_ERROR_NO_BINARY"
    yield "no correction", sm_80, client + image("sum-sm_80"), 3, r"\.reqntid \(128, 1, 1\).*1 CUDA_ERROR_INVALID_VALUE"
    yield "corrected", sm_80, shim + client + image("sum-sm_80"), 0, ""
    yield "a Python program", {}, program + image("sum-sm_90"), 0, "the sum is right; LD_PRELOAD=$"
    yield "a Python program on sm_80", sm_80, program + image("sum-sm_80"), 1, "cuLaunchKernelEx: 1 CUDA_ERROR_INVALID_VALUE"
    yield "a Python program under tileiras-cutile", sm_80, shim + program + image("sum-sm_80"), 0, \
        "the sum is right; LD_PRELOAD=$"
    yield "no metadata, no correction", sm_80, shim + client + image("stripped-sm_80"), 3, \
        r"\.reqntid \(128, 1, 1\).*1 CUDA_ERROR_INVALID_VALUE"
    yield "no metadata, none needed", {}, shim + client + image("stripped-sm_90"), 0, ""
    yield "no metadata: run", {}, run + image("stripped-sm_90"), 3, \
        "no tileiras metadata.*not compiled by tileiras, or it was stripped"
    yield "out of memory", little, client + image("sum-sm_90"), 3, "2 CUDA_ERROR_OUT_OF_MEMORY"
    yield "out of memory: run", little, run + image("sum-sm_90"), 3, "buffer 'b' has 4000 bytes, the GPU has 1000"
    yield "trap", {}, failing + image("fails-sm_90"), 3, "as it should.*710 CUDA_ERROR_ASSERT"
    yield "trap under tileiras-cutile", sm_80, shim + failing + image("fails-sm_80"), 3, \
        "as it should.*710 CUDA_ERROR_ASSERT"
    yield "trap: run", {}, run_failing + image("fails-sm_90"), 1, "as it should.*CUDA_ERROR_ASSERT"
    yield "no GPU", {"EMULATED_CUDA_DEVICES": "0"}, client + image("sum-sm_90"), 3, "100 CUDA_ERROR_NO_DEVICE"
    yield "no GPU: run", {"EMULATED_CUDA_DEVICES": "0"}, run + image("sum-sm_90"), 3, "no GPU to use.*CUDA_ERROR_NO_DEVICE"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in ("tileiras", "ptxas", "client", "run", "cutile"):
        parser.add_argument(f"--{tool}", required=True)
    parser.add_argument("--driver", required=True, help="the folder of the emulated libcuda.so.1")
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tileiras driver ") as temporary:
        images = Images(pathlib.Path(temporary), arguments)
        for what, settings, command, code, says in scenarios(images, arguments):
            environment = os.environ | {"LD_LIBRARY_PATH": arguments.driver, "EMULATED_CUDA_VERBOSE": "1",
                                        "EMULATED_CUDA_IMAGES": temporary} | settings
            result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
            output = result.stderr + result.stdout
            ok = result.returncode == code and re.search(says, output, re.DOTALL)
            failures += not ok
            print(f"{'pass' if ok else 'FAIL'} {what}")
            if not ok:
                print(f"  exit code {result.returncode}, expected {code} and '{says}':\n{output}", flush=True)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
