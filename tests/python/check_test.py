"""check: one launch in several places."""

import numpy
import pytest

import tileiras
from conftest import EXAMPLES, FAULTS


def test_places_agree(vector_add):
    a, b, c = numpy.arange(300, dtype=numpy.float32), numpy.ones(300, numpy.float32), numpy.zeros(300, numpy.float32)
    result = tileiras.check(vector_add, 3, [a, b, c, 300], expected={2: a + 1}, seeds=3)
    assert result.places[:2] == ("interpreter", "emulator") and ("gpu" in result.skipped or "gpu" in result.places)
    assert (c == 0).all() and (result.results["emulator"][2] == a + 1).all()
    assert str(result).startswith("interpreter, emulator")


def test_what_is_expected_counts(vector_add):
    a, c = numpy.ones(300, numpy.float32), numpy.zeros(300, numpy.float32)
    wrong = a + 1
    wrong[7] = 5
    with pytest.raises(tileiras.DisagreementError,
                       match=r"argument 2 differs in 1 of 300 elements, first at \[7\]: interpreter has 2.0, what is "
                             "expected 5.0"):
        tileiras.check(vector_add, 3, [a, a, c, 300], expected={2: wrong})
    tileiras.check(vector_add, 3, [a, a, c, 300], expected={2: wrong}, atol=3)


def test_bounds_of_the_interpreter_allow_another_order_of_sums():
    kernel = tileiras.compile(EXAMPLES / "matmul" / "kernel.mlir", "sm_90")
    random = numpy.random.default_rng(2)
    a, b = (random.standard_normal((128, 128)).astype(numpy.float16) for _ in range(2))
    c = numpy.zeros((128, 128), numpy.float16)
    result = tileiras.check(kernel, 1, [a, b, c, 128, 128, 128])
    first, second = (result.results[place][2] for place in ("interpreter", "emulator"))
    assert numpy.abs(first.astype(float) - second).max() < 0.1
    exact = a.astype(float) @ b
    tileiras.check(kernel, 1, [a, b, c, 128, 128, 128], expected={2: exact})
    with pytest.raises(tileiras.DisagreementError, match="which may be off by"):
        tileiras.check(kernel, 1, [a, b, c, 128, 128, 128], expected={2: exact + 1})


def test_a_wrong_kernel_is_found_by_the_other_place(vector_add):
    """The PTX adds, the interpreter's program subtracts."""
    other = tileiras.compile(vector_add.source.decode().replace("addf", "subf"), "sm_90")
    other._product = vector_add._product
    a, c = numpy.ones(300, numpy.float32), numpy.zeros(300, numpy.float32)
    with pytest.raises(tileiras.DisagreementError, match="300 of 300 elements.*emulator has 2.0, interpreter 0.0"):
        tileiras.check(other, 3, [a, a, c, 300])


def test_mistakes_are_found_in_either_place():
    kernel = tileiras.compile(FAULTS, "sm_90")
    for place in ("interpreter", "emulator"):
        with pytest.raises(tileiras.KernelError):
            tileiras.check(kernel, 1, [numpy.zeros(3, numpy.float32)], entry="beyond", on=[place])
    with pytest.raises(ValueError, match="on is a list of emulator"):
        tileiras.check(kernel, 1, [numpy.zeros(3)], entry="beyond", on=["moon"])
