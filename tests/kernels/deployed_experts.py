"""A mixture of experts as it is served: the first two products of each expert and their gate, the third one, and what adds the
parts of a token; groups of rows with a matrix each.

  deployed_experts.py --tileiras FILE --emulator FILE [--gpu CHIP[,CHIP]] [NAME…]

A slot is a token's part for one of its K experts: token · K + number. Slots are sorted by expert, and each expert's padded to
whole tiles by slots that are none. Weights: E·N·K, of gates and then of the others in one array.
"""

import sys

import numpy

import program_checks
from products import bf16_bits, bf16_values
from tile_programs import Program


def align(experts_of_slots, experts, rows):
    """The sorted and padded slots, and the expert of each tile of `rows`."""
    order = numpy.argsort(experts_of_slots, kind="stable")
    counts = numpy.bincount(experts_of_slots, minlength=experts)
    tiles = -(-counts // rows)
    slots = numpy.full((tiles.sum(), rows), len(order), numpy.int32)
    starts, first = numpy.cumsum(counts) - counts, numpy.cumsum(tiles) - tiles
    for expert in range(experts):
        mine = slots[first[expert]:first[expert] + tiles[expert]].reshape(-1)
        mine[:counts[expert]] = order[starts[expert]:starts[expert] + counts[expert]]
    return slots.reshape(-1), numpy.repeat(numpy.arange(experts, dtype=numpy.int32), tiles)


def route(tokens, experts, chosen, seed=0):
    """The experts of all slots, random and different for each token."""
    random = numpy.random.default_rng(seed).random((tokens, experts))
    return numpy.argpartition(random, chosen - 1, axis=1)[:, :chosen].reshape(-1)


class Experts:
    """What the kernels share: sizes, the tile's slots and expert, and data to check them with."""

    def __init__(self, tile, chosen, *arrays):
        self.tile, self.chosen, self.program = tile, chosen, Program()
        program = self.program
        self.arrays = {name: program.pointer(name, element) for name, element in arrays}
        for name in ("slots", "experts"):
            self.arrays[name] = program.pointer(name, "i32")
        self.tokens, self.count, self.rows, self.n, self.k = (
            program.size(name, multiple) for name, multiple in
            (("tokens", 1), ("groups", 1), ("rows", tile[0]), ("n", tile[1]), ("k", tile[2])))
        self.block = program.x
        self.slots = program.load(program.view(self.arrays["slots"], [self.rows], (tile[0],)), self.block)
        tiles = program.promise(self.rows // tile[0])
        self.expert = program.load(program.view(self.arrays["experts"], [tiles], (1,)), self.block).reshape()
        self.is_slot = self.slots < self.tokens * chosen

    def load_weights(self, tiles, column, step, parts=1):
        _, n, k = self.tile
        return self.program.load(tiles, self.expert, column, step).reshape(parts * n, k).permute(1, 0)

    def rows_at(self, base, rows, width, columns, first=None):
        """Pointers to elements of rows of an array."""
        numbers = self.program.iota(columns).row()
        return base.offset((rows * width).column() + (numbers if first is None else numbers + first))

    def token_tiles(self, way):
        """load(step): rows of x, of the slots' tokens."""
        program, (m, _, k), x = self.program, self.tile, self.arrays["x"]
        token = self.slots // self.chosen
        if way == "view":
            gathered = program.view(x, [self.tokens, self.k], (m, k), sparse=0)
            return lambda step: program.load(gathered, token, step * k)
        start, mask = self.rows_at(x, token, self.k, k), self.is_slot.column().spread(m, k)
        return lambda step: program.load_at(start.offset((step * k).spread(m, k)), mask)


def sample(tile, chosen, tokens, experts, seed=1):
    """Random numbers, the experts of slots, the sorted slots and the experts of tiles."""
    random = numpy.random.default_rng(seed)
    of_slots = route(tokens, experts, chosen, seed)
    slots, of_tiles = align(of_slots, experts, tile[0])
    return random, of_slots, slots, of_tiles


def bf16(random, *shape, scale=1):
    return bf16_bits(scale * random.standard_normal(shape))


def gate_up(tile, way="pointers", chosen=2, tokens=70, experts=3, width=128, depth=192):
    """h = silu(x · gate) * (x · up), for the sorted slots. way: "pointers", "view": how tokens are read; "joined": by pointers, and
    each n gates lie before their n others, so that a product makes both."""
    m, n, k = tile
    experts, width = max(experts, chosen), max(width, n)
    kernel = Experts(tile, chosen, ("x", "bf16"), ("w", "bf16"), ("h", "bf16"))
    program, arrays = kernel.program, kernel.arrays
    parts, half = 2 if way == "joined" else 1, kernel.n // n
    weights = program.view(arrays["w"], [kernel.count, program.promise(kernel.n * 2, n), kernel.k], (1, parts * n, k))
    load = kernel.token_tiles(way)

    def body(step, sums):
        x, columns = load(step), [program.y] if way == "joined" else [program.y, program.y + half]
        return [program.multiply(x, kernel.load_weights(weights, column, step, parts), part) for column, part in zip(columns, sums)]
    sums = program.loop(0, program.ceiling(kernel.k, k), [program.zeros(m, parts * n)] * (3 - parts), body)
    if way == "joined":
        both = sums[0].reshape(m, 2, n)
        sums = [both.extract([0, part, 0], (m, 1, n)).reshape(m, n) for part in (0, 1)]
    gate, up = sums
    result = gate / (1.0 + (0.0 - gate).function("exp")) * up
    program.store(result.to("bf16"), program.view(arrays["h"], [kernel.rows, kernel.n], (m, n), padding=None), program.x, program.y)
    random, _, slots, of_tiles = sample(tile, chosen, tokens, experts)
    x, w = bf16(random, tokens, depth), bf16(random, experts, 2 * width, depth, scale=0.1)
    rows = numpy.concatenate([bf16_values(x), numpy.zeros((1, depth))])[slots // chosen].reshape(-1, m, depth)
    both = (rows @ bf16_values(w)[of_tiles].swapaxes(1, 2)).reshape(-1, 2 * width)
    gate, up = both[:, :width], both[:, width:]
    if way == "joined":
        w = w.reshape(experts, 2, width // n, n, depth).swapaxes(1, 2).reshape(w.shape)
    return program.case("_".join([f"gate_up_{m}x{n}x{k}", way]), (len(of_tiles), width // n, 1),
                        {"tokens": tokens, "groups": experts, "rows": len(slots), "n": width, "k": depth},
                        {"x": x, "w": w, "slots": slots, "experts": of_tiles},
                        {"h": ("bf16", gate / (1 + numpy.exp(-gate)) * up)}, (2e-2, 2e-2))


def down(tile, way="slots", chosen=2, tokens=70, experts=3, width=256, depth=128):
    """The third product, weighted; way: "slots", each stored for itself, by pointers; "view", so by a view; "atomics", added to
    the token's row of f32; "sorted", not weighted, in the order of rows."""
    m, n, k = tile
    experts, width = max(experts, chosen), max(width, n)
    kernel = Experts(tile, chosen, ("h", "bf16"), ("w", "bf16"), ("shares", "f32"), ("y", "f32" if way == "atomics" else "bf16"))
    program, arrays, (row, column) = kernel.program, kernel.arrays, (kernel.program.x, kernel.program.y)
    h = program.view(arrays["h"], [kernel.rows, kernel.k], (m, k))
    weights = program.view(arrays["w"], [kernel.count, kernel.n, kernel.k], (1, n, k))
    share = program.load_at(arrays["shares"].offset(kernel.slots), kernel.is_slot)

    def body(step, sums):
        return [program.multiply(program.load(h, row, step), kernel.load_weights(weights, column, step), sums[0])]
    total = program.loop(0, program.ceiling(kernel.k, k), [program.zeros(m, n)], body)[0]
    total = total if way == "sorted" else total * share.column()
    mask = kernel.is_slot.column().spread(m, n)
    if way == "sorted":
        program.store(total.to("bf16"), program.view(arrays["y"], [kernel.rows, kernel.n], (m, n), padding=None), row, column)
    elif way == "view":
        places = program.view(arrays["y"], [kernel.tokens * chosen, kernel.n], (m, n), padding=None, sparse=0)
        program.store(total.to("bf16"), places, kernel.slots, column * n)
    elif way == "slots":
        program.store_at(total.to("bf16"), kernel.rows_at(arrays["y"], kernel.slots, kernel.n, n, column * n), mask)
    else:
        places = kernel.rows_at(arrays["y"], kernel.slots // chosen, kernel.n, n, column * n)
        program.atomic("addf", places, total, mask)
    random, of_slots, slots, of_tiles = sample(tile, chosen, tokens, experts)
    h, w = bf16(random, len(slots), depth), bf16(random, experts, width, depth, scale=0.1)
    shares = random.random(tokens * chosen).astype(numpy.float32)
    rows = (bf16_values(h).reshape(-1, m, depth) @ bf16_values(w)[of_tiles].swapaxes(1, 2)).reshape(-1, width)
    expected = numpy.zeros((tokens * chosen + 1, width))
    expected[slots] = rows * numpy.append(shares, 0)[slots][:, None]
    expected = expected[:-1]
    if way == "atomics":
        expected = expected.reshape(tokens, chosen, width).sum(axis=1)
    elif way == "sorted":
        expected = rows
    return program.case("_".join([f"down_{m}x{n}x{k}", way]), (len(of_tiles), width // n, 1),
                        {"tokens": tokens, "groups": experts, "rows": len(slots), "n": width, "k": depth},
                        {"h": h, "w": w, "shares": shares, "slots": slots, "experts": of_tiles},
                        {"y": (numpy.float32 if way == "atomics" else "bf16", expected)}, (2e-2, 2e-2))


def combine(columns, chosen=8, tokens=6, width=512):
    """The parts of each token, added."""
    program = Program()
    parts, y = program.pointer("parts", "bf16"), program.pointer("y", "bf16")
    count, n = program.size("tokens"), program.size("n", 16)
    tiles = program.view(parts, [count, chosen, n], (1, chosen, columns))
    total = program.load(tiles, program.x, 0, program.y).to("f32").reduce(1)
    program.store(total.to("bf16"), program.view(y, [count, n], (1, columns), padding=None), program.x, program.y)
    data = bf16(numpy.random.default_rng(2), tokens, chosen, width)
    return program.case(f"combine_{chosen}x{columns}", (tokens, width // columns, 1), {"tokens": tokens, "n": width}, {"parts": data},
                        {"y": ("bf16", bf16_values(data).sum(axis=1))}, (1e-2, 1e-2))


def combine_sorted(columns, chosen=8, tokens=6, width=512):
    """The parts of each token, weighted and added; they lie anywhere."""
    program = Program()
    parts, places, shares, y = (program.pointer(name, element) for name, element in
                                (("parts", "bf16"), ("places", "i32"), ("shares", "f32"), ("y", "bf16")))
    count, n = program.size("tokens"), program.size("n", columns)
    of_token = lambda array: program.load(program.view(array, [count, chosen], (1, chosen)), program.x, 0).reshape(chosen)
    column = program.iota(columns) + program.y * columns
    tile = program.load_at(parts.offset((of_token(places) * n).column() + column.row())).to("f32")
    total = (tile * of_token(shares).column()).reduce(0)
    program.store_at(total.to("bf16"), y.offset(program.x * n + column))
    random = numpy.random.default_rng(2)
    data = {"parts": bf16(random, tokens * chosen, width), "shares": random.random((tokens, chosen)).astype(numpy.float32),
            "places": random.permutation(tokens * chosen).astype(numpy.int32).reshape(tokens, chosen)}
    expected = (bf16_values(data["parts"])[data["places"]] * data["shares"][..., None]).sum(axis=1)
    return program.case(f"combine_sorted_{chosen}x{columns}", (tokens, width // columns, 1), {"tokens": tokens, "n": width}, data,
                        {"y": ("bf16", expected)}, (1e-2, 1e-2))


def in_groups(program, number, rows, columns, group=8):
    """Row and column of a tile: `group` rows go through all columns, then the next ones."""
    whole = columns * group
    first = number // whole * group
    height = (rows - first).smallest(group)
    return first + number % whole % height, number % whole // height


def grouped(tile, shape="plain", counts=(200, 0, 77), width=256, depth=192, blocks=2):
    """Rows sorted by group, padded to tiles; a matrix of each group. shape: plain, a block a tile; persistent, `blocks` of them
    go over all tiles."""
    m, n, k = tile
    program = Program()
    a, b, c, groups = (program.pointer(name, element) for name, element in
                       (("a", "bf16"), ("b", "bf16"), ("c", "bf16"), ("groups", "i32")))
    count, rows, n_size, k_size = (program.size(name, multiple) for name, multiple in
                                   (("count", 1), ("rows", m), ("n", n), ("k", k)))
    row_tiles, column_tiles = program.promise(rows // m), program.ceiling(n_size, n)
    a_tiles, b_tiles = program.view(a, [rows, k_size], (m, k)), program.view(b, [count, n_size, k_size], (1, n, k))
    c_tiles, group_tiles = program.view(c, [rows, n_size], (m, n), padding=None), program.view(groups, [row_tiles], (1,))

    def make(number, _=()):
        row, column = in_groups(program, number, row_tiles, column_tiles)
        group = program.load(group_tiles, row).reshape()

        def body(step, sums):
            weights = program.load(b_tiles, group, column, step).reshape(n, k).permute(1, 0)
            return [program.multiply(program.load(a_tiles, row, step), weights, sums[0])]
        total = program.loop(0, program.ceiling(k_size, k), [program.zeros(m, n)], body)[0]
        program.store(total.to("bf16"), c_tiles, row, column)
        return []
    if shape == "persistent":
        program.loop(program.x, row_tiles * column_tiles, [], make, blocks_of_grid(program))
    else:
        make(program.x)
    random = numpy.random.default_rng(3)
    of_tiles = numpy.repeat(numpy.arange(len(counts), dtype=numpy.int32), -(-numpy.array(counts) // m))
    a, b = bf16(random, len(of_tiles) * m, depth), bf16(random, len(counts), width, depth, scale=0.1)
    expected = (bf16_values(a).reshape(-1, m, depth) @ bf16_values(b)[of_tiles].swapaxes(1, 2)).reshape(-1, width)
    grid = blocks if shape == "persistent" else len(of_tiles) * (width // n)
    return program.case(f"groups_{m}x{n}x{k}_{shape}", (grid, 1, 1),
                        {"count": len(counts), "rows": len(of_tiles) * m, "n": width, "k": depth},
                        {"a": a, "b": b, "groups": of_tiles}, {"c": ("bf16", expected)}, (2e-2, 2e-2))


def blocks_of_grid(program):
    names = [program.name() for _ in range(3)]
    program.line(f"{', '.join(names)} = get_num_tile_blocks : tile<i32>")
    return type(program.x)(program, names[0], (), "i32")


CASES = [gate_up((128, 64, 64)), gate_up((64, 128, 64), "view"), gate_up((128, 64, 64), "joined"),
         gate_up((16, 64, 64)), down((128, 128, 64)),
         down((64, 128, 64), "view"), down((64, 128, 64), "atomics"), down((16, 128, 64)), combine(256),
         down((128, 128, 64), "sorted"), combine_sorted(256),
         grouped((128, 128, 64)), grouped((64, 256, 64), "persistent")]

if __name__ == "__main__":
    sys.exit(program_checks.main(CASES, __doc__))
