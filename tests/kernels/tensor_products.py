#!/usr/bin/env python3
"""Products in tensor memory: every kind of operands, shape of tiles, order in memory and size of the cluster, generated.
Compiled, assembled, emulated and compared.

  tensor_products.py [NAME…] --tileiras FILE --emulator FILE [--gpu CHIP[,CHIP]] [--profile NAME] [--part K/N] [-j N]

The chips alternate. A kernel whose rows and operands the instructions take has them, and that of a pair where two CTAs
share its second operand; the others are right all the same, and counted. Exit code 0 when all of this holds.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import sys
import tempfile

import product_quality
import products
import quality_table
import run

CHIPS = ("sm_100", "sm_103", "sm_110")
ROW_BYTES = 128  # of the widest swizzle
ROWS, LEAST_COLUMNS = 128, 16  # of an instruction
HALF_ROWS, COLUMNS_OF_HALF = 64, 64  # of one with 64 rows
COLUMNS_OF_PAIR = 32
ELEMENTS_OF_GROUP = 128 * 256  # that the threads of a warpgroup may hold


class Product(product_quality.OwnProduct):
    def __init__(self, element, tile, transposed, ctas, gpu, folder):
        super().__init__(products.matmul(element, tile, transposed), folder, gpu)
        self.name += f"_{ctas}_{gpu}"
        self.element, self.tile, self.transposed, self.ctas = element, tile, transposed, ctas
        self.options = lambda gpu: ["--set", f"num-ctas={ctas}"]

    def get_part(self):
        """Rows and columns of each CTA, as tileas-plan-cta cuts them; None where it may cut none."""
        (m, n, _), ctas = self.tile, self.ctas
        while ctas > 1:
            if m >= 2 * HALF_ROWS and (m >= n or n < 2 * HALF_ROWS):
                m //= 2
            elif n >= 2 * HALF_ROWS:
                n //= 2
            else:
                return None
            ctas //= 2
        return m, n

    def count_groups(self):
        """Warpgroups of a CTA that divide the columns of 64 rows."""
        return 2 if self.tile[1] * self.tile[2] > ELEMENTS_OF_GROUP else 1

    def expects_instruction(self):
        """What is contiguous along M or N the instructions take of 16 bits alone; sm_103 has no integers."""
        part = self.get_part()
        takes = part and (part[0] % ROWS == 0 and part[1] >= LEAST_COLUMNS or
                          part[0] == HALF_ROWS and part[1] >= COLUMNS_OF_HALF * self.count_groups())
        return (takes and (self.transposed == "nt" or products.ELEMENTS[self.element].size == 2) and
                not (self.element == "s8" and self.gpu == "sm_103"))

    def expects_pair(self):
        """Where the CTAs have rows of their own, and half of the columns is a row of the swizzle or more; of 64 rows,
        one instruction has all columns."""
        row = ROW_BYTES // products.ELEMENTS[self.element].size
        if not self.expects_instruction() or self.ctas == 1 or self.element == "tf32":
            return False
        m, n = self.get_part()
        if m == HALF_ROWS and self.count_groups() > 1:
            return False
        # Boxes that more CTAs share are smaller.
        most = max(row, 8 * self.ctas) if self.transposed[1] == "t" else row * self.ctas
        return m < self.tile[0] and n >= max(COLUMNS_OF_PAIR, most if self.ctas > 2 else 0) and (
            self.transposed[1] == "t" or n >= 2 * row)


def list_products():
    """Arguments of matmul, and the CTAs of a tile block."""
    shapes = itertools.product((64, 128, 256, 512), (16, 32, 64, 128, 256), (1, 2))
    for (element, kind), (m, n, rows), transposed, ctas in itertools.product(
            products.ELEMENTS.items(), shapes, ("nn", "nt", "tn", "tt"), (1, 2, 4)):
        depth = rows * ROW_BYTES // kind.size
        if m * n <= 128 * 256 * ctas and n * depth * kind.size <= 1 << 16:  # a CTA's share of a multiprocessor
            yield element, (m, n, depth), transposed, ctas


def examine(kernel, arguments):
    """By what the product is computed; a text that begins with `WRONG` where it is not right."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        try:
            if not quality_table.run_kernel(kernel, arguments, folder, "--strict"):
                return "WRONG: refused by the compiler"
        except RuntimeError as error:
            return f"WRONG: {error}"
        ptx = (folder / "k.ptx").read_text()
    found = next((name for text, name in (("tcgen05.mma.cta_group::2", "pairs"), ("tcgen05.mma", "tensor memory"))
                  if text in ptx), "other instructions")
    if kernel.expects_pair() and found != "pairs" or kernel.expects_instruction() and found == "other instructions":
        return f"WRONG: by {found}"
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--emulator", default="ptx-emulator")
    parser.add_argument("--gpu", default=",".join(CHIPS))
    parser.add_argument("--profile", default="o3-ws")
    parser.add_argument("--part", metavar="K/N", help="take only a part of the kernels, as run.py")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        listed = [(*each, chip) for each, chip in zip(list_products(), itertools.cycle(arguments.gpu.split(",")))]
        listed = run.choose_part(listed, arguments.part)
        kernels = [Product(*each, pathlib.Path(temporary)) for each in listed]
        kernels = [kernel for kernel in kernels if not arguments.names or any(name in kernel.name for name in arguments.names)]
        with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
            results = list(pool.map(lambda kernel: examine(kernel, arguments), kernels))
    for kernel, result in zip(kernels, results):
        if result.startswith("WRONG"):
            print(f"{kernel.name}: {result}")
    counts = collections.Counter("mistakes" if result.startswith("WRONG") else result for result in results)
    print(f"{len(results)} kernels: " + ", ".join(f"{number} by {name}" if name != "mistakes" else f"{number} mistakes"
                                               for name, number in sorted(counts.items())))
    return 1 if counts["mistakes"] or not results else 0


if __name__ == "__main__":
    sys.exit(main())
