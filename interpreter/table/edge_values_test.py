#!/usr/bin/python3
"""Are the table's formats those of numpy where it has them, and does edge_values.py find what is wrong?"""

import fractions
import pathlib
import random
import stat
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))

from formats import FLOATS  # noqa: E402

# An interpreter that computes nothing: all results are zero.
FAKE = """#!/usr/bin/python3
import json, sys
launch = json.load(open(sys.argv[sys.argv.index("--launch") + 1]))
for written in launch["write"]:
    open(written["file"], "wb").write(bytes(written["bytes"]))
"""


def rounds_as_numpy(rng):
    for _ in range(3000):
        number = rng.gauss(0, 1) * 2.0 ** rng.randrange(-160, 140)
        for name, kind, code in (("f32", numpy.float32, numpy.uint32), ("f16", numpy.float16, numpy.uint16)):
            with numpy.errstate(all="ignore"):
                wanted = int(numpy.float64(number).astype(kind).view(code))
            if FLOATS[name].encode(fractions.Fraction(number), negative_zero=number < 0) != wanted:
                return f"{number} is not 0x{wanted:x} in {name}"
    return None


def decodes_as_numpy(rng):
    for name, kind, code in (("f64", numpy.float64, numpy.uint64), ("f32", numpy.float32, numpy.uint32), ("f16", numpy.float16, numpy.uint16)):
        t = FLOATS[name]
        for bits in t.edges() + [rng.getrandbits(t.bits) for _ in range(3000)]:
            found, wanted = t.decode(bits), float(code(bits).view(kind))
            if str(float(found)) != str(wanted):
                return f"0x{bits:x} of {name} is {found}, not {wanted}"
            if wanted == wanted and t.encode(found) != bits:
                return f"0x{bits:x} of {name} does not come back"
    return None


def finds_differences(_):
    with tempfile.TemporaryDirectory() as folder:
        fake = pathlib.Path(folder) / "interpret"
        fake.write_text(FAKE)
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        for only, wrong in (("^shli i32$", True), ("^remi signed i1$", False), ("^no such operation", None)):
            result = subprocess.run([sys.executable, HERE / "edge_values.py", "--interpreter", fake, "--only", only, "--forms", "loaded"],
                                    capture_output=True, text=True)
            status = {True: 1, False: 0, None: 2}[wrong]
            if result.returncode != status or wrong and "FAIL loaded, interpreter: shli i32: of i32 0x1" not in result.stdout:
                return f"{only} ends with {result.returncode}: {result.stdout} {result.stderr}"
    return None


def main():
    failures = 0
    for test in (rounds_as_numpy, decodes_as_numpy, finds_differences):
        failure = test(random.Random(1))
        failures += failure is not None
        print(f"{'FAIL' if failure else 'pass'} {test.__name__}{': ' + failure if failure else ''}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
