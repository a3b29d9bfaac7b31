"""run, on the emulator and the interpreter."""

import os
import signal
import threading
import warnings

import numpy
import pytest

import tileiras
from conftest import ENDLESS, EXAMPLES, FAULTS, SCALARS

PLACES = ["emulator", "interpreter"]


def make_numbers():
    return numpy.arange(300, dtype=numpy.float32), numpy.full(300, 10, numpy.float32), numpy.zeros(300, numpy.float32)


@pytest.mark.parametrize("place", PLACES)
def test_arrays_are_written(vector_add, place):
    a, b, c = make_numbers()
    tileiras.run(vector_add, 3, [a, b, c, 300], on=place)
    assert (c == a + 10).all() and (a == numpy.arange(300)).all()


@pytest.mark.parametrize("place", PLACES)
def test_arrays_may_share_memory(vector_add, place):
    memory = numpy.arange(600, dtype=numpy.float32)
    expected = memory[:300] + memory[300:]
    tileiras.run(vector_add, 3, [memory[:300], memory[300:], memory[300:], numpy.int32(300)], on=place)
    assert (memory[300:] == expected).all() and (memory[:300] == numpy.arange(300)).all()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("gpu", ["sm_80", "sm_90", "sm_100"])
def test_matmul(place, gpu):
    kernel = tileiras.compile(EXAMPLES / "matmul" / "kernel.mlir", gpu)
    random = numpy.random.default_rng(1)
    a = random.integers(-4, 5, (192, 96)).astype(numpy.float16)
    b = random.integers(-4, 5, (96, 128)).astype(numpy.float16)
    c = numpy.empty((192, 128), numpy.float16)
    tileiras.run(kernel, (2, 1), [a, b, c, 192, 128, 96], on=place)
    assert (c == (a.astype(numpy.float32) @ b.astype(numpy.float32)).astype(numpy.float16)).all()


def test_tensor_maps_of_the_host():
    kernel = tileiras.compile(EXAMPLES / "matmul" / "kernel.mlir", "sm_90", settings={"tma-descriptors": "host"})
    assert "tensor_map" in [p["type"] for p in kernel.metadata["kernels"][0]["parameters"]]
    a, b, c = (numpy.ones((128, 128), numpy.float16) for _ in range(3))
    tileiras.run(kernel, 1, [a, b, c, 128, 128, 128])
    assert (c == 128).all()


@pytest.mark.parametrize("place", PLACES)
def test_numbers_become_the_parameters_type(place):
    kernel = tileiras.compile(SCALARS, "sm_90")
    results, printed = numpy.zeros(6), []
    args = [results, -7, 1 << 40, 1.5, numpy.float64(1.00390625), 0.1, numpy.float32(0.25)]
    tileiras.run(kernel, 1, args, on=place, output=printed.append)
    # 1.00390625 is between two numbers of bfloat16, and goes to the even one.
    assert results.tolist() == [-7, 1 << 40, 1.5, 1.0, float(numpy.float32(0.1)), 0.25]
    assert "".join(printed).startswith("-7 numbers")


@pytest.mark.parametrize("place", PLACES)
def test_what_output_raises_comes_out(place):
    def fail(text):
        raise ZeroDivisionError(text)

    kernel = tileiras.compile(SCALARS, "sm_90")
    with pytest.raises(ZeroDivisionError, match="5 numbers"):
        tileiras.run(kernel, 1, [numpy.zeros(6), 5, 1, 1.0, 1.0, 1.0, 1.0], on=place, output=fail)


@pytest.mark.parametrize("args, message", [
    ([1, 2], r"takes 4 arguments \(ptr, ptr, ptr, i32\), not 2"),
    (["a", "b", "c", 3], "argument 0 of 'vector_add' is an address: give a numpy array, not str"),
    ([numpy.zeros(3)] * 3 + [1.5], "argument 3 of 'vector_add' is of type i32: give an integer, not 1.5"),
    ([numpy.zeros(3)] * 3 + [1 << 32], "is of type i32, and 4294967296 does not fit"),
    ([numpy.array([None])] * 3 + [1], "an array of Python objects"),
])
def test_arguments_that_do_not_fit(vector_add, args, message):
    with pytest.raises(tileiras.LaunchError, match=message):
        tileiras.run(vector_add, 1, args)


def test_grids_that_do_not_fit(vector_add):
    for grid in (0, (1, 0), (1, 1, 1, 1), ()):
        with pytest.raises(tileiras.LaunchError, match="a grid has one to three sizes"):
            tileiras.run(vector_add, grid, [*make_numbers(), 300])
    with pytest.raises(tileiras.LaunchError, match="65535"):
        tileiras.run(vector_add, (1, 70000), [*make_numbers(), 300])
    with pytest.raises(ValueError, match="emulator, interpreter or gpu"):
        tileiras.run(vector_add, 1, [*make_numbers(), 300], on="moon")


@pytest.mark.parametrize("place", PLACES)
def test_out_of_bounds_is_found_at_its_line(vector_add, place):
    a, b, c = make_numbers()
    short = c[:200]
    with pytest.raises(tileiras.KernelError, match="argument 2") as caught:
        tileiras.run(vector_add, 3, [a, b, short, 300], on=place)
    assert caught.value.location.line == 20 and caught.value.location.file.endswith("kernel.mlir")
    assert (c == 0).all(), "a run with mistakes leaves arrays as they were"
    if place == "emulator":
        finding = caught.value.findings[0]
        assert finding.kind == "out-of-bounds" and finding.ptx_line and "st.global" in finding.instruction


def test_faults_have_the_lines_of_python():
    kernel = tileiras.compile(FAULTS, "sm_90")
    for entry, argument, kind, line in (("race", numpy.zeros(1, numpy.int32), "data-race", 22),
                                        ("beyond", numpy.zeros(64, numpy.float32), "out-of-bounds", 12),
                                        ("fails", numpy.zeros(1, numpy.int32), "assertion", 33)):
        with pytest.raises(tileiras.KernelError) as caught:
            tileiras.run(kernel, 4, [argument], entry=entry, output=lambda _: None)
        finding = caught.value.findings[0]
        assert (finding.kind, finding.location.line) == (kind, line), finding
        assert finding.location.file.endswith("app.py")
    with pytest.raises(ValueError, match="3 kernels; say one of: beyond, race, fails"):
        tileiras.run(kernel, 4, [numpy.zeros(1)])


def test_what_is_looked_for_is_chosen():
    kernel = tileiras.compile(FAULTS, "sm_90")
    value = numpy.zeros(1, numpy.int32)
    tileiras.run(kernel, 4, [value], entry="race", races=False)
    assert 0 <= value[0] < 4
    with pytest.raises(tileiras.LaunchError, match="'nonsense' is no kind"):
        tileiras.run(kernel, 4, [value], entry="race", allow=["nonsense"])


def test_read_only_arrays_are_not_written(vector_add):
    a, b, c = make_numbers()
    a.flags.writeable = False
    tileiras.run(vector_add, 3, [a, b, c, 300])
    c.flags.writeable = False
    with pytest.raises(tileiras.KernelError, match="argument 2, an array that is read-only"):
        tileiras.run(vector_add, 3, [a, a, c, 300])


@pytest.mark.parametrize("place", PLACES)
def test_interruption_ends_a_run(place):
    kernel = tileiras.compile(ENDLESS, "sm_90")
    value = numpy.zeros(1, numpy.int32)
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tileiras.run(kernel, 1, [value], on=place)
    timer.join()
    assert value[0] == 0


def test_threads_run_at_once(vector_add):
    failures = []

    def work():
        a, b, c = make_numbers()
        try:
            for place in PLACES * 3:
                tileiras.run(vector_add, 3, [a, b, c, 300], on=place)
                assert (c == a + 10).all()
        except BaseException as error:  # noqa: BLE001 - told below
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_warnings_of_allowed_kinds():
    kernel = tileiras.compile(FAULTS, "sm_90")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tileiras.run(kernel, 4, [numpy.zeros(1, numpy.int32)], entry="race", allow=["data-race"])
    assert [w.category for w in caught] and all(w.category is tileiras.KernelWarning for w in caught)
    assert "data-race" in str(caught[0].message)
