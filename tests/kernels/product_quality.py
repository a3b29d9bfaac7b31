"""Measures kernels around matrix products: what the loop with the products executes, and what the assembler says.

For each kernel a row of figures; `LIMITS` (product-limits.txt) says what must hold, `EXPECTATIONS`
(product-expectations.txt) which of it does not hold yet and where it stands, `RECORDED` (product-instructions.txt) what a
kernel executed once and must not exceed. Lines of all three are KERNEL FIGURE NUMBER; in the limits KERNEL is a regular
expression. Figures:

  wgmma         1 when the loop's products are by wgmma
  others        other warp instructions in the loop for each product instruction; waits for an mbarrier count once. Its
                limit is for wgmma
  global, shared, shuffles, conversions   warp instructions of that kind in the loop, a turn of a warp
  conflicts     bank conflicts of the whole kernel
  spills, warnings (C75nn of the assembler), registers
  estimate      how far the compiler's estimate of the registers is from that, in percent (a remark "estimated N registers")
  stages        of the loop's pipeline, by a remark of the category "pipeline" that says "N stages"; 1 without one
  instructions  thread instructions of the kernel for each 1000 multiply-adds of products
"""

import json
import pathlib
import re
import subprocess
import tempfile

import products
import run

HERE = pathlib.Path(__file__).resolve().parent
LIMITS, EXPECTATIONS, RECORDED = (HERE / f"product-{what}.txt" for what in ("limits", "expectations", "instructions"))
AT_LEAST = {"wgmma", "stages"}  # of the others, less is better
TOLERANCE = 0.02
FIGURES = ("wgmma", "others", "global", "shared", "shuffles", "conversions", "conflicts", "spills", "warnings", "registers",
           "estimate", "stages", "instructions")
CORPUS = ("matmul_f16_128x256x64", "matmul_f16_nt", "matmul_bf16_small", "matmul_fp8e4m3_128x256x128",
          "matmul_tf32_128x128x32", "matmul_persistent_f16_128x256x64", "matmul_split_k_f16_128x128x64",
          "batch_matmul_f16_128x256x64", "fused_moe_f16_128x128x64", "gemm_bias_relu_f16", "grouped_gemm_f16",
          "fmha_f16_small", "fmha_causal_f16_small")


class OwnProduct(run.OwnKernel):
    def __init__(self, case, folder):
        self.name = self.category = case.name
        self.case, self.gpu = case, "sm_90"
        self.source = folder / f"{case.name}.mlir"
        self.options = lambda gpu: []
        self.source.write_text(case.text)


def collect(folder, corpus, tool):
    """The kernels that are there; texts of generated ones are written into `folder`."""
    kernels = [OwnProduct(case, folder) for case in products.CASES]
    if tool:
        kernels += [run.CorpusKernel(corpus / "kernels" / name, tool) for name in CORPUS
                    if (corpus / "kernels" / name / "meta.json").exists()]
    return kernels


class Loop:
    def __init__(self, line, around, entries, turns):
        self.line, self.around, self.entries, self.turns, self.counts = line, around, entries, turns, {}

    def products(self):
        return self.counts.get("wgmma", 0) + self.counts.get("mma", 0)


def read_loops(text):
    """The loops of --profile-loops."""
    loops = []
    for line in text.splitlines():
        if head := re.match(r"loop at line (\d+) of \S+?(?:, in the loop at line (\d+))?: (\d+) entries, (\d+) iterations", line):
            loops.append(Loop(int(head[1]), int(head[2] or 0), int(head[3]), int(head[4])))
        elif (row := re.match(r"  ([a-z-]+) +(\d+)$", line)) and loops:
            loops[-1].counts[row[1]] = int(row[2])
    return loops


def merge_inner(loop, loops):
    """What one turn of a warp executes, with the loops inside."""
    turn = {kind: count / loop.turns for kind, count in loop.counts.items()}
    for inner in loops:
        if inner.around != loop.line or inner is loop:
            continue
        # A wait goes round as often as the schedule wants.
        is_wait = "mbarrier" in inner.counts and not inner.products()
        times = (inner.entries if is_wait else inner.turns) / loop.turns
        for kind, count in merge_inner(inner, loops).items():
            turn[kind] = turn.get(kind, 0) + count * times
    return turn


def measure_loop(text):
    loops = read_loops(text)
    main = max(loops, key=Loop.products, default=None)
    if not main or not main.products():
        return {}
    turn = merge_inner(main, loops)
    number = turn.get("wgmma", 0) or turn.get("mma", 0)
    total = lambda *kinds: round(sum(turn.get(kind, 0) for kind in kinds), 2)
    return {"wgmma": int("wgmma" in turn), "others": round((sum(turn.values()) - number) / number, 2),
            "global": total("global-load", "global-store", "async-copy"), "shared": total("shared-load", "shared-store"),
            "shuffles": total("shuffle"), "conversions": total("conversion")}


def measure(kernel, arguments):
    """The figures of a kernel; None when the compiler refuses it. Raises RuntimeError when it is wrong."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        base = [arguments.tileiras, str(kernel.source), "--gpu-name", kernel.gpu, "--profile", arguments.profile]
        base += kernel.options(kernel.gpu)
        compiled = subprocess.run(base + ["-o", str(folder / "k.cubin"), f"--metadata={folder / 'k.json'}",
                                          "--remarks=all"], capture_output=True, text=True)
        if compiled.returncode != 0:
            return None
        resources = json.loads((folder / "k.json").read_text())["kernels"][0]
        subprocess.run(base + ["-o", str(folder / "k.ptx")], check=True, capture_output=True)
        kernel.dump(folder)
        shared = run.get_dynamic_shared(folder / "k.json", folder)
        ran = subprocess.run([arguments.emulator, "run", str(folder / "k.ptx"), "--case", str(folder), "--counters",
                              "--profile-loops", "--smem", str(shared)], capture_output=True, text=True)
        if ran.returncode != 0:
            raise RuntimeError(ran.stderr.strip().splitlines()[0])
        if wrong := kernel.check(folder):
            raise RuntimeError(wrong)
        return {**measure_loop(ran.stdout), **read_counters(ran.stdout), **read_remarks(compiled.stderr, resources),
                "spills": resources["spill_store_bytes"] + resources["spill_load_bytes"],
                "registers": resources["registers"], "warnings": count_warnings(folder / "k.ptx", arguments.ptxas)}


def read_counters(text):
    count = lambda name: int(re.search(name + r"\s+(\d+)", text)[1])
    multiply_adds = count("MMA multiply-adds")
    return {"conflicts": count("bank conflicts"),
            **({"instructions": round(1000 * count("thread instructions") / multiply_adds, 2)} if multiply_adds else {})}


def read_remarks(text, resources):
    figures = {"stages": max([int(number) for number in re.findall(r"Category:pipeline\b.*?\b(\d+) stages", text)] + [1])}
    if estimates := [int(number) for number in re.findall(r"estimated (\d+) registers", text)]:
        figures["estimate"] = round(100 * abs(max(estimates) - resources["registers"]) / resources["registers"], 1)
    return figures


def count_warnings(ptx, ptxas):
    """How many warnings about wgmma the assembler has: C7504 to C7520."""
    target = re.search(r"^\.target (\w+)", ptx.read_text(), re.MULTILINE)[1]
    text = subprocess.run([ptxas, f"-arch={target}", str(ptx), "-o", "/dev/null"], capture_output=True, text=True)
    return len(re.findall(r"\bC75[0-2]\d\b", text.stdout + text.stderr))


#===----------------------------------------------------------------------===
# What must hold
#===----------------------------------------------------------------------===


def read_table(path):
    """[(kernel, figure, number)]"""
    rows = []
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            kernel, figure, number = line.split()
            rows.append((kernel, figure, float(number)))
    return rows


def is_worse(figure, value, than):
    if figure in AT_LEAST:
        return value < than * (1 - TOLERANCE)
    return value > than * (1 + TOLERANCE)


def holds(figure, value, limit):
    return value >= limit if figure in AT_LEAST else value <= limit


def judge(name, figures, limits, expected, recorded):
    """The table's rows of a kernel (figure, value, limit, status) and what is wrong."""
    rows, wrong, limit_of = [], [], {}
    for pattern, figure, limit in limits:  # the last one that matches
        if re.search(pattern, name):
            limit_of[figure] = limit
    for figure in FIGURES:
        if figure not in figures:
            continue
        value, limit, before = figures[figure], limit_of.get(figure), expected.get((name, figure))
        if figure == "others" and not figures.get("wgmma"):
            limit = None  # many small instructions have few others each
        status = ""
        if limit is not None:
            status = "holds" if holds(figure, value, limit) else "not yet" if before is not None else "FAILS"
        if status == "FAILS":
            wrong.append(f"{figure} is {value:g}, the limit {limit:g}")
        if status == "not yet" and is_worse(figure, value, before):
            wrong.append(f"{figure} is {value:g}, worse than {before:g} before")
        if status in ("holds", "") and before is not None:
            wrong.append(f"{figure} is {value:g} and holds: take it out of {EXPECTATIONS.name}")
        if figure == "instructions" and (name in recorded) and is_worse(figure, value, recorded[name]):
            wrong.append(f"{value:g} instructions for 1000 multiply-adds, {recorded[name]:g} before")
        rows.append((figure, value, limit, status))
    return rows, wrong


def print_table(results, limits, expected, recorded):
    """A line for each kernel; what does not hold is marked with * (not yet) or ! (wrong). The number of mistakes."""
    mistakes = []
    print(f"{'kernel':36}" + "".join(f"{figure:>13}" for figure in FIGURES))
    for name, figures in results.items():
        if isinstance(figures, str):
            mistakes.append(f"{name}: {figures}")
        if not isinstance(figures, dict):
            print(f"{name:36} {figures or 'refused by the compiler'}")
            continue
        rows, wrong = judge(name, figures, limits, expected, recorded)
        mistakes += [f"{name}: {text}" for text in wrong]
        cells = {figure: f"{value:g}" + (f"/{limit:g}" if limit is not None else "")
                 + {"not yet": "*", "FAILS": "!"}.get(status, "") for figure, value, limit, status in rows}
        print(f"{name:36}" + "".join(f"{cells.get(figure, '-'):>13}" for figure in FIGURES))
    print("VALUE/LIMIT; *: does not hold yet, as product-expectations.txt says; !: does not hold")
    for text in mistakes:
        print(text)
    return len(mistakes)


def write_tables(results, limits, recorded):
    """What holds not, and what is executed where that was not recorded."""
    lines = ["# What does not hold yet of product-limits.txt, and where it stands: KERNEL FIGURE NUMBER."]
    for name, figures in results.items():
        if isinstance(figures, dict):
            rows, _ = judge(name, figures, limits, {}, {})
            lines += [f"{name} {figure} {value:g}" for figure, value, _, status in rows if status == "FAILS"]
            recorded.setdefault(name, figures.get("instructions"))
    EXPECTATIONS.write_text("\n".join(lines) + "\n")
    lines = ["# Thread instructions for 1000 multiply-adds, as they once were: KERNEL FIGURE NUMBER. No kernel may exceed it."]
    lines += [f"{name} instructions {number:g}" for name, number in sorted(recorded.items()) if number is not None]
    RECORDED.write_text("\n".join(lines) + "\n")


def examine(kernel, arguments):
    try:
        return measure(kernel, arguments)
    except (RuntimeError, subprocess.CalledProcessError) as error:
        return str(error)


def main(arguments, tool, pool):
    """Prints the table. The number of kernels that were measured, and of mistakes."""
    limits = read_table(LIMITS)
    expected = {(kernel, figure): number for kernel, figure, number in read_table(EXPECTATIONS)}
    recorded = {kernel: number for kernel, _, number in read_table(RECORDED)}
    with tempfile.TemporaryDirectory(prefix="tileiras-") as folder:
        kernels = collect(pathlib.Path(folder), arguments.corpus, tool)
        kernels = [kernel for kernel in kernels if not arguments.names or kernel.name in arguments.names]
        results = dict(zip([kernel.name for kernel in kernels],
                           pool.map(lambda kernel: examine(kernel, arguments), kernels)))
    if arguments.record:
        write_tables(results, limits, recorded)
        expected = {(kernel, figure): number for kernel, figure, number in read_table(EXPECTATIONS)}
    return len(results), print_table(results, limits, expected, recorded)
