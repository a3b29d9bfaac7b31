#!/usr/bin/env python3
"""Tests the launcher on a driver that only pretends: launcher_test.py GPU_LAUNCHER FOLDER_OF_FAKE_LIBCUDA"""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile

COMMIT = "0123456789abcdef dirty"
NAN, OTHER_NAN = struct.pack("<I", 0x7FFFFFFF), struct.pack("<I", 0xFFC00001)


def pack(code, *values):
    return struct.pack(f"<{len(values)}{code}", *values)


F32 = pack("f", 1, -2, 0, float("inf"))
NEAR = pack("f", 1.0000001, -2, 0, float("inf"))
ZEROS = pack("f", 1, -2, -0.0, float("inf"))
FINITE = pack("f", 1, -2, 0, 3e38)

BITS = "u8 0 0"


def cubin(metadata):
    """An ELF file for a GPU that has a symbol __tileiras_metadata, or none, and nothing else."""
    names, text = b"\0__tileiras_metadata\0", json.dumps(metadata).encode() if metadata else b""
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 1, 0, 3, 0, len(text)) * bool(metadata)
    contents, headers, offset = b"", bytes(64), 64
    for kind, data, link in ((2, symbols, 2), (3, names, 0), (1, text, 0)):
        headers += struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, offset + len(contents), len(data), link, 0, 1, 24)
        contents += data
    contents += bytes(-len(contents) % 8)
    return struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 190, 1, 0, 0, offset + len(contents), 0,
                       64, 56, 0, 64, 4, 0) + contents + headers


def compiled(parameters=2, **changes):
    """The files of a case that the compiler made: the launch library has to know the block from the cubin."""
    kernel = {"name": "k", "parameters": [{"type": "i64", "bytes": 8}] * parameters, "block_size": [128, 1, 1],
              "cluster_size": [1, 1, 1], "dynamic_shared_bytes": 0, "launch_blocks": "clusters",
              "launch_block_size": [1, 1, 1], **changes}
    target = {"gpu": "sm_90", "arch": "sm_90a", "compute_capability": 90}
    return {"kernel.cubin": cubin({"tileiras": "0.1.0", "target": target, "kernels": [kernel]}), "block": ""}


def threads(**changes):
    return compiled(launch_blocks="threads", launch_block_size=[128, 1, 1], **changes)


# name: (what the GPU gives, emulator's result, expected data or None, how to compare with these two, other files, verdict,
# detail)
CASES = {
    "same": (F32, F32, F32, "f32 0 0; f32 0 0", {}, "pass", "same bits"),
    "tolerated": (NEAR, F32, F32, "f32 1e-6 0; f32 0 1e-6", {}, "pass",
                  "within tolerance, 1 elements have other bits"),
    "emulator_exact": (NEAR, F32, F32, "f32 0 0; f32 1e-6 0", {}, "fail",
                       "not as emulator: y[0] is 1.00000012(0x3f800001), not 1(0x3f800000) (1 of 4 differ)"),
    "emulator_wrong": (FINITE, F32, FINITE, "f32 1 1; f32 0 0", {}, "fail",
                       "not as emulator: y[3] is 3.00000001e+38(0x7f61b1e6), not inf(0x7f800000) (1 of 4 differ)"),
    "expected_wrong": (F32, F32, FINITE, "f32 0 0; f32 1 1", {}, "fail",
                       "not as expected: y[3] is inf(0x7f800000), not 3.00000001e+38(0x7f61b1e6) (1 of 4 differ)"),
    "both_wrong": (pack("i", 1, -7, 5), pack("i", 1, 2, 3), pack("i", 1, -7, 3), "i32 0 0; i32 9 9",
                   {}, "fail", "not as emulator: y[1] is -7, not 2 (2 of 3 differ); "
                               "not as expected: y[2] is 5, not 3 (1 of 3 differ)"),
    "nan": (OTHER_NAN, NAN, NAN, "f32 0 0; f32 1 1", {}, "pass", "within tolerance"),
    "nan_without_type": (OTHER_NAN, NAN, None, BITS, {}, "fail", "y[0] is 1, not 255 (4 of 4 differ)"),
    "zeros": (ZEROS, F32, ZEROS, "f32 0 0; f32 0 0", {}, "fail",
              "y[2] is -0(0x80000000), not 0(0x00000000) (1 of 4 differ)"),
    "zeros_equal": (ZEROS, F32, None, "f32 0 1e-300", {}, "pass", "within tolerance"),
    "half": (pack("e", 1, 6e-8), pack("e", 1, -3), None, "f16 0.5 0", {}, "fail",
             "y[1] is 5.96046448e-08(0x0001), not -3(0xc200)"),
    "half_close": (pack("e", 2, 3), pack("e", 2, 3.01), None, "f16 0.01 0", {}, "pass", "within tolerance"),
    "bfloat": (pack("H", 0x3F80, 0x4000), pack("H", 0x3F80, 0x4040), None, "bf16 0.1 0", {}, "fail",
               "y[1] is 2(0x4000), not 3(0x4040)"),
    "double": (pack("d", 0.1), pack("d", 0.2), None, "f64 0.4 0", {}, "fail", "y[0] is 0.10000000000000001("),
    "illegal_address": (F32, F32, None, BITS, {"fake_error": "700"}, "fail", "cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS"),
    "crash": (F32, F32, None, BITS, {"fake_error": "-1"}, "fail", "crashed with signal 6"),
    "trap": (F32, F32, None, BITS, {"traps.txt": "trap"}, "pass", "traps, as it should"),
    "no_trap": (F32, F32, None, BITS, {"traps.txt": "trap", "fake_error": "0"}, "fail", "does not trap"),
    "other_trap": (F32, F32, None, BITS, {"traps.txt": "trap", "fake_error": "700"}, "fail", "CUDA_ERROR_ILLEGAL_ADDRESS"),
    "unexpected_trap": (F32, F32, None, BITS, {"fake_error": "719"}, "fail", "CUDA_ERROR_LAUNCH_FAILED"),
    "other_gpu": (F32, F32, None, BITS, {"target.txt": "100a"}, "skip", "for sm_100a"),
    "odd_size": (b"abc", b"abc", None, "f16 0 0", {}, "fail", "3 bytes as elements of f16"),
    "unknown_type": (F32, F32, None, "f8 0 0", {}, "fail", "unknown element type 'f8'"),
    "compiled": (F32, F32, None, BITS, {**compiled(), "fake_launch": "1 1 1 1 1 1 0 0"}, "pass", "same bits"),
    "compiled_threads": (F32, F32, None, BITS, {**threads(), "fake_launch": "1 1 1 128 1 1 0 0"}, "pass", "same bits"),
    "compiled_cluster": (F32, F32, None, BITS, {**threads(cluster_size=[2, 1, 1], dynamic_shared_bytes=99000),
                                                "fake_launch": "2 1 1 128 1 1 99000 1"}, "pass", "same bits"),
    "compiled_refused": (F32, F32, None, BITS, {**compiled(), "fake_launch": "1 1 1 128 1 1 0 0"}, "fail",
                         "cannot launch kernel 'k' (128 threads a block, 1 blocks a cluster, 0 bytes of dynamic shared "
                         "memory): cuLaunchKernelEx"),
    "compiled_parameters": (F32, F32, None, BITS, compiled(parameters=1), "fail", "has 1 parameters, 2 arguments were given"),
    "compiled_name": (F32, F32, None, BITS, compiled(name="other"), "fail", "has no kernel 'k'; it has 'other'"),
    "foreign": (F32, F32, None, BITS, {"kernel.cubin": cubin(None), "block": ""}, "fail", "has no tileiras metadata"),
    "block": (F32, F32, None, BITS, {"fake_launch": "1 1 1 32 1 1 0 0"}, "pass", "same bits"),
    "smem_without_block": (F32, F32, None, BITS, {"block": "smem 7\n"}, "fail", "a cluster and shared memory take a block"),
    "malformed": (F32, F32, None, "f32", {}, "fail", "malformed 'emulator y emulator_y f32'"),
    "not_compared": (F32, F32, F32, "; f32 0 0", {}, "fail", "does not say what the emulator leaves in y"),
    "unknown_item": (F32, F32, None, BITS, {"launch.txt": "kernel k\nflavour 3\n"}, "fail", "unknown item 'flavour'"),
}


def write_payload(payload, names):
    payload.mkdir()
    (payload / "commit.txt").write_text(COMMIT + "\n")
    for name in names:
        gpu, emulator, expected, rules, others, _, _ = CASES[name]
        folder = payload / "group" / name
        folder.mkdir(parents=True)
        size = len(gpu)
        compare = "".join(f"{against} y {against}_y {rule}\n"
                          for against, rule in zip(("emulator", "expected"), rules.split("; ")) if rule)
        launch = (f"kernel k\ngrid 1 1 1\nbuffer x 4 buf_x.bin\nbuffer y {size} buf_y.bin\ntable t 2\naddr y 0\nword 7\n"
                  f"param ptr t 0\nparam i32 -3\nread y {size} out_y.bin\n" + others.get("block", "block 32 1 1\n"))
        contents = {"launch.txt": launch, "target.txt": "90a\n", "kernel.cubin": "", "compare.txt": compare,
                    "buf_x.bin": bytes(4), "buf_y.bin": bytes(size), "fake_y": gpu, "emulator_y": emulator, **others}
        if expected is not None:
            contents["expected_y"] = expected
        for file, data in contents.items():
            (folder / file).write_bytes(data if isinstance(data, bytes) else data.encode())


def launch(launcher, fake, payload, *options, **variables):
    environment = {**os.environ, "LD_LIBRARY_PATH": fake, **variables}
    results = payload / "results.json"
    done = subprocess.run([launcher, *options, payload, results], env=environment, capture_output=True, text=True)
    return done, json.loads(results.read_text()) if results.exists() else None


def problems(launcher, fake, folder):
    write_payload(folder / "all", CASES)
    done, results = launch(launcher, fake, folder / "all")
    rows = {row["name"]: row for row in results["cases"]}
    verdicts = [case[5] for case in CASES.values()]
    if done.returncode != 1:
        yield f"exit code {done.returncode} although cases fail"
    if sorted(rows) != sorted(f"group/{name}" for name in CASES):
        yield f"other cases than there are: {sorted(rows)}"
    for name, case in CASES.items():
        row = rows[f"group/{name}"]
        if row["result"] != case[5] or case[6] not in row["detail"]:
            yield f"{name}: {row['result']}, {row['detail']!r}; should be {case[5]}, {case[6]!r}"
        line = rf"^group/{name} +{case[5] if case[5] != 'fail' else 'FAIL'} .*{re.escape(row['detail'])}$"
        if not re.search(line, done.stdout, re.MULTILINE):
            yield f"{name}: the table has no such line"
    if [results[verdict] for verdict in ("pass", "fail", "skip")] != [verdicts.count(v) for v in ("pass", "fail", "skip")]:
        yield "miscounted"
    same, both = rows["group/same"], rows["group/both_wrong"]
    if (same["registers"], same["local_bytes"], same["time_us"]) != (42, 16, 2.5) or " 2.50    42     16 " not in done.stdout:
        yield f"other resources than the driver's: {same}"
    first = {"against": "emulator", "buffer": "y", "index": 1, "got": "-7", "wanted": "2", "count": 2, "of": 3}
    if both["differences"][0] != first or both["differences"][1]["against"] != "expected":
        yield f"other differences: {both['differences']}"
    if results["commit"] != COMMIT or results["device"] != 'Fake "GPU"' or results["cuda"] != 12080:
        yield f"wrong head: {results['commit']}, {results['device']}, {results['cuda']}"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", results["date"]):
        yield f"no date: {results['date']}"

    write_payload(folder / "good", [name for name, case in CASES.items() if case[5] != "fail"])
    if launch(launcher, fake, folder / "good")[0].returncode != 0:
        yield "fails although all cases pass"
    yield from problems_here(launcher, fake, folder)
    write_payload(folder / "skipped", ["other_gpu"])
    if launch(launcher, fake, folder / "skipped")[0].returncode != 1:
        yield "passes although nothing ran"
    write_payload(folder / "empty", [])
    if launch(launcher, fake, folder / "empty")[0].returncode != 1:
        yield "passes although there is no case"
    done, results = launch(launcher, fake, folder / "empty", FAKE_NO_GPU="1")
    if done.returncode != 77 or "SKIPPED: no GPU to compare with (error cuInit: CUDA_ERROR_NO_DEVICE (100, " not in done.stdout or results:
        yield f"without a GPU: exit code {done.returncode}, {done.stdout!r}"


def problems_here(launcher, fake, folder):
    """In the launcher's own process, where nothing is timed and a crash is the launcher's."""
    for name, code, wanted in (("same", 0, "pass"), ("illegal_address", 1, "fail"), ("crash", -signal.SIGABRT, None)):
        write_payload(folder / f"here_{name}", [name])
        done, results = launch(launcher, fake, folder / f"here_{name}", "--here")
        row, = results["cases"] if results else [None]
        if done.returncode != code or (row and row["result"]) != wanted or row and "time_us" in row:
            yield f"--here, {name}: exit code {done.returncode}, {row}"


def main():
    with tempfile.TemporaryDirectory(prefix="gpu-launcher-") as folder:
        found = list(problems(sys.argv[1], sys.argv[2], pathlib.Path(folder)))
    print("\n".join(found) or f"{len(CASES)} cases: all as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
