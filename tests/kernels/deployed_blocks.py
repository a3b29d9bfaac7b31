"""Products of bytes with a scale for each 1x128 of A and each 128x128 of B, as models of fp8 are served (DeepGEMM, vLLM).

  deployed_blocks.py --tileiras FILE --emulator FILE [--gpu CHIP[,CHIP]] [NAME…]

A: M·K, B: N·K, e4m3. Scales of A lie with the rows innermost, those of B with K innermost. Sums of a block of K = 128 are
scaled and added. `masked`: several groups, of each of which a number of rows is in use that only the device knows.
"""

import sys

import numpy

import program_checks
from tile_programs import E4M3, Program

BLOCK = 128
FP8_CHIPS = ["sm_89", "sm_90", "sm_100", "sm_120"]


def scaled_sum(program, tile, loads, steps):
    """Σ over blocks of K of (A·B) · scales; loads(step): tiles of A, B turned, and the two scales spread to the product's."""
    m, n, _ = tile

    def body(step, sums):
        a, b, row_scales, column_scales = loads(step)
        part = program.multiply(a, b.permute(1, 0), program.zeros(m, n))
        return [part.fma(row_scales * column_scales, sums[0])]
    return program.loop(0, steps, [program.zeros(m, n)], body)[0]


def spread_columns(scales, n):
    """Scales of blocks of 128 columns, for each column."""
    count = scales.shape[-2]
    return scales.reshape(1, 1) if count == 1 else scales.reshape(count, 1).spread(count, n // count).reshape(1, n)


def matmul(tile, steps=3, rows=None):
    m, n, k = tile
    program = Program()
    a, b, sa, sb, c = (program.pointer(name, element) for name, element in
                       (("a", "f8E4M3FN"), ("b", "f8E4M3FN"), ("sa", "f32"), ("sb", "f32"), ("c", "bf16")))
    m_size, n_size, k_size = (program.size(name, multiple) for name, multiple in (("m", 16), ("n", 16), ("k", BLOCK)))
    blocks = program.promise(k_size // BLOCK)
    a_tiles, b_tiles = program.view(a, [m_size, k_size], (m, k)), program.view(b, [n_size, k_size], (n, k))
    sa_tiles = program.view(sa, [blocks, m_size], (1, m))
    sb_tiles = program.view(sb, [program.promise(program.ceiling(n_size, BLOCK)), blocks], (max(1, n // BLOCK), 1))

    def loads(step):
        scales = program.load(sb_tiles, program.y, step)
        return (program.load(a_tiles, program.x, step), program.load(b_tiles, program.y, step),
                program.load(sa_tiles, step, program.x).reshape(m, 1), spread_columns(scales, n))
    total = scaled_sum(program, tile, loads, program.ceiling(k_size, k))
    program.store(total.to("bf16"), program.view(c, [m_size, n_size], (m, n), padding=None), program.x, program.y)
    random, rows, depth = numpy.random.default_rng(m + n), rows or m, steps * k
    a, b = (random.integers(0x20, 0x48, (size, depth)).astype(numpy.uint8) for size in (rows, n))
    scale_a = random.uniform(0.5, 2, (steps, rows)).astype(numpy.float32)
    scale_b = random.uniform(0.5, 2, (-(-n // BLOCK), steps)).astype(numpy.float32)
    wide_a = E4M3[a] * numpy.repeat(scale_a.T, BLOCK, axis=1)
    wide_b = E4M3[b] * numpy.repeat(numpy.repeat(scale_b, BLOCK, axis=0)[:n], BLOCK, axis=1)
    return program.case(f"blocks_e4m3_{m}x{n}x{k}", (-(-rows // m), 1, 1), {"m": rows, "n": n, "k": depth},
                        {"a": a, "b": b, "sa": scale_a, "sb": scale_b}, {"c": ("bf16", wide_a @ wide_b.T)}, (1e-2, 1e-2),
                        chips=FP8_CHIPS)


def masked(tile, counts=(40, 0, 64), steps=2, width=256):
    """Groups of at most m rows; a tile block makes a tile of columns of one group, or nothing where the group has no rows."""
    m, n, k = tile
    program = Program()
    a, b, sa, sb, counted, c = (program.pointer(name, element) for name, element in
                                (("a", "f8E4M3FN"), ("b", "f8E4M3FN"), ("sa", "f32"), ("sb", "f32"), ("counts", "i32"),
                                 ("c", "bf16")))
    groups, m_size, n_size, k_size = (program.size(name, multiple) for name, multiple in
                                      (("groups", 1), ("m", 16), ("n", BLOCK), ("k", BLOCK)))
    blocks, row, group = program.promise(k_size // BLOCK), program.x, program.z
    a_tiles, b_tiles = program.view(a, [groups, m_size, k_size], (1, m, k)), program.view(b, [groups, n_size, k_size], (1, n, k))
    sa_tiles = program.view(sa, [groups, blocks, m_size], (1, 1, m))
    sb_tiles = program.view(sb, [groups, program.promise(n_size // BLOCK), blocks], (1, max(1, n // BLOCK), 1))
    c_tiles = program.view(c, [groups, m_size, n_size], (1, m, n), padding=None)
    count = program.load(program.view(counted, [groups], (1,)), group).reshape()

    def loads(step):
        return (program.load(a_tiles, group, row, step).reshape(m, k), program.load(b_tiles, group, program.y, step).reshape(n, k),
                program.load(sa_tiles, group, step, row).reshape(m, 1),
                spread_columns(program.load(sb_tiles, group, program.y, step).reshape(max(1, n // BLOCK), 1), n))

    def body():
        total = scaled_sum(program, tile, loads, blocks)
        program.store(total.to("bf16").reshape(1, m, n), c_tiles, group, row, program.y)
    program.when(row * m < count, body)
    random, depth = numpy.random.default_rng(n), steps * k
    a, b = (random.integers(0x20, 0x48, (len(counts), size, depth)).astype(numpy.uint8) for size in (m, width))
    scale_a = random.uniform(0.5, 2, (len(counts), steps, m)).astype(numpy.float32)
    scale_b = random.uniform(0.5, 2, (len(counts), width // BLOCK, steps)).astype(numpy.float32)
    wide_a = E4M3[a] * numpy.repeat(scale_a.swapaxes(1, 2), BLOCK, axis=2)
    wide_b = E4M3[b] * numpy.repeat(numpy.repeat(scale_b, BLOCK, axis=1), BLOCK, axis=2)
    expected = wide_a @ wide_b.swapaxes(1, 2)
    expected[[index for index, count in enumerate(counts) if not count]] = 0
    return program.case(f"blocks_e4m3_masked_{m}x{n}x{k}", (1, width // n, len(counts)),
                        {"groups": len(counts), "m": m, "n": width, "k": depth},
                        {"a": a, "b": b, "sa": scale_a, "sb": scale_b, "counts": numpy.array(counts, numpy.int32)},
                        {"c": ("bf16", expected)}, (1e-2, 1e-2), chips=FP8_CHIPS)


CASES = [matmul((128, 128, 128), rows=240), matmul((64, 256, 128)), masked((64, 128, 128))]

if __name__ == "__main__":
    sys.exit(program_checks.main(CASES, __doc__))
