#!/usr/bin/env python3
"""tensor_launches.py KERNEL PREFIX: launches of a kernel of these tests, of arrays that end anywhere, as PREFIX.N.json."""

import json
import sys


def describe(grid, inputs, output, element, numbers, expected):
    """Inputs are lists of values, numbers (type, value) pairs behind the pointers."""
    buffers = [{"name": "in%d" % i, "type": element, "values": values} for i, values in enumerate(inputs)]
    buffers.append({"name": "out", "bytes": output * (2 if element == "f16" else 4), "fill": 0})
    parameters = [{"buffer": buffer["name"]} for buffer in buffers] + [{kind: value} for kind, value in numbers]
    return {
        "grid": grid,
        "buffers": buffers,
        "parameters": parameters,
        "expect": [{"buffer": "out", "type": element, "values": expected}],
    }


def numbers(count, step):
    return [(i * step + 3) % 11 for i in range(count)]


def sums(rows, columns, stride, iterations):
    """out[r, c] is the sum over iterations t of in[r, 32 t + c]; nothing is read where there are no columns."""
    x = numbers(rows * stride, 7)
    expected = [
        sum(x[r * stride + t * 32 + c] for t in range(iterations) if t * 32 + c < columns) for r in range(rows) for c in range(32)
    ]
    arguments = [("i32", rows), ("i32", columns), ("i64", stride), ("i32", iterations)]
    return describe([(rows + 7) // 8, 1, 1], [x], rows * 32, "f32", arguments, expected)


def doubled(planes, rows, columns, iterations):
    """out = 2 in, as far as 128 · iterations columns."""
    stride = (columns + 7) // 8 * 8
    x = numbers(planes * rows * stride, 7)
    expected = [2 * value if i % stride < min(columns, 128 * iterations) else 0 for i, value in enumerate(x)]
    arguments = [("i32", planes), ("i32", rows), ("i32", columns), ("i64", rows * stride), ("i64", stride), ("i32", iterations)]
    return describe([(rows + 7) // 8, (planes + 3) // 4, 1], [x], len(x), "f16", arguments, expected)


def added(rows, columns):
    stride = (columns + 3) // 4 * 4
    x, y = numbers(rows * stride, 7), numbers(rows * stride, 5)
    expected = [x[i] + y[i] if i % stride < columns else 0 for i in range(len(x))]
    arguments = [("i32", rows), ("i32", columns), ("i64", stride), ("i32", (columns + 31) // 32)]
    return describe([(rows + 7) // 8, 1, 1], [x, y], len(x), "f32", arguments, expected)


CASES = {
    "sum": [
        sums(16, 96, 96, 3),
        sums(20, 5, 8, 0),
        sums(20, 27, 36, 1),
        sums(3, 64, 64, 2),
        sums(8, 125, 132, 4),
        sums(1, 250, 252, 9),
        sums(9, 0, 4, 3),
    ],
    "copy": [doubled(4, 8, 128, 1), doubled(5, 20, 300, 3), doubled(1, 3, 1000, 8), doubled(6, 16, 256, 0)],
    "add": [added(8, 32), added(20, 100), added(9, 250), added(1, 300)],
}

kernel, prefix = sys.argv[1:]
for number, case in enumerate(CASES[kernel]):
    with open("%s.%d.json" % (prefix, number), "w") as file:
        json.dump(case, file)
