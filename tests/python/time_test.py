"""time and machines."""

import json
import os
import subprocess

import numpy
import pytest

import tileiras
from conftest import EXAMPLES


@pytest.fixture
def matmul():
    return tileiras.compile(EXAMPLES / "matmul" / "kernel.mlir", "sm_90")


def arguments(n):
    return [numpy.zeros((n, n), numpy.float16) for _ in range(3)] + [n, n, n]


def test_it_is_the_tools_estimate(matmul, tmp_path):
    ptx = tmp_path / "matmul.ptx"
    ptx.write_text(matmul.ptx)
    launch = {"entry": "matmul", "grid": [4, 4], "buffers": [{"name": n, "bytes": 512 * 512 * 2} for n in "abc"],
              "parameters": [{"buffer": n} for n in "abc"] + [{"i32": 512}] * 3}
    (tmp_path / "launch.json").write_text(json.dumps(launch))
    tool = os.path.join(os.environ["TILEIRAS_ROOT"], "bin", "ptx-emulator")
    said = json.loads(subprocess.run([tool, "time", ptx, "--launch", tmp_path / "launch.json", "--json", "-", "--machine",
                                      "h200-sxm"], check=True, capture_output=True, text=True).stdout)
    estimate = tileiras.time(matmul, (4, 4), arguments(512), machine="h200-sxm")
    assert estimate.data == said
    assert estimate.microseconds == pytest.approx(said["ns"] / 1000) and estimate.machine == "NVIDIA H200 SXM"
    assert 0 < estimate.tflops < estimate.possible_tflops and estimate.bound
    assert any(line.place.endswith("kernel.mlir:31") for line in estimate.lines), estimate.lines
    assert sum(line.share for line in estimate.lines) <= 1.001
    assert "us, bounded by" in str(estimate)


def test_arrays_stay_as_they_are(matmul):
    args = arguments(256)
    args[2][:] = 3
    tileiras.time(matmul, (2, 2), args)
    assert (args[2] == 3).all()


def test_registers_of_the_cubin_count(matmul):
    few = tileiras.time(matmul, (2, 2), arguments(256), registers=64)
    assert few.data["occupancy"]["registers"] == 64


def test_machines_that_there_are_not(matmul):
    assert {"h100-sxm", "b200", "rtx4090"} <= set(tileiras.machines())
    with pytest.raises(tileiras.LaunchError, match="h100-sxm"):
        tileiras.time(matmul, 1, arguments(128), machine="abacus")
