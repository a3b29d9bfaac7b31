"""Tensors over numpy: what measurements ask of PyTorch's, and no more."""

import numpy

from .memory import store


def array_of(value):
    return value.array() if isinstance(value, Tensor) else value


class Tensor:
    def __init__(self, array, storage=None):
        self.storage, self.values = (storage, array) if storage is not None else store(numpy.asarray(array))

    def array(self):
        self.storage.download()
        return self.values

    def write(self, values, where=...):
        self.storage.download()
        self.values[where] = array_of(values)
        self.storage.upload()
        return self

    def view_of(self, values):
        """Of the same memory."""
        return Tensor(values, self.storage)

    # Places and shapes
    shape = property(lambda self: self.values.shape)
    dtype = property(lambda self: self.values.dtype.type)

    def data_ptr(self):
        return self.storage.place() + self.values.ctypes.data - self.storage.host.ctypes.data

    def stride(self):
        return tuple(step // self.values.itemsize for step in self.values.strides)

    def numel(self):
        return self.values.size

    def transpose(self, first, second):
        return self.view_of(self.values.swapaxes(first, second))

    def t(self):
        return self.transpose(0, 1)

    def reshape(self, *shape):
        return Tensor(self.array().reshape(*shape))

    view = reshape

    def expand(self, *sizes):
        return self.view_of(numpy.broadcast_to(self.values, [old if new == -1 else new for old, new in zip(self.shape, sizes)]))

    def detach(self):
        return self

    def requires_grad_(self, wanted):
        return self

    def __getitem__(self, index):
        index = tuple(array_of(i) for i in index) if isinstance(index, tuple) else array_of(index)
        found = self.array()[index]
        is_view = isinstance(found, numpy.ndarray) and numpy.may_share_memory(found, self.storage.host)
        return self.view_of(found) if is_view else Tensor(found)

    def __setitem__(self, index, values):
        self.write(values, index)

    # Types
    def to(self, kind):
        return Tensor(self.array().astype(kind))

    def double(self):
        return self.to(numpy.float64)

    def float(self):
        return self.to(numpy.float32)

    def long(self):
        return self.to(numpy.int64)

    def item(self):
        return self.array().item()

    # In place
    def fill_(self, value):
        return self.write(value)

    def zero_(self):
        return self.write(0)

    def copy_(self, other):
        return self.write(other)

    # Numbers
    def sum(self, dim=None, keepdim=False):
        return Tensor(self.array().sum(axis=dim, keepdims=keepdim))

    def mean(self, dim, keepdim=False):
        return Tensor(self.array().mean(axis=dim, keepdims=keepdim))

    def var(self, dim, unbiased):
        return Tensor(self.array().var(axis=dim, ddof=int(unbiased)))

    def cumsum(self, dim):
        return Tensor(self.array().cumsum(axis=dim))

    def argmax(self):
        return Tensor(self.array().argmax())

    def masked_fill(self, mask, value):
        return Tensor(numpy.where(array_of(mask), value, self.array()))

    def triu(self, diagonal):
        return Tensor(numpy.triu(self.array(), diagonal))

    def repeat_interleave(self, count):
        return Tensor(numpy.repeat(self.array(), count))

    def abs(self):
        return Tensor(abs(self.array()))

    def sqrt(self):
        return Tensor(numpy.sqrt(self.array()))

    def cos(self):
        return Tensor(numpy.cos(self.array()))

    def sin(self):
        return Tensor(numpy.sin(self.array()))

    def __invert__(self):
        return Tensor(~self.array())

    def __matmul__(self, other):
        """Halves are summed in single precision."""
        left, right = self.array(), array_of(other)
        if left.dtype == numpy.float16:
            return Tensor((left.astype(numpy.float32) @ right.astype(numpy.float32)).astype(numpy.float16))
        return Tensor(left @ right)


def binary(operation):
    return lambda self, other: Tensor(operation(self.array(), array_of(other)))


def reflected(operation):
    return lambda self, other: Tensor(operation(array_of(other), self.array()))


for name, operation in (("add", numpy.add), ("sub", numpy.subtract), ("mul", numpy.multiply), ("truediv", numpy.divide),
                        ("pow", numpy.power), ("le", numpy.less_equal)):
    setattr(Tensor, f"__{name}__", binary(operation))
    if name != "le":
        setattr(Tensor, f"__r{name}__", reflected(operation))
