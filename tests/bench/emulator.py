#!/usr/bin/env python3
"""Measures the emulator on one core: arithmetic, and a matrix product through tensor copies and wgmma.

  emulator.py --emulator build/bin/ptx-emulator [--runs N]

Times are the whole process's CPU time, medians of N runs.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parents[1] / "emulator" / "kernels"
ITERATIONS, CTAS, THREADS = 2000, 16, 256

# Eight instructions of arithmetic, three of the loop.
ALU = f""".version 8.0
.target sm_80
.address_size 64
.visible .entry alu(.param .u64 out)
.reqntid {THREADS}, 1, 1
{{
  .reg .pred %p;
  .reg .b32 %i, %t, %a, %b, %c;
  .reg .f32 %x, %y;
  .reg .b64 %out, %off;
  mov.u32 %t, %tid.x;
  mov.u32 %a, %ctaid.x;
  mad.lo.u32 %t, %a, {THREADS}, %t;
  mov.u32 %i, 0;
  mov.u32 %b, 7;
  mov.u32 %c, 0;
  cvt.rn.f32.u32 %x, %t;
  mov.f32 %y, 0f3F800000;
LOOP:
  add.u32 %a, %t, %i;
  xor.b32 %b, %b, %a;
  shl.b32 %a, %b, 3;
  mad.lo.u32 %c, %a, %b, %c;
  and.b32 %b, %c, 65535;
  fma.rn.f32 %y, %x, %y, %y;
  add.f32 %y, %y, %x;
  mul.f32 %y, %y, 0f3F000000;
  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, {ITERATIONS};
  @%p bra LOOP;
  ld.param.u64 %out, [out];
  mul.wide.u32 %off, %t, 4;
  add.u64 %out, %out, %off;
  st.global.u32 [%out], %c;
  ret;
}}
"""


def measure(arguments, kernel, launch, options=()):
    """Median CPU seconds of clean runs, and the thread instructions of one."""
    results = []
    for _ in range(arguments.runs):
        command = [arguments.emulator, "run", kernel, "--launch", launch, "--quiet", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{kernel} failed:\n{output}")
        results.append(usage.ru_utime + usage.ru_stime)
    # Counting slows memory accesses down: a run of its own.
    counted = subprocess.run(command + ["--counters"], capture_output=True, text=True, check=True).stdout
    instructions = int(re.search(r"thread instructions\s+(\d+)", counted).group(1))
    return sorted(results)[len(results) // 2], instructions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emulator", default="ptx-emulator")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'emulator, one core':50}{'CPU seconds':>12}{'M thread instructions/s':>26}")
    with tempfile.TemporaryDirectory(prefix="emulator-bench-") as folder:
        kernel, launch = pathlib.Path(folder) / "alu.ptx", pathlib.Path(folder) / "alu.json"
        kernel.write_text(ALU)
        launch.write_text(json.dumps({"grid": [CTAS], "buffers": [{"name": "out", "bytes": 4 * CTAS * THREADS}],
                                      "parameters": [{"buffer": "out"}]}))
        rows = [("arithmetic, race checking on", kernel, launch, ())]
        matmul = KERNELS / "matmul_tma_wgmma.ptx", KERNELS / "matmul_tma_wgmma.json"
        rows += [("256x256x256 f16 wgmma with TMA, race checking on", *matmul, ()),
                 ("256x256x256 f16 wgmma with TMA, race checking off", *matmul, ("--no-race-check",))]
        for name, kernel, launch, options in rows:
            seconds, instructions = measure(arguments, kernel, launch, options)
            print(f"{name:50}{seconds:12.3f}{instructions / 1e6 / seconds:26.1f}")


if __name__ == "__main__":
    main()
