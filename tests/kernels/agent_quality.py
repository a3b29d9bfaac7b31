"""Measures what `-O3` makes of kernels around matrix products: agents, and whether they pay.

A quality_table.QualityTable over the kernels of product_quality.py. Figures:

  producers     warps that only start copies; 0 where one set of warps does everything
  groups        warpgroups that compute
  others        other warp instructions in the compute loop for each product instruction, as product_quality.py has it
  stages        of the pipelines
  overlapped    of a loop's f32 arithmetic, what is computed while a product is under way, in percent (short runs have a
                loop of their own, in program order; the other one counts)
  spills, warnings   of the assembler, as product_quality.py has them
  more          where there are agents: warp instructions of the kernel beyond those of `o3-unspecialized`, in percent
  instructions  thread instructions of the kernel for each million multiply-adds of products
"""

import pathlib
import re
import tempfile

import product_quality
import quality_table

FIGURES = ("producers", "groups", "others", "stages", "overlapped", "spills", "warnings", "more", "instructions")


def read_agents(remarks):
    found = re.search(r"(\d+) producer warps?, (\d+) compute warps", remarks)
    return {"producers": int(found[1]), "groups": int(found[2]) // 4} if found else {"producers": 0}


def find_loops(ptx):
    """The lines of each loop whose body starts products."""
    lines, starts, loops = ptx.splitlines(), {}, []
    for number, line in enumerate(lines):
        if label := re.match(r"(\$L\w+):", line):
            starts[label[1]] = number
        elif (back := re.search(r"\bbra\S*\s+(\$L\w+);", line)) and back[1] in starts:
            loops.append(lines[starts[back[1]]:number])
    return [loop for loop in loops if any("wgmma.commit_group" in line for line in loop)]


def measure_overlap(loop):
    """Of the arithmetic in a loop, how much stands between the start of a product and a wait for all, in percent."""
    under_way, alone, beside = False, 0, 0
    for line in loop:
        if "wgmma.commit_group" in line:
            under_way = True
        elif re.search(r"wgmma\.wait_group\S* 0;", line):
            under_way = False
        elif re.search(r"\b(ex2|max|add|sub|mul|fma|cvt)\S*\.f32", line):
            alone, beside = alone + (not under_way), beside + under_way
    return round(100 * beside / max(alone + beside, 1))


def measure(kernel, arguments):
    """The figures of a kernel; None when the compiler refuses it. Raises RuntimeError when it is wrong."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        apart = quality_table.run_kernel(kernel, with_profile(arguments, "o3"), folder, "--profile-loops")
        if not apart:
            return None
        ptx = folder / "k.ptx"
        remarks, counts, resources = apart
        figures = {**product_quality.measure_loop(counts), **product_quality.read_counters(counts),
                   **product_quality.read_remarks(remarks), **read_agents(remarks),
                   "overlapped": max(map(measure_overlap, find_loops(ptx.read_text())), default=0),
                   "spills": resources["spill_store_bytes"] + resources["spill_load_bytes"],
                   "warnings": product_quality.count_warnings(ptx, arguments.ptxas)}
        if figures["producers"]:
            together = quality_table.run_kernel(kernel, with_profile(arguments, "o3-unspecialized"), folder)
            figures["more"] = round(100 * (count_warp_instructions(counts) / count_warp_instructions(together[1]) - 1), 1)
        return {name: figures[name] for name in FIGURES if name in figures}


def with_profile(arguments, profile):
    return quality_table.replace(quality_table.taking_over_none(arguments), profile=profile)


def count_warp_instructions(text):
    return int(re.search(r"warp instructions\s+(\d+)", text)[1])


TABLE = quality_table.QualityTable("agent", FIGURES, product_quality.collect, measure,
                                   at_least={"producers", "groups", "stages", "overlapped"}, takes_corpus=True)
