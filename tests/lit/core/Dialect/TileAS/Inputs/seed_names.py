"""Does our text know what the seeds write?  seed_names.py SEEDS EXAMPLES

Every operation, type and attribute of the two dialects that a seed names is in EXAMPLES, the seeds' programs as we
write them, or below: under which name, and by which decision.
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
}
SEEDS = ("000", "001", "004")


def main(seeds, examples):
    ours = pathlib.Path(examples).read_text(encoding="utf-8")
    named = {}
    for seed in SEEDS:
        for path in seeds.glob(f"{seed}_*.txt"):
            text = path.read_text(encoding="utf-8")
            for name in re.findall(r"\b(?:nv_tile(?:as|aa)|tile)\.[a-z][a-z_.]*[a-z]", text):
                named.setdefault(name.removesuffix("rejects"), seed)
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
