#!/usr/bin/env python3
"""Checks that programs of kinds (kinds.py) take the fast path of a chip, by the structure of their PTX.

What is judged of the loops that hold products (warps that only load are in loops of their own):

  product       by wgmma on sm_90, by tcgen05.mma on sm_100, by mma.sync elsewhere
  copies        TMA or cp.async; a tile comes through registers only where a remark AsyncCopy says why no copy can bring it
  waits         where a tile comes through registers, products are under way between its load and its use
  stores        elsewhere nothing else is stored to shared memory in the loop
  barriers      elsewhere at most two a loop's iteration
  stages        of each pipeline at least three, or as many as there are iterations; those of tile blocks that share a
                multiprocessor count together; where tiles come through registers and all threads meet for a stage, two hold
                what is on its way
  spills        none
  instructions  others for each product: LIMITS

A kernel that misses one is explained where a remark "missed" stands at its load, product or loop, or at the line of the kernel
for spills, and has a name that is a reason for it (REASONS). Others are misses: kind-misses.txt has those that are known, lines
`KIND CHIP WHAT REASON`. The exit code is 0 where there are no others; with --all-needed only where none of its lines of these
kinds and chips is idle.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kinds
import loops_of_ptx
import product_quality
import run

HERE = pathlib.Path(__file__).resolve().parent
PRODUCT = {"sm_90": "wgmma", "sm_100": "tcgen05"}
MBARRIERS = {"sm_90", "sm_100", "sm_120"}  # count what fills a stage
LEAST_STAGES, STAGES_OF_REGISTERS, BARRIERS = 3, 2, 2
ABOUT_LOADS = {"NotQueued", "NotCounted", "AsyncCopy", "TensorCopy", "UnspecializedPipeline"}
ABOUT_PRODUCTS = {"TensorCore", "WarpgroupProduct", "NotExchanged"}
# Of a whole kernel: these stand at its line.
OF_KERNEL = {"LargeTiles", "TilesInMemory"}
REASONS = {
    "compiles": set(),
    "product": ABOUT_PRODUCTS | {"NotQueued", "NotCounted", "SynchronousProducts"},
    "copies": ABOUT_LOADS | {"NotInPlace"},
    # That a tile goes through registers does not say that it is not loaded ahead.
    "waits": {"NotQueued", "NotCounted", "UnspecializedPipeline", "LoopSchedule", "MaterializeSchedule"},
    "stores": ABOUT_LOADS | {"NotInPlace", "RegisterPressure"},
    "barriers": ABOUT_LOADS | {"SynchronousProducts", "RegisterPressure"},
    "stages": {"PipelineStages", "NotQueued", "NotCounted", "AsyncCopy"},
    "spills": {"RegisterPressure"},
    "instructions": ABOUT_LOADS | ABOUT_PRODUCTS | {"NotInPlace", "VectorAccess", "RegisterPressure"},
}
# Other instructions in an iteration: OWN, for copies with their addresses and the barriers of stages, and by kind so many for
# each product by mma.sync, wgmma and tcgen05.mma, whose reasons are below.
OWN = 120
READS = (3, 10, 10)  # fragments by ldmatrix, or operands that are read where they lie
ADDRESSES = (5, 40, 40)  # and a mask and an address for each 16 bytes that are copied
CONVERTS = (6, 40, 60)  # and operands that go through registers: an instruction or two for two elements
SOFTMAX = (7, 50, 70)  # and exponentials, maxima and sums of scores, for two products
LIMITS = {"plain": READS, "masked": ADDRESSES, "ragged": CONVERTS, "converted": CONVERTS, "elementwise": CONVERTS,
          "used_again": CONVERTS, "prefetched": READS, "gathered": ADDRESSES, "breaking": READS, "several": READS,
          "odd": ADDRESSES, "attention": SOFTMAX}


class Remark:
    def __init__(self, line, name, message):
        self.line, self.name, self.message = line, name, message


def read_remarks(text):
    """Missed ones; and of the pipelines how many stages a multiprocessor has of each."""
    missed = [Remark(int(match[1]), match[2], "".join(re.findall(r'Remark="?([^"|\n]*)', match[3])))
              for match in re.finditer(r"^\S+:(\d+):\d+: remark: \[Missed\] (\w+) (.*)$", text, re.MULTILINE)]
    stages = [int(match[1]) * int(match[2] or 1) for match in re.finditer(
        r'\[Analysis\] PipelineStages .*?Remark="(\d+) stages of \d+ bytes(?:, in each of (\d+) tile blocks)?', text)]
    return missed, stages


def find_lines(text):
    """Of loads, products and loops of a program, and of what stands in its loops but for stores: arithmetic on operands."""
    found, opened = set(), []
    for number, line in enumerate(text.splitlines(), 1):
        is_loop = re.search(r"(^|= )\s*(for|loop) ", line)
        if re.search(r"\b(load_view_tko|load_ptr_tko|mmaf|mmai)\b", line) or is_loop or any(opened) and "store" not in line:
            found.add(number)
        if line.strip().startswith("}"):
            opened.pop()
        if line.endswith("{"):
            opened.append(bool(is_loop))
    return found


def get_threads(ptx):
    return int(re.search(r"^\.reqntid (\d+)", ptx, re.MULTILINE)[1])


class Kernel:
    """What a case became: its PTX, what the compiler and the assembler say."""

    def __init__(self, case, gpu, ptx, remarks, assembled):
        self.case, self.gpu, self.ptx, self.assembled = case, gpu.rstrip("af"), ptx, assembled
        self.missed, self.stages = read_remarks(remarks)
        self.loops = loops_of_ptx.find_loops(ptx)
        self.multiplying = loops_of_ptx.find_multiplying(self.loops)
        self.feeding = loops_of_ptx.find_feeding(self.loops)
        # As many bytes a thread that it loads of a tile; half of it, since other warps may load the rest.
        self.share = case.tile_bytes // get_threads(ptx) // 2
        # Where nothing is stored and nothing multiplied, what is loaded are row numbers.
        loads = [load for loop in self.feeding if loop.products() or loop.count("st.shared") for load in loop.loads()]
        self.by_registers = sum(load.bytes_of_load() for load in loads) >= max(self.share, 1)

    def judge(self):
        """What is missed: (a key of REASONS, how)."""
        found = [*self.judge_products(), *self.judge_spills()]
        if self.case.loops and not self.is_unrolled():
            found += [*self.judge_copies(), *self.judge_stages()]
            for loop in self.multiplying:
                found += self.judge_loop(loop)
        return list(dict.fromkeys(found))

    def judge_products(self):
        wanted = PRODUCT.get(self.gpu, "mma")
        name = loops_of_ptx.PRODUCTS[wanted]
        slow = [loop for loop in self.multiplying if set(loop.products()) - {wanted}]
        for loop in slow:
            yield "product", f"by {' and '.join(sorted(set(loop.products()) - {wanted}))}, not {name}"
        if name not in self.ptx and not slow:
            yield "product", f"there is no {name}"
        elif not self.multiplying and self.case.loops and not self.is_unrolled():
            yield "product", "no loop has products"

    def is_unrolled(self):
        """The number of iterations is known: products stand behind each other, perhaps in the loop over tiles of results."""
        return self.case.counted and all(loop.count(*loops_of_ptx.RESULTS) for loop in self.multiplying)

    def judge_spills(self):
        spilled = sum(int(number) for number in re.findall(r"(\d+) bytes spill", self.assembled))
        if spilled:
            yield "spills", f"{spilled} bytes"

    def judge_copies(self):
        is_reason = lambda remark: remark.name == "AsyncCopy" and remark.line in find_lines(self.case.text)
        if self.gpu in PRODUCT and self.by_registers and not any(map(is_reason, self.missed)):
            yield "copies", "threads load a tile in the loop"
        elif not self.by_registers and self.multiplying and not self.copies():
            yield "copies", "nothing is copied in a loop"

    def copies(self):
        """There may be none in the loop where all iterations are known to fit in its stages."""
        return "cp.async" in self.ptx if self.case.counted else any(loop.count("cp.async") for loop in self.feeding)

    def judge_stages(self):
        meets = self.by_registers and self.gpu not in MBARRIERS
        least = min(STAGES_OF_REGISTERS if meets else LEAST_STAGES, self.case.steps)
        if self.multiplying and not self.stages and self.case.steps > 1:
            yield "stages", "there is no pipeline"
        elif self.stages and min(self.stages) < least:
            yield "stages", f"{min(self.stages)} of {least}"

    def judge_loop(self, loop):
        waiting = sum(load.bytes_of_load() for load in loop.loads() if loops_of_ptx.is_waited_for(loop, load))
        if waiting >= max(self.share, 1):
            yield "waits", f"{waiting} bytes a thread are loaded and used with no product between"
        if self.gpu not in PRODUCT:
            if (stores := loop.count("st.shared")) and not self.by_registers and not self.case.computes:
                yield "stores", f"{stores} stores to shared memory, though no tile comes through registers"
            if (barriers := loop.count("bar.sync", "barrier.sync")) > BARRIERS:
                yield "barriers", f"{barriers} of {BARRIERS}"
        products = loop.products()
        others = len(loop.code) - sum(products.values())
        each = [max(limits) for limits in zip(LIMITS[self.case.kind], CONVERTS if self.case.computes else READS)]
        limit = OWN + sum(number * each[list(loops_of_ptx.PRODUCTS).index(kind)] for kind, number in products.items())
        if others > limit:
            yield "instructions", f"{others} others for {sum(products.values())} products, of {limit}"

    def explain(self, what):
        """The remark that says why, or nothing."""
        lines = find_lines(self.case.text)
        is_reason = lambda remark: remark.name in OF_KERNEL or (remark.name in REASONS[what]
                                                                and (what == "spills" or remark.line in lines))
        return next(filter(is_reason, self.missed), None)


def compile_case(case, gpu, folder, arguments):
    """A Kernel; None where the compiler or the assembler refuses it, and then its message."""
    source = folder / f"{case.name}-{gpu}.mlir"
    source.write_text(case.text)
    ptx = folder / f"{case.name}-{gpu}.ptx"
    done = subprocess.run([arguments.tileiras, str(source), "--gpu-name", gpu, "-O3", "--remarks=missed,analysis", "-o",
                           str(ptx)], capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr
    text = ptx.read_text()
    target = re.search(r"^\.target (\w+)", text, re.MULTILINE)[1]
    assembled = subprocess.run([arguments.ptxas, "-v", f"-arch={target}", str(ptx), "-o", "/dev/null"],
                               capture_output=True, text=True)
    if assembled.returncode:
        return None, assembled.stderr
    return Kernel(case, gpu, text, done.stderr, assembled.stderr), ""


class Result:
    """misses: (what, how) without a reason; explained: (what, remark)."""

    def __init__(self, case, gpu, misses, explained=(), wrong=""):
        self.case, self.gpu, self.misses, self.explained, self.wrong = case, gpu.rstrip("af"), misses, explained, wrong


def examine(case, gpu, folder, arguments):
    if arguments.run_only:
        return Result(case, gpu, [], wrong=execute(case, gpu, arguments))
    kernel, message = compile_case(case, gpu, folder, arguments)
    if not kernel:
        line = next((line for line in message.splitlines() if "error" in line), message[:200])
        return Result(case, gpu, [("compiles", line)])
    misses, explained = [], []
    for what, how in kernel.judge():
        remark = kernel.explain(what)
        (explained.append((what, remark)) if remark else misses.append((what, how)))
    return Result(case, gpu, misses, explained, execute(case, gpu, arguments) if arguments.run else "")


def execute(case, gpu, arguments):
    """What is wrong on the emulator, or nothing; with --save, in a folder of the case."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        own = product_quality.OwnProduct(case, folder, gpu)
        wrong = run.check_on_emulator(own, gpu, ["-O3"], folder / "run", arguments.tileiras, arguments.emulator) or ""
        if wrong and arguments.save:
            shutil.copytree(folder, arguments.save / f"wrong-{case.name}-{gpu}", dirs_exist_ok=True)
        return wrong


def read_known(path):
    """(kind, chip, what): its reason."""
    known = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            kind, chip, what, reason = line.split(None, 3)
            known[kind, chip, what] = reason
    return known


def report(results, known, all_needed):
    """Tables and misses; returns how many are not known, or not needed, or wrong."""
    table, needed, bad = collections.Counter(), set(), 0
    for result in results:
        column = "miss" if result.misses else "remark" if result.explained else "structure"
        for name in ("cases", column):
            table[result.case.kind, result.gpu, name] += 1
        for what, how in result.misses:
            key = (result.case.kind, result.gpu, what)
            needed.add(key)
            bad += key not in known
            print(f"{'known' if key in known else 'MISS '} {result.gpu} {result.case.name}: {what}: {how}  "
                  f"[{' '.join(result.case.drawn)}]")
        if result.wrong:
            bad += 1
            print(f"WRONG {result.gpu} {result.case.name}: {result.wrong}")
    columns = ("cases", "structure", "remark", "miss")
    print(f"\n{'kind':16}{'chip':8}" + "".join(f"{column:>10}" for column in columns))
    for kind, gpu in dict.fromkeys((result.case.kind, result.gpu) for result in results):
        print(f"{kind:16}{gpu:8}" + "".join(f"{table[kind, gpu, column]:10}" for column in columns))
    examined = {(result.case.kind, result.gpu) for result in results}
    for key in sorted(known) if all_needed else []:
        if key[:2] in examined and key not in needed:
            bad += 1
            print(f"not needed in kind-misses.txt: {' '.join(key)} {known[key]}")
    total = lambda column: sum(number for key, number in table.items() if key[2] == column)
    print(f"{total('cases')} programs: {total('structure')} have the structure, {total('remark')} a remark that says why not, "
          f"{total('miss')} miss it; {bad} are not as expected")
    return bad


def report_runs(results):
    wrong = [result for result in results if result.wrong]
    for result in wrong:
        print(f"WRONG {result.gpu} {result.case.name}: {result.wrong}  [{' '.join(result.case.drawn)}]")
    print(f"{len(results)} programs run, {len(wrong)} wrong")
    return 1 if wrong or not results else 0


def list_reasons(results):
    """What remarks say, and how many programs each hits."""
    found = {}
    for result in results:
        for what, remark in result.explained:
            message = re.sub(r"at \S+:\d+:\d+|%\w+|\d+|'[^']*'", "…", remark.message)
            by_kind = found.setdefault((result.gpu, f"{remark.name}: {message}"), {})
            by_kind.setdefault(result.case.kind, set()).add(result.case.seed)
    print("\nreasons of remarks:")
    count = lambda item: sum(len(seeds) for seeds in item[1].values())
    for (gpu, message), by_kind in sorted(found.items(), key=count, reverse=True):
        seeds = ", ".join(f"{kind} {' '.join(map(str, sorted(seeds)[:3]))}" for kind, seeds in by_kind.items())
        print(f"{count((0, by_kind)):4} {gpu}: {message}\n       {seeds}")


def read_range(text):
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help=", ".join(kinds.KINDS))
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--emulator")
    parser.add_argument("--gpu", type=lambda text: text.split(","), default=["sm_90"], metavar="CHIP[,CHIP]")
    parser.add_argument("--seeds", type=read_range, default=range(4), metavar="A..B")
    parser.add_argument("--part", metavar="K/N", help="each N-th only, as run.py")
    parser.add_argument("--run", action="store_true", help="run each on the emulator, too")
    parser.add_argument("--run-only", action="store_true", help="run each on the emulator, and judge nothing")
    parser.add_argument("--reasons", action="store_true", help="list what the remarks say")
    parser.add_argument("--all-needed", action="store_true", help="an idle line of kind-misses.txt is an error")
    parser.add_argument("--save", type=pathlib.Path, metavar="FOLDER", help="keep programs and PTX there")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if (arguments.run or arguments.run_only) and not arguments.emulator:
        parser.error("--run and --run-only need --emulator")
    if unknown := set(arguments.kinds) - set(kinds.KINDS):
        parser.error(f"there is no kind '{unknown.pop()}'; kinds: {', '.join(kinds.KINDS)}")
    jobs = [(kind, seed, gpu) for seed in arguments.seeds for kind in arguments.kinds or kinds.KINDS for gpu in arguments.gpu]
    jobs = run.choose_part(jobs, arguments.part, "programs")
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary, concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        folder = arguments.save or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        results = list(pool.map(lambda job: examine(kinds.make(*job[:2]), job[2], folder, arguments), jobs))
    if arguments.run_only:
        return report_runs(results)
    bad = report(results, read_known(HERE / "kind-misses.txt"), arguments.all_needed)
    if arguments.reasons:
        list_reasons(results)
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main())
