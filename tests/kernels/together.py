#!/usr/bin/env python3
"""Two launches of one module at the same time, with arguments of their own: the blocks make tensor maps in sets of one
global array, or take those that others of the same launch have kept, and none may use another's. With a bug planted into
the way sets are taken or maps are kept the emulator must complain.

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

CLAIM = r"atom\.acquire\.gpu\.global\.or\.b32 taken, \[word\], bit;"
CLAIMED = r"mad\.lo\.u32 (%r\d+), group, 32, bit;"
TAKE = r"@mine atom\.relaxed\.gpu\.global\.cas\.b32 state, \[at\], 0, 1;"
SAME = r"setp\.eq\.b32 same, there, (%r\d+);"
TAKEN = r"(?s)(" + SAME + r".*?setp\.eq\.u32 mine, state, 0;)"
ACQUIRE = r"fence\.proxy\.tensormap::generic\.acquire\.gpu \[%rd\d+\], 128;"
# As if the last copy were done.
GIVE_BACK = r"""mad.lo.u32 \1, group, 32, bit;
mov.b32 clear, 1;
shl.b32 clear, clear, bit;
not.b32 clear, clear;
red.release.gpu.global.and.b32 [word], clear;"""
READ_AND_WRITE = """ld.relaxed.gpu.global.u32 taken, [word];
or.b32 clear, taken, bit;
st.relaxed.gpu.global.u32 [word], clear;"""
NO_FREE_ENTRY = {TAKE: "mov.b32 state, 2;"}
BUGS = {  # what is replaced, by what; the first are of sets, with nothing kept
    "every block takes the first set": NO_FREE_ENTRY | {CLAIMED: r"mov.b32 \1, 0;"},
    "a set is not claimed atomically": NO_FREE_ENTRY | {CLAIM: READ_AND_WRITE},
    "a set is given back before its maps are used": NO_FREE_ENTRY | {CLAIMED: GIVE_BACK},
    "maps that are kept are taken for those of any key": {SAME: "setp.ne.u32 same, there, 1;"},
    "an entry is not taken atomically": {TAKE: "@mine ld.relaxed.gpu.global.b32 state, [at];\n"
                                               "@mine st.relaxed.gpu.global.b32 [at], 1;"},
    "maps are kept before they are built": {TAKEN: r"\1\n@mine st.relaxed.gpu.global.b32 [at], \2;"},
    "maps that are kept are not acquired": {ACQUIRE: ""},
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
        ptx.write_text(re.sub(TAKE, NO_FREE_ENTRY[TAKE], text))
        result = emulate()
        if result.returncode != 0:
            failures += 1
            print(f"two launches, and nothing kept: wrong\n{result.stdout}{result.stderr}")
        for bug, replacements in BUGS.items():
            changed, counts = text, []
            for pattern, replacement in replacements.items():
                changed, count = re.subn(pattern, replacement, changed)
                counts.append(count)
            ptx.write_text(changed)
            status = emulate().returncode if all(counts) else 0
            failures += status != 1
            print(f"{bug}: " + ("found" if status == 1 else f"not found (planted {counts} times, exit code {status})"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
