#!/usr/bin/env python3
"""Checks that every kernel that is legal but not fast says why, by a remark that points at a line of the source.

  remark_quality.py [NAME…]   the kernels of the corpus, of this folder and of the tables (see quality.py)

What is not fast is seen in the nv_tileas program and the metadata; for each of these a remark has to say why:

  product     a matrix product is not by wgmma
  operand     threads load tiles in the loop of a product
  result      threads store what products have computed, 4 KiB or more
  loop        they load them in their iteration
  spills      registers are spilled
  hint        the program's hint 'occupancy' or 'num_worker_warps_per_cta' is not what the kernel has
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import memory_quality
import product_quality
import run

# What says why, by names of remarks.
REASONS = {
    "product": {"TensorCore", "WarpgroupProduct", "NotExchanged", "SynchronousProducts"},
    "operand": {"TensorCopy", "NotQueued", "AsyncCopy", "UnspecializedPipeline", "TensorMapOnDevice"},
    "result": {"TensorCopy"},
    "loop": {"NotQueued", "UnspecializedPipeline", "PipelineStages"},
    "spills": {"RegisterPressure", "Spills", "LargeTiles"},
    "hint": {"IgnoredHint"},
}
# Of a multiprocessor: threads, registers, bytes of shared memory, and the system's for each block.
THREADS, REGISTERS, SHARED, RESERVED = 2048, 65536, 228 * 1024, 1024
LARGE_RESULT, SMALL_TILE = 4096, 64  # bytes
BITS = {"i1": 8, "tf32": 32}


class Region:
    def __init__(self, line, outer):
        self.line, self.outer, self.inner, self.lines = line, outer, [], []
        if outer:
            outer.inner.append(self)

    def is_loop(self):
        return "scf.for" in self.line or "scf.while" in self.line

    def all_lines(self, with_loops=True):
        regions = [region for region in self.inner if with_loops or not region.is_loop()]
        return self.lines + [line for region in regions for line in [region.line] + region.all_lines(with_loops)]

    def holds_product(self):
        return any(is_product(line) for line in self.all_lines())


def read_regions(text):
    """The outermost region of a printed program, each operation on a line of its own."""
    here = Region("", None)
    for line in text.splitlines():
        opened, closed = line.count("{"), line.count("}")
        if line.lstrip().startswith("}") and here.outer:
            here, closed = here.outer, closed - 1
        if opened > closed:
            here = Region(line, here)
        else:
            here.lines.append(line)
    while here.outer:
        here = here.outer
    return here


def find_loops(region):
    loops = [region] if region.is_loop() else []
    return loops + [loop for inner in region.inner for loop in find_loops(inner)]


def is_product(line):
    return re.search(r"nv_tileas\.(async\.)?dot ", line) is not None


def loads_by_threads(line):
    return re.search(r"nv_tileas\.(tiled_load|load|async\.tiled_load|async\.load) ", line) is not None


def get_bytes(line):
    """Of the largest tile that a line names."""
    sizes = [0]
    for shape, element in re.findall(r"tensor<((?:\d+x)+)([a-zA-Z]+\d+\w*)", line):
        number = BITS.get(element.lower(), int(re.search(r"\d+", element)[0]))
        for extent in shape[:-1].split("x"):
            number *= int(extent)
        sizes.append(number // 8)
    return max(sizes)


def find_makers(region, makers):
    """By name of a value the line that makes it, or the region whose operation does."""
    for line, maker in [(line, line) for line in region.lines] + [(inner.line, inner) for inner in region.inner]:
        if names := re.match(r"\s*((?:%\w+(?::\d+)?,? *)+)= ", line):
            makers.update((name, maker) for name in re.findall(r"%\w+", names[1]))
    for inner in region.inner:
        find_makers(inner, makers)
    return makers


def comes_from_product(value, makers):
    work, seen = [value], set()
    while work:
        name = work.pop()
        maker = makers.get(name)
        if name in seen or maker is None:
            continue
        seen.add(name)
        if isinstance(maker, Region):
            if maker.holds_product():
                return True
        elif is_product(maker):
            return True
        elif not loads_by_threads(maker):
            work += re.findall(r"%\w+", maker.split(" = ", 1)[1].split(" : ")[0])
    return False


def stores_product(line, makers):
    store = re.search(r"nv_tileas\.tiled_(?:store|atomic_rmw) [^%]*(%\w+)", line)
    return store and get_bytes(line) >= LARGE_RESULT and comes_from_product(store[1], makers)


def find_slow(program, resources):
    """What is not fast of a kernel: keys of REASONS."""
    root = read_regions(program)
    lines = root.all_lines()
    atoms = [re.search(r'atom = "([^"]*)"', line) for line in lines if is_product(line)]
    slow = set()
    if any(not (atom and atom[1].startswith("wgmma")) for atom in atoms):
        slow.add("product")
    for loop in find_loops(root):
        inside = loop.all_lines(with_loops=False)
        if not any(is_product(line) for line in inside):
            continue
        if any(loads_by_threads(line) and get_bytes(line) > SMALL_TILE for line in inside):
            slow.add("operand")
            if not any("pipeline." in line for line in inside):
                slow.add("loop")
    makers = find_makers(root, {})
    if any(stores_product(line, makers) for line in lines):
        slow.add("result")
    if resources["spill_store_bytes"] + resources["spill_load_bytes"]:
        slow.add("spills")
    return slow


def read_hints(source, gpu):
    """Of the first kernel: its own hints by name, those of the chip before those of all."""
    hints = {}
    entry = re.search(r"entry @[^{]*optimization_hints ?= ?<((?:[^<>{}]|\{[^{}]*\})*)>", source)
    groups = dict(re.findall(r"(\w+) = \{([^{}]*)\}", entry[1])) if entry else {}
    for group in ("default", gpu):
        hints.update((name, int(value)) for name, value in re.findall(r"(\w+) = (\d+)", groups.get(group, "")))
    return hints


def read_source(kernel, base):
    """The program as text; bytecode by way of the compiler."""
    if kernel.source.suffix == ".mlir":
        return kernel.source.read_text(encoding="utf-8")
    return subprocess.run(base + ["--emit=cuda_tile", "-o", "-"], check=True, capture_output=True, text=True).stdout


def find_broken_hints(hints, resources):
    """Names of hints that the kernel does not keep to, whatever it says."""
    threads = resources["block_size"][0]
    broken = []
    if hints.get("num_worker_warps_per_cta", 0) not in (0, threads // 32):
        broken.append("num_worker_warps_per_cta")
    blocks = hints.get("occupancy", 1)
    shared = resources["static_shared_bytes"] + resources["dynamic_shared_bytes"] + RESERVED
    if blocks * threads > THREADS or blocks * shared > SHARED or \
            blocks * threads * -(-resources["registers"] // 8) * 8 > REGISTERS:
        broken.append("occupancy")
    return broken


def read_remarks(text):
    """Names of the remarks that point at a line."""
    return {match[1] for match in re.finditer(r"^\S+:\d+:\d+: remark: \[\w+\] (\w+) ", text, re.MULTILINE)}


def examine(kernel, arguments):
    """What is not fast and not explained; None when the compiler refuses the kernel."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        base = [arguments.tileiras, str(kernel.source), "--gpu-name", kernel.gpu, "--profile", arguments.profile]
        base += kernel.options(kernel.gpu)
        compiled = subprocess.run(base + ["-o", str(folder / "k.cubin"), f"--metadata={folder / 'k.json'}",
                                          "--remarks=all"], capture_output=True, text=True)
        if compiled.returncode != 0:
            return None
        subprocess.run(base + ["--emit=tileas", "-o", str(folder / "k.mlir")], check=True, capture_output=True)
        resources = json.loads((folder / "k.json").read_text())["kernels"][0]
        remarks = read_remarks(compiled.stderr)
        slow = find_slow((folder / "k.mlir").read_text(), resources)
        if find_broken_hints(read_hints(read_source(kernel, base), kernel.gpu), resources):
            slow.add("hint")
        return sorted(what for what in slow if not REASONS[what] & remarks), sorted(slow)


def collect(folder, corpus, tool):
    kernels = [run.OwnKernel(path.parent) for path in sorted(run.HERE.glob("*/case.py"))]
    kernels += product_quality.collect(folder, None, None) + memory_quality.collect(folder, None, None)
    if tool:
        kernels += [run.CorpusKernel(path.parent, tool) for path in sorted((corpus / "kernels").glob("*/meta.json"))]
    return {kernel.name: kernel for kernel in kernels}.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS") or None)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--profile", default="o3-unspecialized")
    parser.add_argument("--part", metavar="K/N", help="each N-th kernel only, as run.py")
    arguments = parser.parse_args()
    has_corpus = arguments.corpus and arguments.corpus.is_dir()
    tool = run.load_module(arguments.corpus / "cutile_case.py", "cutile_case") if has_corpus else None
    with tempfile.TemporaryDirectory(prefix="tileiras-") as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        kernels = [kernel for kernel in collect(pathlib.Path(folder), arguments.corpus, tool)
                   if not arguments.names or kernel.name in arguments.names]
        kernels = run.choose_part(kernels, arguments.part)
        results = list(pool.map(lambda kernel: examine(kernel, arguments), kernels))
    silent, slow = 0, 0
    for kernel, result in zip(kernels, results):
        slow += bool(result and result[1])
        for what in result[0] if result else []:
            print(f"{kernel.name}: no remark says why: {what}")
            silent += 1
    examined = sum(result is not None for result in results)
    print(f"{examined} kernels examined, {len(kernels) - examined} refused by the compiler, {slow} are not fast, "
          f"{silent} times no remark says why")
    if not has_corpus:
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to examine other people's kernels")
    return 1 if silent or not examined else 0 if has_corpus else 77


if __name__ == "__main__":
    sys.exit(main())
