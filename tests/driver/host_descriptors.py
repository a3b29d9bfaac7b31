#!/usr/bin/env python3
"""Kernels that take tensor maps from whoever launches them, through the launch library, and through
the driver's own compiler of PTX: tileiras-run on the emulated driver."""

import argparse
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("chain", HERE / "chain.py")
chain = importlib.util.module_from_spec(specification)
specification.loader.exec_module(chain)

OPTIONS = ["--profile=o3-unspecialized", "--set", "tma-descriptors=host"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in ("tileiras", "run"):
        parser.add_argument(f"--{tool}", required=True)
    parser.add_argument("--cutile", help="tileiras-cutile")
    parser.add_argument("--driver", required=True, help="the folder of the emulated libcuda.so.1")
    arguments = parser.parse_args()
    kernel = chain.kernels_run.OwnKernel(chain.KERNELS / "matmul_f16")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tileiras driver ") as temporary:
        folder = pathlib.Path(temporary)
        kernel.dump(folder)
        for suffix in (".cubin", ".ptx"):
            subprocess.run([arguments.tileiras, str(kernel.source), "--gpu-name=sm_90", "-o", str(folder / "kernel") + suffix]
                           + OPTIONS, check=True)
        maps = (folder / "kernel.ptx").read_text().count(".param .align 64 .b8 matmul_f16_param_")
        print(f"{maps} tensor maps")
        failures += maps != 3
        environment = os.environ | {"LD_LIBRARY_PATH": arguments.driver, "EMULATED_CUDA_VERBOSE": "1",
                                    "EMULATED_CUDA_IMAGES": temporary, "EMULATED_CUDA_CC": "9.0"}
        runs = [("kernel.cubin", [], ""), ("kernel.ptx", [], "")]
        if arguments.cutile:  # it sees the launch library's launches, too, and cannot know whose they are
            runs.append(("kernel.cubin", [arguments.cutile], "takes tensor maps that whoever launches it has to build"))
        for file, under, says in runs:
            command = under + [arguments.run, str(folder / file), f"--case={folder}", "--on=gpu", "--warm-up=0", "--repeat=1"]
            result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=chain.TIMEOUT)
            ok = result.returncode == 0 and "agrees" in result.stdout and says in result.stderr
            failures += not ok
            print(f"{'pass' if ok else 'FAIL'} {' '.join(pathlib.Path(p).name for p in under + [file])}"
                  + ("" if ok else f": exit code {result.returncode}\n{result.stderr}{result.stdout}"), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
