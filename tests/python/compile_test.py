"""compile, and what comes of it."""

import os
import subprocess
import sys
import threading
import time
import warnings

import pytest

import tileiras
from conftest import EXAMPLES

TEXT = (EXAMPLES / "vector_add" / "kernel.mlir").read_text()


def test_sources_are_paths_text_and_bytecode(tmp_path):
    tool = os.path.join(os.environ["TILEIRAS_ROOT"], "bin", "tileiras")
    bytecode = tmp_path / "add.tileirbc"
    subprocess.run([tool, EXAMPLES / "vector_add" / "kernel.mlir", "-o", bytecode], check=True)
    by_path = tileiras.compile(str(bytecode), "sm_90", line_info=False)
    by_bytes = tileiras.compile(bytecode.read_bytes(), "sm_90", line_info=False)
    by_text = tileiras.compile(TEXT, "sm_90", line_info=False)
    by_text_bytes = tileiras.compile(TEXT.encode(), "sm_90", line_info=False)
    assert by_path.ptx == by_bytes.ptx == by_text.ptx == by_text_bytes.ptx
    assert ".target sm_90" in by_path.ptx and ".entry vector_add" in by_path.ptx
    assert by_path.name == str(bytecode) and by_text.name == "<kernel>"


def test_it_is_the_tools_ptx(tmp_path):
    tool = os.path.join(os.environ["TILEIRAS_ROOT"], "bin", "tileiras")
    file, kernel = tmp_path / "x.ptx", str(EXAMPLES / "matmul" / "kernel.mlir")
    subprocess.run([tool, kernel, "--gpu-name", "sm_100", "-O3", "--lineinfo", "-o", file], check=True)
    assert tileiras.compile(kernel, "sm_100").ptx == file.read_text()


def test_options_have_an_effect():
    def warps(**options):
        return tileiras.compile(TEXT, "sm_90", **options).entry().block[0]

    assert warps(settings={"num-warps": 8}) == warps(settings=["num-warps=8"]) == 256
    assert tileiras.compile(TEXT, "sm_90", opt=0).metadata["profile"]["name"] == "o0"
    assert tileiras.compile(TEXT, "sm_90", opt=None, profile="o1").metadata["profile"]["name"] == "o1"
    assert ".loc" in tileiras.compile(TEXT, "sm_90").ptx
    assert ".loc" not in tileiras.compile(TEXT, "sm_90", line_info=False).ptx
    with pytest.raises(TypeError, match="not one string"):
        tileiras.compile(TEXT, "sm_90", settings="num-warps=8")


def test_entry_says_what_a_launch_takes(vector_add):
    entry = vector_add.entry()
    assert entry.name == "vector_add" and list(vector_add.entries) == ["vector_add"]
    assert [parameter.type for parameter in entry.parameters] == ["ptr", "ptr", "ptr", "i32"]
    assert [parameter.bytes for parameter in entry.parameters] == [8, 8, 8, 4]
    assert entry.block == (128, 1, 1) and entry.cluster == (1, 1, 1) and entry.registers is None
    with pytest.raises(ValueError, match="no kernel 'other'.*vector_add"):
        vector_add.entry("other")


def test_remarks_have_places():
    remarks = {remark.name: remark for remark in tileiras.compile(EXAMPLES / "matmul" / "kernel.mlir", "sm_90").remarks}
    schedule = remarks["LoopSchedule"]
    assert schedule.kind == "Analysis" and schedule.category == "schedule" and schedule.function == "matmul"
    assert schedule.location.file.endswith("kernel.mlir") and schedule.location.line == 28
    assert str(schedule).startswith(f"{schedule.location}: [Analysis] LoopSchedule: II ")


def test_cubin_and_registers(vector_add, needs_ptxas):
    assert vector_add.cubin.startswith(b"\x7fELF")
    assert 8 <= vector_add.registers <= 255
    entry = vector_add.entry()
    assert entry.registers == vector_add.registers and entry.spill_bytes == 0 and entry.static_shared_bytes == 0


def test_errors_have_places():
    with pytest.raises(tileiras.CompileError, match="<kernel>:3:15") as caught:
        tileiras.compile("cuda_tile.module @m {\n  entry @k() {\n    %0 = negf %x : tile<f32>\n    return\n  }\n}\n", "sm_90")
    assert caught.value.location == tileiras.Location("<kernel>", 3, 15)
    assert caught.value.diagnostics[0].severity == "error"
    with pytest.raises(tileiras.CompileError, match="unsupported GPU target 'sm_9'.*sm_90"):
        tileiras.compile(TEXT, "sm_9")
    with pytest.raises(tileiras.CompileError, match="cannot read there-is-none"):
        tileiras.compile("there-is-none", "sm_90")
    with pytest.raises(tileiras.CompileError, match="num-warp.*num-warps"):
        tileiras.compile(TEXT, "sm_90", settings={"num-warp": 8})
    with pytest.raises(tileiras.CompileError, match="invalid optimization level 4"):
        tileiras.compile(TEXT, "sm_90", opt=4)


def test_warnings_are_pythons():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kernel = tileiras.compile("cuda_tile.module @empty {}", "sm_90")
    texts = [str(warning.message) for warning in caught if warning.category is tileiras.CompilerWarning]
    assert texts == [str(d) for d in kernel.diagnostics if d.severity == "warning"] and texts


def test_limits():
    with pytest.raises(tileiras.LimitError):
        tileiras.compile(large_program(), "sm_90", time_limit=0.02)


def large_program():
    """Takes seconds to compile."""
    lines = ["cuda_tile.module @m {", "  entry @k(%p: tile<ptr<f32>>) {", "    %t = make_token : token",
             "    %v0, %r = load_ptr_tko weak %p token = %t : tile<ptr<f32>> -> tile<f32>, token"]
    lines += [f"    %v{i + 1} = mulf %v{i}, %v{i // 2} : tile<f32>" for i in range(60000)]
    lines += ["    %s = store_ptr_tko weak %p, %v60000 token = %t : tile<ptr<f32>>, tile<f32> -> token", "    return", "  }", "}"]
    return "\n".join(lines)


def test_other_threads_work_meanwhile():
    """The GIL is released: this thread counts while another one compiles."""
    done = threading.Event()

    def work():
        try:
            tileiras.compile(large_program(), "sm_90")
        finally:
            done.set()

    thread = threading.Thread(target=work)
    thread.start()
    longest, last, begin = 0.0, time.monotonic(), time.monotonic()
    while not done.wait(0.001):
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    thread.join()
    took = time.monotonic() - begin
    assert took > 0.2 and longest < took / 2


def test_interruption_ends_a_compilation():
    program = ("import sys, threading, signal, os, tileiras; sys.path.insert(0, sys.argv[1]); import compile_test\n"
               "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
               "try:\n  tileiras.compile(compile_test.large_program(), 'sm_90')\n"
               "except KeyboardInterrupt:\n  print('interrupted')\n"
               "print(len(tileiras.compile(compile_test.TEXT, 'sm_90').ptx) > 0)\n")
    begin = time.monotonic()
    result = subprocess.run([sys.executable, "-c", program, os.path.dirname(__file__)], capture_output=True, text=True,
                            timeout=120)
    assert result.stdout == "interrupted\nTrue\n", result.stderr
    assert time.monotonic() - begin < 60
