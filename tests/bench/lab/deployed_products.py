"""The lab's rows of products that deployed models are made of, and what stands beside them: block scales, experts, groups,
narrow weights, quantisation, convolutions, lists. Programs: tests/kernels/deployed_*.py, which check them at small sizes.
"""

import numpy

import deployed_blocks
import deployed_experts
from entry import Entry, blocks


def entry(name, choice, case, grid, sizes, buffers, flops=0, written=(), moved=None, data=(), ctas=1, published="", reason=""):
    """sizes: of the launch, by name; moved: bytes read and written, where those are not whole buffers."""
    options = ["--set", f"num-ctas={ctas}"] if ctas > 1 else []
    found = Entry(name, choice + (f", {ctas} CTAs" if ctas > 1 else ""), case, grid, buffers, [sizes[size] for size in case.sizes],
                  {"kind": name}, flops, written, data, options, published, reason)
    if moved:
        found.read, found.written = moved
    return found


def by(*sizes):
    return "x".join(map(str, sizes))


def fp8_blocks(m, n, k, tiles, **about):
    def choose(tile, ctas=1):
        buffers = {"a": m * k, "b": n * k, "sa": m * k // 32, "sb": blocks(n, 128) * (k // 128) * 4, "c": 2 * m * n}
        return entry(f"fp8 blocks {by(m, n, k)}", by(*tile), deployed_blocks.matmul(tile), [blocks(m, tile[0]), blocks(n, tile[1]), 1],
                     {"m": m, "n": n, "k": k}, buffers, 2 * m * n * k, ["c"], ctas=ctas, **about)
    return [choose(tile[:3], *tile[3:]) for tile in tiles]


def fp8_masked(groups, n, k, tile, **about):
    counts = numpy.random.default_rng(0).integers(1, 65, groups).astype(numpy.int32)
    m = tile[0]
    buffers = {"a": groups * m * k, "b": groups * n * k, "sa": groups * m * k // 32, "sb": groups * (n // 128) * (k // 128) * 4,
               "counts": 4 * groups, "c": 2 * groups * m * n}
    rows = int(counts.sum())
    return entry(f"fp8 masked {groups} groups of 1 to 64, {by(n, k)}", by(*tile), deployed_blocks.masked(tile),
                 [1, blocks(n, tile[1]), groups], {"groups": groups, "m": m, "n": n, "k": k}, buffers, 2 * rows * n * k, ["c"],
                 (groups * n * k + rows * k, 2 * rows * n), {"counts": counts}, **about)


class Moe:
    """Tokens of a mixture of experts, routed at random, and sorted for tiles of `rows`."""

    def __init__(self, name, tokens, experts, chosen, hidden, inner):
        self.name, self.tokens, self.experts, self.chosen, self.hidden, self.inner = name, tokens, experts, chosen, hidden, inner
        self.of_slots = deployed_experts.route(tokens, experts, chosen)
        self.slots, self.active = tokens * chosen, len(set(self.of_slots))

    def launch(self, rows, n, k):
        """Sizes, what describes the rows, and the number of tiles of rows."""
        slots, of_tiles = deployed_experts.align(self.of_slots, self.experts, rows)
        sizes = {"tokens": self.tokens, "groups": self.experts, "rows": len(slots), "n": n, "k": k}
        return sizes, {"slots": slots, "experts": of_tiles}, len(of_tiles)

    def gate_up(self, tiles, **about):
        def choose(tile, way):
            m, n, _ = tile
            sizes, data, count = self.launch(m, self.inner, self.hidden)
            weights = 4 * self.inner * self.hidden
            buffers = {"x": 2 * self.tokens * self.hidden, "w": self.experts * weights, "h": 2 * sizes["rows"] * self.inner,
                       **{name: values.nbytes for name, values in data.items()}}
            moved = buffers["x"] + self.active * weights + buffers["slots"], 2 * self.slots * self.inner
            return entry(f"moe {self.name} gate and up, T {self.tokens}", f"{m}x(2x{n})x{tile[2]}, {way}",
                         deployed_experts.gate_up(tile, way, self.chosen), [count, self.inner // n, 1], sizes, buffers,
                         4 * self.slots * self.inner * self.hidden, ["h"], moved, data, **about)
        return [choose(tile[:3], tile[3]) for tile in tiles]

    def down(self, tiles, way, **about):
        def choose(tile):
            m, n, _ = tile
            sizes, data, count = self.launch(m, self.hidden, self.inner)
            weights = 2 * self.inner * self.hidden
            result = 4 * self.tokens * self.hidden if way == "atomics" else 2 * self.slots * self.hidden
            buffers = {"h": 2 * sizes["rows"] * self.inner, "w": self.experts * weights, "shares": 4 * self.slots, "y": result,
                       **{name: values.nbytes for name, values in data.items()}}
            moved = 2 * self.slots * self.inner + self.active * weights, result
            return entry(f"moe {self.name} down, {way}, T {self.tokens}", by(*tile), deployed_experts.down(tile, way, self.chosen),
                         [count, self.hidden // n, 1], sizes, buffers, 2 * self.slots * self.inner * self.hidden, ["y"], moved, data,
                         **about)
        return [choose(tile) for tile in tiles]

    def combine(self, columns, **about):
        sizes = {"tokens": self.tokens, "n": self.hidden}
        buffers = {"parts": 2 * self.slots * self.hidden, "y": 2 * self.tokens * self.hidden}
        return [entry(f"moe {self.name} combine, T {self.tokens}", f"{width} columns", deployed_experts.combine(width, self.chosen),
                      [self.tokens, self.hidden // width, 1], sizes, buffers, written=["y"], **about) for width in columns]


def grouped(groups, n, k, average, tiles, **about):
    """Groups of `average` rows, a third more or less, padded to whole tiles."""
    counts = (average * numpy.random.default_rng(0).uniform(0.7, 1.3, groups)).astype(int)
    def choose(tile, shape, ctas=1):
        of_tiles = numpy.repeat(numpy.arange(groups, dtype=numpy.int32), -(-counts // tile[0]))
        rows, count = len(of_tiles) * tile[0], len(of_tiles) * blocks(n, tile[1])
        buffers = {"a": 2 * rows * k, "b": 2 * groups * n * k, "groups": of_tiles.nbytes, "c": 2 * rows * n}
        return entry(f"grouped ragged {groups} of about {average} rows, {by(n, k)}", f"{by(*tile)}, {shape}",
                     deployed_experts.grouped(tile, shape), [132 // ctas if shape == "persistent" else count, 1, 1],
                     {"count": groups, "rows": rows, "n": n, "k": k}, buffers, 2 * int(counts.sum()) * n * k, ["c"],
                     data={"groups": of_tiles}, ctas=ctas, **about)
    return [choose(tile[:3], *tile[3:]) for tile in tiles]


BLOCK_TILES = [(128, 128, 128), (128, 256, 128), (256, 128, 128), (256, 128, 128, 2), (256, 256, 128, 2)]
QWEN, QWEN_BEST = Moe("qwen3", 8192, 128, 8, 2048, 768), "H100 523 TFLOP/s for all of it at T 32768 (Liger#1294)"
ROWS = [
    fp8_blocks(4096, 7168, 16384, BLOCK_TILES, published="H800 1484 TFLOP/s, 648 us (DeepGEMM#168)"),
    fp8_blocks(4096, 24576, 1536, BLOCK_TILES, published="H800 1263 TFLOP/s, 245 us (DeepGEMM#168)"),
    fp8_blocks(4096, 2112, 7168, BLOCK_TILES, published="H800 1296 TFLOP/s, 96 us (DeepGEMM#168)"),
    [fp8_masked(8, 4096, 7168, tile, published="142 us, card not given (DeepGEMM#378)")
     for tile in ((64, 128, 128), (64, 64, 128), (64, 256, 128))],
    QWEN.gate_up([(128, 64, 64, "pointers"), (128, 128, 64, "pointers"), (128, 64, 64, "view"), (128, 128, 64, "view")], published=QWEN_BEST),
    QWEN.down([(128, 128, 64), (128, 256, 64)], "slots", published=QWEN_BEST),
    QWEN.down([(128, 128, 64), (128, 256, 64)], "view", published=QWEN_BEST),
    QWEN.down([(128, 128, 64), (128, 256, 64)], "atomics", published=QWEN_BEST),
    QWEN.combine([512, 1024, 2048]),
    grouped(256, 4096, 6144, 1024, [(128, 256, 64, "plain"), (128, 256, 64, "persistent"), (256, 256, 64, "plain", 2),
                                    (256, 256, 64, "persistent", 2)], published="H200 658-670 TFLOP/s, 19710 us (DeepGEMM, TileOPs#1567)"),
]
