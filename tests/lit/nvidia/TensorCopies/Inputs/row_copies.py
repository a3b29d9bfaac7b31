#!/usr/bin/env python3
"""row_copies.py ROWS KERNEL PREFIX: the kernel for so many rows as PREFIX.mlir, with the layout in which a warp's lanes take
their numbers, and its launch as PREFIX.json. Rows that are not there are read as zeros and written nowhere."""

import json
import pathlib
import sys

rows, kernel, prefix = int(sys.argv[1]), sys.argv[2], sys.argv[3]
bits = [1 << bit for bit in range(rows.bit_length() - 1)]
lanes = (bits[2:7] + 5 * [0])[:5]
text = pathlib.Path(kernel).read_text(encoding="utf-8")
for name, value in (("ROWS_BOX", 64 * rows), ("ROWS_REGISTERS", [[bit] for bit in bits[:2] + bits[7:]]),
                    ("ROWS_LANES", [[bit] for bit in lanes]), ("ROWS", rows)):
    text = text.replace(name, str(value))
pathlib.Path(prefix + ".mlir").write_text(text, encoding="utf-8")

M, K, STRIDE, COLUMN = rows + 20, 150, 152, 40
values = [(7 * i + 3) % 11 for i in range(M * STRIDE)]
sources = [(5 * i + 1) % (M + 3) for i in range(rows)]
places = [(i * 13 + 4) % (M + 1) if (M + 1) % 13 else M - i for i in range(rows)]
out = [0] * (M * STRIDE)
for source, place in zip(sources, places):
    for column in range(COLUMN, min(COLUMN + 128, K)):
        if place < M:
            out[place * STRIDE + column] = 2 * values[source * STRIDE + column] if source < M else 0
pathlib.Path(prefix + ".json").write_text(json.dumps({
    "grid": [1, 1, 1],
    "buffers": [{"name": "x", "type": "f16", "values": values}, {"name": "from", "type": "i32", "values": sources},
                {"name": "to", "type": "i32", "values": places}, {"name": "y", "bytes": 2 * M * STRIDE, "fill": 0}],
    "parameters": [{"buffer": name} for name in ("x", "from", "to", "y")]
    + [{"i32": M}, {"i32": K}, {"i64": STRIDE}, {"i32": COLUMN}],
    "expect": [{"buffer": "y", "type": "f16", "values": out}],
}), encoding="utf-8")
