#!/usr/bin/env python3
"""Has every operation, attribute, pass and option a maker, a reader, a lowering and a test?  names.py ROOT

docs/reference/names.md says who; `ninja reference-docs` makes it of the sources. An empty cell there is of somebody whom
no decision names.
"""

import pathlib
import re
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


def find_idle_excuses(page, decisions):
    """Names in the row of decisions that the page needs no excuse for."""
    row = next(line for line in decisions.splitlines() if "names with nobody at one end" in line)
    number = row.split("|")[1].strip()
    excused = [line.split(" | ")[0].strip("| `") for line in page.splitlines() if f"decision {number}" in line]
    for name in re.findall(r"`([^`]+)`", row):
        if not any(re.split(r"[ ]|nv_tilea[as]\.", entry)[-1] == name for entry in excused):
            yield name


def test():
    text = "| operation | made by | tests |\n| --- | --- | --- |\n| `a` | `A.cpp` | `a.mlir` |\n| `b` | — | decision 3 |\n\n| pass | in |\n| --- | --- |\n| `c` | — |\n"
    assert list(find_empty(text)) == [("`b`", "made by"), ("`c`", "in")]
    assert not list(find_empty(text.replace(NOBODY, "`B.cpp`")))
    decisions = "| 3 | names with nobody at one end | `b`, `c`, `e` |"
    page = "| `nv_tileas.b` | — | decision 3 |\n| `c` | `C.cpp` |\n| `d e` | decision 3 |"
    assert list(find_idle_excuses(page, decisions)) == ["c"]


def main(root):
    page = pathlib.Path(root) / "docs/reference/names.md"
    text = page.read_text(encoding="utf-8")
    empty = list(find_empty(text))
    for name, column in empty:
        print(f"{page}: {name} has nobody in column '{column}': find somebody, or name it in the row 'names with nobody "
              f"at one end' of docs/decisions.md; then 'ninja reference-docs'")
    idle = list(find_idle_excuses(text, (pathlib.Path(root) / "docs/decisions.md").read_text(encoding="utf-8")))
    for name in idle:
        print(f"docs/decisions.md: the row 'names with nobody at one end' names {name}, which has everybody")
    sys.exit(1 if empty or idle else 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        test()
    else:
        main(sys.argv[1])
