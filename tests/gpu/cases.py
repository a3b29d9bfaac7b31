"""The hand-written kernels of the emulator, with operands whose products and sums are exact in every order."""

import random
import struct


def halves(rng, count, scale):
    return struct.pack(f"<{count}e", *(rng.randrange(-8, 9) / scale for _ in range(count)))


def matmul(kernel, target, tile_rows, box_rows_of_b=64, shared=0, m=256, n=192, k=320):
    """launch.txt and buffers of a kernel with the parameters of matmul_tma_wgmma.ptx."""
    rng = random.Random(kernel)
    lines = ["kernel matmul", f"grid {n // 64} {m // tile_rows} 1",
             f"block {dict(matmul_warp_specialized=384, matmul_multicast=160).get(kernel, 128)} 1 1",
             f"buffer A {2 * m * k} buf_A.bin", f"buffer B {2 * n * k} buf_B.bin", f"buffer C {4 * m * n} buf_C.bin"]
    if shared:
        lines.append(f"smem {shared}")
    if kernel == "matmul_multicast":
        lines.append("cluster 1 2 1")
    lines += [f"map mapA A f16 2 {k} {m} {2 * k} 64 64 1 1 128 zero", f"map mapB B f16 2 {k} {n} {2 * k} 64 {box_rows_of_b} 1 1 128 zero",
              "param map mapA", "param map mapB", "param ptr C 0", f"param i32 {k}", f"param i32 {n}",
              f"read C {4 * m * n} out_C.bin", ""]
    return target, "\n".join(lines), {"A": halves(rng, m * k, 4), "B": halves(rng, n * k, 2), "C": bytes(4 * m * n)}


def split_k():
    ctas = 96
    a = struct.pack(f"<{32 * ctas}f", *(float(i) for i in range(32 * ctas)))
    b = struct.pack(f"<{32 * ctas}f", *([2.0] * (32 * ctas)))
    text = "\n".join(["kernel dot", f"grid {ctas} 1 1", "block 32 1 1", f"buffer a {len(a)} buf_a.bin", f"buffer b {len(b)} buf_b.bin",
                      f"buffer workspace {4 * ctas} buf_workspace.bin", "buffer counter 4 buf_counter.bin", "buffer out 4 buf_out.bin",
                      *(f"param ptr {name} 0" for name in ("a", "b", "workspace", "counter", "out")), "read out 4 out_out.bin",
                      "read counter 4 out_counter.bin", ""])
    return "90", text, {"a": a, "b": b, "workspace": bytes(4 * ctas), "counter": bytes(4), "out": bytes(4)}


def cluster_reduce():
    count = 4 * 128 * 3
    data = struct.pack(f"<{count}I", *range(1, count + 1))
    text = "\n".join(["kernel reduce", "grid 8 1 1", "block 128 1 1", "cluster 4 1 1", f"buffer data {len(data)} buf_data.bin",
                      "buffer out 8 buf_out.bin", "param ptr data 0", "param ptr out 0", "param i32 3", "read out 8 out_out.bin", ""])
    return "90", text, {"data": data, "out": bytes(8)}


KERNELS = {
    "matmul_tma_wgmma": lambda: matmul("matmul_tma_wgmma", "90a", 64),
    "matmul_warp_specialized": lambda: matmul("matmul_warp_specialized", "90a", 128, shared=73728),
    "matmul_multicast": lambda: matmul("matmul_multicast", "90a", 64, box_rows_of_b=32),
    "matmul_tcgen05": lambda: matmul("matmul_tcgen05", "100a", 128),
    "split_k": split_k,
    "cluster_reduce": cluster_reduce,
}
