#!/usr/bin/env python3
"""Plants mistakes in the code of block-scaled products that copy their scales to tensor memory: each has to be found, by the
emulator or by the result.

  scaled_mutations.py [NAME…] --tileiras FILE --emulator FILE [-j N]

Exit code 0 when every mistake is found, and the code without any is right.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

import run
import scaled_products

GPU = "sm_100"
INTERLEAVED = scaled_products.Case("e4m3", (128, 128, 128), steps=9, scales="ii")
ROW_MAJOR = scaled_products.Case("e4m3", (128, 128, 128), steps=9, scales="nt", promised=4)
SIGNED = scaled_products.Case("nvf4", (128, 128, 256), steps=3, scales="ii", negative=True)
# Of pairs of CTAs.
PAIR = scaled_products.Case("e4m3", (256, 256, 128), steps=9, scales="ii", ctas=2)
PAIR_OF_ROWS = scaled_products.Case("e4m3", (256, 128, 128), steps=9, scales="nt", promised=4, ctas=2)
SIGNED_PAIR = scaled_products.Case("nvf4", (256, 128, 256), steps=3, scales="ii", negative=True, ctas=2)
BELOW = scaled_products.Case("nvf4", (256, 128, 256), steps=3, scales="ii", negative="below", ctas=2)
FOUR = scaled_products.Case("e4m3", (512, 128, 128), steps=9, scales="ii", ctas=4)
SIGNS = "-8608480567731124088"  # of 16 numbers
COPY = r" @leader tcgen05\.cp[^;]*;"


def replace(pattern, text, count=0):
    return lambda ptx: re.sub(pattern, text, ptx, count=count)


def copy_behind(ptx):
    """Products start before their scales are copied."""
    return re.sub(rf"({COPY})({COPY})(.*) }}$", r"\3\1\2 }", ptx, flags=re.MULTILINE)


def swap_kinds(ptx):
    """Instructions take the scales of others."""
    kinds = iter(reversed(re.findall(r"mov\.b32 kind, \d+;", ptx)))
    return re.sub(r"mov\.b32 kind, \d+;", lambda _: next(kinds), ptx)


def keep_signs(ptx):
    """What threads have stored is not made known to the tensor core."""
    fence = "fence.proxy.async.shared::cta;"
    begin = ptx.index(fence, ptx.rindex(SIGNS))
    return ptx[:begin] + ";" + ptx[begin + len(fence):]


# In the CTA that tells the other one of its pair: its wait, its fence, and what it tells.
TELLS = (r"(mbarrier\.try_wait\.parity)(\.shared::cta\.b64 complete, \[(%r\d+)\], (?:.*\n){1,8})(\tfence\.proxy\.async\.shared::cta;)"
         r"((?:.*\n){1,8}mapa.* remote, \3, (?:.*\n)@%p\d+ mbarrier\.arrive)(\.release\.cluster)(.*remote\+0\];)")

PLANTS = {
    "copy-of-a-dropped": (INTERLEAVED, replace(COPY, "", 1)),
    "copy-of-b-dropped": (INTERLEAVED, replace(rf"({COPY}){COPY}", r"\1")),
    "copies-elsewhere": (INTERLEAVED, replace(r"(tcgen05\.cp[^[]*\[%r\d+\+)4\]", r"\g<1>0]")),
    "copy-behind": (INTERLEAVED, copy_behind),
    "scales-exchanged": (INTERLEAVED, replace(r"(kind, )(\[%r\d+\+0\]), (\[%r\d+\+4\])", r"\1\3, \2")),
    "scales-of-others": (INTERLEAVED, swap_kinds),
    "bytes-of-scales-forgotten": (INTERLEAVED, replace(r"(expect_tx.*), 33792;", r"\1, 32768;")),
    "stage-kept": (INTERLEAVED, replace(r"@leader tcgen05\.commit.*\+8\]; }", "}")),
    "stage-released-early": (INTERLEAVED, replace(r"(\t\{ \.reg \.pred leader, first.*\n)((?:.*\n){1,3}?)"
                                                  r"(\t\{ \.reg \.pred leader; elect.*\+8\]; \}\n)", r"\3\2\1")),
    "proxies-apart": (ROW_MAJOR, replace(r"fence\.proxy\.async\.shared::cta;(?=\n.*\n.*\n(?:.*\n){1,20}.*tcgen05\.cp)", ";")),
    "copies-unawaited": (ROW_MAJOR, replace(r"cp\.async\.mbarrier\.arrive\.noinc(.*);", r"mbarrier.arrive\1;")),
    "arrivals-of-copies-counted": (ROW_MAJOR, replace(r"arrive\.noinc", "arrive")),
    "threads-not-awaited": (ROW_MAJOR, replace(r"(mbarrier\.init.*), 33;", r"\1, 32;")),
    "word-elsewhere": (ROW_MAJOR, replace(r"cp\.async\.ca\.shared\.global \[%r\d+\]((?:.*\n)*?.*cp\.async\.ca\.shared\.global "
                                          r"\[)(%r\d+)", r"cp.async.ca.shared.global [\2]\1\2", 1)),
    "signs-unseen": (SIGNED, replace(r"selp\.u32 (%r\d+), 1, 0, any;", r"mov.u32 \1, 0;")),
    "signs-in-other-proxy": (SIGNED, keep_signs),
    "signs-by-others-unawaited": (SIGNED, replace(r"bar\.warp\.sync -1;(?=\n(?:.*\n){1,12}.*tcgen05\.cp)", ";")),
    "copies-of-one-cta": (PAIR, replace(r"(tcgen05\.cp\.cta_group)::2", r"\1::1")),
    "other-half-of-columns-unscaled": (PAIR, replace(rf"({COPY}[^@]*)({COPY}[^@]*){COPY}", r"\1\2")),
    "bytes-of-other-cta-forgotten": (PAIR, replace(r"(expect_tx.*), 68608;", r"\1, 34304;")),
    "one-cta-released": (PAIR, replace(r"mov\.b16(\s+%rs\d+), 3;", r"mov.b16\1, 1;")),
    "other-cta-untold": (PAIR_OF_ROWS, replace(r"@%p\d+ mbarrier\.arrive\.release\.cluster.*remote\+0\];", "")),
    "told-early": (PAIR_OF_ROWS, replace(TELLS, lambda found: found[0].replace("@!complete bra", "@!complete bra.uni").replace(
        found[1] + found[2].split("\n")[0], "setp.eq.u32 complete, 0, 0;"))),
    "told-in-other-proxy": (PAIR_OF_ROWS, replace(TELLS, r"\1\2\5\6\7")),
    "told-in-its-cta": (PAIR_OF_ROWS, replace(TELLS, r"\1\2\4\5.release.cta\7")),
    "heard-in-its-cta": (PAIR_OF_ROWS, replace(r"(try_wait\.parity\.acquire)\.cluster(.*complete, \[%r\d+\],)", r"\1.cta\2")),
    "teller-not-awaited": (PAIR_OF_ROWS, replace(r"selp\.b32(\s+%r\d+), 34, 32|selp\.b32(\s+%r\d+), 32, 34",
                                                 lambda found: found[0].replace("34", "33"))),
    "signs-of-other-cta-kept": (SIGNED_PAIR, replace(r"st\.shared::cluster\.b64.*;", ";")),
    "signs-of-other-cta-unseen": (BELOW, replace(
        r"ld\.shared::cluster\.v4\.b32\s+\{(%r\d+), (%r\d+), (%r\d+), (%r\d+)\}, .*;",
        r"mov.b32 \1, 0; mov.b32 \2, 0; mov.b32 \3, 0; mov.b32 \4, 0;")),
    "signs-of-other-cta-in-other-proxy": (SIGNED_PAIR, replace(r"fence\.proxy\.async\.shared::cluster;",
                                                               "fence.proxy.async.shared::cta;")),
    "other-pair-unreleased": (FOUR, replace(r"mov\.b16(\s+%rs\d+), 15;", r"mov.b16\1, 3;")),
    "copies-to-one-pair": (FOUR, replace(r"mov\.b16(\s+%rs\d+), 5;", r"mov.b16\1, 1;")),
    "half-of-the-signs": (SIGNED, replace(SIGNS, "-8608480569728499712")),
}


class Program:
    """A case and its code, compiled once."""

    def __init__(self, case, folder, arguments):
        self.folder, self.case = folder, case.build()
        folder.mkdir()
        self.kernel = run.OwnKernel.__new__(run.OwnKernel)
        self.kernel.case, self.kernel.name = self.case, case.name
        self.kernel.dump(folder)
        (folder / "kernel.mlir").write_text(self.case.text)
        subprocess.run([arguments.tileiras, str(folder / "kernel.mlir"), "--gpu-name", GPU, *case.options,
                        "-o", str(folder / "kernel.ptx"), f"--metadata={folder / 'kernel.json'}"],
                       check=True, capture_output=True, timeout=arguments.timeout)
        self.ptx = (folder / "kernel.ptx").read_text()

    def find_mistake(self, ptx, name, arguments):
        """What is wrong with `ptx`; None if nothing is."""
        changed = self.folder.parent / name
        changed.mkdir()
        self.kernel.dump(changed)
        (changed / "kernel.ptx").write_text(ptx)
        command = [arguments.emulator, "run", str(changed / "kernel.ptx"), "--case", str(changed), "--strict", "--seeds", "5",
                   "--smem", str(run.get_dynamic_shared(self.folder / "kernel.json", self.folder))]
        return run.run(command, arguments.timeout) or self.kernel.check(changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of names of mistakes")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--emulator", default="ptx-emulator")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("-v", action="store_true", help="say what was found")
    parser.add_argument("-j", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        plants = {name: plant for name, plant in PLANTS.items()
                  if not arguments.names or any(part in name for part in arguments.names)}
        programs = {case: Program(case, folder / case.name, arguments) for case in dict(plants.values())}

        def process(job):
            name, (case, change) = job
            program = programs[case]
            ptx = change(program.ptx)
            if ptx == program.ptx:
                return "finds nothing to change"
            found = program.find_mistake(ptx, name, arguments)
            if arguments.v:
                print(f"{name}: {found and found.strip().splitlines()[-1][:200]}", flush=True)
            return None if found else "is not found"
        bad = [f"{case.name}: {wrong}" for case, program in programs.items()
               if (wrong := program.find_mistake(program.ptx, f"{case.name}-right", arguments))]
        with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
            bad += [f"{name}: {wrong}" for name, wrong in zip(plants, pool.map(process, plants.items())) if wrong]
    print("\n".join(bad + [f"{len(plants)} mistakes planted, {len(bad)} problems"]))
    return 1 if bad or not plants else 0


if __name__ == "__main__":
    sys.exit(main())
