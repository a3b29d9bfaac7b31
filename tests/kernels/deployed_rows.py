"""Kernels beside the products of deployed models that go over rows: quantisation to bytes with a scale for each 128 of them, also
behind a sum and a norm; lists of the slots of experts; the gradient of an embedding; causal convolutions along time.

  deployed_rows.py --tileiras FILE --emulator FILE [--gpu CHIP[,CHIP]] [NAME…]
"""

import sys

import numpy

import program_checks
from products import bf16_bits, bf16_values
from tile_programs import Program, Value

GROUP, LARGEST = 128, 448.0
FP8_CHIPS = ["sm_89", "sm_90", "sm_100", "sm_120"]


def quantise(program, x):
    """Of rows·columns: bytes, and a scale for each 128 of a row: what is largest becomes 448."""
    rows, columns = x.shape
    groups = x.reshape(rows, columns // GROUP, GROUP)
    largest = groups.function("absf").reduce(2, "maxf").largest("1.0e-10")
    factors = largest.program.constant(repr(LARGEST), "f32", largest.shape) / largest
    return (groups * factors.column()).reshape(rows, columns).to("f8E4M3FN"), largest * repr(1 / LARGEST)


def read_quantised(x):
    """Scales, with the groups outermost."""
    groups = x.reshape(len(x), -1, GROUP)
    return (numpy.abs(groups).max(axis=2) / LARGEST).T


def check_bytes(x):
    """arrange(): what bytes and scales mean, where that is x as exactly as bytes can say."""
    scales = numpy.repeat(read_quantised(x).T, GROUP, axis=1)

    def arrange(name, values):
        close = numpy.abs(values * scales - x) <= numpy.maximum(numpy.abs(x) / 15, scales * 2.0 ** -9) if name == "q" else None
        return numpy.where(close, x / scales, values) if name == "q" else values
    return arrange


def group_quant(rows, columns, blocks=2, width=512):
    """bf16 → e4m3; scales have the rows innermost, as products of blocks want them. Tiles of rows·columns."""
    program = Program()
    x, q, s = program.pointer("x", "bf16"), program.pointer("q", "f8E4M3FN"), program.pointer("s", "f32")
    m, n = program.size("m", 16), program.size("n", GROUP)
    tile = program.load(program.view(x, [m, n], (rows, columns)), program.x, program.y)
    values, scales = quantise(program, tile.to("f32"))
    program.store(values, program.view(q, [m, n], (rows, columns), padding=None), program.x, program.y)
    groups = program.promise(n // GROUP)
    program.store(scales.permute(1, 0), program.view(s, [groups, m], (columns // GROUP, rows), padding=None), program.y, program.x)
    data = bf16_bits(numpy.random.default_rng(0).standard_normal((blocks * rows, width)))
    wide = bf16_values(data).astype(float)
    expected = read_quantised(wide)
    return program.case(f"group_quant_{rows}x{columns}", (blocks, -(-width // columns), 1), {"m": blocks * rows, "n": width},
                        {"x": data}, {"q": ("e4m3", wide / numpy.repeat(expected.T, GROUP, axis=1)), "s": (numpy.float32, expected)},
                        (1e-5, 1e-6), check_bytes(wide), FP8_CHIPS)


def norm_quant(width, columns, blocks=3):
    """t = r + x; y = rms norm of t · w, as bytes. A row a block, of `width` columns, which the tile may be wider than, or its
    tiles one after the other, in two passes."""
    program = Program()
    x, r, t, w, q, s = (program.pointer(name, element) for name, element in
                        (("x", "bf16"), ("r", "bf16"), ("t", "bf16"), ("w", "bf16"), ("q", "f8E4M3FN"), ("s", "f32")))
    m = program.size("m", 16)
    groups = width // GROUP
    view = lambda array, padding="zero": program.view(array, [m, width], (1, columns), padding=padding)
    x_tiles, r_tiles, q_tiles, t_tiles, t_written = view(x), view(r), view(q, None), view(t), view(t, None)
    w_tiles = program.view(w, [width], (columns,))
    s_tiles = program.view(s, [groups, m], (columns // GROUP, 1), padding=None)
    steps = -(-width // columns)

    def sums(step):
        both = program.load(x_tiles, program.x, step).to("f32") + program.load(r_tiles, program.x, step).to("f32")
        return both, program.store(both.to("bf16"), t_written, program.x, step)

    def scale_of(squares):
        return (squares.reduce(1) * repr(1 / width) + "1.0e-6").function("rsqrt").column()

    def finish(step, both, factor):
        values, scales = quantise(program, both * factor * program.load(w_tiles, step).to("f32").row())
        program.store(values, q_tiles, program.x, step)
        program.store(scales.permute(1, 0), s_tiles, step, program.x)
    if steps == 1:
        both, _ = sums(0)
        finish(0, both, scale_of(both * both))
    else:
        def first(step, carried):
            both, done = sums(step)
            return [both.fma(both, carried[0]), join(program, carried[1], done)]
        squares, program.token = program.loop(0, steps, [program.zeros(1, columns), program.token], first)
        factor = scale_of(squares)

        def second(step, _):
            finish(step, program.load(t_tiles, program.x, step).to("f32"), factor)
            return []
        program.loop(0, steps, [], second)
    random = numpy.random.default_rng(width)
    data = {name: bf16_bits(random.standard_normal((blocks, width))) for name in "xr"}
    data["w"] = bf16_bits(random.uniform(0.5, 1.5, width))
    both = bf16_values(data["x"]).astype(float) + bf16_values(data["r"])
    stored = bf16_values(bf16_bits(both)) if steps > 1 else both
    y = stored / numpy.sqrt((both * both).mean(axis=1, keepdims=True) + 1e-6) * bf16_values(data["w"])
    scales = read_quantised(y)
    return program.case(f"norm_quant_{width}_{columns}", (blocks, 1, 1), {"m": blocks}, data,
                        {"t": ("bf16", both), "q": ("e4m3", y / numpy.repeat(scales.T, GROUP, axis=1)), "s": (numpy.float32, scales)},
                        (4e-3, 1e-6), check_bytes(y), FP8_CHIPS)


def join(program, *tokens):
    name = program.name()
    program.line(f"{name} = join_tokens {', '.join(tokens)} : token")
    return name


def moe_align(experts, tile, block=128, chosen=8, tokens=200):
    """One block: counts the slots of each expert, and puts each slot's number at its place among the experts' rows, which are
    padded to whole blocks of rows; the expert of each block. Counts and places are in memory of the block's own: a sum there
    says how many came before a slot."""
    program = Program()
    ids, slots, of_blocks, total = (program.pointer(name, "i32") for name in ("ids", "slots", "of_blocks", "total"))
    size, places = program.size("slots_of_all"), program.size("places")
    lane, steps, ones = program.iota(tile), program.ceiling(size, tile), program.constant(1, "i32", (tile,))
    counts, first = program.own(experts, "i32")
    program.wait(program.store_at(program.zeros(experts, element="i32"), counts))

    def visit(what):
        def body(step, tokens):
            index = lane + step * tile
            mask = index < size
            before = program.atomic("add", first.offset(program.load_at(ids.offset(index), mask)), ones, mask)
            return [join(program, tokens[0], f"{before}_done", *what(index, before, mask))]
        program.token, = program.loop(0, steps, [program.token], body)
        program.wait()
    visit(lambda index, before, mask: [])
    counted = program.load_at(counts)
    padded = (counted + (block - 1)) // block * block
    ends = padded.scan(0)
    program.store_at(ends.extract([experts - 1], (1,)), total.offset(program.iota(1)))
    program.loop(0, program.ceiling(places, 64), [], lambda step, _: expert_of_blocks(
        program, of_blocks, program.iota(64) + step * 64, ends, block, places))
    program.wait(f"{counted}_read")
    program.wait(program.store_at(ends - padded, counts))
    visit(lambda index, before, mask: [program.store_at(index, slots.offset(before), mask)])
    slots_of_all = tokens * chosen
    of_slots = numpy.random.default_rng(0).integers(0, experts - 1, slots_of_all).astype(numpy.int32)
    counted = numpy.bincount(of_slots, minlength=experts)
    whole = -(-counted // block) * block
    ends = numpy.cumsum(whole)
    most = slots_of_all // block + experts
    lists = numpy.full(most * block, -1, numpy.int32)
    for expert in range(experts):
        mine = numpy.nonzero(of_slots == expert)[0]
        lists[ends[expert] - whole[expert]:][:len(mine)] = mine
    of = numpy.searchsorted(ends, numpy.arange(most) * block, side="right").clip(max=experts - 1).astype(numpy.int32)

    def arrange(name, values):
        """Slots of an expert may come in any order."""
        values = values.copy()
        for expert in range(experts) if name == "slots" else ():
            values[ends[expert] - whole[expert]:][:counted[expert]].sort()
        return values
    return program.case(f"moe_align_{experts}_{tile}", (1, 1, 1), {"slots_of_all": slots_of_all, "places": most},
                        {"ids": of_slots, "slots": numpy.full_like(lists, -1)},
                        {"slots": (numpy.int32, lists), "of_blocks": (numpy.int32, of), "total": (numpy.int32, ends[-1:])},
                        arrange=arrange)


def expert_of_blocks(program, of_blocks, number, ends, block, count):
    """The experts that end before a block's first row."""
    before = (ends.row() <= (number * block).column()).to("i32").reduce(1, "addi", "0")
    most = before.smallest(ends.shape[0] - 1)
    program.store_at(most, of_blocks.offset(number), number < count)
    return []


def embedding_backward(rows, columns, entries=40, tokens=24, width=256):
    """dW[number] += dy: an atomic sum for each element."""
    program = Program()
    dy, dw, numbers = program.pointer("dy", "bf16"), program.pointer("dw", "f32"), program.pointer("numbers", "i32")
    m, n = program.size("m", rows), program.size("n", columns)
    number = program.load(program.view(numbers, [m], (rows,)), program.x)
    tile = program.load(program.view(dy, [m, n], (rows, columns)), program.x, program.y).to("f32")
    column = program.iota(columns) + program.y * columns
    program.atomic("addf", dw.offset((number * n).column() + column.row()), tile)
    random = numpy.random.default_rng(0)
    data = {"dy": bf16_bits(random.standard_normal((tokens, width))), "numbers": random.integers(0, entries, tokens).astype(numpy.int32)}
    expected = numpy.zeros((entries, width))
    numpy.add.at(expected, data["numbers"], bf16_values(data["dy"]))
    return program.case(f"embedding_backward_{rows}x{columns}", (tokens // rows, width // columns, 1), {"m": tokens, "n": width}, data,
                        {"dw": (numpy.float32, expected)}, (1e-3, 1e-3))


def embedding_sorted(columns, entries=40, tokens=64, width=256):
    """The same, in an order that does not change: tokens are sorted by their number; a block has one number, and adds its
    tokens' rows."""
    program = Program()
    dy, dw = program.pointer("dy", "bf16"), program.pointer("dw", "bf16")
    order, starts, numbers = (program.pointer(name, "i32") for name in ("order", "starts", "numbers"))
    n, count = program.size("n", columns), program.size("count")
    at = lambda array, index: program.load_at(array.offset(index))
    segment = program.x
    number, first, last = at(numbers, segment), at(starts, segment), at(starts, segment + 1)
    column = program.iota(columns) + program.y * columns

    def body(index, sums):
        row = at(order, index)
        return [sums[0] + program.load_at(dy.offset(row * n + column)).to("f32")]
    total, = program.loop(first, last, [program.zeros(columns)], body)
    program.store_at(total.to("bf16"), dw.offset(number * n + column))
    random = numpy.random.default_rng(1)
    dy, numbers = bf16_bits(random.standard_normal((tokens, width))), random.integers(0, entries, tokens)
    found, counts = numpy.unique(numbers, return_counts=True)
    data = {"dy": dy, "order": numpy.argsort(numbers, kind="stable").astype(numpy.int32),
            "starts": numpy.append(0, numpy.cumsum(counts)).astype(numpy.int32), "numbers": found.astype(numpy.int32)}
    expected = numpy.zeros((entries, width))
    numpy.add.at(expected, numbers, bf16_values(dy))
    return program.case(f"embedding_sorted_{columns}", (len(found), width // columns, 1), {"n": width, "count": len(found)}, data,
                        {"dw": ("bf16", expected)}, (1e-2, 1e-2))


def carry_rows(program, x, y, weights, bias, rows, columns, taps, finish):
    """A row at a time, from the block's first one on."""
    n = Value(program, "%n", (), "i32")
    lane = (program.iota(columns) + program.y * columns).row()
    first, factors = program.x * rows, [program.load(weights, tap, program.y).to("f32") for tap in range(taps)]

    def load(time):
        return program.load_at(x.offset(lane + time * n), (time >= 0).spread(1, columns)).to("f32")

    def body(step, before):
        latest = [*before, load(first + step)]
        total = bias
        for value, factor in zip(latest, factors):
            total = value.fma(factor, total)
        program.store_at(finish(total), y.offset(lane + (first + step) * n))
        return latest[1:]
    program.loop(0, rows, [load(first - back) for back in range(taps - 1, 0, -1)], body)


def causal_conv(rows, columns, way="pointers", blocks=2, width=128, taps=4):
    """y[t] = silu(bias + Σ w[j] · x[t - 3 + j]), of each channel, channels innermost. way: pointers, whose mask makes zeros of
    what came before; views, that overlap, of an array that has `taps` - 1 rows before the first; loop, over the rows, which carries
    the last ones."""
    program = Program()
    x, w, bias, y = (program.pointer(name, "bf16") for name in ("x", "w", "bias", "y"))
    m, n = program.size("m", rows), program.size("n", columns)
    column = program.y
    silu = lambda value: (value / (1.0 + (0.0 - value).function("exp"))).to("bf16")
    weights = program.view(w, [taps, n], (1, columns))
    bias_row = program.load(program.view(bias, [n], (columns,)), column).to("f32").row()
    total = bias_row if way == "loop" else bias_row.spread(rows, columns)
    if way == "loop":
        carry_rows(program, x, y, program.view(w, [taps, n], (1, columns)), total, rows, columns, taps,
                   silu)
    elif way == "views":
        # An index counts rows.
        shifted = program.view(x, [program.size("m_and_before"), n], (rows, columns), steps=(1, columns))
        load = lambda tap: program.load(shifted, program.x * rows + tap, column)
    else:
        row, lane = program.iota(rows) + program.x * rows, program.iota(columns) + column * columns

        def load(tap):
            time = row + (tap - taps + 1)
            mask = (time >= 0).column().spread(rows, columns)
            return program.load_at(x.offset((time * n).column() + lane.row()), mask)
    if way != "loop":
        for tap in range(taps):
            total = load(tap).to("f32").fma(program.load(weights, tap, column).to("f32"), total)
        program.store(silu(total), program.view(y, [m, n], (rows, columns), padding=None), program.x, column)
    random, length = numpy.random.default_rng(5), blocks * rows
    before = taps - 1 if way == "views" else 0
    data = {name: bf16_bits(random.standard_normal(shape)) for name, shape in
            (("x", (length + before, width)), ("w", (taps, width)), ("bias", width))}
    x = numpy.concatenate([numpy.zeros((taps - 1 - before, width)), bf16_values(data["x"])])
    total = bf16_values(data["bias"]) + sum(bf16_values(data["w"])[tap] * x[tap:tap + length] for tap in range(taps))
    return program.case(f"causal_conv_{rows}x{columns}_{way}", (blocks, width // columns, 1),
                        {"m": length, "n": width, "m_and_before": length + before}, data,
                        {"y": ("bf16", total / (1 + numpy.exp(-total)))}, (1e-2, 1e-2))


CASES = [group_quant(16, 256), group_quant(1, 512), norm_quant(896, 1024), norm_quant(768, 256), moe_align(32, 512),
         embedding_backward(4, 128), embedding_sorted(128), causal_conv(32, 128), causal_conv(32, 128, "views"),
         causal_conv(16, 128, "loop")]

if __name__ == "__main__":
    sys.exit(program_checks.main(CASES, __doc__))
