"""Convolutions of images as products, Fourier transforms of rows, and the largest elements of rows.

  deployed_transforms.py --tileiras FILE --emulator FILE [--gpu CHIP[,CHIP]] [NAME…]
"""

import sys

import numpy

import program_checks
from tile_programs import Program


def conv2d(tile, way="pointers", height=16, width=16, depth=64, columns=None, sides=(4, 8)):
    """3x3, of height·width·depth, channels innermost; weights: columns·(3·3·depth). An iteration has `tile[2]` channels of one of
    the nine shifts. way: pointers, whose mask makes zeros of what is outside; views, that overlap, of an image with a border of
    zeros: tiles of sides[0]·sides[1] pixels."""
    m, n, k = tile
    columns = columns or n
    program = Program()
    x, w, y = (program.pointer(name, "f16") for name in "xwy")
    rows, line, channels, n_size = (program.size(name, multiple) for name, multiple in
                                    (("height", 1), ("width", 1), ("channels", k), ("n", n)))
    parts = channels // k
    w_tiles = program.view(w, [n_size, program.promise(channels * 9, k)], (n, k))
    if way == "views":
        tall, wide = sides
        bordered = [program.size("bordered_height"), program.size("bordered_width")]
        across = program.promise(program.ceiling(line, wide))
        top, left = program.x // across * tall, program.x % across * wide
        shifted = program.view(x, [*bordered, channels], (tall, wide, k), steps=(1, 1, k))
        y_tiles = program.view(y, [rows, line, n_size], (tall, wide, n), padding=None)
        load = lambda down, right, part: program.load(shifted, top + down, left + right, part).reshape(m, k)
    else:
        pixel = program.iota(m) + program.x * m
        in_row, in_line = pixel // line, pixel % line
        channel = program.iota(k)
        y_tiles = program.view(y, [program.promise(rows * line), n_size], (m, n), padding=None)

        def load(down, right, part):
            row, place = in_row + (down - 1), in_line + (right - 1)
            mask = (row >= 0) & (row < rows) & (place >= 0) & (place < line)
            at = x.offset(((row * line + place) * channels).column() + (channel + part * k).row())
            return program.load_at(at, mask.column().spread(m, k))

    def body(step, sums):
        shift, part = step // parts, step % parts
        pixels = load(shift // 3, shift % 3, part)
        return [program.multiply(pixels, program.load(w_tiles, program.y, step).permute(1, 0), sums[0])]
    total = program.loop(0, parts * 9, [program.zeros(m, n)], body)[0].to("f16")
    if way == "views":
        program.store(total.reshape(*sides, n), y_tiles, program.x // across, program.x % across, program.y)
    else:
        program.store(total, y_tiles, program.x, program.y)
    random = numpy.random.default_rng(0)
    image, weights = random.standard_normal((height, width, depth)), 0.1 * random.standard_normal((columns, 3, 3, depth))
    image, weights = image.astype(numpy.float16), weights.astype(numpy.float16)
    padded = numpy.pad(image, ((1, 1), (1, 1), (0, 0)))
    expected = sum(padded[down:down + height, right:right + width].astype(float) @ weights[:, down, right].T.astype(float)
                   for down in range(3) for right in range(3))
    pixels = height * width
    return program.case(f"conv2d_{m}x{n}x{k}_{way}", (-(-pixels // m), columns // n, 1),
                        {"height": height, "width": width, "channels": depth, "n": columns, "bordered_height": height + 2,
                         "bordered_width": width + 2},
                        {"x": padded if way == "views" else image, "w": weights},
                        {"y": (numpy.float16, expected if way == "views" else expected.reshape(pixels, columns))}, (1e-2, 1e-2))


def twiddles(length):
    """Of each step of four: three rows of factors, real and imaginary parts, one step after the other."""
    parts = []
    while length > 1:
        angles = -2 * numpy.pi / length * numpy.outer(numpy.arange(1, 4), numpy.arange(length // 4))
        parts += [numpy.cos(angles).ravel(), numpy.sin(angles).ravel()]
        length //= 4
    return numpy.concatenate(parts).astype(numpy.float32)


def fft(length, rows=1, blocks=3):
    """Of each row of complex numbers, by steps of four that leave the order as it was (Stockham); `rows` rows a block."""
    program = Program()
    x, w, y = program.pointer("x", "f32"), program.pointer("w", "f32"), program.pointer("y", "f32")
    m = program.size("m", rows)
    view = lambda array, padding="zero": program.view(array, [m, length, 2], (rows, length, 2), padding=padding)
    pairs = program.load(view(x), program.x, 0, 0)
    parts = [pairs.extract([0, 0, part], (rows, length, 1)).reshape(rows, length) for part in (0, 1)]
    part, stride, start = length // 4, 1, 0
    while part:
        parts = [value.reshape(rows, 4, part, stride) for value in parts]
        a, b, c, d = ([value.extract([0, each, 0, 0], (rows, 1, part, stride)).reshape(rows, part, stride) for value in parts]
                      for each in range(4))
        plus, minus, plus_other, turned = (add(a, c), sub(a, c), add(b, d), sub(b, d))
        turned = turned[1], 0.0 - turned[0]  # -i times it
        results = [add(plus, plus_other), add(minus, turned), sub(plus, plus_other), sub(minus, turned)]
        for row in range(3) if part > 1 else ():
            at = [w.offset(program.iota(part) + (start + 3 * part * side + row * part)) for side in (0, 1)]
            factor = [program.load_at(pointers).reshape(1, part, 1) for pointers in at]
            results[row + 1] = times(results[row + 1], factor)
        parts = [together(program, [result[side] for result in results], (rows, part, stride)).reshape(rows, length) for side in (0, 1)]
        start, part, stride = start + 6 * part, part // 4, 4 * stride
    pairs = cat(program, *[value.reshape(rows, length, 1) for value in parts], 2)
    program.store(pairs, view(y, None), program.x, 0, 0)
    random = numpy.random.default_rng(length)
    data = random.standard_normal((blocks * rows, length, 2)).astype(numpy.float32)
    result = numpy.fft.fft(data[..., 0] + 1j * data[..., 1], axis=1)
    return program.case(f"fft_{length}_{rows}", (blocks, 1, 1), {"m": blocks * rows}, {"x": data, "w": twiddles(length)},
                        {"y": (numpy.float32, numpy.stack([result.real, result.imag], axis=2))}, (1e-3, 1e-3))


def add(x, y):
    return x[0] + y[0], x[1] + y[1]


def sub(x, y):
    return x[0] - y[0], x[1] - y[1]


def times(x, y):
    return x[0].fma(y[0], 0.0 - x[1] * y[1]), x[0].fma(y[1], x[1] * y[0])


def cat(program, first, second, dimension):
    shape = [extent * (2 if index == dimension else 1) for index, extent in enumerate(first.shape)]
    return program.convert(f"cat {first}, {second} dim = {dimension}", f"{first.type}, {second.type}", shape, first.element)


def together(program, values, shape):
    """Four of rows·part·stride as rows·part·4·stride."""
    rows, part, stride = shape
    flat = [value.reshape(rows, part, 1, stride) for value in values]
    return cat(program, cat(program, flat[0], flat[1], 2), cat(program, flat[2], flat[3], 2), 2)


def ordered(value):
    """Integers in the order of the floats."""
    bits = value.program.convert(f"bitcast {value}", value, value.shape, "i32")
    return bits ^ ((bits >> 31) & 0x7FFFFFFF)


def top_k_top_p(columns, most=64, rows=3, width=3000, k=50, p=0.8):
    """Of each row the k largest, of these the ones before which less than p of their probability lies: their numbers and
    probabilities, in any order. The k-th is searched for by counts of 11 bits of all that has the same bits before them, in
    memory of the block's own; a list takes what is as large."""
    program = Program()
    x, found, count, values, numbers = (program.pointer(name, element) for name, element in
                                        (("x", "f32"), ("found", "f32"), ("count", "i32"), ("values", "f32"), ("numbers", "i32")))
    m, n, wanted = program.size("m"), program.size("n", 16), program.size("k")
    tiles = program.view(x, [m, n], (1, columns), padding="neg_inf")
    row, steps, bins, sign = program.x, program.ceiling(n, columns), 2048, -(1 << 31)
    bin_at, first_bin = program.own(bins, "i32")
    bin_number, ones = program.iota(bins), program.constant(1, "i32", (columns,))
    known, above = program.constant(0), program.constant(0)
    for shift, bits in ((21, 11), (10, 11), (0, 10)):
        program.wait(program.store_at(program.zeros(bins, element="i32"), bin_at))

        def body(step, tokens):
            keys = ordered(program.load(tiles, row, step).reshape(columns)) ^ sign
            same = keys.shift_right(shift + bits).equals(known.shift_right(shift + bits)) if shift + bits < 32 else None
            added = program.atomic("add", first_bin.offset(keys.shift_right(shift) & ((1 << bits) - 1)), ones, same)
            return [f"{added}_done"]
        program.token, = program.loop(0, steps, [program.token], body)
        program.wait()
        counts = program.load_at(bin_at)
        program.wait(f"{counts}_read")
        reached = (counts.scan(0, reverse="true") + above >= wanted).to("i32").reduce(0, "addi", "0") - 1
        above = above + (bin_number > reached).select(counts, 0).reduce(0, "addi", "0")
        known = known | (reached << shift)
    lowest = known ^ sign

    def collect(step, tokens):
        tile = program.load(tiles, row, step).reshape(columns)
        mine = ordered(tile) >= lowest
        place = program.atomic("add", count.offset(row).spread(columns), program.constant(1, "i32", (columns,)), mine)
        is_room = mine & (place < most)
        at = place + row * most
        written = program.store_at(tile, found.offset(at), is_room)
        noted = program.store_at(program.iota(columns) + step * columns, numbers.offset(at), is_room)
        name = program.name()
        program.line(f"{name} = join_tokens {tokens[0]}, {written}, {noted} : token")
        return [name]
    program.token, = program.loop(0, steps, [program.token], collect)
    place = program.iota(most)
    how_many = program.load_at(count.offset(row))
    largest = program.load_at(found.offset(place + row * most), place < how_many, "0xFF800000")
    powers = (largest - largest.reduce(0, "maxf", "0xFF800000")).function("exp")
    shares = powers / powers.reduce(0)
    before = (largest.row() > largest.column()).select(shares.row().spread(most, most), "0.0").reduce(1)
    kept = (before < repr(p)).select(shares, "0.0")
    program.store_at(kept / kept.reduce(0), values.offset(place + row * most))
    data = numpy.random.default_rng(0).standard_normal((rows, width)).astype(numpy.float32)
    expected = numpy.zeros((rows, most))
    for row, line in enumerate(data.astype(float)):
        best = numpy.sort(line)[::-1][:k]
        shares = numpy.exp(best - best[0]) / numpy.exp(best - best[0]).sum()
        kept = shares * (numpy.cumsum(shares) - shares < p)
        expected[row, :k] = kept / kept.sum()
    lists = numpy.argsort(-data, axis=1, kind="stable")[:, :k]
    expected_numbers = numpy.concatenate([numpy.full((rows, most - k), -1), numpy.sort(lists, axis=1)], axis=1)

    def arrange(name, values):
        return -numpy.sort(-values, axis=1) if name == "values" else numpy.sort(values, axis=1)
    return program.case(f"top_k_top_p_{columns}", (rows, 1, 1), {"m": rows, "n": width, "k": k},
                        {"x": data, "count": numpy.zeros(rows, numpy.int32), "found": numpy.zeros((rows, most), numpy.float32),
                         "numbers": numpy.full((rows, most), -1, numpy.int32)},
                        {"values": (numpy.float32, expected), "numbers": (numpy.int32, expected_numbers)}, (1e-3, 1e-4), arrange)


CASES = [conv2d((128, 64, 64), sides=(8, 16)), conv2d((64, 64, 32), "views", sides=(8, 8)), fft(256, 2), fft(1024),
         top_k_top_p(512)]

if __name__ == "__main__":
    sys.exit(program_checks.main(CASES, __doc__))
