"""The lab's rows at small sizes, for tests of the lab."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench" / "lab"))

from entries import (GRADIENTS, MATRICES, add, attention, backward, decode, experts, layer, layer_kernels,  # noqa: E402
                     long_rows, matmul, memory_kernels, transpose)

STATISTICS = {"average": "column", "scale": "column"}

# At the sizes at which the generators of tests/kernels know the results.
KNOWN = [
    matmul("f16", 64, 64, 128, [(64, 64, 32)]), matmul("f16", 128, 256, 256, [(128, 128, 64)], shape="persistent"),
    layer(layer_kernels.softmax, "f32", 2, 1024, [1], MATRICES, ["y"]),
    layer(layer_kernels.layer_norm, "f16", 2, 1024, [1], {**MATRICES, "w": "row", "b": "row", **STATISTICS},
          ["y", "average", "scale"]),
    layer(layer_kernels.cumulative_sum, "f32", 2, 1024, [1], MATRICES, ["y"]),
    attention(64, 256, 2, [(128, 64)]), add(4096, [2048]),
    matmul("f16", 64, 64, 128, [(64, 64, 32)], "tt"), matmul("tf32", 128, 128, 128, [(128, 128, 32)], "nt"),
    matmul("s8", 128, 128, 512, [(128, 128, 128)], "nt"), matmul("f16", 128, 128, 256, [(128, 128, 64)], shape="batched", batch=2),
    matmul("f16", 128, 128, 256, [(128, 128, 64)], shape="gelu"), matmul("f16", 128, 128, 256, [(128, 128, 64)], shape="split"),
    attention(64, 256, 2, [(128, 64)], causal=True), attention(64, 256, 2, [(128, 64)], heads=2), decode(128, 256, 2, 16, [64]),
    backward(64, 256, 2, [(64, 128)]),
    long_rows(lambda tile: memory_kernels.softmax(1, tile, 4 * tile), "f32", 2, 4096, [1024]),
    layer(layer_kernels.softmax_backward, "f16", 4, 1024, [2], dict.fromkeys(("y", "dy", "dx"), "matrix"), ["dx"]),
    layer(layer_kernels.norm_backward, "f16", 4, 1024, [2], {**GRADIENTS, **STATISTICS}, ["dx"]),
    layer(lambda *choice: layer_kernels.norm_backward(*choice, centred=False), "f16", 4, 1024, [2],
          {**GRADIENTS, "scale": "column"}, ["dx"]),
    long_rows(lambda tile: memory_kernels.rms_norm("f16", 1, tile, 4 * tile), "f16", 2, 4096, [1024]),
    layer(layer_kernels.cross_entropy, "f32", 2, 1024, [1], {"x": "matrix", "loss": "column", "targets": "column"}, ["loss"]),
    layer(layer_kernels.rotary, "f16", 32, 128, [16], {"x": "matrix", "cosine": 32 * 64 * 4, "sine": 32 * 64 * 4, "y": "matrix"},
          ["y"]),
    layer(layer_kernels.gated_gelu, "f16", 2, 1024, [1], {**MATRICES, "gate": "matrix", "bias": "row"}, ["y"]),
    layer(layer_kernels.embedding, "f16", 16, 1024, [8], {"y": "matrix", "table": 16 * 2048, "numbers": "column"}, ["y"]),
    long_rows(lambda tile: memory_kernels.row_sum("f32", 1, tile, 4 * tile), "f32", 2, 4096, [1024]),
    long_rows(lambda tile: memory_kernels.copy("f32", tile, 4 * tile), "f32", 2, 4096, [1024]), transpose(128, [64]),
]
ROWS = KNOWN + [experts(2, 256, 256, 192, [(128, 128, 64)]), matmul("f16", 256, 256, 512, [(256, 256, 64, 2), (128, 128, 64)])]
