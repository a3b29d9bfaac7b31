"""Measures products of sm_100, whose accumulators are in tensor memory: the loop with the products, and the kernel around it.

A quality_table.QualityTable. Figures:

  tcgen05       1 when the loop's products are by tcgen05.mma
  others        other instructions of all warps in the loop for each of these; waits for an mbarrier count once
  tensor        warp instructions in the loop that move tiles between tensor memory and registers, an iteration of a warp
  global, shared, barriers   likewise those that access global and shared memory, and barriers of the CTA
  conflicts     bank conflicts of the whole kernel
  spills, registers          of the assembler
  stages        of the loop's pipeline, by a remark
  instructions  thread instructions of the kernel for each million multiply-adds of products
"""

import pathlib
import tempfile

import attention_kernels
import product_quality
import products
import quality_table
import scaled_products

FIGURES = ("tcgen05", "others", "tensor", "global", "shared", "barriers", "conflicts", "spills", "registers", "stages",
           "instructions")
CASES = [products.matmul("f16", (128, 256, 64), transposed) for transposed in ("nn", "nt", "tn", "tt")] + [
    products.matmul("bf16", (128, 128, 64)), products.matmul("f16", (256, 128, 64)),
    products.matmul("e4m3", (128, 256, 128), "nt"), products.matmul("s8", (128, 128, 128), "nt"),
    products.matmul("f16", (128, 128, 64), "nn", "batched"), products.matmul("bf16", (128, 128, 64), "nn", "split"),
    products.matmul("f16", (128, 256, 64), "nn", "persistent"),
    # With interleaved scales, which are copied to tensor memory.
    *(scaled_products.Case(kind, tile, steps=16, scales="ii").build() for kind, tile in (
        ("e4m3", (128, 128, 128)), ("e4m3", (128, 256, 128)), ("e5m2", (256, 128, 128)), ("mxf4", (128, 128, 256)),
        ("nvf4", (128, 128, 256)), ("nvf4", (128, 256, 256)))),
    # Row-major, copied by threads of the producer to where they are copied on from.
    scaled_products.Case("e4m3", (128, 256, 128), steps=16, scales="nt", promised=16).build(),
    attention_kernels.attention(64, m=128), attention_kernels.attention(128, m=128),
    # Two warpgroups with products of their own.
    attention_kernels.attention(64, m=256, n=128, length=1024), attention_kernels.attention(64, m=256, length=512),
    attention_kernels.attention(128, m=256, length=512),
    attention_kernels.attention(128, causal=True, m=256, length=512),
    # Whose maxima have to be taken over.
    attention_kernels.attention(128, m=256, length=512, growing=True)]
# By pairs of CTAs.
PAIRS = [products.matmul("f16", (256, 256, 64), transposed) for transposed in ("nn", "nt", "tn", "tt")] + [
    products.matmul("bf16", (256, 128, 64)), products.matmul("e4m3", (256, 256, 128), "nt"),
    products.matmul("s8", (256, 256, 128), "nt"), products.matmul("f16", (256, 256, 64), "nn", "persistent"),
    *(scaled_products.Case(kind, tile, steps=16, scales="ii").build() for kind, tile in (
        ("e4m3", (256, 256, 128)), ("mxf4", (256, 256, 256)), ("nvf4", (256, 256, 256)))),
    scaled_products.Case("e4m3", (256, 256, 128), steps=16, scales="nt", promised=16).build()]
# By pairs that copy operands to each other.
FOURS = [products.matmul("f16", (512, 256, 64)), products.matmul("f16", (256, 512, 64), "nt"),
         scaled_products.Case("e4m3", (512, 256, 128), steps=16, scales="ii").build()]


class TensorProduct(product_quality.OwnProduct):
    """One tile block runs one program, unless that is a loop itself: the same loops are compared whatever else changes."""

    def __init__(self, case, folder, ctas=1):
        super().__init__(case, folder, "sm_100")
        self.options = lambda gpu: ["--set", "dynamic-persistent=false", "--set", f"num-ctas={ctas}"]
        if ctas > 1:
            self.name += f"_{ctas}"


def collect(folder, corpus, tool):
    return [TensorProduct(case, folder, ctas) for ctas, cases in ((1, CASES), (2, PAIRS), (4, FOURS)) for case in cases]


def measure_loop(text):
    iteration = product_quality.get_iteration(text)
    if not iteration:
        return {}
    number = iteration.get("tcgen05-mma", 0) or iteration.get("mma", 0)
    total = lambda *kinds: round(sum(iteration.get(kind, 0) for kind in kinds), 2)
    return {"tcgen05": int("tcgen05-mma" in iteration), "others": round((sum(iteration.values()) - number) / number, 2),
            "tensor": total("tensor-load", "tensor-store"), "global": total("global-load", "global-store", "async-copy"),
            "shared": total("shared-load", "shared-store"), "barriers": total("barrier")}


def measure(kernel, arguments):
    """The figures of a kernel. Raises RuntimeError when it is refused or wrong."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        done = quality_table.run_kernel(kernel, arguments, pathlib.Path(temporary), "--profile-loops")
        if not done:
            raise RuntimeError("refused by the compiler")
        remarks, counts, resources = done
        return {**measure_loop(counts), **product_quality.read_counters(counts),
                "stages": product_quality.read_remarks(remarks)["stages"],
                "spills": resources["spill_store_bytes"] + resources["spill_load_bytes"],
                "registers": resources["registers"]}


TABLE = quality_table.QualityTable("tensor", FIGURES, collect, measure, at_least={"tcgen05", "stages"}, profile="o3")
