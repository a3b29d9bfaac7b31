"""Cases of the kernels that the compiler makes: those of tests/kernels, and a corpus where there is one."""

import importlib.util
import json
import pathlib
import re

import numpy

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"
specification = importlib.util.spec_from_file_location("kernels_run", KERNELS / "run.py")
kernels_run = importlib.util.module_from_spec(specification)
specification.loader.exec_module(kernels_run)
run = kernels_run.run  # of a command: None, or why it failed

EXPECTATIONS = kernels_run.Expectations(KERNELS / "corpus-expectations.txt")
TIMEOUT = 120
# Where one of these is, the ISA leaves the last bits to the machine, to the assembler (a product without a rounding may
# become part of an fma), or to the order in which threads arrive.
INEXACT = re.compile(r"\.approx|\bw?g?mma\.|\bdiv\.full|\b(atom|red)\.|\bmul(\.ftz)?(\.sat)?\.b?f\d")
# Less than any two numbers differ: as an absolute tolerance it makes the two zeros equal, and nothing else.
ZEROS_ARE_EQUAL = 1e-300


def own_kernels():
    return [kernels_run.OwnKernel(path.parent) for path in sorted(KERNELS.glob("*/case.py"))]


def corpus_kernels(corpus, every):
    tool = kernels_run.load_module(corpus / "cutile_case.py", "cutile_case")
    folders = sorted(path.parent for path in (corpus / "kernels").glob("*/meta.json"))
    return [kernels_run.CorpusKernel(folder, tool) for folder in folders[::every]]


def own_tolerances(kernel, folder):
    """{buffer: (type, relative, absolute)}; leaves the expected data beside the case."""
    tolerances = {}
    for name, expected in kernel.case.expected(kernel.case.buffers()).items():
        expected.tofile(folder / f"expected_{name}")
        relative, absolute = getattr(kernel.case, "TOLERANCE", (0, 0)) if expected.dtype.kind == "f" else (0, 0)
        tolerances[name] = (f"{expected.dtype.kind}{8 * expected.dtype.itemsize}", relative, absolute)
    return tolerances


def corpus_tolerances(kernel, folder):
    types = {buffer["name"]: buffer["dtype"] for buffer in kernel.meta["buffers"]}
    tolerances = {}
    for name, rule in kernel.meta["check"].items():
        (folder / f"exp_{name}.bin").rename(folder / f"expected_{name}")
        known = re.fullmatch(r"[iu](8|16|32|64)|b?f16|f32|f64", types[name])
        absolute = rule.get("atol", 0) or (0 if rule.get("signed_zero", True) else ZEROS_ARE_EQUAL)
        tolerances[name] = (types[name] if known else "u8", rule.get("rtol", 0), absolute)
    return tolerances


def write_comparisons(folder, tolerances):
    """The emulator's results have to agree to the bit unless the ISA leaves a choice; the expected data as in the test."""
    inexact = INEXACT.search((folder / "kernel.ptx").read_text())
    lines = []
    for name, (kind, relative, absolute) in tolerances.items():
        lines.append(f"expected {name} expected_{name} {kind} {relative} {absolute}")
        lines.append(f"emulator {name} emulator_{name} {kind} {relative if inexact else 0} {absolute if inexact else 0}")
    (folder / "compare.txt").write_text("".join(line + "\n" for line in lines))


def write_launch_bounds(folder, kernel_name):
    metadata = json.loads((folder / "kernel.json").read_text())
    kernel = next(k for k in metadata["kernels"] if k["name"] == kernel_name)
    lines = ["block {} {} {}".format(*kernel["block_size"])]
    if kernel["dynamic_shared_bytes"]:
        lines.append(f"smem {kernel['dynamic_shared_bytes']}")
    if kernel["cluster_size"] != [1, 1, 1]:
        lines.append("cluster {} {} {}".format(*kernel["cluster_size"]))
    with open(folder / "launch.txt", "a") as launch:
        launch.write("".join(line + "\n" for line in lines))
    (folder / "target.txt").write_text(metadata["target"]["arch"].removeprefix("sm_") + "\n")


def compile_case(kernel, folder, tileiras):
    """None, or why there is no case."""
    folder.mkdir(parents=True)
    base = [tileiras, str(kernel.source), "--gpu-name", kernel.gpu] + kernel.options(kernel.gpu)
    failure = (run(base + ["-o", str(folder / "kernel.cubin"), f"--metadata={folder / 'kernel.json'}"], TIMEOUT) or
               run(base + ["-o", str(folder / "kernel.ptx")], TIMEOUT))
    if failure:
        return failure
    kernel.dump(folder)
    name = re.search(r"^kernel (\S+)", (folder / "launch.txt").read_text(), re.MULTILINE).group(1)
    write_launch_bounds(folder, name)
    is_own = isinstance(kernel, kernels_run.OwnKernel)
    write_comparisons(folder, own_tolerances(kernel, folder) if is_own else corpus_tolerances(kernel, folder))
    return None
