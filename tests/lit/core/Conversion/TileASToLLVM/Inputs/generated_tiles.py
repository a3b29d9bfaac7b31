#!/usr/bin/env python3
"""The launch of generated-tiles.mlir: the numbers of a tile's elements from 5 on, below its diagonal, and from other lanes."""

import json

ROWS, COLUMNS, FIRST = 16, 64, 5


def number(row, column):
    return float(row * COLUMNS + column + FIRST)


def from_opposite_lane(row, column):
    """A lane has two neighbours, 16 lanes a row of 32 columns, a warp two rows: lanes 16 to 31 the second one."""
    lane = row % 2 * 16 + column % 32 // 2
    lane = 31 - lane
    return number(row // 2 * 2 + lane // 16, column // 32 * 32 + lane % 16 * 2 + column % 2)


places = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
print(json.dumps({
    "grid": [1, 1, 1],
    "buffers": [{"name": name, "bytes": 4 * len(places), "fill": 0} for name in ("below", "turned")],
    "parameters": [{"buffer": "below"}, {"buffer": "turned"}, {"i32": FIRST}],
    "expect": [{"buffer": "below", "type": "f32", "values": [number(r, c) if r >= c else 0.0 for r, c in places]},
               {"buffer": "turned", "type": "f32", "values": [from_opposite_lane(r, c) for r, c in places]}],
}))
