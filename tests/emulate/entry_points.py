#!/usr/bin/env python3
"""entry_points.py ENTRYPOINTS.inc: what the emulated driver does with its functions, all of them: each is found by its name, in
each of its forms, and exported; called with nothing, it answers with a result and does not crash; what is not emulated says so.
With --header CUDA: that the list is the one of a toolkit's cuda.h and cudaTypedefs.h (exit code 77: CUDA has none)."""

import ctypes
import os
import pathlib
import re
import sys

ENTRY = re.compile(r"EMULATED_CUDA_ENTRY\((\w+), (\d+), (\w+), (true|false)\)")
# They end what this process needs, or wait for what does not come.
NOT_CALLED = {"cuGetProcAddress", "cuGetProcAddress_v2"}
NOT_SUPPORTED = 801


def read_entries(path):
    return [(name, int(since), symbol, per_thread == "true") for name, since, symbol, per_thread in
            ENTRY.findall(pathlib.Path(path).read_text())]


def check_names(entries, library):
    look_up = library.cuGetProcAddress_v2
    look_up.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p]
    failures = []
    for name, since, symbol, per_thread in entries:
        address = ctypes.c_void_p()
        result = look_up(name.encode(), ctypes.byref(address), since, 2 if per_thread else 0, None)
        if result or not address.value:
            failures.append(f"{name} of CUDA {since} is not found")
        elif not per_thread and address.value != ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value:
            failures.append(f"{name} of CUDA {since} is not {symbol}")
    return failures


def call_with_nothing(entries, library):
    """How many are not emulated."""
    refused = 0
    for symbol in sorted({symbol for _, _, symbol, _ in entries} - NOT_CALLED):
        print(symbol, flush=True)  # the last one is what crashed
        refused += getattr(library, symbol)(*[ctypes.c_void_p(None)] * 12) == NOT_SUPPORTED
    return refused


def compare_with_header(entries, cuda):
    header, typedefs = (pathlib.Path(cuda) / "include" / name for name in ("cuda.h", "cudaTypedefs.h"))
    if not header.is_file() or not typedefs.is_file():
        print(f"SKIP: there is no {header}, which the list is compared with")
        sys.exit(77)
    theirs = {(name, int(since), bool(suffix)) for name, since, suffix in
              re.findall(r"PFN_(cu\w+?)_v(\d+)(_ptsz|_ptds)?\)", typedefs.read_text())}
    ours = {(name, since, per_thread) for name, since, _, per_thread in entries if not name.startswith("cuProfiler")}
    return [f"{entry} is missing" for entry in sorted(theirs - ours)] + \
        [f"{entry} is not in cudaTypedefs.h" for entry in sorted(ours - theirs)]


def main():
    entries = read_entries(sys.argv[1])
    if sys.argv[2:3] == ["--header"]:
        failures = compare_with_header(entries, sys.argv[3])
    else:
        library = ctypes.CDLL("libcuda.so.1")
        failures = check_names(entries, library)
        refused = call_with_nothing(entries, library)  # before cuInit, which 0 starts
        library.cuInit(0)
        refused = call_with_nothing(entries, library)
        context = ctypes.c_void_p()
        library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
        library.cuCtxSetCurrent(context)
        call_with_nothing(entries, library)
        print(f"{len(entries)} forms, {refused} are not emulated")
        if not refused or refused > len(entries) * 3 // 4:
            failures.append("what is not emulated does not say so, or nothing is")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # contexts were destroyed by zeros
