"""How many generated programs come to each way of loading ahead: a change of the generator, or of a pass, that leaves
one of them untested fails here.

    reach.py --generate build/bin/tileiras-generate --tileiras build/bin/tileiras --seeds 0..39 --shape loops \\
        --least copied-by-engine=30 --least copied-by-threads=15
"""

import argparse
import concurrent.futures
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The ways that are counted, in PTX and remarks.
WAYS = {
    "copied-by-engine": re.compile(r"cp\.async\.bulk\.tensor\S*shared\S*global"),
    "copied-by-threads": re.compile(r"cp\.async\.(ca|cg)\."),
    "multiplied-by-warpgroups": re.compile(r"wgmma\.mma_async"),
    "multiplied-in-tensor-memory": re.compile(r"tcgen05\.mma"),
    "reduced-by-engine": re.compile(r"cp\.reduce\.async\.bulk"),
    "cut-in-two": re.compile(r'Remark="\d+ producer warp'),
}


def find_ways(arguments, seed):
    """The ways that the program of `seed` takes."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.mlir"
        subprocess.run([arguments.generate, f"--seed={seed}", f"--shapes={arguments.shape}", "-o", program], check=True)
        command = [arguments.tileiras, program, "--emit=ptx", "-o", "-", "--gpu-name", arguments.gpu,
                   f"--profile={arguments.profile}", "--remarks=all"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return {way for way, pattern in WAYS.items() if pattern.search(done.stdout + done.stderr)}


def parse_least(text):
    way, _, percent = text.partition("=")
    if way not in WAYS or not percent.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not WAY=PERCENT, with a WAY of {', '.join(WAYS)}")
    return way, int(percent)


def parse_seeds(text):
    first, _, last = text.partition("..")
    if not first.isdigit() or not last.isdigit() or int(last) < int(first):
        raise argparse.ArgumentTypeError(f"'{text}' is not A..B, A not above B")
    return range(int(first), int(last) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generate", required=True, help="tileiras-generate")
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--seeds", type=parse_seeds, required=True)
    parser.add_argument("--shape", default="loops")
    parser.add_argument("--gpu", default="sm_90", metavar="CHIP")
    parser.add_argument("--profile", default="o3-unspecialized")
    parser.add_argument("--least", type=parse_least, action="append", default=[], metavar="WAY=PERCENT")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    arguments = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        programs = list(pool.map(lambda seed: find_ways(arguments, seed), arguments.seeds))
    percent = {way: 100 * sum(way in ways for ways in programs) / len(programs) for way in WAYS}
    for way, value in percent.items():
        print(f"{way}: {value:.0f} % of {len(programs)} programs")
    missing = [f"{way} is below {least} %" for way, least in arguments.least if percent[way] < least]
    print("\n".join(missing), file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
