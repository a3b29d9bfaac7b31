"""Does our text know what the seeds write?  seed_names.py SEEDS EXAMPLES

Every operation, type and attribute of the two dialects that a seed names is in EXAMPLES, the seeds' programs as we
write them, or below: under which name, and by which decision. A seed names it with its dialect, or in its table of
operation families.
"""

import pathlib
import re
import sys

RENAMED = {
    "nv_tileas.token": ("!nv_tileas.async_token", "10, 11: one token type for what is asynchronous, one for memory"),
    "nv_tileas.wgmma": ("nv_tileas.dot", "10, 11: the atom says which instruction it becomes"),
    "tile.select": ("arith.select", "10, 11: arithmetic stays upstream"),
    "nv_tileas.fence": ("nv_tileas.proxy_fence", "15: memory order is of tokens; only proxies need a fence"),
    "nv_tileaa.execute": ("agent_switch", "53: queues and agents of the input are honoured as written"),
    "nv_tileas.kernel": ("nv_tileaa.func", "115: one function in both dialects, a kernel by its kernel_spec"),
    "nv_tileas.expand_dim": ("nv_tileas.expand_dims", "115: as the seed of the dialect spells it"),
    "nv_tileas.reinterpret": ("nv_tileas.view", "115: the same elements with other extents, in registers or in memory"),
}
FAMILY = re.compile(r"^\| (?:Async pipeline|Memory and movement|Tile structure) \| ([^|]+) \|", re.MULTILINE)


def find_names(text):
    yield from (name.removesuffix("rejects")
                for name in re.findall(r"\b(?:nv_tile(?:as|aa)|tile)\.[a-z][a-z_.]*[a-z]", text))
    for members in FAMILY.findall(text):
        names = [name.strip() for name in members.split(",")]
        path = names[0].rpartition(".")[0]  # which the others of the row leave out
        yield from ("nv_tileas." + (name if "." in name or not path else f"{path}.{name}") for name in names)


def main(seeds, examples):
    ours = pathlib.Path(examples).read_text(encoding="utf-8")
    named = {}
    for path in sorted(seeds.glob("0*.txt")):
        for name in find_names(path.read_text(encoding="utf-8")):
            named.setdefault(name, path.name[:3])
    if not named:
        sys.exit(f"{seeds}: no seed names anything")
    # Families are named by what their members begin with.
    prefixes = {name for name in named if any(other.startswith(name + ".") for other in named)}
    prefixes |= {"nv_tileaa.queue"}
    unknown = [name for name in sorted(named.keys() - prefixes)
               if not re.search(rf"{re.escape(RENAMED.get(name, (name,))[0])}\b", ours)]
    for name in unknown:
        print(f"seed {named[name]} writes '{name}', which no example of {examples} does")
    print(f"{len(named)} names, {len(RENAMED.keys() & named.keys())} of them renamed, {len(unknown)} unknown")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
