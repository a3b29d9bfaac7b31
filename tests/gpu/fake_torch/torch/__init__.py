"""A small PyTorch for tests without one: numpy computes, and addresses are those of the CUDA driver that is found.

FAKE_TORCH_HANG and FAKE_TORCH_CRASH name a function that never comes back, or takes the process along.
"""

import os
import time
import types

import numpy

from . import nn  # noqa: F401
from .memory import check, driver
from .tensor import Tensor, array_of

__version__ = "0.0 (fake)"
version = types.SimpleNamespace(cuda="0.0")
backends = types.SimpleNamespace(cuda=types.SimpleNamespace(matmul=types.SimpleNamespace(allow_tf32=False)))
float16, float32, float64 = numpy.float16, numpy.float32, numpy.float64
int8, int32, int64, bool = numpy.int8, numpy.int32, numpy.int64, numpy.bool_
bfloat16 = None  # numpy has none
_random = numpy.random.default_rng(0)


def planted(function):
    """The function, or what it is told to do instead."""
    def run(*arguments, **options):
        if os.environ.get("FAKE_TORCH_HANG") == function.__name__:
            time.sleep(1e6)
        if os.environ.get("FAKE_TORCH_CRASH") == function.__name__:
            os.abort()
        return function(*arguments, **options)
    return run


def manual_seed(seed):
    global _random
    _random = numpy.random.default_rng(seed)


def randn(shape, dtype, device):
    return Tensor(_random.standard_normal(shape).astype(dtype))


def randint(low, high, shape, dtype, device):
    return Tensor(_random.integers(low, high, shape).astype(dtype))


def randperm(count, device):
    return Tensor(_random.permutation(count))


def arange(count, dtype, device):
    return Tensor(numpy.arange(count, dtype=dtype))


def zeros(shape, dtype, device):
    return Tensor(numpy.zeros(shape, dtype))


def ones(shape, dtype, device):
    return Tensor(numpy.ones(shape, dtype))


def empty_like(tensor):
    return Tensor(numpy.empty_like(tensor.values, order="C"))


def zeros_like(tensor):
    return Tensor(numpy.zeros_like(tensor.values))


def from_numpy(values):
    return Tensor(values)


def matmul(a, b):
    return a @ b


def mm(a, b, out_dtype):
    return a.to(out_dtype) @ b.to(out_dtype)


def _int_mm(a, b):
    return (a.double() @ b.double()).to(int32)


def _addmm_activation(bias, a, b, use_gelu):
    return nn.functional.gelu(a.float() @ b.float() + bias, approximate="tanh").to(a.dtype)


def add(a, b, out):
    return out.write(a + b)


def stack(tensors):
    return Tensor(numpy.stack([array_of(tensor) for tensor in tensors]))


def cat(tensors, dim):
    return Tensor(numpy.concatenate([array_of(tensor) for tensor in tensors], dim))


def exp(x):
    return Tensor(numpy.exp(x.array()))


def logsumexp(x, dim):
    top = x.array().max(axis=dim, keepdims=True)
    return Tensor((numpy.log(numpy.exp(x.array() - top).sum(axis=dim, keepdims=True)) + top).squeeze(dim))


def softmax(x, dim):
    values = x.array().astype(numpy.float64)
    powers = numpy.exp(values - values.max(axis=dim, keepdims=True))
    return Tensor((powers / powers.sum(axis=dim, keepdims=True)).astype(x.dtype))


@planted
def cumsum(x, dim):
    return x.cumsum(dim)


@planted
def native_layer_norm(x, shape, w, b, epsilon):
    values = x.double()
    mean = values.mean(-1, keepdim=True)
    scale = 1 / (((values - mean) ** 2).mean(-1, keepdim=True) + epsilon).sqrt()
    return ((values - mean) * scale * w + b).to(x.dtype), mean.float(), scale.float()


def _softmax_backward_data(dy, y, dim, kind):
    gradient, values = dy.double(), y.double()
    return (values * (gradient - (values * gradient).sum(dim, keepdim=True))).to(kind)


def native_layer_norm_backward(dy, x, shape, mean, scale, w, bias, wanted):
    normal, weighted = (x.double() - mean) * scale, dy.double() * w
    along = weighted.mean(-1, keepdim=True) + normal * (normal * weighted).mean(-1, keepdim=True)
    return ((weighted - along) * scale).to(x.dtype), None, None


ops = types.SimpleNamespace(aten=types.SimpleNamespace(_softmax_backward_data=_softmax_backward_data,
                                                       native_layer_norm_backward=native_layer_norm_backward))
autograd = types.SimpleNamespace(grad=lambda output, inputs, gradient, retain_graph: output.backward(gradient))


class Event:
    def __init__(self, enable_timing):
        self.seconds = 0.0

    def record(self):
        synchronize()
        self.seconds = time.perf_counter()

    def elapsed_time(self, other):
        return (other.seconds - self.seconds) * 1e3


def synchronize():
    check(driver().cuCtxSynchronize())


def is_available():
    return driver() is not None


cuda = types.SimpleNamespace(Event=Event, synchronize=synchronize, is_available=is_available,
                             current_stream=lambda: types.SimpleNamespace(cuda_stream=0))
