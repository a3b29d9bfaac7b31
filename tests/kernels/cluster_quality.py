"""Measures what clusters make of products: tile blocks of several CTAs, with `--set num-ctas=`, beside the same kernels without.

A quality_table.QualityTable. A kernel's name ends with the size of the cluster. Figures:

  ctas          of a cluster, by the metadata
  fetched       bytes that copy engines fetch from global memory, in percent of those that arrive in shared memory: of two
                CTAs that share an operand each fetches half of it
  products      products' instructions of a warp, in percent of those without a cluster
  barriers      barriers of the CTA or the cluster in the loop with the products, an iteration of a warp
  spills, warnings   of the assembler, as product_quality.py has them
  instructions  thread instructions of the kernel for each million multiply-adds of products
"""

import pathlib
import re
import tempfile

import attention_kernels
import product_quality
import products
import quality_table

FIGURES = ("ctas", "fetched", "products", "barriers", "spills", "warnings", "instructions")
# The kernel, and the size of its cluster.
CASES = [(products.matmul("f16", (256, 128, 64)), 2), (products.matmul("f16", (256, 256, 64)), 2),
         (products.matmul("bf16", (256, 128, 64), "nt"), 2), (products.matmul("f16", (256, 256, 64)), 4),
         (products.matmul("f16", (128, 256, 64), "nn", "persistent"), 2), (attention_kernels.attention(64), 2),
         (attention_kernels.attention(128), 2), (attention_kernels.attention(64, heads=2), 2),
         (attention_kernels.attention(128, heads=4, m=256), 4)]


class ClusterKernel(product_quality.OwnProduct):
    def __init__(self, case, ctas, folder):
        super().__init__(case, folder)
        self.name, self.ctas = f"{case.name}_{ctas}", ctas
        self.options = lambda gpu: ["--set", f"num-ctas={self.ctas}"]


def collect(folder, corpus, tool):
    return [ClusterKernel(case, ctas, folder) for case, ctas in CASES]


def count(text, name):
    found = re.search(rf"^\s*{name}\s+(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


def count_barriers(text):
    loops = product_quality.read_loops(text)
    main = max(loops, key=product_quality.Loop.products, default=None)
    return round(product_quality.merge_inner(main, loops).get("barrier", 0), 2) if main else 0


def measure(kernel, arguments):
    """The figures of a kernel; None when the compiler refuses it. Raises RuntimeError when it is wrong."""
    arguments = quality_table.taking_over_none(arguments)

    def run(ctas):
        kernel.ctas = ctas
        with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
            folder = pathlib.Path(temporary)
            done = quality_table.run_kernel(kernel, arguments, folder, "--profile-loops")
            return done and (*done, product_quality.count_warnings(folder / "k.ptx", arguments.ptxas))

    ctas = kernel.ctas
    apart, together = run(1), run(ctas)
    if not apart or not together:
        return None
    _, before, _, _ = apart
    _, counts, resources, warnings = together
    fetched = count(counts, "bytes fetched by them")
    stored = count(before, "bytes by bulk copies") - count(before, "bytes fetched by them")
    return {"ctas": resources["cluster_size"][0],
            "fetched": round(100 * fetched / (count(counts, "bytes by bulk copies") - stored), 1),
            "products": round(100 * count(counts, "wgmma") / count(before, "wgmma"), 1),
            "barriers": count_barriers(counts), "warnings": warnings,
            "spills": resources["spill_store_bytes"] + resources["spill_load_bytes"],
            "instructions": product_quality.read_counters(counts)["instructions"]}


TABLE = quality_table.QualityTable("cluster", FIGURES, collect, measure, at_least={"ctas"}, profile="o3")
