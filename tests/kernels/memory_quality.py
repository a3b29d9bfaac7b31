"""Measures kernels whose time is that of memory: how they access it, and how much is on its way.

A quality_table.QualityTable. Figures:

  width         bits that a lane moves in an access of global memory, by the sectors of a request; bulk copies count as 128
  traffic       bytes of global memory that are moved, for each byte of the buffers
  flight        KiB of loads in flight on a multiprocessor, by the remark "keeps ... of loads in flight"; of several loops the
                least. What is all that the program loads counts as 32 KiB
  conflicts     bank conflicts of the whole kernel
  spills        bytes
  instructions  thread instructions of the kernel for each KiB of the buffers
"""

import pathlib
import re
import tempfile

import layer_kernels
import memory_kernels
import product_quality
import quality_table
import run

FIGURES = ("width", "traffic", "flight", "conflicts", "spills", "instructions")
CORPUS = re.compile(r"^(layer_norm|rms_norm|softmax|copy_|transpose_f|permute|tiled_view_copy|red_.*(ax0|ax1|axes|all)|cat_|"
                    r"reshape_(f|i)|vec_add_1d)")
WANTED = 32


def collect(folder, corpus, tool):
    """The kernels that are there; texts of generated ones are written into `folder`."""
    kernels = [product_quality.OwnProduct(case, folder) for case in memory_kernels.CASES + layer_kernels.CASES]
    kernels += [run.OwnKernel(run.HERE / name) for name in ("softmax", "transpose", "vector_add")]
    if tool:
        kernels += [run.CorpusKernel(path.parent, tool) for path in sorted((corpus / "kernels").glob("*/meta.json"))
                    if CORPUS.search(path.parent.name)]
    return kernels


def read_size(text):
    number, unit = text.split()
    return int(number) * (1024 if unit == "KiB" else 1)


def read_flight(remarks):
    """KiB; None where nothing is loaded."""
    pieces = re.findall(r"keeps (\d+ \w+) of loads in flight per SM \([^)]*\)(: all it loads)?", remarks)
    if not pieces:
        return None
    return min(max(read_size(size) / 1024, WANTED if everything else 0) for size, everything in pieces)


def read_counters(text, buffer_bytes):
    count = lambda name: int(re.search(name + r"\s+(\d+)", text)[1])
    sectors, requests, bulk = count("global sectors"), count("global requests"), count("bytes by bulk copies")
    moved = 32 * sectors + bulk
    return {"width": round(128 * moved / (512 * requests + bulk), 1), "traffic": round(moved / buffer_bytes, 2),
            "conflicts": count("bank conflicts"),
            "instructions": round(1024 * count("thread instructions") / buffer_bytes, 1)}


def measure(kernel, arguments):
    """The figures of a kernel; None when the compiler refuses it. Raises RuntimeError when it is wrong."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        done = quality_table.run_kernel(kernel, arguments, folder)
        if not done:
            return None
        remarks, counts, resources = done
        sizes = [int(line.split()[2]) for line in (folder / "launch.txt").read_text().splitlines()
                 if line.startswith("buffer ")]
        figures = {**read_counters(counts, sum(sizes)), "flight": read_flight(remarks),
                   "spills": resources["spill_store_bytes"] + resources["spill_load_bytes"]}
        return {figure: value for figure, value in figures.items() if value is not None}


TABLE = quality_table.QualityTable("memory", FIGURES, collect, measure, at_least={"width", "flight"}, takes_corpus=True)
