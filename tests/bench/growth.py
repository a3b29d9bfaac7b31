#!/usr/bin/env python3
"""Measures how the work of the compiler grows with programs, and checks that it grows no faster than they do.

  growth.py --tileiras build/bin/tileiras [--count instructions|time] [--limit R] [KIND ...]

Programs of each kind (programs.py) are compiled to PTX at three lengths, each twice the one before. What an empty
kernel takes is subtracted; the growth is the ratio of what is left at the last two lengths: 2 is proportional, 4
quadratic. With --limit, a kind that grows faster fails.

Instructions are the processor's, counted by perf; where it cannot, valgrind counts them, which takes some twenty times
as long. The time is the user's, the median of several runs. Both with every --setting: the arguments of the compiler.
"""

import argparse
import math
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import programs

SETTINGS = ["--gpu-name sm_90 -O3"]
SKIPPED = 77 # as ctest is told


class Refused(Exception):
    """The compiler cannot do this, or takes too long; why."""


class Counter:
    """Counts what one run of a command takes, in `unit`, so many of which are shown as one. A ladder is measured `tries`
    times."""
    tries = 1

    def __init__(self, seconds):
        self.seconds = seconds

    def run(self, command):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 5))

        before = os.times()
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=limit)
        after = os.times()
        if result.returncode != 0:
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            raise Refused(f"over {self.seconds} s of the processor" if spent > self.seconds - 1 else
                          f"exit status {result.returncode}: {result.stderr.strip()[:200]}")
        return result


class PerfCounter(Counter):
    unit, scale, least = "million instructions", 1e6, 1e6

    @staticmethod
    def count_of(result):
        match = re.search(r"^(\d+),[^,]*,instructions:u", result.stderr, re.MULTILINE)
        return int(match.group(1)) if match else None

    def __call__(self, command):
        return self.count_of(self.run(["perf", "stat", "-x,", "-e", "instructions:u", *command]))

    @classmethod
    def is_available(cls, _):
        perf = shutil.which("perf")
        if not perf:
            return False
        result = subprocess.run([perf, "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True)
        return result.returncode == 0 and cls.count_of(result) is not None


class ValgrindCounter(Counter):
    unit, scale, least = "million instructions", 1e6, 1e6

    def __call__(self, command):
        result = self.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                           *command])
        return int(re.search(r"I\s+refs:\s+([\d,]+)", result.stderr).group(1).replace(",", ""))

    @classmethod
    def is_available(cls, compiler):
        """Versions of valgrind end at debug information that they do not know."""
        if not shutil.which("valgrind"):
            return False
        command = ["valgrind", "--tool=none", *compiler, "--version"]
        return subprocess.run(command, capture_output=True).returncode == 0


class TimeCounter(Counter):
    unit, scale, least = "ms of the user", 1e-3, 10e-3

    def __init__(self, seconds, tries):
        super().__init__(seconds)
        self.tries = tries

    def __call__(self, command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.run(command)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def make_counter(arguments):
    if arguments.count == "time":
        return TimeCounter(arguments.seconds, arguments.runs)
    for counter in (PerfCounter, ValgrindCounter):
        if counter.is_available(arguments.tileiras.split()):
            return counter(arguments.seconds)
    print("skipped: neither does this processor's counter of instructions work (perf stat), nor does valgrind run the "
          "compiler; --count time does without")
    sys.exit(SKIPPED)


class Compiler:
    def __init__(self, command, counter, folder):
        self.command, self.counter, self.source = command, counter, pathlib.Path(folder) / "ladder.mlir"

    def measure(self, text, setting):
        self.source.write_text(text, encoding="utf-8")
        return self.counter([*self.command, str(self.source), *setting.split(), "--emit=ptx", "-o", os.devnull])


def growth_of(values, counter):
    """From the last but one to the last; what is next to nothing does not grow."""
    return values[-1] / max(values[-2], counter.least)


def measure_ladder(compiler, texts, setting):
    """The work of each text beyond an empty kernel's, up to one that the compiler cannot do, and why it cannot."""
    values = []
    try:
        empty = compiler.measure(programs.kernel([]), setting)
        for text in texts:
            values.append(compiler.measure(text, setting) - empty)
    except Refused as refused:
        return values, str(refused)
    return values, ""


def measure_growth(compiler, texts, setting):
    """The medians of the ladders and of their growths, and why a text could not be compiled. A machine is faster at some
    moments than at others: what is compared is measured in a row, in several such ladders."""
    ladders, reason = [], ""
    while not reason and len(ladders) < compiler.counter.tries:
        ladder, reason = measure_ladder(compiler, texts, setting)
        ladders.append(ladder)
    values = [statistics.median(column) for column in zip(*ladders)]
    growth = statistics.median(growth_of(ladder, compiler.counter) for ladder in ladders) if not reason else math.nan
    return values, growth, reason


def print_ladder(compiler, name, sizes, setting, limit):
    """Returns whether it grows no faster than `limit`. Times that say it does are measured once more: other work on the
    machine slows single ladders down, but what is quadratic is so again."""
    texts = [programs.KINDS[name][0](size) for size in sizes]
    is_fine = False
    for _ in range(2 if compiler.counter.tries > 1 else 1):
        values, growth, reason = measure_growth(compiler, texts, setting)
        columns = "".join(f"{value / compiler.counter.scale:11.1f}" for value in values).ljust(11 * len(sizes))
        is_fine = limit is None or growth <= limit
        print(f"{name:32}{sizes[0]:>7}{columns}{growth:8.2f}  {setting}  {reason}{'' if is_fine else '  TOO FAST'}",
              flush=True)
        if is_fine or reason:
            break
    return is_fine


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="all if none is named; KIND:N: N is its first length")
    parser.add_argument("--tileiras", default="tileiras", help="a command, with arguments")
    parser.add_argument("--count", choices=["instructions", "time"], default="instructions")
    parser.add_argument("--setting", action="append", dest="settings", metavar="ARGUMENTS")
    parser.add_argument("--lengths", type=int, default=3, help="how many, each twice the one before")
    parser.add_argument("--factor", type=int, default=1, help="for the first lengths of all kinds")
    parser.add_argument("--limit", type=float)
    parser.add_argument("--runs", type=int, default=5, help="of which the median counts, of times")
    parser.add_argument("--seconds", type=int, default=300, help="of the processor, that one compilation may take")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    counter = make_counter(arguments)
    chosen = [kind.partition(":")[::2] for kind in arguments.kinds or programs.KINDS]
    unknown = [name for name, _ in chosen if name not in programs.KINDS]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; known: {', '.join(programs.KINDS)}")
    print(f"{'kind':32}{'length':>7}" + "".join(f"{'× ' + str(2**i):>11}" for i in range(arguments.lengths)) +
          f"{'growth':>8}   ({counter.unit})")
    is_fine = True
    with tempfile.TemporaryDirectory(prefix="tileiras-growth-") as folder:
        compiler = Compiler(arguments.tileiras.split(), counter, folder)
        for name, length in chosen:
            first = int(length) if length else programs.KINDS[name][1] * arguments.factor
            for setting in arguments.settings or SETTINGS:
                sizes = [first * 2**i for i in range(arguments.lengths)]
                is_fine &= print_ladder(compiler, name, sizes, setting, arguments.limit)
    if not is_fine:
        sys.exit(f"work grows faster than {arguments.limit} times with each doubling")


if __name__ == "__main__":
    main()
