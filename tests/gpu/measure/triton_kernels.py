"""Plain kernels in Triton, to compare with: products of matrices, softmax, attention.

Each is what a tutorial's reader would write, with a few tiles to choose from; none is tuned further.
"""

import triton
import triton.language as tl

from operations import Missing


@triton.jit
def matmul_kernel(a, b, c, M, N, K, a_row, a_column, b_row, b_column, IS_INTEGER: tl.constexpr, TILE_M: tl.constexpr,
                  TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr):
    # Tiles in groups of rows: those that run together share columns of b.
    number = tl.program_id(0)
    columns_of_tiles = tl.cdiv(N, TILE_N)
    in_group = GROUP * columns_of_tiles
    first = number // in_group * GROUP
    rows_of_group = min(tl.cdiv(M, TILE_M) - first, GROUP)
    tile_m = first + number % in_group % rows_of_group
    tile_n = number % in_group // rows_of_group
    rows = tile_m * TILE_M + tl.arange(0, TILE_M)
    columns = tile_n * TILE_N + tl.arange(0, TILE_N)
    depth = tl.arange(0, TILE_K)
    at_a = a + rows[:, None] * a_row + depth[None, :] * a_column
    at_b = b + depth[:, None] * b_row + columns[None, :] * b_column
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.int32 if IS_INTEGER else tl.float32)
    for start in range(0, K, TILE_K):
        x = tl.load(at_a, mask=(rows[:, None] < M) & (start + depth[None, :] < K), other=0)
        y = tl.load(at_b, mask=(start + depth[:, None] < K) & (columns[None, :] < N), other=0)
        total = tl.dot(x, y, total)
        at_a += TILE_K * a_column
        at_b += TILE_K * b_row
    at_c = c + rows[:, None] * N + columns[None, :]
    tl.store(at_c, total.to(c.dtype.element_ty), mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def softmax_kernel(x, y, WIDTH: tl.constexpr, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, TILE)
    values = tl.load(x + row * WIDTH + columns, mask=columns < WIDTH, other=-float("inf")).to(tl.float32)
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * WIDTH + columns, (powers / tl.sum(powers, 0)).to(y.dtype.element_ty), mask=columns < WIDTH)


@triton.jit
def attention_kernel(q, k, v, o, queries, keys, scale, HEADS: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
                     TILE_M: tl.constexpr, TILE_N: tl.constexpr):
    sequence = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    along, tile = tl.arange(0, D), tl.arange(0, TILE_N)
    k += sequence // HEADS * keys * D
    v += sequence // HEADS * keys * D
    place = sequence * queries * D + rows[:, None] * D + along[None, :]
    mine = tl.load(q + place, mask=rows[:, None] < queries, other=0)
    top = tl.full((TILE_M,), -1e30, dtype=tl.float32)
    weight = tl.zeros((TILE_M,), dtype=tl.float32)
    total = tl.zeros((TILE_M, D), dtype=tl.float32)
    end = min(keys, (tl.program_id(0) + 1) * TILE_M) if CAUSAL else keys
    for start in range(0, end, TILE_N):
        others = start + tl.arange(0, TILE_N)
        turned = tl.load(k + others[None, :] * D + along[:, None], mask=others[None, :] < keys, other=0)
        scores = tl.dot(mine, turned) * scale
        is_seen = others[None, :] < keys
        if CAUSAL:
            is_seen = is_seen & (others[None, :] <= rows[:, None])
        scores = tl.where(is_seen, scores, -1e30)
        new_top = tl.maximum(top, tl.max(scores, 1))
        powers = tl.exp2(scores - new_top[:, None])
        decay = tl.exp2(top - new_top)
        weight = weight * decay + tl.sum(powers, 1)
        values = tl.load(v + others[:, None] * D + along[None, :], mask=others[:, None] < keys, other=0)
        total = tl.dot(powers.to(values.dtype), values, total * decay[:, None])
        top = new_top
    tl.store(o + place, (total / weight[:, None]).to(o.dtype.element_ty), mask=rows[:, None] < queries)


def matmul(torch, operation):
    s = operation.sizes
    if s["shape"] not in ("plain", "persistent", "split"):
        raise Missing(f"there is no Triton kernel for products of this shape, {s['shape']}")
    (a, b), c = operation.operands(), torch.empty_like(operation.c)
    m, n, k = s["m"], s["n"], s["k"]
    deep = 128 if s["element"] in ("e4m3", "s8") else 32 if s["element"] == "tf32" else 64
    least = max(16, min(128, triton.next_power_of_2(m)))
    tiles = {(least, 256, deep, 8, 3), (least, 128, deep, 4, 4), (least, 128, deep, 8, 3), (least, 64, deep, 4, 5)}

    def bind(tile_m, tile_n, tile_k, warps, stages):
        grid = (triton.cdiv(m, tile_m) * triton.cdiv(n, tile_n),)
        return lambda: (matmul_kernel[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), s["element"] == "s8", tile_m, tile_n,
                                            tile_k, 8, num_warps=warps, num_stages=stages), c)[1]
    return "c", {"x".join(map(str, tile[:3])) + f", {tile[3]} warps, {tile[4]} stages": bind(*tile) for tile in sorted(tiles)}


def softmax(torch, operation):
    x, y = operation.x, torch.empty_like(operation.y)
    rows, width = x.shape
    tile = triton.next_power_of_2(width)

    def bind(warps):
        return lambda: (softmax_kernel[(rows,)](x, y, width, tile, num_warps=warps), y)[1]
    return "y", {f"{warps} warps": bind(warps) for warps in ((4, 8) if tile <= 4096 else (16, 32))}


def attention(torch, operation):
    s, o = operation.sizes, torch.empty_like(operation.o)
    q, k, v = operation.q, operation.k, operation.v
    scale = 1.4426950408889634 / s["d"] ** 0.5
    least = max(16, min(128, triton.next_power_of_2(s["queries"])))

    def bind(tile_m, tile_n, warps, stages):
        grid = (triton.cdiv(s["queries"], tile_m), s["batch"] * s["heads"])
        return lambda: (attention_kernel[grid](q, k, v, o, s["queries"], s["length"], scale, s["heads"], s["d"], s["causal"],
                                               tile_m, tile_n, num_warps=warps, num_stages=stages), o)[1]
    tiles = {(least, 64, 8 if s["d"] > 64 else 4, 2), (least, 128 if s["d"] < 256 else 32, 8, 2), (min(least, 64), 64, 4, 3)}
    return "o", {f"{tile[0]}x{tile[1]}, {tile[2]} warps, {tile[3]} stages": bind(*tile) for tile in sorted(tiles)}


KINDS = {"matmul": matmul, "softmax": softmax, "attention": attention}


def choices(torch, operation):
    """(name of the result, {choice: function that launches and returns it})."""
    if operation.sizes["kind"] not in KINDS:
        raise Missing("there is no Triton kernel for this")
    return KINDS[operation.sizes["kind"]](torch, operation)
