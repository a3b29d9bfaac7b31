"""A table of figures, of kernels and what must hold of them: a row for each kernel, and NAME-bounds.txt (quality_bounds.py)."""

import argparse
import json
import pathlib
import subprocess
import tempfile

import quality_bounds
import run

HERE = pathlib.Path(__file__).resolve().parent


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


def replace(arguments, **changed):
    return argparse.Namespace(**{**vars(arguments), **changed})


def taking_over_none(arguments):
    """Tile blocks that take over others pay where a launch has many, and these have few."""
    return replace(arguments, settings=["--set", "dynamic-persistent=false"])


class QualityTable:
    """name: of the file of bounds; figures, in order; collect(folder, corpus, tool): the kernels, whose texts it may write into
    `folder`; measure(kernel, arguments): their figures, None when the compiler refuses one, RuntimeError when it is wrong;
    at_least: figures of which more is better; profile: what is compiled with; takes_corpus: whether kernels come from there;
    is_limited(figure, figures): whether there is a limit for it."""

    def __init__(self, name, figures, collect, measure, at_least, profile="o3-unspecialized", takes_corpus=False,
                 is_limited=lambda figure, figures: True):
        self.name, self.figures, self.collect, self.measure = name, figures, collect, measure
        self.profile, self.takes_corpus, self.is_limited = profile, takes_corpus, is_limited
        self.at_least, self.path = at_least, HERE / f"{name}-bounds.txt"

    def examine(self, arguments, tool, pool):
        """Measures kernels, {name: figures or what is wrong or None}; and whether these are all of the table."""
        arguments = replace(arguments, profile=arguments.profile or self.profile)

        def measure(kernel):
            try:
                return self.measure(kernel, arguments)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                return str(error)

        with tempfile.TemporaryDirectory(prefix="tileiras-") as folder:
            kernels = everything = self.collect(pathlib.Path(folder), arguments.corpus, tool)
            kernels = [kernel for kernel in kernels if not arguments.names or kernel.name in arguments.names]
            kernels = run.choose_part(kernels, arguments.part)
            results = dict(zip([kernel.name for kernel in kernels], pool.map(measure, kernels)))
        return results, len(kernels) == len(everything) and bool(tool or not self.takes_corpus)

    def record(self, results, allowed):
        """Writes the numbers that are found; none where a kernel is wrong, whose row would get those of others. The changes."""
        if any(isinstance(found, str) for found in results.values()):
            return []
        bounds = quality_bounds.Bounds(self.path, self.at_least)
        figures = {name: found for name, found in results.items() if found}
        changes = bounds.record(figures, allowed, self.is_limited)
        bounds.write()
        return changes

    def report(self, results, is_complete):
        """A line for each kernel, and the mistakes below; returns how many."""
        bounds = quality_bounds.Bounds(self.path, self.at_least)
        mistakes = bounds.find_mistakes(list(results) if is_complete else None)
        print(f"{self.name + ' kernels':36}" + "".join(f"{figure:>15}" for figure in self.figures))
        for name, figures in results.items():
            if isinstance(figures, str):
                mistakes.append(f"{name}: {figures}")
            if not isinstance(figures, dict):
                print(f"{name:36} {figures or 'refused by the compiler'}")
                continue
            cells = {}
            for figure in self.figures:
                if figure in figures:
                    cells[figure], wrong = self.judge(bounds, name, figure, figures)
                    mistakes += [f"{name}: {text}" for text in wrong]
            print(f"{name:36}" + "".join(f"{cells.get(figure, '-'):>15}" for figure in self.figures))
        print(f"VALUE/BOUND; *: does not keep to its limit yet; !: worse than its bound; as {self.path.name} says")
        for text in mistakes:
            print(text)
        return len(mistakes)

    def judge(self, bounds, name, figure, figures):
        """A cell of the table, and what is wrong."""
        value = figures[figure]
        bound, status, wrong = bounds.judge(name, figure, value, self.is_limited(figure, figures))
        beside = f"/{quality_bounds.show(bound)}" if bound is not None else ""
        return f"{quality_bounds.show(value)}{beside}" + {"not yet": "*", "FAILS": "!"}.get(status, ""), wrong
