#!/usr/bin/env python3
"""Every pragma "next knob FenceCode" stands right before a fence, and every fence has one.

  fence_code.py FILE.ptx...

Prints how many there are. Blocks of MMAs (`wgmma.fence` … `commit_group`), initialisations of barriers and meetings of
the lanes of a warp are not what the pragma is for.
"""

import re
import sys

PRAGMA = '.pragma "next knob FenceCode";'
FENCE = re.compile(r"(@\S+ )?(fence\.|bar\.(sync|arrive)|barrier\.|mbarrier\.(arrive|try_wait)|cp\.async\.mbarrier\."
                   r"|cp\.async\.(bulk\.)?wait_group|wgmma\.wait_group|tcgen05\.(commit|wait))")


def read_instructions(text):
    text = re.sub(r"//.*", "", text)
    for line in text.splitlines():
        for part in re.split(r"(?<=;)", line):
            part = re.sub(r"^[\s{}]*(\$?\w+:)?[\s{}]*", "", part).strip()
            if part and not part.startswith(".reg"):
                yield part


def count_fences(path):
    before, count = "", 0
    with open(path, encoding="utf-8") as file:
        for instruction in read_instructions(file.read()):
            is_fence = FENCE.match(instruction) is not None
            if before == PRAGMA and not is_fence:
                sys.exit(f"{path}: a pragma before '{instruction}'")
            if is_fence and before != PRAGMA:
                sys.exit(f"{path}: no pragma before '{instruction}', but '{before}'")
            count += is_fence
            before = instruction
    return count


def main():
    for path in sys.argv[1:]:
        print(f"{count_fences(path)} fences")


if __name__ == "__main__":
    main()
