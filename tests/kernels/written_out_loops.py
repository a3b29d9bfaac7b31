#!/usr/bin/env python3
"""Loops that are left expanded (`enable-schedule-rewrite=false`) compute what loops that follow their schedules compute.

  written_out_loops.py --tileiras FILE --emulator FILE --config FOLDER

Attention over a known number of keys, in one set of warps and in agents: no loop is left, and the results are right.
"""

import argparse
import itertools
import pathlib
import sys
import tempfile

import attention_kernels
import run

CASES = (lambda: attention_kernels.attention(64), lambda: attention_kernels.attention(128))
STRATEGIES = ("unspecialize", "warp-specialize")
GIVEN = "%length = assume div_by<8>, %length_natural : tile<i32>"
KNOWN = "%length = constant <i32: 256> : tile<i32>"


class Kernel(run.OwnKernel):
    """A generated case whose loop has a known number of iterations."""

    def __init__(self, case, folder):
        assert GIVEN in case.text
        self.name = self.category = case.name
        self.case, self.gpu, self.options = case, "sm_90", lambda gpu: []
        self.source = folder / "kernel.mlir"
        self.source.write_text(case.text.replace(GIVEN, KNOWN), encoding="utf-8")


def write_profile(config, strategy, folder):
    """o3, with the stage of schedules of o2 and one option more in it."""
    text = (config / "o2.toml").read_text(encoding="utf-8")
    start = text.index('[[stage]]\nname = "schedule"')
    stage = text[start:text.index("[[stage]]", start + 1)].replace('after = "buffers"\n', "")
    passes = stage.count('"tileas-materialize-schedule", options = {')
    assert passes == 3
    stage = stage.replace('"tileas-materialize-schedule", options = {',
                          '"tileas-materialize-schedule", options = { enable-schedule-rewrite = false,')
    file = folder / "expanded.toml"
    file.write_text(f'name = "expanded"\ndescription = "Loops are left expanded."\ninherits = "o3"\n\n[options]\n'
                    f'pipeline-strategy = "{strategy}"\n\n{stage}', encoding="utf-8")
    return file


def check(make, strategy, arguments, folder):
    """What is wrong, or nothing."""
    kernel = Kernel(make(), folder)
    options = [f"--profile={write_profile(arguments.config, strategy, folder)}"]
    lowered = folder / "lowered.mlir"
    failure = run.run([arguments.tileiras, str(kernel.source), "--gpu-name", kernel.gpu, *options, "--emit=tileas", "-o",
                       str(lowered)], 120)
    if failure:
        return failure
    if "scf.for" in lowered.read_text(encoding="utf-8"):
        return "a loop is left"
    return run.check_on_emulator(kernel, kernel.gpu, options, folder / "run", arguments.tileiras, arguments.emulator)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--config", required=True, type=pathlib.Path, help="the folder of the shipped profiles")
    arguments = parser.parse_args()
    mistakes = 0
    for make, strategy in itertools.product(CASES, STRATEGIES):
        with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
            if failure := check(make, strategy, arguments, pathlib.Path(temporary)):
                mistakes += 1
                print(f"{make().name}, {strategy}: {failure}")
    sys.exit(mistakes != 0)


if __name__ == "__main__":
    main()
