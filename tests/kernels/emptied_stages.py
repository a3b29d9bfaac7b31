#!/usr/bin/env python3
"""Any stage of any shipped profile may be left out: the code is right, or one error says which stage and what is missing.

  emptied_stages.py --tileiras FILE --emulator FILE [--profile NAME] [--stage NAME] [--all] [-j N]

Every stage is emptied, as a profile that inherits does it, and removed, as in a copy of the whole profile. Where the
pipeline can still be built, kernels are compiled with it for sm_90 and sm_100, run on the emulator and compared: one with a
matmul loop and another, which the commit chooses; with `--all` all of them.
"""

import argparse
import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

import run
import small_kernels

sys.path.insert(0, str(run.HERE.parent))
import rotation  # noqa: E402

CHIPS = ("sm_90", "sm_100")
# With operands that are read where they have been loaded, and a store before the loop.
MATMULS = small_kernels.MATMULS + (("matmul_negated", ()), ("matmul_behind_store", ()))
# Stages that only make code faster, of every profile that has them.
OPTIONAL = {"cleanup", "cluster", "layout", "asynchronous", "schedule", "execution-units", "agent-boundaries"}


class Variant:
    """A profile without one of its stages, and what the compiler makes of it."""

    def __init__(self, profile, stage, how, path, tileiras):
        self.profile, self.stage, self.how, self.path = profile, stage, how, path
        result = subprocess.run([tileiras, "--profile", str(path), "--gpu-name", "sm_90", "--emit=ptx", "--print-pipeline"],
                                capture_output=True, text=True, errors="replace")
        self.pipeline = result.stdout if result.returncode == 0 else ""
        self.error = result.stderr.strip()

    def __str__(self):
        return f"{self.profile} with stage '{self.stage}' {self.how}"

    def find_mistake(self):
        """What is wrong with the error, or with there being none."""
        if self.stage in OPTIONAL:
            return f"the stage is optional: {self.error}" if not self.pipeline else None
        if self.pipeline:
            return "the stage is not listed as optional"
        lines = self.error.splitlines()
        if len(lines) != 1 or "error: " not in lines[0]:
            return f"not one error: {self.error}"
        if f"'{self.stage}'" not in lines[0]:
            return f"the stage is not named: {self.error}"
        if not re.search(r"(no|runs|not run) '[\w-]+', which |produces (tileaa|tileas|llvm-dialect)", lines[0]):
            return f"what is missing is not named: {self.error}"
        return None


def read_profiles(tileiras, names):
    """(profile, text of its head, {stage: its text})."""
    for name in names:
        text = subprocess.run([tileiras, "--print-profile", "--profile", name], check=True, capture_output=True,
                              text=True).stdout
        head, *stages = text.split("\n[[stage]]\n")
        yield name, head, {re.match(r'name = "([^"]+)"', stage)[1]: stage for stage in stages}


def make_variants(folder, arguments):
    shipped = sorted(path.stem for path in (run.HERE.parents[1] / "config").glob("*.toml"))
    for name, head, stages in read_profiles(arguments.tileiras, arguments.profile or shipped):
        for stage in stages:
            if arguments.stage and stage not in arguments.stage:
                continue
            emptied = folder / f"{name}-{stage}-emptied.toml"
            emptied.write_text(f'name = "mine"\ninherits = "{name}"\n\n[[stage]]\nname = "{stage}"\npasses = []\n')
            yield Variant(name, stage, "emptied", emptied, arguments.tileiras)
            removed = folder / f"{name}-{stage}-removed.toml"
            others = [text for other, text in stages.items() if other != stage]
            removed.write_text("\n[[stage]]\n".join([head, *others]))
            yield Variant(name, stage, "removed", removed, arguments.tileiras)


def choose_kernels(index, everything):
    if everything:
        return MATMULS + small_kernels.OTHERS
    number = rotation.get_rotation() + index
    return MATMULS[number % len(MATMULS)], small_kernels.OTHERS[number % len(small_kernels.OTHERS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--profile", action="append", help="instead of all shipped ones")
    parser.add_argument("--stage", action="append")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-j", type=int, default=2)
    arguments = parser.parse_args()
    kernels = small_kernels.load(MATMULS + small_kernels.OTHERS)
    mistakes, distinct, count = [], {}, 0
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        folder = pathlib.Path(temporary)
        for variant in make_variants(folder, arguments):
            count += 1
            if mistake := variant.find_mistake():
                mistakes.append(f"{variant}: {mistake}")
            elif variant.pipeline:
                distinct.setdefault(variant.pipeline, variant)  # emptied or removed, what runs is mostly the same
        jobs = []
        for index, (variant, chip) in enumerate(itertools.product(distinct.values(), CHIPS)):
            for name, options in choose_kernels(index, arguments.all):
                jobs.append((variant, kernels[name], options, chip))

        def check(number, job):
            variant, kernel, options, chip = job
            return run.check_on_emulator(kernel, chip, ["--profile", str(variant.path), *options], folder / str(number),
                                         arguments.tileiras, arguments.emulator)

        for job, failure in zip(jobs, pool.map(check, itertools.count(), jobs)):
            if failure:
                variant, kernel, options, chip = job
                mistakes.append(f"{variant}, {kernel.name} {' '.join(options)} on {chip}: {failure}")
    print("\n".join(mistakes))
    print(f"{count} profiles without a stage, {len(distinct)} pipelines, {len(jobs)} kernels run, {len(mistakes)} wrong")
    sys.exit(1 if mistakes or not jobs else 0)


if __name__ == "__main__":
    main()
