"""What the tests share: kernels, and folders that ctest names."""

import os
import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
FAULTS = pathlib.Path(__file__).resolve().parents[1] / "emulate" / "faults.mlir"

SCALARS = """cuda_tile.module @m {
  // Writes its numbers, as f64, to p.
  entry @scalars(%p: tile<ptr<f64>>, %i: tile<i32>, %l: tile<i64>, %h: tile<f16>, %b: tile<bf16>, %f: tile<f32>, %d: tile<f64>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %3 = constant <i32: 3> : tile<i32>
    %4 = constant <i32: 4> : tile<i32>
    %5 = constant <i32: 5> : tile<i32>
    %vi = itof %i signed : tile<i32> -> tile<f64>
    %vl = itof %l signed : tile<i64> -> tile<f64>
    %vh = ftof %h : tile<f16> -> tile<f64>
    %vb = ftof %b : tile<bf16> -> tile<f64>
    %vf = ftof %f : tile<f32> -> tile<f64>
    %p1 = offset %p, %1 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %p2 = offset %p, %2 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %p3 = offset %p, %3 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %p4 = offset %p, %4 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %p5 = offset %p, %5 : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
    %t = make_token : token
    %s0 = store_ptr_tko weak %p, %vi token = %t : tile<ptr<f64>>, tile<f64> -> token
    %s1 = store_ptr_tko weak %p1, %vl token = %t : tile<ptr<f64>>, tile<f64> -> token
    %s2 = store_ptr_tko weak %p2, %vh token = %t : tile<ptr<f64>>, tile<f64> -> token
    %s3 = store_ptr_tko weak %p3, %vb token = %t : tile<ptr<f64>>, tile<f64> -> token
    %s4 = store_ptr_tko weak %p4, %vf token = %t : tile<ptr<f64>>, tile<f64> -> token
    %s5 = store_ptr_tko weak %p5, %d token = %t : tile<ptr<f64>>, tile<f64> -> token
    print_tko "%i numbers", %i : tile<i32> -> token
    return
  }
}
"""

# Adds 1 to what p points to, for ever.
ENDLESS = """cuda_tile.module @m {
  entry @endless(%p: tile<ptr<i32>>) {
    %t = make_token : token
    %one = constant <i32: 1> : tile<i32>
    loop {
      %old, %done = atomic_rmw_tko relaxed device %p, add, %one token = %t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      continue
    }
    return
  }
}
"""


@pytest.fixture
def vector_add():
    import tileiras
    return tileiras.compile(EXAMPLES / "vector_add" / "kernel.mlir", "sm_90")


@pytest.fixture
def needs_ptxas():
    if os.environ.get("TILEIRAS_TEST_PTXAS") != "1":
        pytest.skip("ptxas is not installed")
