"""A table of figures, of kernels and what must hold of them.

For each kernel a row of figures; NAME-limits.txt says what must hold, NAME-expectations.txt which of it does not hold yet and
where it stands, NAME-instructions.txt what a kernel executed once and must not exceed. Lines of all three are
KERNEL FIGURE NUMBER; in the limits KERNEL is a regular expression.
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile

import run

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = 0.02


def run_kernel(kernel, arguments, folder, *options):
    """Compiles a kernel to `folder`/k.cubin and k.ptx, and runs it: what the compiler says, what the emulator counts, and the
    resources that the metadata names. None when the compiler refuses it. Raises RuntimeError when it is wrong."""
    base = [arguments.tileiras, str(kernel.source), "--gpu-name", kernel.gpu, "--profile", arguments.profile]
    base += kernel.options(kernel.gpu) + getattr(arguments, "settings", [])
    compiled = subprocess.run(base + ["-o", str(folder / "k.cubin"), f"--metadata={folder / 'k.json'}", "--remarks=all"],
                              capture_output=True, text=True)
    if compiled.returncode != 0:
        return None
    resources = json.loads((folder / "k.json").read_text())["kernels"][0]
    subprocess.run(base + ["-o", str(folder / "k.ptx")], check=True, capture_output=True)
    kernel.dump(folder)
    shared = run.get_dynamic_shared(folder / "k.json", folder)
    ran = subprocess.run([arguments.emulator, "run", str(folder / "k.ptx"), "--case", str(folder), "--counters", *options,
                          "--smem", str(shared)], capture_output=True, text=True)
    if ran.returncode != 0:
        raise RuntimeError(ran.stderr.strip().splitlines()[0])
    if wrong := kernel.check(folder):
        raise RuntimeError(wrong)
    return compiled.stderr, ran.stdout, resources


def taking_over_none(arguments):
    """Tile blocks that take over others pay where a launch has many, and these have few."""
    return argparse.Namespace(**{**vars(arguments), "settings": ["--set", "dynamic-persistent=false"]})


def read_rows(path):
    """[(kernel, figure, number)]"""
    rows = []
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            kernel, figure, number = line.split()
            rows.append((kernel, figure, float(number)))
    return rows


class QualityTable:
    """figures, in order, `instructions` among them; at_least: those of which more is better; unit: what instructions are
    counted for; applies(figure, figures): whether there is a limit for it."""

    def __init__(self, name, figures, at_least, unit, applies=lambda figure, figures: True):
        self.figures, self.at_least, self.unit, self.applies = figures, at_least, unit, applies
        self.limits, self.expectations, self.recorded = (HERE / f"{name}-{what}.txt"
                                                         for what in ("limits", "expectations", "instructions"))

    def measure(self, collect, measure, arguments, tool, pool):
        """Prints the table. The number of kernels that were measured, and of mistakes."""
        def examine(kernel):
            try:
                return measure(kernel, arguments)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                return str(error)

        with tempfile.TemporaryDirectory(prefix="tileiras-") as folder:
            kernels = collect(pathlib.Path(folder), arguments.corpus, tool)
            kernels = [kernel for kernel in kernels if not arguments.names or kernel.name in arguments.names]
            kernels = run.choose_part(kernels, arguments.part)
            results = dict(zip([kernel.name for kernel in kernels], pool.map(examine, kernels)))
        return len(results), self.report(results, arguments.record)

    def is_worse(self, figure, value, than):
        if figure in self.at_least:
            return value < than * (1 - TOLERANCE)
        return value > than * (1 + TOLERANCE)

    def holds(self, figure, value, limit):
        return value >= limit if figure in self.at_least else value <= limit

    def judge(self, name, figures, limits, expected, recorded):
        """The table's rows of a kernel (figure, value, limit, status) and what is wrong."""
        rows, wrong, limit_of = [], [], {}
        for pattern, figure, limit in limits:  # the last one that matches
            if re.search(pattern, name):
                limit_of[figure] = limit
        for figure in self.figures:
            if figure not in figures:
                continue
            value, before = figures[figure], expected.get((name, figure))
            limit = limit_of.get(figure) if self.applies(figure, figures) else None
            status = ""
            if limit is not None:
                status = "holds" if self.holds(figure, value, limit) else "not yet" if before is not None else "FAILS"
            if status == "FAILS":
                wrong.append(f"{figure} is {value:g}, the limit {limit:g}")
            if status == "not yet" and self.is_worse(figure, value, before):
                wrong.append(f"{figure} is {value:g}, worse than {before:g} before")
            if status in ("holds", "") and before is not None:
                wrong.append(f"{figure} is {value:g} and holds: take it out of {self.expectations.name}")
            if figure == "instructions" and (name in recorded) and self.is_worse(figure, value, recorded[name]):
                wrong.append(f"{value:g} instructions for {self.unit}, {recorded[name]:g} before")
            rows.append((figure, value, limit, status))
        return rows, wrong

    def print_rows(self, results, limits, expected, recorded):
        """A line for each kernel; what does not hold is marked with * (not yet) or ! (wrong). The number of mistakes."""
        mistakes = []
        print(f"{'kernel':36}" + "".join(f"{figure:>13}" for figure in self.figures))
        for name, figures in results.items():
            if isinstance(figures, str):
                mistakes.append(f"{name}: {figures}")
            if not isinstance(figures, dict):
                print(f"{name:36} {figures or 'refused by the compiler'}")
                continue
            rows, wrong = self.judge(name, figures, limits, expected, recorded)
            mistakes += [f"{name}: {text}" for text in wrong]
            cells = {figure: f"{value:g}" + (f"/{limit:g}" if limit is not None else "")
                     + {"not yet": "*", "FAILS": "!"}.get(status, "") for figure, value, limit, status in rows}
            print(f"{name:36}" + "".join(f"{cells.get(figure, '-'):>13}" for figure in self.figures))
        print(f"VALUE/LIMIT; *: does not hold yet, as {self.expectations.name} says; !: does not hold")
        for text in mistakes:
            print(text)
        return len(mistakes)

    def write(self, results, limits, recorded):
        """What holds not, and what is executed where that was not recorded."""
        lines = [f"# What does not hold yet of {self.limits.name}, and where it stands: KERNEL FIGURE NUMBER."]
        for name, figures in results.items():
            if isinstance(figures, dict):
                rows, _ = self.judge(name, figures, limits, {}, {})
                lines += [f"{name} {figure} {value:g}" for figure, value, _, status in rows if status == "FAILS"]
                recorded.setdefault(name, figures.get("instructions"))
        self.expectations.write_text("\n".join(lines) + "\n")
        lines = [f"# Thread instructions for {self.unit}, as they once were: KERNEL FIGURE NUMBER. No kernel may exceed it."]
        lines += [f"{name} instructions {number:g}" for name, number in sorted(recorded.items()) if number is not None]
        self.recorded.write_text("\n".join(lines) + "\n")

    def report(self, results, record):
        """Prints the table, with `record` after what it finds has become what is expected. The number of mistakes."""
        limits = read_rows(self.limits)
        recorded = {kernel: number for kernel, _, number in read_rows(self.recorded)}
        if record:
            self.write(results, limits, recorded)
        expected = {(kernel, figure): number for kernel, figure, number in read_rows(self.expectations)}
        return self.print_rows(results, limits, expected, recorded)
