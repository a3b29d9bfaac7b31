"""Measures kernels around matrix products: what the loop with the products executes, and what the assembler says.

A quality_table.QualityTable. Figures:

  wgmma         1 when the loop's products are by wgmma
  others        other warp instructions in the loop for each product instruction; waits for an mbarrier count once. Its
                limit is for wgmma
  global, shared, shuffles, conversions   warp instructions of that kind in the loop, an iteration of a warp
  conflicts     bank conflicts of the whole kernel
  spills, warnings (C75nn of the assembler), registers
  estimate      how far the compiler's estimate of the registers is from that, in percent (a remark "estimated N registers").
                Where that is more than NEAR and the assembler took more than was estimated, and it needs no more, what counts
                is how far the estimate is from what it takes when it may take only that: registers that are free anyway it
                takes for the order of its instructions
  stages        of the loop's pipeline, by a remark of the category "pipeline" that says "N stages"; 1 without one
  instructions  thread instructions of the kernel for each million multiply-adds of products
"""

import pathlib
import re
import subprocess
import tempfile

import attention_kernels
import products
import quality_table
import run

FIGURES = ("wgmma", "others", "global", "shared", "shuffles", "conversions", "conflicts", "spills", "warnings", "registers",
           "estimate", "stages", "instructions")
CORPUS = ("matmul_f16_128x256x64", "matmul_f16_nt", "matmul_bf16_small", "matmul_fp8e4m3_128x256x128",
          "matmul_tf32_128x128x32", "matmul_persistent_f16_128x256x64", "matmul_split_k_f16_128x128x64",
          "batch_matmul_f16_128x256x64", "fused_moe_f16_128x128x64", "gemm_bias_relu_f16", "grouped_gemm_f16",
          "fmha_f16_small", "fmha_causal_f16_small")

NEAR = 10  # percent
REGISTER_UNIT = 8  # that registers of a thread are given out in

CASES = products.CASES + attention_kernels.CASES


class OwnProduct(run.OwnKernel):
    def __init__(self, case, folder, gpu="sm_90"):
        self.name = self.category = case.name
        self.case, self.gpu = case, gpu
        self.source = folder / f"{case.name}.mlir"
        self.options = lambda gpu: []
        self.source.write_text(case.text)


def collect(folder, corpus, tool):
    """The kernels that are there; texts of generated ones are written into `folder`."""
    kernels = [OwnProduct(case, folder) for case in CASES]
    if tool:
        kernels += [run.CorpusKernel(corpus / "kernels" / name, tool) for name in CORPUS
                    if (corpus / "kernels" / name / "meta.json").exists()]
    return kernels


class Loop:
    def __init__(self, line, around, entries, iterations):
        self.line, self.around, self.entries, self.iterations, self.counts = line, around, entries, iterations, {}

    def products(self):
        return sum(self.counts.get(kind, 0) for kind in ("wgmma", "tcgen05-mma", "mma"))


def read_loops(text):
    """The loops of --profile-loops."""
    loops = []
    for line in text.splitlines():
        if head := re.match(r"loop at line (\d+) of \S+?(?:, in the loop at line (\d+))?: (\d+) entries, (\d+) iterations", line):
            loops.append(Loop(int(head[1]), int(head[2] or 0), int(head[3]), int(head[4])))
        elif (row := re.match(r"  ([a-z0-9-]+) +(\d+)$", line)) and loops:
            loops[-1].counts[row[1]] = int(row[2])
    return loops


def merge_inner(loop, loops):
    """What one iteration of a warp executes, with the loops inside."""
    iteration = {kind: count / loop.iterations for kind, count in loop.counts.items()}
    for inner in loops:
        if inner.around != loop.line or inner is loop:
            continue
        # A wait goes round as often as the schedule wants.
        is_wait = "mbarrier" in inner.counts and not inner.products()
        times = (inner.entries if is_wait else inner.iterations) / loop.iterations
        for kind, count in merge_inner(inner, loops).items():
            iteration[kind] = iteration.get(kind, 0) + count * times
    return iteration


def get_iteration(text):
    """What an iteration of a warp of the loop with the products executes; nothing where there is no such loop."""
    loops = read_loops(text)
    main = max(loops, key=Loop.products, default=None)
    return merge_inner(main, loops) if main and main.products() else {}


def measure_loop(text):
    iteration = get_iteration(text)
    if not iteration:
        return {}
    number = iteration.get("wgmma", 0) or iteration.get("mma", 0)
    total = lambda *kinds: round(sum(iteration.get(kind, 0) for kind in kinds), 2)
    return {"wgmma": int("wgmma" in iteration), "others": round((sum(iteration.values()) - number) / number, 2),
            "global": total("global-load", "global-store", "async-copy"), "shared": total("shared-load", "shared-store"),
            "shuffles": total("shuffle"), "conversions": total("conversion")}


def measure(kernel, arguments):
    """The figures of a kernel; None when the compiler refuses it. Raises RuntimeError when it is wrong."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        done = quality_table.run_kernel(kernel, arguments, folder, "--profile-loops")
        if not done:
            return None
        remarks, counts, resources = done
        return {**measure_loop(counts), **read_counters(counts), **read_remarks(remarks),
                **rate_estimate(remarks, resources["registers"], folder / "k.ptx", arguments.ptxas),
                "spills": resources["spill_store_bytes"] + resources["spill_load_bytes"],
                "registers": resources["registers"], "warnings": count_warnings(folder / "k.ptx", arguments.ptxas)}


def read_counters(text):
    count = lambda name: int(re.search(name + r"\s+(\d+)", text)[1])
    multiply_adds = count("MMA multiply-adds")
    return {"conflicts": count("bank conflicts"),
            **({"instructions": round(1e6 * count("thread instructions") / multiply_adds)} if multiply_adds else {})}


def read_remarks(text):
    return {"stages": max([int(number) for number in re.findall(r"Category:pipeline\b.*?\b(\d+) (?:of \d+ )?stages", text)] + [1])}


def rate_estimate(remarks, taken, ptx, ptxas):
    """`taken`: registers by the assembler's choice."""
    estimates = [int(number) for number in re.findall(r"estimated (\d+) registers", remarks)]
    if not estimates:
        return {}
    estimate = max(estimates)
    far = lambda registers: round(100 * abs(estimate - registers) / registers, 1)
    if far(taken) > NEAR and estimate < taken:
        taken = assemble_within(-(-estimate // REGISTER_UNIT) * REGISTER_UNIT, ptx, ptxas) or taken
    return {"estimate": far(taken)}


def assemble_within(limit, ptx, ptxas):
    """Registers that the assembler takes of so many; None when they are too few for it to keep all values in them."""
    text = re.sub(r"^\.maxnreg .*\n", "", ptx.read_text(), flags=re.MULTILINE)
    limited = ptx.with_suffix(".limited.ptx")
    limited.write_text(re.sub(r"^(\.reqntid .*\n)", rf"\1.maxnreg {limit}\n", text, flags=re.MULTILINE))
    output = run_assembler(limited, ptxas, "-v")
    taken = re.search(r"Used (\d+) registers", output)
    spills = [int(number) for number in re.findall(r"(\d+) bytes (?:smem )?spill", output)]
    return int(taken[1]) if taken and spills and not any(spills) else None


def run_assembler(ptx, ptxas, *options):
    """What it prints."""
    target = re.search(r"^\.target (\w+)", ptx.read_text(), re.MULTILINE)[1]
    done = subprocess.run([ptxas, f"-arch={target}", *options, str(ptx), "-o", "/dev/null"], capture_output=True, text=True)
    return done.stdout + done.stderr


def count_warnings(ptx, ptxas):
    """How many warnings about wgmma the assembler has: C7504 to C7520."""
    return len(re.findall(r"\bC75[0-2]\d\b", run_assembler(ptx, ptxas)))


# Many small instructions have few others each.
TABLE = quality_table.QualityTable("product", FIGURES, collect, measure, at_least={"wgmma", "stages"}, takes_corpus=True,
                                   is_limited=lambda figure, figures: figure != "others" or figures.get("wgmma"))
