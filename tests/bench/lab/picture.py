#!/usr/bin/env python3
"""Draws the lab's table as bars: how near to its limit each kernel is, by the clock's model.

  picture.py LAB.md > LAB.svg
"""

import html
import pathlib
import re
import sys

ROW, LEFT, SCALE, TOP = 16, 330, 4, 44  # a row's height, where bars begin, pixels a percent, where rows begin
COLOURS = {"arithmetic": "#4269d0", "bytes": "#97bbf5"}


def read_rows(table):
    """[(kernel and tile, percent, whether its rate is one of arithmetic)] of the table's text."""
    rows = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) > 5 and (share := re.fullmatch(r"(\d+) %", cells[5])):
            rows.append((f"{cells[0]} ({cells[1]})", int(share[1]), "FLOP" in cells[3]))
    return rows


def draw(table):
    rows = read_rows(table)
    machine = re.search(r"model of (\S+);", table)[1]
    height = TOP + ROW * len(rows) + 8
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + 100 * SCALE + 50}" height="{height}" '
             'font-family="sans-serif" font-size="11">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="8" y="16" font-size="13">Percent of what the machine allows: a model of {machine}, nothing measured</text>']
    for share in range(0, 101, 20):
        x = LEFT + SCALE * share
        parts.append(f'<line x1="{x}" y1="{TOP - 6}" x2="{x}" y2="{height - 8}" stroke="#ddd"/>'
                     f'<text x="{x}" y="{TOP - 10}" text-anchor="middle" fill="#666">{share}</text>')
    for index, (name, share, computes) in enumerate(rows):
        y = TOP + ROW * index
        parts.append(f'<text x="{LEFT - 6}" y="{y + 11}" text-anchor="end">{html.escape(name)}</text>'
                     f'<rect x="{LEFT}" y="{y + 2}" width="{SCALE * share}" height="{ROW - 4}" '
                     f'fill="{COLOURS["arithmetic" if computes else "bytes"]}"/>'
                     f'<text x="{LEFT + SCALE * share + 4}" y="{y + 11}">{share}</text>')
    return "\n".join(parts + ["</svg>", ""])


if __name__ == "__main__":
    sys.stdout.write(draw(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
