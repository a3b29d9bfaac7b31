#!/usr/bin/env python3
"""The whole chain without a GPU: kernels are compiled, a client launches them through the emulated CUDA driver exactly as
cuTile Python's launcher does (blocks of one thread, no shared memory, no attributes), and what they leave is compared with
the expected data.

  chain.py own     the kernels of tests/kernels
  chain.py corpus  twenty of other people's (--corpus or TILEIRAS_CORPUS; exit code 77 where there is none)

With --under PROGRAM the client runs under it (tileiras-cutile). Every kernel is launched in one of the ways in which a
program can find the driver's functions and launch, one after the other; the first in all of them, and from four threads at once.
"""

import argparse
import concurrent.futures
import importlib.util
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels"
specification = importlib.util.spec_from_file_location("kernels_run", KERNELS / "run.py")
kernels_run = importlib.util.module_from_spec(specification)
specification.loader.exec_module(kernels_run)

# One of each kind, that runs in a moment; assert_fail must trap.
CORPUS = """arange_full_i32 args_list_sum copy_2d_f32 assert_fail atomic_add_contended_f32 matmul_f16_small bin_add_f16
cast_f32_bf16 scatter_1d_i32 for_break gather_2d_f32 gs_view_rows_i32 inplace_rmw_f32 layer_norm_fwd_bf16
mma_f16_f32_64x8x32 pack_i32 red_argmax_f32_ax0 scan_sum_f32_ax0 softmax_f32 vec_add_1d_tail_f32""".split()
TRAPS = {"assert_fail": "710 CUDA_ERROR_ASSERT"}
WAYS = [["--lookup=" + lookup, "--launch=" + launch] + module
        for module, launch, lookup in itertools.product([[], ["--module"]], ["kernel-ex", "kernel", "graph"],
                                                        ["procaddress", "linked", "dlsym"])]
TIMEOUT = 120


def compute_capability(gpu):
    number = gpu.removeprefix("sm_").rstrip("af")
    return f"{number[:-1]}.{number[-1]}"


def environment(arguments, gpu, folder):
    return os.environ | {"LD_LIBRARY_PATH": str(arguments.driver), "EMULATED_CUDA_IMAGES": str(folder),
                         "EMULATED_CUDA_CC": compute_capability(gpu), "EMULATED_CUDA_VERBOSE": "1"}


def compile_kernel(kernel, gpu, folder, arguments):
    """None, or why there is no kernel.cubin with its kernel.ptx."""
    command = [arguments.tileiras, str(kernel.source), "--gpu-name", gpu, "-O3", "--lineinfo"] + kernel.options(gpu)
    return (kernels_run.run(command + ["-o", str(folder / "kernel.cubin")], TIMEOUT) or
            kernels_run.run(command + ["-o", str(folder / "kernel.ptx")], TIMEOUT))


def launch(way, kernel, gpu, folder, arguments):
    """None, or why the kernel did not do what it should."""
    client = arguments.linked_client if "--lookup=linked" in way else arguments.client
    command = arguments.under + [client, str(folder / "kernel.cubin"), f"--case={folder}"] + way
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT,
                            env=environment(arguments, gpu, folder))
    if trap := TRAPS.get(kernel.name):
        ok = result.returncode == 3 and trap in result.stderr
        return None if ok else f"must trap with {trap}; exit code {result.returncode}: {result.stderr.strip()}"
    if result.returncode:
        return f"exit code {result.returncode}: {result.stderr.strip()}"
    return None if "--host-threads=4" in way else kernel.check(folder)


def process(kernel, gpu, ways, arguments):
    """Why the kernel fails, or None; and the seconds it took."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tileiras driver ") as temporary:
        folder = pathlib.Path(temporary)
        failure = compile_kernel(kernel, gpu, folder, arguments)
        if not failure:
            kernel.dump(folder)
        for way in ways if not failure else []:
            if failure := launch(way, kernel, gpu, folder, arguments):
                failure = f"{' '.join(way)}: {failure}"
                break
    return failure, time.monotonic() - start


def own_kernels():
    return [kernels_run.OwnKernel(path.parent) for path in sorted(KERNELS.glob("*/case.py"))]


def corpus_kernels(corpus, every):
    tool = kernels_run.load_module(corpus / "cutile_case.py", "cutile_case")
    names = sorted(path.parent.name for path in (corpus / "kernels").glob("*/meta.json")) if every else CORPUS
    return [kernels_run.CorpusKernel(corpus / "kernels" / name, tool) for name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=["own", "corpus"])
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--driver", required=True, help="the folder of the emulated libcuda.so.1")
    parser.add_argument("--client", required=True)
    parser.add_argument("--linked-client", required=True)
    parser.add_argument("--under", action="append", default=[], help="run the client under this program")
    parser.add_argument("--gpu", help="instead of what the kernels say (sm_90)")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS") or None)
    parser.add_argument("--all", action="store_true", help="all of the corpus, but for what is known not to compile")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if arguments.suite == "corpus" and not (arguments.corpus and arguments.corpus.is_dir()):
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to launch other people's kernels")
        return 77
    gpu = arguments.gpu or "sm_90"
    kernels = own_kernels() if arguments.suite == "own" else corpus_kernels(arguments.corpus, arguments.all)
    known = kernels_run.Expectations(KERNELS / "corpus-expectations.txt")
    kernels = [kernel for kernel in kernels if known.get(kernel, gpu)[0] != "compile"]
    ways = [[WAYS[i % len(WAYS)]] for i in range(len(kernels))]
    ways[0] = WAYS + [["--host-threads=4"], ["--host-threads=4", "--launch=graph", "--module"]]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        jobs = [pool.submit(process, kernel, arguments.gpu or kernel.gpu, way, arguments)
                for kernel, way in zip(kernels, ways)]
        for kernel, way, job in zip(kernels, ways, jobs):
            failure, seconds = job.result()
            failures += bool(failure)
            how = " ".join(way[0]) if len(way) == 1 else f"{len(way)} ways"
            print(f"{'FAIL' if failure else 'pass'} {kernel.name} on {arguments.gpu or kernel.gpu} ({how}): "
                  f"{seconds:.2f} s{': ' + failure if failure else ''}", flush=True)
    print(f"{len(kernels) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
