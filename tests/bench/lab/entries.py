"""The lab's kernels: what people run, at sizes that they run, with the tiles that may suit.

Modules come from the generators of tests/kernels, which check what they compute at small sizes; a launch here has its own
grid, sizes and buffers. Each function gives the choices for one row of the table.
"""

import functools
import math
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "kernels"))

import attention_kernels  # noqa: E402
import deployed_products  # noqa: E402
import layer_kernels  # noqa: E402
import memory_kernels  # noqa: E402
import narrow_weights  # noqa: E402
import products  # noqa: E402
import scaled_products  # noqa: E402
import deployed_attention  # noqa: E402
import deployed_layers  # noqa: E402
from entry import Entry, blocks  # noqa: E402

MULTIPROCESSORS = 132


def bytes_of(result):
    """Of an element of a result."""
    return numpy.dtype(products.RESULTS[result]).itemsize


def describe_ctas(ctas):
    return f", {ctas} CTAs" if ctas > 1 else ""


def cluster_options(ctas):
    return ["--set", f"num-ctas={ctas}"] if ctas > 1 else []


def matmul(element, m, n, k, tiles, transposed="nn", shape="plain", batch=1, fast=False, result=None):
    """A tile has three sizes, and the number of CTAs of its tile block where that is not one."""
    def choose(tile, ctas=1):
        case = products.matmul(element, tile, transposed, shape, fast, result=result)
        kind = products.ELEMENTS[element].returning(result)
        size = bytes_of(kind.wide if shape == "split" else kind.result)
        grid, integers = [blocks(m, tile[0]), blocks(n, tile[1]), batch], [m, n, k]
        if shape == "split":
            grid[2] = 2
        if shape == "persistent":
            grid = [MULTIPROCESSORS // ctas, 1, 1]
        if shape == "batched":
            integers.append(batch)
        buffers = {"a": batch * m * k * kind.size, "b": batch * k * n * kind.size, "c": batch * m * n * size}
        if shape == "gelu":
            buffers["bias"] = n * size
        sizes = f"{batch}x{m}x{n}x{k}".removeprefix("1x")
        words = ["matmul", element, transposed, sizes] + [shape] * (shape != "plain") + ["fast"] * fast
        operation = {"kind": "matmul", "element": element, "batch": batch, "m": m, "n": n, "k": k, "transposed": transposed,
                     "shape": shape, "fast": fast, "result": kind.wide if shape == "split" else kind.result}
        return Entry(" ".join(words + (["to", result] if result else [])),
                     "x".join(map(str, tile)) + describe_ctas(ctas), case, grid, buffers, integers,
                     operation, 2 * batch * m * n * k, ["c"], options=cluster_options(ctas))
    return [choose(tile[:3], *tile[3:]) for tile in tiles]


def scaled(element, m, n, k, tiles, scales="ii"):
    """Block-scaled: interleaved scales, or "nt", row-major ones. Tiles as for `matmul`."""
    def choose(tile, ctas=1):
        case = scaled_products.Case(element, tile, scales=scales, steps=1, promised=16)
        name, _, block, kind = scaled_products.KINDS[element]
        sizes = case.get_sizes(m, n, k)
        bits = 4 if name == "f4E2M1FN" else 8
        buffers = {"a": m * k * bits // 8, "b": k * n * bits // 8, "sa": m * k // block, "sb": k * n // block, "c": m * n * 4}
        words = ["matmul", kind if bits == 4 else f"mx{element}", f"{m}x{n}x{k}"] + ["row-major scales"] * (scales != "ii")
        return Entry(" ".join(words), "x".join(map(str, tile)) + describe_ctas(ctas), case.build(),
                     [blocks(m, tile[0]), blocks(n, tile[1]), 1], buffers, list(sizes.values()),
                     {"kind": "scaled matmul", "element": element, "m": m, "n": n, "k": k}, 2 * m * n * k, ["c"],
                     options=cluster_options(ctas))
    return [choose(tile[:3], *tile[3:]) for tile in tiles]


def weights(way, element, m, n, k, tiles, transposed=False, published="", reason=""):
    """Weights of 8 or 4 bits with scales of groups. Tiles as for `matmul`."""
    def choose(tile, ctas=1):
        case = narrow_weights.make(way, element, tile, transposed, steps=1, multiples=[math.gcd(size, 128) for size in (m, n, k)])
        bits, group = (8 if way == "s8" else 4), narrow_weights.GROUP[way]
        buffers = {"a": m * k * 2, "b": k * n * bits // 8, "scales": k * n // group * (1 if way == "mxfp4" else 2), "c": m * n * 4}
        return Entry(f"weights {way} {element} {m}x{n}x{k}" + " transposed" * transposed,
                     "x".join(map(str, tile)) + describe_ctas(ctas), case, [blocks(m, tile[0]), blocks(n, tile[1]), 1],
                     buffers, [m, n, k], {"kind": "weights", "way": way, "element": element, "m": m, "n": n, "k": k,
                                          "transposed": transposed},
                     2 * m * n * k, ["c"], options=cluster_options(ctas), published=published, reason=reason)
    return [choose(tile[:3], *tile[3:]) for tile in tiles]


def experts(groups, m, n, k, tiles):
    """Each of `groups` experts has m rows, of tokens in any order."""
    def choose(tile):
        count = groups * blocks(m, tile[0])
        data = {"token_of_row": numpy.random.default_rng(0).permutation(groups * m).astype(numpy.int32),
                "expert_of_block": numpy.repeat(numpy.arange(groups, dtype=numpy.int32), count // groups)}
        buffers = {"x": groups * m * k * 2, "w": groups * n * k * 2, "y": groups * m * n * 2,
                   **{name: values.nbytes for name, values in data.items()}}
        return Entry(f"experts {groups}x{m}x{n}x{k}", "x".join(map(str, tile)), products.experts(tile),
                     [count, blocks(n, tile[1]), 1], buffers, [groups * m, groups * m, n, k, groups, count],
                     {"kind": "experts", "groups": groups, "m": m, "n": n, "k": k, "blocks": count},
                     2 * groups * m * n * k, ["y"], data)
    return [choose(tile) for tile in tiles]


def random_halves(size):
    """f16 of `size` bytes, normally distributed: the same 2 MiB again and again."""
    values = numpy.random.default_rng(0).standard_normal(1 << 20, dtype=numpy.float32).astype(numpy.float16)
    return numpy.resize(values, size // 2)


def attention(d, length, batch, tiles, causal=False, heads=1):
    """`batch`: sequences times heads of keys; `heads` of queries share one. How often maxima grow depends on the scores."""
    def choose(m, n):
        case = attention_kernels.attention(d, causal, m, n, heads=heads, batch=2)
        size = batch * length * d * 2
        flops = 4 * batch * heads * length * length * d // (2 if causal else 1)
        return Entry(f"attention {d} {batch}x{heads}x{length}{' causal' if causal else ''}", f"{m}x{n}", case,
                     [blocks(length * heads, m), batch, 1], {"q": heads * size, "k": size, "v": size, "o": heads * size},
                     [length, batch], {"kind": "attention", "d": d, "length": length, "batch": batch, "heads": heads,
                                       "queries": length, "causal": causal}, flops, ["o"],
                     {"q": functools.partial(random_halves, heads * size), "k": functools.partial(random_halves, size)})
    return [choose(m, n) for m, n in tiles]


def decode(d, length, batch, heads, tiles):
    """One position of `heads` heads of queries, with keys and values of each of the batch."""
    def choose(n):
        case = attention_kernels.attention(d, m=heads, n=n, batch=2, queries=heads)
        size = batch * length * d * 2
        return Entry(f"decode {d} {batch}x{heads}, {length} keys", f"{heads}x{n}", case, [1, batch, 1],
                     {"q": batch * heads * d * 2, "k": size, "v": size, "o": batch * heads * d * 2}, [length, batch, heads],
                     {"kind": "attention", "d": d, "length": length, "batch": batch, "heads": 1, "queries": heads,
                      "causal": False}, 4 * batch * heads * length * d, ["o"])
    return [choose(n) for n in tiles]


def backward(d, length, batch, tiles):
    def choose(m, n):
        size = batch * length * d * 2
        return Entry(f"attention {d} {batch}x{length} backward, keys", f"{m}x{n}", attention_kernels.backward(d, m, n),
                     [blocks(length, n), batch, 1],
                     {**dict.fromkeys(("q", "k", "v", "dy", "dk", "dv"), size),
                      **dict.fromkeys(("level", "delta"), batch * length * 4)},
                     [length, batch], {"kind": "attention backward", "d": d, "length": length, "batch": batch},
                     8 * batch * length * length * d, ["dk", "dv"])
    return [choose(m, n) for m, n in tiles]


def layer(make, element, rows, width, tiles, sizes, written, data=(), name=None):
    """Of layer_kernels: sizes of its buffers by name: "matrix", "row" or "column", or bytes. A tile is its rows, or these and
    the CTAs among which its columns are shared out."""
    size = bytes_of(element)
    named = {"matrix": rows * width * size, "row": width * size, "column": rows * 4}
    buffers = {name: named.get(kind, kind) for name, kind in sizes.items()}

    def choose(tile, ctas=1):
        case = make(element, tile, width)
        kind = case.name.rsplit("_", 2)[0].replace("_", " ")
        return Entry(f"{name or kind} {element} {rows}x{width}", f"{tile} rows{describe_ctas(ctas)}", case,
                     [rows // tile, 1, 1], buffers, [rows],
                     {"kind": kind, "element": element, "rows": rows, "width": width}, written=written, data=data,
                     options=cluster_options(ctas))
    return [choose(*tile) if isinstance(tile, tuple) else choose(tile) for tile in tiles]


def long_rows(make, element, rows, width, tiles):
    """Of memory_kernels: rows longer than a tile. make: of the tile's width."""
    size = bytes_of(element)

    def choose(tile):
        case = make(tile)
        buffers = {text.split()[1]: rows * width * size for text in case.PARAMETERS if text.startswith("ptr")}
        if "w" in buffers:
            buffers["w"] = width * size
        if case.name.startswith("row_sum"):
            buffers["y"] = rows * 4
        name = case.name.split(f"_{element}")[0].split("_1x")[0].replace("_", " ")
        return Entry(f"{name} {element} {rows}x{width}", f"tiles of {tile}", case, [rows, 1, 1], buffers, [rows, width],
                     {"kind": name.removesuffix(" long"), "element": element, "rows": rows, "width": width}, written=["y"])
    return [choose(tile) for tile in tiles]


def transpose(size, tiles):
    return [Entry(f"transpose f32 {size}", f"{tile}x{tile}", memory_kernels.transposed("f32", tile),
                  [size // tile, size // tile, 1], dict.fromkeys("xy", size * size * 4), [size],
                  {"kind": "transpose", "element": "f32", "size": size}, written=["y"]) for tile in tiles]


def add(count, tiles):
    return [Entry(f"add f32 {count}", f"{tile}", memory_kernels.added("f32", tile), [count // tile, 1, 1],
                  dict.fromkeys("abc", count * 4), [count], {"kind": "add", "element": "f32", "count": count},
                  written=["c"]) for tile in tiles]


HALF = [(128, 256, 64), (128, 128, 64), (256, 128, 64)]
BYTE = [(128, 256, 128), (128, 128, 128)]
SMALL = [(128, 256, 256), (128, 128, 256)]
PAIR = (256, 256, 64, 2)
BYTE_PAIR, SMALL_PAIR = (256, 256, 128, 2), (256, 256, 256, 2)
WORD = [(256, 256, 32, 2), (128, 256, 32)]
MATRICES = dict.fromkeys(("x", "y"), "matrix")
GRADIENTS = {**dict.fromkeys(("x", "dy", "dx"), "matrix"), "w": "row"}

# Of machines with tcgen05: tiles for it, the kernels that are most asked of them, and those that only move bytes.
PAIRED = [PAIR, *HALF[:2]]
BLACKWELL_ROWS = [
    matmul("f16", 2048, 2048, 2048, PAIRED), matmul("bf16", 4096, 4096, 4096, PAIRED, result="f16"),
    matmul("bf16", 8192, 8192, 8192, PAIRED[:2]), matmul("bf16", 8192, 8192, 8192, PAIRED[:2], result="f16"),
    matmul("bf16", 8192, 8192, 8192, PAIRED[:2], "nt", result="f16"),
    matmul("bf16", 16, 8192, 8192, [(128, 64, 64), (16, 64, 128)]),
    matmul("f16", 512, 512, 512, HALF[:2], shape="batched", batch=64), matmul("f16", 4096, 4096, 4096, PAIRED, shape="gelu"),
    matmul("e4m3", 8192, 8192, 4096, [BYTE_PAIR, *BYTE], "nt", result="f16"),
    matmul("s8", 8192, 8192, 4096, [BYTE_PAIR, *BYTE[:1]], "nt"), matmul("tf32", 4096, 4096, 4096, [(128, 256, 32)], "nt"),
    scaled("e4m3", 8192, 8192, 4096, [BYTE_PAIR, *BYTE]), scaled("e4m3", 8192, 8192, 4096, [BYTE_PAIR, *BYTE], "nt"),
    scaled("mxf4", 8192, 8192, 8192, [SMALL_PAIR, *SMALL]), scaled("nvf4", 8192, 8192, 8192, [SMALL_PAIR, *SMALL]),
    experts(8, 2048, 4096, 2048, HALF[:2]),
    attention(64, 4096, 64, [(256, 128), (128, 128)]), attention(128, 4096, 64, [(256, 64), (128, 128)]),
    decode(128, 8192, 128, 16, [128]),
    layer(layer_kernels.softmax, "f16", 65536, 2048, [1, 2], MATRICES, ["y"]),
    layer(layer_kernels.layer_norm, "f16", 32768, 4096, [1, 2],
          {**MATRICES, "w": "row", "b": "row", "average": "column", "scale": "column"}, ["y", "average", "scale"]),
    long_rows(lambda tile: memory_kernels.rms_norm("f16", 1, tile, 4 * tile), "f16", 16384, 8192, [2048, 4096]),
    layer(layer_kernels.gated_gelu, "f16", 32768, 4096, [1, 2], {**MATRICES, "gate": "matrix", "bias": "row"}, ["y"]),
    long_rows(lambda tile: memory_kernels.copy("f32", tile, 4 * tile), "f32", 16384, 8192, [2048, 4096]),
    add(1 << 26, [1024, 2048]), transpose(8192, [64, 128]),
]

ROWS = [
    matmul("f16", 1024, 1024, 1024, HALF[:2] + [(64, 128, 64)]), matmul("f16", 2048, 2048, 2048, PAIRED),
    matmul("bf16", 4096, 4096, 4096, HALF[:1] + [PAIR]), matmul("bf16", 4096, 4096, 4096, HALF[:1] + [PAIR], result="f16"),
    matmul("bf16", 8192, 8192, 8192, PAIRED[:2]), matmul("bf16", 8192, 8192, 8192, PAIRED[:2], result="f16"),
    matmul("bf16", 8192, 8192, 8192, PAIRED[:2], "nt", result="f16"),
    matmul("bf16", 8192, 8192, 8192, [PAIR], shape="persistent", result="f16"),
    matmul("bf16", 128, 8192, 8192, HALF[1:2] + [(128, 64, 64), (128, 64, 128), (128, 128, 128, 2)]),
    matmul("bf16", 16, 8192, 8192, [(16, 128, 64), (16, 64, 128), (16, 64, 256)]),
    matmul("bf16", 1024, 1024, 16384, HALF[:2] + [(256, 128, 64, 2)], shape="split"),
    matmul("f16", 512, 512, 512, HALF[:2] + [PAIR], shape="batched", batch=64),
    matmul("f16", 4096, 4096, 4096, PAIRED, shape="gelu"),
    matmul("e4m3", 8192, 8192, 4096, [BYTE_PAIR, *BYTE[:1]], "nt", result="f16"),
    matmul("e4m3", 8192, 8192, 4096, [BYTE_PAIR, *BYTE[:1]], "nt", fast=True, result="f16"),
    matmul("e4m3", 8192, 8192, 4096, [(256, 128, 128), *BYTE], "nn"),
    matmul("s8", 8192, 8192, 4096, [BYTE_PAIR, *BYTE[:1]], "nt"), matmul("tf32", 4096, 4096, 4096, WORD, "nt"),
    matmul("tf32", 4096, 4096, 4096, WORD, "nn"),
    experts(8, 2048, 4096, 2048, HALF[:2]),
    attention(64, 4096, 64, [(128, 64), (128, 128)]), attention(128, 4096, 64, [(128, 64), (128, 128)]),
    attention(256, 4096, 32, [(128, 64), (128, 32)]), attention(128, 16384, 16, [(128, 64), (128, 128)], causal=True),
    attention(128, 4096, 8, [(128, 64), (128, 128)], heads=4), decode(128, 8192, 128, 16, [64, 128]),
    backward(64, 4096, 64, [(64, 128)]), backward(128, 4096, 32, [(64, 128)]),
    layer(layer_kernels.softmax, "f32", 65536, 1024, [1, 4, 8], MATRICES, ["y"]),
    layer(layer_kernels.softmax, "f16", 65536, 2048, [1, 2, 4], MATRICES, ["y"]),
    long_rows(lambda tile: memory_kernels.softmax(1, tile, 4 * tile), "f32", 4096, 32768, [2048, 4096, 8192])
    + layer(layer_kernels.softmax, "f32", 4096, 32768, [1, (1, 2), (1, 4), (1, 8)], MATRICES, ["y"], name="softmax long"),
    layer(layer_kernels.softmax_backward, "f16", 65536, 1024, [1, 2, 4], dict.fromkeys(("y", "dy", "dx"), "matrix"), ["dx"]),
    layer(layer_kernels.layer_norm, "f16", 32768, 4096, [1, 2],
          {**MATRICES, "w": "row", "b": "row", "average": "column", "scale": "column"}, ["y", "average", "scale"]),
    layer(layer_kernels.norm_backward, "f16", 32768, 4096, [1, 2], {**GRADIENTS, "average": "column", "scale": "column"}, ["dx"]),
    long_rows(lambda tile: memory_kernels.rms_norm("f16", 1, tile, 4 * tile), "f16", 16384, 8192, [1024, 2048, 4096]),
    layer(lambda *choice: layer_kernels.norm_backward(*choice, centred=False), "f16", 32768, 4096, [1, 2],
          {**GRADIENTS, "scale": "column"}, ["dx"]),
    layer(layer_kernels.cross_entropy, "f32", 16384, 8192, [1, 2], {"x": "matrix", "loss": "column", "targets": "column"},
          ["loss"]),
    layer(layer_kernels.rotary, "f16", 524288, 128, [16, 32, 64],
          {"x": "matrix", "cosine": 524288 * 64 * 4, "sine": 524288 * 64 * 4, "y": "matrix"}, ["y"]),
    layer(layer_kernels.gated_gelu, "f16", 32768, 4096, [1, 2], {**MATRICES, "gate": "matrix", "bias": "row"}, ["y"]),
    layer(layer_kernels.cumulative_sum, "f32", 65536, 1024, [1, 4], MATRICES, ["y"]),
    layer(layer_kernels.embedding, "f16", 65536, 4096, [1, 2, 4],
          {"y": "matrix", "table": 65536 * 8192, "numbers": "column"}, ["y"], {"numbers": numpy.random.default_rng(0).permutation(65536).astype(numpy.int32)}),
    long_rows(lambda tile: memory_kernels.row_sum("f32", 1, tile, 4 * tile), "f32", 16384, 16384, [1024, 2048, 4096]),
    long_rows(lambda tile: memory_kernels.copy("f32", tile, 4 * tile), "f32", 16384, 8192, [2048, 4096, 8192]),
    add(1 << 26, [1024, 2048, 4096]), transpose(8192, [32, 64, 128]),
]


def warp_rows(large, narrow, has_fp8, blocks):
    """Of machines whose warps multiply (mma.sync). `large`: tiles of products of 16 bits; `narrow`: of few rows; `blocks`:
    of attention, by the elements of a head."""
    wide = [(m, n, 2 * k) for m, n, k in large]
    return [
        matmul("f16", 1024, 1024, 1024, [*large, (64, 64, 64), (128, 64, 32)]), matmul("f16", 2048, 2048, 2048, large),
        matmul("bf16", 4096, 4096, 4096, large, result="f16"), matmul("bf16", 8192, 8192, 8192, large, result="f16"),
        matmul("bf16", 8192, 8192, 8192, large, "nt", result="f16"),
        matmul("bf16", 128, 8192, 8192, narrow), matmul("bf16", 16, 8192, 8192, [(16, 128, 64), (16, 64, 128)]),
        matmul("s8", 8192, 8192, 4096, wide, "nt"),
        matmul("tf32", 4096, 4096, 4096, [(m, n, k // 2) for m, n, k in large], "nt"),
        *([matmul("e4m3", 8192, 8192, 4096, wide, "nt", result="f16")] if has_fp8 else []),
        attention(64, 4096, 64, blocks[64]), attention(128, 4096, 64, blocks[128]),
        attention(128, 16384, 16, blocks[128], causal=True), decode(128, 8192, 128, 16, [64, 128]),
        layer(layer_kernels.softmax, "f16", 65536, 2048, [1, 2], MATRICES, ["y"]),
        layer(layer_kernels.layer_norm, "f16", 32768, 4096, [1, 2],
              {**MATRICES, "w": "row", "b": "row", "average": "column", "scale": "column"}, ["y", "average", "scale"]),
        long_rows(lambda tile: memory_kernels.rms_norm("f16", 1, tile, 4 * tile), "f16", 16384, 8192, [1024, 2048, 4096]),
        layer(layer_kernels.gated_gelu, "f16", 32768, 4096, [1, 2], {**MATRICES, "gate": "matrix", "bias": "row"}, ["y"]),
        long_rows(lambda tile: memory_kernels.copy("f32", tile, 4 * tile), "f32", 16384, 8192, [2048, 4096, 8192]),
        add(1 << 26, [1024, 2048, 4096]), transpose(8192, [32, 64, 128]),
    ]


# Shared memory of 163 KiB has room for three stages of 128x256x64, that of 99 KiB for two of 128x256x64, and of attention
# for fewer columns.
BIG_SHARED = warp_rows([(128, 256, 64), (128, 128, 64), (128, 128, 32)], [(128, 64, 64), (64, 64, 64)], False,
                       {64: [(128, 128), (128, 64)], 128: [(128, 64), (128, 32)]})
SMALL_SHARED = [(128, 256, 32), (128, 128, 64), (128, 128, 32)], [(128, 64, 64), (64, 64, 64)]
SMALL_BLOCKS = {64: [(128, 128), (128, 64)], 128: [(128, 32), (64, 64)]}
AMPERE_ROWS = warp_rows(*SMALL_SHARED, False, SMALL_BLOCKS)
ADA_ROWS = warp_rows(*SMALL_SHARED, True, SMALL_BLOCKS)

ROWS_OF = {"b200": BLACKWELL_ROWS, "a100-sxm": BIG_SHARED, "orin": BIG_SHARED,
           **dict.fromkeys(("rtx3090", "a10g"), AMPERE_ROWS),
           **dict.fromkeys(("rtx4090", "l4", "l40s", "rtx5090", "pro6000"), ADA_ROWS)}


# By the clock alone: tests/gpu has nothing to compare them with.
MODELLED = [
    weights("s8", "bf16", 4096, 4096, 4096, [(256, 128, 64), (128, 256, 64), (128, 128, 64)]),
    weights("s4", "f16", 4096, 4096, 4096, [(256, 128, 64), (128, 256, 64), (128, 128, 64)]),
    weights("mxfp4", "bf16", 4096, 4096, 4096, [(128, 128, 128), (128, 128, 64)]),
    weights("s8", "bf16", 16, 8192, 8192, [(16, 64, 128), (16, 64, 256)]),
    weights("s4", "f16", 16, 8192, 8192, [(16, 64, 128), (16, 64, 256)]),
    weights("s4", "f16", 1, 8192, 8192, [(16, 64, 128), (16, 64, 256)], published="H100 27 us (Marlin, humming#2)", reason=deployed_products.WHY_WEIGHTS),
    weights("s4", "f16", 256, 8192, 8192, [(256, 128, 64), (128, 128, 64), (64, 128, 128)], reason=deployed_products.WHY_WEIGHTS),
    weights("s8", "bf16", 1, 8192, 8192, [(16, 64, 128), (16, 64, 256)], published="H100 39 us (humming#2)", reason=deployed_products.WHY_WEIGHTS),
    weights("s8", "bf16", 4096, 8192, 8192, [(256, 128, 64), (128, 256, 64)], reason=deployed_products.WHY_WEIGHTS),
    weights("mxfp4", "bf16", 4096, 2880, 2880, [(128, 128, 64), (128, 256, 64), (256, 128, 64)],
            published="H100 about 49 % of its peak (triton#6833)", reason=deployed_products.WHY_WEIGHTS),
] + deployed_products.ROWS + deployed_attention.ROWS + deployed_layers.ROWS


def rows_of(machine):
    """The rows that make sense on a machine."""
    return ROWS_OF.get(machine, ROWS + MODELLED)
