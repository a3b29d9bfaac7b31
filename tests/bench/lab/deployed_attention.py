"""Rows of attention as people deploy it: keys in pages, lists of blocks, windows, several lengths, fp8."""

import deployed_backward
import deployed_latent
import deployed_masks
import deployed_pages as kernels
import numpy
from entry import Entry, blocks

BYTES = {"f16": 2, "bf16": 2, "e4m3": 1}


def tables(sequences, length, page):
    """Pages that lie anywhere."""
    count = sequences * (length // page)
    return numpy.random.default_rng(0).permutation(count).astype(numpy.int32)


def describe(way, m, n):
    return f"{m}x{n}, {way}"


def paged_decode(element, batch, heads, group, length, page, choices, published="", reason=""):
    def choose(way, n):
        case = kernels.paged_decode(element, way, page, n, group=group, heads=heads, lengths=(2 * n,))
        data = {"table": tables(batch, length, page), "lengths": numpy.full(batch, length, numpy.int32)}
        cache, own = batch * heads * length * 128 * 2, batch * heads * group * 128 * 2
        return Entry(f"paged decode {element} {batch}x{heads}x{group}, {length} keys, pages of {page}", describe(way, 16, n), case,
                     [heads, batch, 1], {"q": own, "k": cache, "v": cache, **sizes_of(data), "o": own},
                     [batch * length // page, batch, length // page],
                     {"kind": "paged decode", "element": element, "batch": batch, "heads": heads, "group": group, "length": length,
                      "page": page},
                     4 * batch * heads * group * length * 128, ["o"], data, published=published, reason=reason)
    return [choose(*choice) for choice in choices]


def sizes_of(data):
    return {name: values.nbytes for name, values in data.items()}


def split_decode(element, batch, heads, group, length, page, splits, choices, published="", reason=""):
    def choose(way, n):
        case = kernels.paged_decode(element, way, page, n, group=group, heads=heads, lengths=(4 * n,), splits=2)
        data = {"table": tables(batch, length, page), "lengths": numpy.full(batch, length, numpy.int32)}
        cache, own = batch * heads * length * 128 * 2, batch * heads * group * 128
        return Entry(f"paged decode {element} {batch}x{heads}x{group}, {length} keys, pages of {page}, {splits} parts",
                     describe(way, 16, n), case, [heads, batch, splits],
                     {"q": own * 2, "k": cache, "v": cache, **sizes_of(data), "o": splits * own * 4, "level": splits * own * 4 // 128},
                     [batch * length // page, batch, length // page, splits],
                     {"kind": "paged decode", "element": element, "batch": batch, "heads": heads, "group": group, "length": length,
                      "page": page, "splits": splits},
                     4 * batch * heads * group * length * 128, ["o", "level"], data, published=published, reason=reason)
    return [choose(*choice) for choice in choices]


def combine(element, rows, splits, tiles, published="", reason=""):
    def choose(tile):
        return Entry(f"combine {element} {splits} parts of {rows} rows", f"{tile} rows", kernels.combine(element, splits, tile),
                     [blocks(rows, tile), 1, 1], {"part": splits * rows * 512, "level": splits * rows * 4, "o": rows * 256}, [rows],
                     {"kind": "combine", "element": element, "rows": rows, "splits": splits}, written=["o"], published=published,
                     reason=reason)
    return [choose(tile) for tile in tiles]


def paged_prefill(element, batch, heads, group, length, page, choices, published="", reason=""):
    def choose(way, m, n):
        case = kernels.paged_prefill(element, way, page, m, n, group=group, heads=heads, lengths=(2 * n,))
        data = {"table": tables(batch, length, page), "lengths": numpy.full(batch, length, numpy.int32)}
        cache = batch * heads * length * 128 * 2
        return Entry(f"paged prefill {element} {batch}x{heads}x{group}x{length}, pages of {page}", describe(way, m, n), case,
                     [blocks(length, m), heads * group, batch],
                     {"q": group * cache, "k": cache, "v": cache, **sizes_of(data), "o": group * cache},
                     [batch * length // page, batch, length // page, length],
                     {"kind": "paged prefill", "element": element, "batch": batch, "heads": heads, "group": group, "length": length,
                      "page": page},
                     2 * batch * heads * group * length * length * 128, ["o"], data, published=published, reason=reason)
    return [choose(*choice) for choice in choices]


def heads_entry(name, choice, case, sizes, integers, flops, data=(), published="", reason="", more=(), element="bf16"):
    """Of deployed_masks: sizes are heads of queries, group, length, d and the tile's rows."""
    heads, group, length, d, m = sizes
    own = heads * length * d * BYTES[element]
    data = dict(data)
    return Entry(name, choice, case, [blocks(length, m), heads, 1],
                 {"q": own, "k": own // group, "v": own // group, **dict(more), **sizes_of(data), "o": heads * length * d * 2},
                 [length, *integers], {"kind": name}, flops, ["o"], data, published=published, reason=reason)


def fp8(heads, length, tiles, turned=False, published="", reason=""):
    """Each head has the same scale."""
    return [heads_entry(f"fp8 attention 128 {heads}x{length}" + ", V by columns" * turned, f"{m}x{n}",
                        deployed_masks.fp8(m, n, turned=turned), (heads, 1, length, 128, m), [], 4 * heads * length * length * 128,
                        {"scale": numpy.ones(1, numpy.float32)}, published, reason, element="e4m3") for m, n in tiles]


def window(heads, group, length, d, width, tiles, sink=False, published="", reason=""):
    return [heads_entry(f"window {width} of {d} {heads}/{heads // group}x{length}" + ", sink" * sink, f"{m}x{n}",
                        deployed_masks.window("bf16", m, n, d, width, 2 * n, heads // group, group, sink),
                        (heads, group, length, d, m), [], 4 * heads * (length * width - width * width // 2) * d,
                        published=published, reason=reason, more={"sinks": heads * 4} if sink else {}) for m, n in tiles]


def varlen(heads, lengths, tiles, published="", reason=""):
    def choose(m, n):
        starts = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int32)
        own = sum(lengths) * heads * 128 * 2
        return Entry(f"varlen causal 128 {heads} heads, {sum(lengths)} rows", f"{m}x{n}",
                     deployed_masks.varlen("bf16", m, n, heads=heads, lengths=(n,)),
                     [blocks(max(lengths), m), heads, len(lengths)],
                     {"q": own, "k": own, "v": own, "starts": starts.nbytes, "o": own}, [len(lengths)],
                     {"kind": "varlen attention", "heads": heads, "lengths": list(lengths)},
                     sum(2 * heads * length * length * 128 for length in lengths), ["o"], {"starts": starts},
                     published=published, reason=reason)
    return [choose(*tile) for tile in tiles]


def block_sparse(heads, length, share, tiles, published="", reason=""):
    def choose(m, n):
        query_blocks, key_blocks = length // m, length // n
        width, random = int(share * key_blocks), numpy.random.default_rng(0)
        data = {"counts": numpy.full(heads * query_blocks, width, numpy.int32),
                "list": numpy.concatenate([numpy.sort(random.permutation(key_blocks)[:width])
                                           for _ in range(heads * query_blocks)]).astype(numpy.int32)}
        return heads_entry(f"block-sparse 128 {heads}x{length}, {round(100 * share)} % of blocks", f"{m}x{n}",
                           deployed_masks.block_sparse("bf16", m, n, heads=heads, length=4 * max(m, n)), (heads, 1, length, 128, m), [width],
                           int(4 * heads * length * length * 128 * share), data, published, reason)
    return [choose(*tile) for tile in tiles]


def latent_decode(batch, heads, length, choices, published="", reason=""):
    def choose(m, n, paged=False):
        data = {"lengths": numpy.full(batch, length, numpy.int32)}
        integers = [batch, length]
        if paged:
            data = {"table": tables(batch, length, n), **data}
            integers = [batch, batch * length // n, length // n]
        return Entry(f"mla decode {batch}x{heads}, {length} keys", f"{m}x{n}" + f", pages of {n}" * paged,
                     deployed_latent.decode(m, n, heads, paged, (2 * n,)), [heads // m, batch, 1],
                     {"q": batch * heads * 576 * 2, "cache": batch * length * 576 * 2, **sizes_of(data), "o": batch * heads * 1024},
                     integers, {"kind": "latent attention", "batch": batch, "heads": heads, "length": length},
                     2 * batch * heads * length * (576 + 512), ["o"], data, published=published, reason=reason)
    return [choose(*choice) for choice in choices]


def latent_sparse(tokens, heads, chosen, choices, published="", reason=""):
    def choose(way, m, n):
        random = numpy.random.default_rng(0)
        data = {"list": numpy.concatenate([random.permutation(tokens)[:chosen] for _ in range(tokens)]).astype(numpy.int32)}
        return Entry(f"sparse mla prefill {tokens}x{heads}, {chosen} rows", describe(way, m, n),
                     deployed_latent.sparse(way, m, n, heads, chosen=2 * n), [heads // m, tokens, 1],
                     {"q": tokens * heads * 576 * 2, "cache": tokens * 576 * 2, **sizes_of(data), "o": tokens * heads * 1024},
                     [tokens, tokens, chosen], {"kind": "sparse latent attention", "tokens": tokens, "heads": heads, "chosen": chosen},
                     2 * tokens * heads * chosen * (576 + 512), ["o"], data, published=published, reason=reason)
    return [choose(*choice) for choice in choices]


def backward(what, heads, length, d, tiles, causal=False, published="", reason=""):
    """what: keys, queries, or all of them by atomics."""
    def choose(m, n):
        if what == "queries":
            case, grid, products, results = deployed_backward.queries("bf16", m, n, d, causal), blocks(length, m), 6, ["dq"]
        else:
            case = deployed_backward.keys("bf16", m, n, d, causal, what == "all")
            grid, products, results = blocks(length, n), 8, ["dk", "dv"]
            if what == "all":
                products, results = 10, ["dk", "dv", "dq"]
        own, flops = heads * length * d * 2, products * heads * length * length * d
        return Entry(f"attention backward {d} {heads}x{length}{' causal' if causal else ''}, {what}", f"{m}x{n}", case, [grid, heads, 1],
                     {**dict.fromkeys(("q", "k", "v", "dy"), own), **dict.fromkeys(("level", "delta"), heads * length * 4),
                      **{name: own * (2 if name == "dq" and what == "all" else 1) for name in results}},
                     [length, heads], {"kind": "attention gradients", "what": what, "heads": heads, "length": length, "d": d,
                                       "causal": causal},
                     flops // 2 if causal else flops, results, published=published, reason=reason)
    return [choose(*tile) for tile in tiles]


ENDS = ("as of keys that lie together: causal blocks of few iterations, alone on their multiprocessor, leave the tensor cores idle at "
        "both ends")
TURNED = "MUFU and conversions: exponentials and conversions to e4m3 of an iteration take twice the cycles of its products"
SHORT = ("a block has eight iterations on average, and is alone on its multiprocessor: nothing runs under its first loads and its "
         "last results; the longest sequence comes last")
GATHERED = "the warps that multiply load rows themselves, 16 bytes at a time; by views of small pages their copies are small"
QUERIES = ("shared memory: for 32 keys the 72 KiB of queries are read again, and of 64 keys one stage is counted as fitting beside them, "
           "though two do by 2 KiB; the mask keeps the loop from being scheduled by single operations")
STATISTICS = ("two products and the arithmetic between them read one stage, which keeps the loop from being scheduled by single "
              "operations; warps load for themselves, as tiles take more than 240 registers")
ROWS = [
    paged_decode("f16", 32, 8, 16, 8192, 64, [("view", 64), ("rows", 64), ("pointers", 64), ("pointers", 128), ("rows", 128)]),
    paged_decode("f16", 32, 8, 16, 8192, 16,
                 [("view", 16), ("view", 64), ("rows", 64), ("pointers", 64), ("pointers", 128), ("rows", 128)], reason=GATHERED),
    split_decode("bf16", 1, 4, 8, 65536, 64, 32, [("view", 64), ("rows", 128), ("pointers", 128)], "H200, fp8: 37 us",
                 "128 blocks of 32 iterations: the launch, and filling and emptying their queues, are a fifth of it"),
    combine("bf16", 32, 32, [1, 2, 4], reason="the launch"),
    paged_prefill("bf16", 4, 8, 4, 4096, 128, [("view", 128, 128), ("rows", 128, 128), ("pointers", 128, 128)], reason=ENDS),
    paged_prefill("bf16", 4, 8, 4, 4096, 16, [("view", 128, 128), ("rows", 128, 128), ("pointers", 128, 128)],
                  reason="threads copy rows, 16 bytes each: a tile of eight pages is not one stage of eight tensor copies"),
    block_sparse(16, 32768, 0.25, [(128, 128)]),
    fp8(64, 4096, [(128, 128), (128, 64), (64, 128)], published="H100: 1008 TFLOP/s",
        reason="values are turned by threads, byte by byte, on their way to shared memory; " + TURNED),
    fp8(64, 4096, [(128, 128), (128, 64), (64, 128)], turned=True, published="H100: 1008 TFLOP/s", reason=TURNED),
    varlen(32, (1300, 547, 2048, 963, 271, 3063), [(128, 128), (128, 64)], reason=SHORT),
    window(16, 1, 27000, 256, 1024, [(128, 64), (128, 32)], published="H200: 5027 us",
           reason="what a block sees beyond the windows of its rows, a sixth of all, is computed and masked; both ends are masked together"),
    window(64, 8, 8192, 64, 128, [(128, 64), (128, 128), (64, 64)], sink=True,
           reason="arithmetic: all scores are masked at both ends, in three iterations of 64 keys a block; bytes would take a quarter of it"),
    latent_decode(128, 128, 4096, [(64, 64), (64, 64, True), (128, 64), (64, 32)], "H800: 660 TFLOP/s", QUERIES),
    latent_decode(128, 16, 4096, [(16, 64), (16, 64, True), (16, 32)], "H100: 215 us",
                  "registers: mma.sync with sums of 16 x 512 in 4 warps spills, so stages are waited for by who computes"),
    latent_sparse(4096, 128, 2048, [("rows", 64, 64), ("pointers", 64, 64), ("rows", 128, 64)], "H800: 640 TFLOP/s",
                  "rows are gathered by the warps that multiply; one stage of 64 fits beside the queries"),
    *[backward(what, 192, 4096, 128, tiles, causal, best, reason)
      for causal, best in ((False, "H100: 520 TFLOP/s, all of it"), (True, ""))
      for what, tiles, reason in (
          ("keys", [(64, 128), (128, 64), (64, 64)], "shared memory: four products of 64 columns read their operands there; in registers "
           "there is no room for a second group of warps" + ("; the mask is in all iterations, though only the first ones need it" if causal else "")),
          ("queries", [(128, 64), (128, 128), (64, 64)], "shared memory: three products of tiles of 64 keys" if causal else
           "shared memory and tensor cores: one warpgroup's products wait for its arithmetic"),
          ("all", [(64, 128), (64, 64)], STATISTICS))],
]
