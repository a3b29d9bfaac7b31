#!/usr/bin/env python3
"""Two launches of one module at the same time, with arguments of their own: the blocks make tensor maps in slots of one
global array, and none may use another's. With a bug planted into the way slots are taken the emulator must complain.

  together.py --tileiras FILE --emulator FILE [--profile NAME] [--seeds N]

Exit code 0 when the launches were right and every bug was found.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

KERNEL = pathlib.Path(__file__).parent / "matmul_f16" / "kernel.mlir"
SIZES = [(72, 72, 264), (136, 64, 136)]  # rows, columns, depth

# Behind the claim of a slot: its bit is cleared, as if the last copy were done.
GIVE_BACK = r"""\1
{
.reg .b32 bit, word;
.reg .b64 at;
and.b32 bit, \2, 31;
shl.b32 bit, 1, bit;
not.b32 bit, bit;
shr.u32 word, \2, 5;
mov.b64 at, __tileiras_tensor_map_slots;
mad.wide.u32 at, word, 4, at;
red.release.gpu.global.and.b32 [at], bit;
}"""
READ_AND_WRITE = """ld.relaxed.gpu.global.u32 taken, [word];
or.b32 clear, taken, bit;
st.relaxed.gpu.global.u32 [word], clear;"""
BUGS = {
    "every block takes the first slot": (r"mad\.lo\.u32 (%r\d+), group, 32, bit;", r"mov.b32 \1, 0;"),
    "a slot is not claimed atomically": (r"atom\.acquire\.gpu\.global\.or\.b32 taken, \[word\], bit;", READ_AND_WRITE),
    "a slot is given back before its maps are used":
        (r"(st\.shared\.b32\s+\[__tileiras_shared_\w+\+\d+\], (%r\d+);)", GIVE_BACK),
}


def description(m, n, k, seed):
    """A product of small whole numbers, whose sums are exact in f16."""
    random = numpy.random.default_rng(seed)
    a, b = random.integers(-2, 3, (m, k)), random.integers(-2, 3, (k, n))

    def buffer(name, values):
        return {"name": name, "type": "f16", "values": values.flatten().tolist()}

    return {
        "entry": "matmul_f16", "grid": [-(-m // 64), -(-n // 64)],
        "buffers": [buffer("a", a), buffer("b", b), {"name": "c", "bytes": 2 * m * n, "fill": 255}],
        "parameters": [{"buffer": "a"}, {"buffer": "b"}, {"buffer": "c"}, {"i32": m}, {"i32": n}, {"i32": k}],
        "expect": [{"buffer": "c", "type": "f16", "values": (a @ b).flatten().tolist()}],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--profile", default="o3-unspecialized")
    parser.add_argument("--seeds", type=int, default=10, help="schedules of the emulator")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ptx, launches = folder / "kernel.ptx", []
        for number, sizes in enumerate(SIZES):
            path = folder / f"launch{number}.json"
            path.write_text(json.dumps(description(*sizes, number)))
            launches += ["--launch", str(path)]

        def emulate():
            return subprocess.run([args.emulator, "run", str(ptx), *launches, "--seeds", str(args.seeds)],
                                  capture_output=True, text=True)

        subprocess.run([args.tileiras, str(KERNEL), "--gpu-name", "sm_90", "--profile", args.profile, "-o", str(ptx)],
                       check=True)
        text = ptx.read_text()
        failures = 0
        if "cp.async.bulk.tensor" not in text:
            print("the kernel has no tensor copies")
            return 1
        result = emulate()
        if result.returncode != 0:
            failures += 1
            print(f"two launches: wrong\n{result.stdout}{result.stderr}")
        for bug, (pattern, replacement) in BUGS.items():
            changed, count = re.subn(pattern, replacement, text)
            ptx.write_text(changed)
            status = emulate().returncode if count else 0
            failures += status != 1
            print(f"{bug}: " + ("found" if status == 1 else f"not found (planted {count} times, exit code {status})"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
