"""Measures what `-O3` makes of kernels around matrix products for chips whose warps multiply: `quality.py --table sm_120`,
sm_75, sm_80 or sm_89.

A quality_table.QualityTable for each chip (CHIP-bounds.txt) over some of the kernels of products.py and
attention_kernels.py. Figures:

  mma           1 when the loop's products are by mma.sync
  others        other warp instructions in the loop for each of those, as product_quality.py has it
  global, shuffles, conversions   warp instructions of that kind in the loop, an iteration of a warp
  conflicts     bank conflicts of the whole kernel
  stages        of the loop's pipeline
  engine        1 when the copy engine (TMA) fills stages
  producers     warps that only start copies; 0 where one set of warps does everything
  shared        KiB of shared memory of a block
  spills, registers
  instructions  thread instructions of the kernel for each million multiply-adds of products
"""

import pathlib
import re
import tempfile

import agent_quality
import product_quality
import quality_table

FIGURES = ("mma", "others", "global", "shuffles", "conversions", "conflicts", "stages", "engine", "producers", "shared", "spills",
           "registers", "instructions")
CHIPS = ("sm_120", "sm_75", "sm_80", "sm_89")
KERNELS = {f"matmul_{name}" for name in (
    "f16_64x64x32_nn", "f16_128x128x64_nn", "f16_128x128x64_nt", "f16_128x128x64_tn", "f16_128x128x64_tt", "f16_128x256x64_nn",
    "bf16_128x128x64_nn", "e4m3_128x128x128_nt", "e4m3_128x128x128_nn", "s8_128x128x128_nt", "tf32_128x128x32_nt",
    "f16_128x128x64_nn_batched", "bf16_128x128x64_nn_split", "f16_16x128x64_nn", "bf16_32x256x64_tn_persistent")} | {
    "attention_64", "attention_64_causal", "attention_128"}


def collect_for(chip):
    def collect(folder, corpus, tool):
        kernels = [product_quality.OwnProduct(case, folder) for case in product_quality.CASES if case.name in KERNELS]
        for kernel in kernels:
            kernel.gpu = chip
        return kernels
    return collect


def measure(kernel, arguments):
    """The figures of a kernel; None when the compiler refuses it. Raises RuntimeError when it is wrong."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        done = quality_table.run_kernel(kernel, agent_quality.with_profile(arguments, "o3"), folder, "--profile-loops", "--strict")
        if not done:
            return None
        remarks, counts, resources = done
        ptx = (folder / "k.ptx").read_text()
        loop = product_quality.measure_loop(counts)
        loop["mma"] = int(loop.pop("wgmma", None) == 0 and bool(re.search(r"\bmma\.sync", ptx)))
        figures = {**loop, **product_quality.read_counters(counts), **product_quality.read_remarks(remarks),
                   **agent_quality.read_agents(remarks), "engine": int("cp.async.bulk.tensor" in ptx),
                   "spills": resources["spill_store_bytes"] + resources["spill_load_bytes"],
                   "shared": round((resources["static_shared_bytes"] + resources["dynamic_shared_bytes"]) / 1024, 1),
                   "registers": resources["registers"]}
        return {name: figures[name] for name in FIGURES if name in figures}


TABLES = {chip: quality_table.QualityTable(chip, FIGURES, collect_for(chip), measure,
                                           at_least={"mma", "stages", "engine", "producers"}) for chip in CHIPS}
