"""Arrays and launches through the CUDA driver; under tileiras-cutile --emulate."""

import numpy
import pytest

import tileiras
from conftest import EXAMPLES, FAULTS


def test_copies():
    values = numpy.arange(24, dtype=numpy.int16).reshape(2, 3, 4)
    array = tileiras.array(values)
    assert array.shape == (2, 3, 4) and array.dtype == numpy.int16 and array.nbytes == 48 and len(array) == 2
    assert (array.get() == values).all() and (numpy.asarray(array) == values).all()
    array.set(7)
    assert (array.get() == 7).all() and values[0, 0, 1] == 1
    assert (tileiras.zeros((3, 2)).get() == 0).all() and tileiras.empty(0).get().size == 0
    assert tileiras.array([[1.5, 2.0]]).dtype == numpy.float64


def test_views_share_memory():
    values = numpy.arange(24, dtype=numpy.float32).reshape(4, 6)
    array = tileiras.array(values)
    for index in (1, (slice(None), 2), (slice(1, 4, 2), slice(None, None, -1)), (Ellipsis, slice(2, 5)), (2, 3)):
        assert (array[index].get() == values[index]).all()
    array[1:3, ::2] = [[1, 2, 3], [4, 5, 6]]
    values[1:3, ::2] = [[1, 2, 3], [4, 5, 6]]
    assert (array.get() == values).all()
    assert (array[:, 1].copy().get() == values[:, 1]).all() and array[:, 1].copy().is_contiguous
    assert (array.reshape(3, -1).get() == values.reshape(3, 8)).all()
    with pytest.raises(ValueError, match="only contiguous"):
        array[:, 1].reshape(2, 2)
    with pytest.raises(IndexError, match="numbers, slices"):
        array[[0, 1]]
    with pytest.raises(IndexError):
        array[4]


def test_the_interface_that_others_read():
    array = tileiras.zeros((4, 6), numpy.float16)
    interface = array.__cuda_array_interface__
    assert interface == {"shape": (4, 6), "typestr": "<f2", "version": 3, "strides": None,
                         "data": (array.address, False)}
    assert array[:, 2:].__cuda_array_interface__["strides"] == (12, 2)
    assert array[:, 2:].__cuda_array_interface__["data"][0] == array.address + 4


def test_memory_is_freed():
    for _ in range(64):
        tileiras.empty(1 << 24, numpy.uint8)  # together four times what the device has, by EMULATED_CUDA_MEMORY


def test_run_on_the_gpu(needs_ptxas):
    kernel = tileiras.compile(EXAMPLES / "vector_add" / "kernel.mlir", "sm_90")
    a, b, c = numpy.arange(300, dtype=numpy.float32), numpy.ones(300, numpy.float32), numpy.zeros(300, numpy.float32)
    tileiras.run(kernel, 3, [a, b, c, 300], on="gpu")
    assert (c == a + 1).all()
    assert "gpu" in tileiras.check(kernel, 3, [a, b, c, 300]).places


def test_a_kernel_for_another_gpu(needs_ptxas):
    kernel = tileiras.compile(EXAMPLES / "vector_add" / "kernel.mlir", "sm_100")
    a = numpy.ones(300, numpy.float32)
    with pytest.raises(tileiras.LaunchError, match="sm_100"):
        tileiras.run(kernel, 3, [a, a, a.copy(), 300], on="gpu")
    assert "sm_90" in tileiras.check(kernel, 3, [a, a, a.copy(), 300]).skipped["gpu"]


def test_mistakes_on_the_gpu(needs_ptxas):
    """The last test of the process: the context is lost."""
    kernel = tileiras.compile(FAULTS, "sm_90")
    with pytest.raises(tileiras.Error, match="(?s)app.py:12"):
        tileiras.run(kernel, 1, [numpy.zeros(3, numpy.float32)], entry="beyond", on="gpu")
