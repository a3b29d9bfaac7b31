"""Cases of the kernels that the compiler makes: those of tests/kernels, and a corpus where there is one."""

import importlib.util
import json
import pathlib
import re
import sys

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"
specification = importlib.util.spec_from_file_location("kernels_run", KERNELS / "run.py")
kernels_run = importlib.util.module_from_spec(specification)
specification.loader.exec_module(kernels_run)
run = kernels_run.run  # of a command: None, or why it failed

EXPECTATIONS = kernels_run.Expectations(KERNELS / "corpus-expectations.txt")
TIMEOUT = 120
PRODUCTS = {f"matmul_{name}" for name in (
    "f16_128x128x64_nn", "f16_128x128x64_tt", "bf16_128x256x64_nt", "e4m3_128x128x128_nt", "s8_128x128x128_nt",
    "tf32_128x128x32_nt", "f16_128x128x64_nn_batched", "bf16_128x128x64_nn_split", "bf16_32x256x64_tn_persistent")} | {
    "grouped_f16_128x128x64", "attention_64", "attention_64_causal"}
# Where one of these is, the ISA leaves the last bits to the machine, to the assembler (a product without a rounding may
# become part of an fma), or to the order in which threads arrive.
INEXACT = re.compile(r"\.approx|\bw?g?mma\.|\bdiv\.full|\b(atom|red)\.|\bmul(\.ftz)?(\.sat)?\.b?f\d")


def own_kernels(gpu):
    return for_chip([kernels_run.OwnKernel(path.parent) for path in sorted(KERNELS.glob("*/case.py"))], gpu)


def corpus_kernels(corpus, every, gpu):
    tool = kernels_run.load_module(corpus / "cutile_case.py", "cutile_case")
    folders = sorted(path.parent for path in (corpus / "kernels").glob("*/meta.json"))
    return for_chip([kernels_run.CorpusKernel(folder, tool) for folder in folders[::every]], gpu)


def product_kernels(folder, gpu):
    """Those of tests/kernels/products.py that are named here: each kind of operand, each shape of work. Their texts are written
    into `folder`."""
    sys.path.insert(0, str(KERNELS))
    import product_quality
    folder.mkdir(parents=True, exist_ok=True)
    return for_chip([kernel for kernel in product_quality.collect(folder, None, None) if kernel.name in PRODUCTS], gpu)


def for_chip(kernels, gpu):
    """A kernel that is for another chip alone is left out."""
    for kernel in kernels:
        kernel.gpu = gpu if kernel.gpu == "sm_90" else kernel.gpu
    return [kernel for kernel in kernels if kernel.gpu == gpu]


def write_comparisons(folder, tolerances):
    """The emulator's results have to agree to the bit unless the ISA leaves a choice; the expected data as in the test."""
    inexact = INEXACT.search((folder / "kernel.ptx").read_text())
    lines = []
    for name, (kind, relative, absolute) in tolerances.items():
        lines.append(f"expected {name} exp_{name}.bin {kind} {relative} {absolute}")
        lines.append(f"emulator {name} emulator_{name} {kind} {relative if inexact else 0} {absolute if inexact else 0}")
    (folder / "compare.txt").write_text("".join(line + "\n" for line in lines))


def emulator_options(folder):
    """What a launch has to pass, and the PTX does not say: the launch library knows it from the cubin."""
    shared = kernels_run.get_dynamic_shared(folder / "kernel.json", folder)
    return ["--smem", str(shared)] if shared else []


def compile_case(kernel, folder, tileiras):
    """None, or why there is no case."""
    folder.mkdir(parents=True)
    base = [tileiras, str(kernel.source), "--gpu-name", kernel.gpu] + kernel.options(kernel.gpu)
    failure = (run(base + ["-o", str(folder / "kernel.cubin"), f"--metadata={folder / 'kernel.json'}"], TIMEOUT) or
               run(base + ["-o", str(folder / "kernel.ptx")], TIMEOUT))
    if failure:
        return failure
    kernel.dump(folder)
    metadata = json.loads((folder / "kernel.json").read_text())
    (folder / "target.txt").write_text(metadata["target"]["arch"].removeprefix("sm_") + "\n")
    if isinstance(kernel, kernels_run.OwnKernel):
        kernel.write_expected(folder)
    write_comparisons(folder, kernel.tolerances())
    return None
