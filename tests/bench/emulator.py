#!/usr/bin/env python3
"""Measures the emulator on one core: arithmetic, and a matrix product through tensor copies and wgmma.

  emulator.py --emulator build/bin/ptx-emulator [--runs N]

Times are the emulator's own (the launch alone, without parsing), medians of N runs.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "emulator" / "kernels"
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
    """Median (seconds, million thread instructions a second) of clean runs."""
    results = []
    for _ in range(arguments.runs):
        done = subprocess.run([arguments.emulator, "run", kernel, "--launch", launch, *options], capture_output=True, text=True)
        match = re.search(r"clean, ([\d.]+) s, ([\d.]+) M thread instructions/s", done.stderr)
        if done.returncode != 0 or not match:
            sys.exit(f"{kernel} failed:\n{done.stderr}")
        results.append((float(match.group(1)), float(match.group(2))))
    return sorted(results)[len(results) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emulator", default="ptx-emulator")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'emulator, one core':44}{'seconds':>10}{'M thread instructions/s':>26}")
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
            seconds, rate = measure(arguments, kernel, launch, options)
            print(f"{name:44}{seconds:10.3f}{rate:26.1f}")


if __name__ == "__main__":
    main()
