"""A small Triton for tests without a GPU: kernels run in Python, a program after the other, over numpy."""

import itertools

from . import language

__version__ = "0.0 (fake)"


class Kernel:
    def __init__(self, function):
        self.function = function

    def __getitem__(self, grid):
        def launch(*arguments, num_warps, num_stages=1):
            if num_warps not in (1, 2, 4, 8, 16, 32):
                raise ValueError(f"{num_warps} warps")
            passed = [language.Pointer(argument) if hasattr(argument, "storage") else argument for argument in arguments]
            for place in itertools.product(*map(range, (*grid, 1, 1)[:3])):
                language.program = place
                self.function(*passed)
        return launch


def jit(function):
    return Kernel(function)


def next_power_of_2(number):
    return 1 << max(number - 1, 0).bit_length()


def cdiv(a, b):
    return -(-a // b)
