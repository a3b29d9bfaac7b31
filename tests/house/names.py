#!/usr/bin/env python3
"""Has every operation, attribute, pass and option a maker, a reader, a lowering and a test?  names.py ROOT

docs/reference/names.md says who; `ninja reference-docs` makes it of the sources. An empty cell there is of somebody whom
no decision names.
"""

import pathlib
import sys

NOBODY = "—"


def find_empty(text):
    """The name and the column of each empty cell."""
    head = []
    for line in text.splitlines():
        if not line.startswith("| "):
            head = []
            continue
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if not head:
            head = cells
        yield from ((cells[0], column) for column, cell in zip(head, cells) if cell == NOBODY)


def test():
    text = "| operation | made by | tests |\n| --- | --- | --- |\n| `a` | `A.cpp` | `a.mlir` |\n| `b` | — | decision 3 |\n\n| pass | in |\n| --- | --- |\n| `c` | — |\n"
    assert list(find_empty(text)) == [("`b`", "made by"), ("`c`", "in")]
    assert not list(find_empty(text.replace(NOBODY, "`B.cpp`")))


def main(root):
    page = pathlib.Path(root) / "docs/reference/names.md"
    empty = list(find_empty(page.read_text(encoding="utf-8")))
    for name, column in empty:
        print(f"{page}: {name} has nobody in column '{column}': find somebody, or name it in the row 'names with nobody "
              f"at one end' of docs/decisions.md; then 'ninja reference-docs'")
    sys.exit(1 if empty else 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        test()
    else:
        main(sys.argv[1])
