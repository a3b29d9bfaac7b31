"""Checks cases of tile_programs on the emulator: what each computes, compiled by -O3 for several chips.

  MODULE.py --tileiras FILE --emulator FILE [--gpu CHIP[,CHIP]] [NAME…]

--gpu: of the chips of a case, these. Exit code 77 where there is no emulator, or none of the chips.
"""

import argparse
import pathlib
import sys
import tempfile

import numpy

import product_quality
import run
from tile_programs import DECODE

CHIPS = ["sm_80", "sm_90", "sm_100", "sm_120"]


def find_difference(name, actual, expected, relative, absolute):
    """Of two arrays, the first one of elements that are not close; or nothing."""
    close = numpy.isclose(actual.astype(float), expected.astype(float), relative, absolute, equal_nan=True)
    if close.all():
        return None
    where = tuple(int(i[0]) for i in numpy.nonzero(~close))
    return f"{name}{list(where)} is {actual[where]}, expected {expected[where]}; {(~close).sum()} differ"


class Kernel(product_quality.OwnProduct):
    def check(self, folder):
        """Why a result is wrong, or nothing."""
        relative, absolute = self.case.TOLERANCE
        for name, zeros in self.case.expected(None).items():
            raw = numpy.fromfile(folder / f"out_{name}.bin", zeros.dtype).reshape(zeros.shape)
            actual = DECODE.get(self.case.kinds[name], lambda values: values)(raw)
            expected = self.case.results[name]
            if self.case.arrange:
                actual = self.case.arrange(name, actual)
            if difference := find_difference(name, actual, expected, relative, absolute):
                return difference
        return None


def main(cases, description, kind=Kernel, chips_of=lambda case: case.chips or CHIPS):
    """kind: of kernel that checks a case; chips_of: those that a case is compiled for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="cases whose name contains one of these")
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", default="")
    parser.add_argument("--gpu", type=lambda text: text.split(","), help="those that are there; all without it")
    arguments = parser.parse_args()
    if not arguments.emulator:
        print("SKIP: the emulator is not built")
        return 77
    faults, count, left_out = 0, 0, set()
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        for case in cases:
            if arguments.names and not any(name in case.name for name in arguments.names):
                continue
            for gpu in chips_of(case):
                if arguments.gpu and gpu not in arguments.gpu:
                    left_out.add(gpu)
                    continue
                count += 1
                kernel = kind(case, folder, gpu)
                if wrong := run.check_on_emulator(kernel, gpu, ["-O3"], folder / f"{case.name}-{gpu}", arguments.tileiras,
                                                  arguments.emulator):
                    faults += 1
                    print(f"{case.name} on {gpu}: {wrong}", flush=True)
    print(f"{count} kernels: {faults} faults" + (f"; left out: {', '.join(sorted(left_out))}" if left_out else ""))
    return 1 if faults else 0 if count else 77
