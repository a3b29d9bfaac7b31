"""The lab's rows of products that deployed models are made of, and what stands beside them: block scales, experts, groups,
narrow weights, quantisation, convolutions, lists. Programs: tests/kernels/deployed_*.py, which check them at small sizes.
"""

import numpy

import deployed_blocks
import deployed_experts
import deployed_rows
import deployed_transforms
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
            kind = ", by views" if way == "view" else ""
            return entry(f"moe {self.name} gate and up{kind}, T {self.tokens}", f"{m}x(2x{n})x{tile[2]}, {way}",
                         deployed_experts.gate_up(tile, way, self.chosen), [count, self.inner // n, 1], sizes, buffers,
                         4 * self.slots * self.inner * self.hidden, ["h"], moved, data, **about)
        return [choose(tile[:3], tile[3]) for tile in tiles]

    def down(self, tiles, way, **about):
        def choose(tile, ctas=1):
            m, n, _ = tile
            sizes, data, count = self.launch(m, self.hidden, self.inner)
            weights = 2 * self.inner * self.hidden
            result = 4 * self.tokens if way == "atomics" else 2 * (sizes["rows"] if way == "sorted" else self.slots)
            result *= self.hidden
            buffers = {"h": 2 * sizes["rows"] * self.inner, "w": self.experts * weights, "shares": 4 * self.slots, "y": result,
                       **{name: values.nbytes for name, values in data.items()}}
            moved = 2 * self.slots * self.inner + self.active * weights, result
            return entry(f"moe {self.name} down, {way}, T {self.tokens}", by(*tile), deployed_experts.down(tile, way, self.chosen),
                         [count, self.hidden // n, 1], sizes, buffers, 2 * self.slots * self.inner * self.hidden, ["y"], moved, data,
                         ctas, **about)
        return [choose(tile[:3], *tile[3:]) for tile in tiles]

    def combine_sorted(self, columns, **about):
        """Of rows that lie in the order of their experts."""
        slots, _ = deployed_experts.align(self.of_slots, self.experts, 128)
        is_slot = slots < self.slots
        places = numpy.zeros(self.slots, numpy.int32)
        places[slots[is_slot]] = numpy.nonzero(is_slot)[0]
        buffers = {"parts": 2 * len(slots) * self.hidden, "places": 4 * self.slots, "shares": 4 * self.slots,
                   "y": 2 * self.tokens * self.hidden}
        moved = 2 * self.slots * self.hidden + 8 * self.slots, buffers["y"]
        return [entry(f"moe {self.name} combine sorted, T {self.tokens}", f"{width} columns",
                      deployed_experts.combine_sorted(width, self.chosen), [self.tokens, self.hidden // width, 1],
                      {"tokens": self.tokens, "n": self.hidden}, buffers, written=["y"], moved=moved, data={"places": places}, **about)
                for width in columns]

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


def group_quant(m, n, tiles, **about):
    buffers = {"x": 2 * m * n, "q": m * n, "s": m * n // 32}
    return [entry(f"group quant bf16 {by(m, n)}", by(*tile), deployed_rows.group_quant(*tile), [blocks(m, tile[0]), blocks(n, tile[1]), 1],
                  {"m": m, "n": n}, buffers, written=["q", "s"], **about) for tile in tiles]


def norm_quant(m, n, columns, **about):
    buffers = {"x": 2 * m * n, "r": 2 * m * n, "t": 2 * m * n, "w": 2 * n, "q": m * n, "s": m * n // 32}
    return [entry(f"add, rms norm and quant bf16 {by(m, n)}", f"{width} columns", deployed_rows.norm_quant(n, width), [m, 1, 1], {"m": m},
                  buffers, written=["t", "q", "s"], **about) for width in columns]


def moe_align(tokens, experts, tiles, **about):
    block, chosen = 128, 8
    of_slots = deployed_experts.route(tokens, experts, chosen).astype(numpy.int32)
    slots, most = len(of_slots), len(of_slots) // block + experts
    buffers = {"ids": 4 * slots, "slots": 4 * most * block, "of_blocks": 4 * most, "total": 4}
    return [entry(f"moe align {by(tokens, chosen)} of {experts}", f"one block, {tile} slots", deployed_rows.moe_align(experts, tile),
                  [1, 1, 1], {"slots_of_all": slots, "places": most}, buffers, written=["slots", "of_blocks", "total"],
                  data={"ids": of_slots}, **about) for tile in tiles]


def embedding_backward(tokens, n, entries, tiles, columns, **about):
    """By atomics, and of tokens that are sorted."""
    numbers = numpy.random.default_rng(0).integers(0, entries, tokens).astype(numpy.int32)
    found, counts = numpy.unique(numbers, return_counts=True)
    buffers = {"dy": 2 * tokens * n, "dw": 4 * entries * n, "numbers": 4 * tokens}
    moved = 2 * tokens * n + 4 * len(found) * n, 4 * len(found) * n
    atomic = [entry(f"embedding backward bf16 {by(tokens, n)}, {entries} rows", by(*tile), deployed_rows.embedding_backward(*tile),
                    [tokens // tile[0], n // tile[1], 1], {"m": tokens, "n": n}, buffers, written=["dw"], moved=moved,
                    data={"numbers": numbers}, **about) for tile in tiles]
    data = {"order": numpy.argsort(numbers, kind="stable").astype(numpy.int32), "numbers": found,
            "starts": numpy.append(0, numpy.cumsum(counts)).astype(numpy.int32)}
    buffers = {"dy": 2 * tokens * n, "dw": 2 * entries * n, **{name: values.nbytes for name, values in data.items()}}
    by_segments = [entry(f"embedding backward sorted bf16 {by(tokens, n)}, {entries} rows", f"{width} columns",
                         deployed_rows.embedding_sorted(width), [len(found), n // width, 1], {"n": n, "count": len(found)}, buffers,
                         written=["dw"], moved=(2 * tokens * n, 2 * len(found) * n), data=data) for width in columns]
    return atomic, by_segments


def causal_conv(m, n, tiles, **about):
    buffers = {"x": 2 * (m + 3) * n, "w": 8 * n, "bias": 2 * n, "y": 2 * m * n}
    return [entry(f"causal conv1d bf16 {by(m, n)}, width 4", f"{by(*tile)}, {way}", deployed_rows.causal_conv(*tile, way),
                  [blocks(m, tile[0]), n // tile[1], 1], {"m": m, "n": n, "m_and_before": m + 3}, buffers, written=["y"], **about)
            for *tile, way in tiles]


def conv2d(height, width, depth, columns, tiles, **about):
    """tiles: of pixels, columns and channels, the way, and the sides of a tile of pixels."""
    def choose(tile, way, sides=None, ctas=1):
        border = 2 if way == "views" else 0
        buffers = {"x": 2 * (height + border) * (width + border) * depth, "w": 18 * columns * depth, "y": 2 * height * width * columns}
        case = deployed_transforms.conv2d(tile, way, sides=sides)
        return entry(f"conv2d f16 {by(depth, height, width)} to {columns}, 3x3", f"{by(*tile)}, {way}", case,
                     [blocks(height * width, tile[0]), columns // tile[1], 1],
                     {"height": height, "width": width, "channels": depth, "n": columns, "bordered_height": height + border,
                      "bordered_width": width + border}, buffers,
                     18 * height * width * depth * columns, ["y"], ctas=ctas, **about)
    return [choose(tile[:3], *tile[3:]) for tile in tiles]


def fft(rows, length, tiles, **about):
    buffers = {"x": 8 * rows * length, "w": deployed_transforms.twiddles(length).nbytes, "y": 8 * rows * length}
    return [entry(f"fft c64 {by(rows, length)}", f"{count} rows", deployed_transforms.fft(length, count), [rows // count, 1, 1],
                  {"m": rows}, buffers, written=["y"], data={"w": deployed_transforms.twiddles(length)}, **about) for count in tiles]


def top_k_top_p(rows, width, tiles, **about):
    def random_rows():
        return numpy.random.default_rng(0).standard_normal(rows * width, dtype=numpy.float32)
    buffers = {"x": 4 * rows * width, "found": 256 * rows, "count": 4 * rows, "values": 256 * rows, "numbers": 256 * rows}
    return [entry(f"top-k, top-p f32 {by(rows, width)}, k 50", f"{columns} columns",
                  deployed_transforms.top_k_top_p(columns), [rows, 1, 1], {"m": rows, "n": width, "k": 50}, buffers,
                  written=["values", "numbers"], data={"x": random_rows}, **about) for columns in tiles]


BLOCK_TILES = [(128, 128, 128), (256, 128, 128, 2)]
QWEN, QWEN_BEST = Moe("qwen3", 8192, 128, 8, 2048, 768), "H100 523 TFLOP/s for all of it at T 32768 (Liger#1294)"
# Of 256 experts a GPU has 32, and the tokens' slots for them.
DEEPSEEK, DEEPSEEK_BEST = Moe("dsv3, 32 experts", 4096, 32, 1, 7168, 2048), "H200 9131 us for 256 experts, 8 for each token (TileOPs#2120)"


def few_tokens(tokens):
    moe = Moe("qwen3", tokens, 128, 8, 2048, 768)
    few = "96 to 256 tile blocks: most of the time are latencies of the launch and of the first loads"
    return [moe.gate_up([(16, 64, 64, "joined"), (16, 64, 64, "pointers")], reason=few),
            moe.down([(16, 64, 128), (16, 128, 64)], "slots", reason=few)]


WHY_BLOCKS = ("a warpgroup waits for its MMAs at once and then adds 64 scaled sums, while none is under way (34 % of its time), and a "
              "tile of 128x128 for each CTA keeps TMA busy for 77 %; 128x256 would spill 408 bytes")
WHY_GATHERED = ("A of 16-byte copies is read from shared memory for each of the two MMAs: that takes longer than the tensor cores; as "
                "one MMA of 256 columns the kernel spills 184 bytes")
WHY_SLOTS = ("four warpgroups of 64x64 read each operand twice from shared memory; taller tiles are cut into slices, because pointers to "
             "their results do not fit in registers, and rows are stored 4 bytes at a time")
WHY_WEIGHTS = "threads convert weights on their way to the stages, through shared memory"


ROWS = [
    fp8_blocks(4096, 7168, 16384, BLOCK_TILES, reason=WHY_BLOCKS, published="H800 1484 TFLOP/s, 648 us (DeepGEMM#168)"),
    fp8_blocks(4096, 24576, 1536, BLOCK_TILES, reason=WHY_BLOCKS, published="H800 1263 TFLOP/s, 245 us (DeepGEMM#168)"),
    fp8_blocks(4096, 2112, 7168, BLOCK_TILES,
               reason=WHY_BLOCKS + "; 17 columns of tiles on 132 multiprocessors", published="H800 1296 TFLOP/s, 96 us (DeepGEMM#168)"),
    [fp8_masked(8, 4096, 7168, (64, 128, 128), published="142 us, card not given (DeepGEMM#378)")],
    QWEN.gate_up([(128, 128, 64, "pointers"), (128, 128, 64, "joined")], published=QWEN_BEST, reason=WHY_GATHERED),
    QWEN.gate_up([(128, 128, 64, "view")], published=QWEN_BEST, reason=WHY_GATHERED),
    QWEN.down([(128, 128, 64), (128, 256, 64, 2)], "slots", published=QWEN_BEST, reason=WHY_SLOTS),
    QWEN.down([(128, 256, 64), (128, 128, 64)], "view",
              published=QWEN_BEST, reason="12 iterations a tile: TMA has to load 48 KB for each, and threads scatter the results"),
    QWEN.down([(128, 128, 64)], "atomics",
              published=QWEN_BEST, reason="two neighbours are added at once, as accumulators have them: four would take an exchange"),
    QWEN.down([(128, 256, 64), (128, 256, 64, 2)], "sorted",
              published=QWEN_BEST, reason="12 iterations a tile: TMA has to load 48 KB for each, and the results besides"),
    QWEN.combine([1024, 2048]),
    QWEN.combine_sorted([1024, 2048]),
    *[rows for tokens in (1, 16, 128) for rows in few_tokens(tokens)],
    DEEPSEEK.gate_up([(128, 128, 64, "pointers")], published=DEEPSEEK_BEST,
                     reason="DRAM: tokens are read again for each column of tiles, 2.3 GB in all, and weights beside them do not stay in L2"),
    DEEPSEEK.down([(128, 128, 64), (128, 256, 64, 2)], "slots", published=DEEPSEEK_BEST, reason=WHY_SLOTS),
    grouped(32, 4096, 6144, 1024, [(256, 256, 64, "plain", 2), (256, 256, 64, "persistent", 2)],
            published="H200 658-670 TFLOP/s with 256 groups (DeepGEMM, TileOPs#1567)"),
    group_quant(8192, 7168, [(4, 1024), (2, 1024), (16, 512), (8, 512)],
                reason="48 registers a thread where more are needed: 116 bytes are spilled, and scales are divisions"),
    norm_quant(8192, 7168, [8192, 2048], published="H100 49 us for 8192x4096 without the sum (sglang#32994)"),
    moe_align(4096, 256, [4096, 8192],
              reason="one tile block: the queue of its atomic sums in shared memory", published="21 us, card not given (sglang#14133)"),
    *embedding_backward(16384, 4096, 128256, [(4, 1024)], [1024, 4096]),
    causal_conv(16384, 8192, [(32, 128, "pointers"), (64, 128, "views"), (64, 1024, "loop"), (128, 512, "loop")],
                published="B300 3 TB/s (TRT-LLM#13103)",
                reason="each element is loaded and widened four times: issue slots"),
    conv2d(112, 112, 256, 512, [(128, 128, 64, "pointers"), (128, 256, 64, "pointers"), (256, 256, 64, "views", (16, 16), 2)],
           published="H200 458 TFLOP/s (TileOPs#656)",
           reason="196 or 392 tiles on 132 multiprocessors, and pixels by 16-byte copies through L1"),
    fft(16384, 4096, [1],
        reason="six steps, each of which goes through shared memory several times, 4 bytes at a time",
        published="cuFFT reaches its bytes (no figure)"),
    top_k_top_p(128, 128256, [4096, 8192],
                reason="four passes over rows that do not stay on the multiprocessor, whose loads are waited for",
                published="0.14-0.30 ms for 128x131072, card not given (vLLM#40376)"),
]
