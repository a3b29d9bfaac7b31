"""Rows of what people deploy beside attention: recurrences in chunks, and losses over a vocabulary."""

import deployed_losses
import deployed_recurrences
import deployed_scans
import products
from entry import Entry, blocks


def make(name, choice, case, grid, buffers, integers, flops, written, published="", reason="", data=()):
    return Entry(name, choice, case, grid, buffers, integers, {"kind": name}, flops, written, data, published=published, reason=reason)


class Gated:
    """The gated delta rule of `heads` heads of values, `group` of which share queries and keys."""

    def __init__(self, heads, group, length, chunk, d=128):
        self.heads, self.group, self.length, self.chunk, self.d = heads, group, length, chunk, d
        own, self.count = heads * length * d * 2, length // chunk
        self.sizes = {**dict.fromkeys(("q", "k"), own // group), **dict.fromkeys(("v", "w", "u", "vn", "o"), own),
                      **dict.fromkeys(("g", "b", "decays"), heads * length * 4), "states": heads * self.count * d * d * 2}
        self.products = 2 * heads * length * d  # times the depth of a product of all positions

    def row(self, part, choice, case, grid, names, depth, written, published="", reason=""):
        return make(f"gdn {self.group}x{self.heads}x{self.length}, {part}", choice, case, grid,
                    {name: self.sizes[name] for name in names}, [self.length], self.products * depth, written, published, reason)

    def prepare(self, **words):
        case = deployed_recurrences.gated_prepare(self.chunk, heads=self.heads, group=self.group, length=self.chunk)
        return [self.row("w and u", str(self.chunk), case, [self.count, self.heads, 1], ("k", "v", "g", "b", "w", "u"), 3 * self.chunk,
                         ["w", "u"], **words)]

    def states(self, choices, **words):
        def choose(columns, turned):
            case = deployed_recurrences.gated_states(self.chunk, columns, turned, heads=self.heads, group=self.group, length=self.chunk)
            return self.row("states", f"{self.chunk}x{columns}" + ", turned" * turned, case, [self.d // columns, self.heads, 1],
                            ("k", "g", "w", "u", "states", "vn"), 2 * self.d, ["states", "vn"], **words)
        return [choose(*choice) for choice in choices]

    def output(self, columns, **words):
        return [self.row("output", f"{self.chunk}x{width}",
                         deployed_recurrences.gated_output(self.chunk, width, heads=self.heads, group=self.group, length=self.chunk),
                         [self.count, self.heads, self.d // width], ("q", "k", "g", "vn", "states", "o"), 2 * self.chunk + self.d,
                         ["o"], **words) for width in columns]

    def whole(self, channels=False, **words):
        case = deployed_recurrences.delta_rule(self.chunk, channels=channels, heads=self.heads, group=self.group, length=self.chunk)
        sizes = dict(self.sizes)
        if channels:
            sizes["decays"] = self.sizes["v"]
        return [make(f"{'kda' if channels else 'gdn'} {self.group}x{self.heads}x{self.length}, one kernel", str(self.chunk), case,
                     [self.heads, 1, 1], {name: sizes[name] for name in ("q", "k", "v", "decays", "b", "o")}, [self.length],
                     self.products * (5 * self.chunk + 3 * self.d), ["o"], **words)]


def gated_step(batch, heads, columns, **words):
    def choose(width):
        state, row = batch * heads * 128 * 128 * 4, batch * heads * 128 * 2
        return make(f"gdn decode {batch}x{heads}", f"128x{width}", deployed_recurrences.gated_step(width, sequences=1, heads=heads),
                    [128 // width, heads, batch],
                    {"state": state, **dict.fromkeys("qkv", row), **dict.fromkeys("gb", batch * heads * 4), "after": state, "o": row},
                    [batch], 0, ["after", "o"], **words)
    return [choose(width) for width in columns]


class Scan:
    """Mamba-2's chunks."""

    def __init__(self, heads, groups, length, chunk):
        self.heads, self.groups, self.length, self.chunk, self.count = heads, groups, length, chunk, length // chunk
        self.sizes = {**dict.fromkeys("xy", heads * length * 64 * 2), **dict.fromkeys("bc", groups * length * 128 * 2),
                      **dict.fromkeys("tg", heads * length * 4), "states": heads * self.count * 64 * 128 * 2,
                      "added": heads * self.count * 64 * 128 * 4}
        self.words = {"heads": heads, "groups": groups, "length": chunk}

    def row(self, part, choice, case, grid, names, depth, written, published="", reason=""):
        return make(f"ssd {self.heads}x{self.length}, chunks of {self.chunk}, {part}", choice, case, grid,
                    {name: self.sizes[name] for name in names}, [self.length], 2 * self.heads * self.length * depth, written, published,
                    reason)

    def states(self, steps, **words):
        return [self.row("states", f"64x128x{step}", deployed_scans.states(self.chunk, step, **self.words), [self.count, self.heads, 1],
                         ("x", "b", "t", "g", "added"), 64 * 128, ["added"], **words) for step in steps]

    def passing(self, tiles, **words):
        return [self.row("passing", f"{rows} rows", deployed_scans.passing(self.chunk, rows, **self.words), [64 // rows, self.heads, 1],
                         ("g", "added", "states"), 0, ["states"], **words) for rows in tiles]

    def output(self, tiles, **words):
        """Half of the scores are seen."""
        return [self.row("output", f"{m}x{n}", deployed_scans.output(self.chunk, m, n, **self.words),
                         [blocks(self.length, m), self.heads, 1], ("x", "b", "c", "t", "g", "states", "y"),
                         64 * 128 + self.chunk // 2 * (128 + 64), ["y"], **words)
                for m, n in tiles]


class Loss:
    """Of rows, and words of the vocabulary."""

    def __init__(self, rows, words, depth):
        self.rows, self.words, self.depth, self.flops = rows, words, depth, 2 * rows * words * depth
        self.name = f"linear loss {rows}x{depth}x{words}"
        self.operands = {"x": rows * depth * 2, "w": words * depth * 2, "targets": rows * 4}

    def choose(self, part, tile, ctas, case, grid, buffers, integers, written, published, reason):
        return Entry(f"{self.name}, {part}", "x".join(map(str, tile)) + (f", {ctas} CTAs" if ctas > 1 else ""), case, grid, buffers,
                     integers, {"kind": f"linear loss, {part}"}, self.flops, written, published=published, reason=reason,
                     options=["--set", f"num-ctas={ctas}"] if ctas > 1 else [])

    def forward(self, parts, tiles, published="", reason=""):
        return [self.choose("forward", tile, ctas, deployed_losses.forward(*tile, parts=1), [blocks(self.rows, tile[0]), parts, 1],
                            {**self.operands, **dict.fromkeys(("level", "chosen"), parts * self.rows * 4)},
                            [self.rows, self.words, self.depth, parts], ["level", "chosen"], published, reason) for tile, ctas in tiles]

    def gradient(self, tiles, published="", reason=""):
        return [self.choose("gradient of logits", tile, ctas, deployed_losses.backward(*tile),
                            [blocks(self.rows, tile[0]), blocks(self.words, tile[1]), 1],
                            {**self.operands, "level": self.rows * 4, "gradient": self.rows * self.words * 2},
                            [self.rows, self.words, self.depth], ["gradient"], published, reason) for tile, ctas in tiles]

    def product(self, of, tiles, published="", reason=""):
        """Gradient · w, or gradientᵀ · x."""
        m, n, k, way = (self.rows, self.depth, self.words, "nn") if of == "x" else (self.words, self.depth, self.rows, "tn")
        return [self.choose(f"gradient of {of}", tile, ctas, products.matmul("bf16", tile, way, result="f16"),
                            [blocks(m, tile[0]), blocks(n, tile[1]), 1], {"a": m * k * 2, "b": k * n * 2, "c": m * n * 2}, [m, n, k], ["c"],
                            published, reason) for tile, ctas in tiles]


GATED, SMALL, LARGE = Gated(64, 4, 8192, 64), Scan(128, 8, 8192, 128), Scan(128, 8, 8192, 256)
KDA, LOSS = Gated(96, 1, 8192, 16), Loss(2048, 131072, 4096)
TILES, BACKWARD = [((256, 256, 64), 2), ((128, 256, 64), 1), ((128, 128, 64), 1)], "H200: 8589 us, all of the backward pass"
DELTA, SSD = "H100?: 453 us, all of it", "H100: 362 us, all of it"
ONE_AFTER_THE_OTHER = ("a chain of products for each chunk, one chunk after the other, with fewer blocks than multiprocessors; computed "
                       "right operands go by mma.sync")
ROWS = [
    GATED.prepare(published=DELTA, reason="ten products of 64 x 64 of tf32, one after the other: each waits for its "
                                                              "operands' way through shared memory"),
    GATED.states([(64, False), (128, False), (64, True), (128, True), (32, True)], published=DELTA,
                 reason="two products for each chunk, one chunk after the other; what is read for arithmetic alone is not loaded ahead"),
    GATED.output([128, 64], published=DELTA),
    GATED.whole(published="H100?: 453 us", reason=ONE_AFTER_THE_OTHER),
    gated_step(64, 32, [32, 64, 128]),
    KDA.whole(channels=True, published="1495 us, card not said", reason=ONE_AFTER_THE_OTHER),
    *[rows for scan in (SMALL, LARGE) for rows in (
        scan.states([64, 128], published=SSD, reason="a block has one to four iterations, which load before they multiply; B is weighed by "
                                                     "threads on its way"),
        scan.passing([8, 16, 32], published=SSD),
        scan.output([(128, 64), (64, 64), (128, 128)], published=SSD,
                    reason="a block has two to four iterations, alone on its multiprocessor: most of it is waiting for its first loads and "
                           "for C's way through shared memory"))],
    LOSS.forward(8, TILES), LOSS.gradient(TILES, BACKWARD), LOSS.product("x", TILES[:2], BACKWARD), LOSS.product("w", TILES[:2], BACKWARD),
]
