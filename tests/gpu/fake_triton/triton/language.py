"""triton.language over numpy: one program at a time."""

import numpy

constexpr = object()
int32, int64, float32, float16 = numpy.int32, numpy.int64, numpy.float32, numpy.float16
program = (0, 0, 0)


def array_of(value):
    return value.data if isinstance(value, Value) else value


class Value:
    def __init__(self, data):
        self.data = numpy.asarray(data)

    dtype = property(lambda self: self.data.dtype.type)

    def to(self, kind):
        return Value(self.data.astype(kind))

    def __getitem__(self, index):
        return Value(self.data[index])

    def __index__(self):
        return int(self.data)

    def __bool__(self):
        return bool(self.data)


def either_way(operation):
    return (lambda self, other: other + self if isinstance(other, Pointer) else Value(operation(self.data, array_of(other))),
            lambda self, other: Value(operation(array_of(other), self.data)))


for name, operation in (("add", numpy.add), ("sub", numpy.subtract), ("mul", numpy.multiply), ("truediv", numpy.divide),
                        ("floordiv", numpy.floor_divide), ("mod", numpy.remainder), ("and", numpy.bitwise_and),
                        ("lt", numpy.less), ("le", numpy.less_equal), ("gt", numpy.greater), ("ge", numpy.greater_equal)):
    forward, reflected = either_way(operation)
    setattr(Value, f"__{name}__", forward)
    if name not in ("lt", "le", "gt", "ge"):
        setattr(Value, f"__r{name}__", reflected)


class ElementType:
    def __init__(self, kind):
        self.element_ty = kind


class Pointer:
    """Elements of a tensor's memory; `start` is where the tensor begins."""

    def __init__(self, tensor, offsets=0):
        self.tensor, self.offsets = tensor, offsets
        self.dtype = ElementType(tensor.dtype)

    def __add__(self, other):
        return Pointer(self.tensor, self.offsets + array_of(other))

    def places(self, mask):
        """The tensor's memory, and the elements of it that are meant; those that the mask hides are not looked at."""
        memory = self.tensor.storage.host.view(self.tensor.dtype)
        first = (self.tensor.values.ctypes.data - self.tensor.storage.host.ctypes.data) // self.tensor.values.itemsize
        places, mask = numpy.broadcast_arrays(numpy.asarray(self.offsets) + first, True if mask is None else array_of(mask))
        if mask.any() and (places[mask].min() < 0 or places[mask].max() >= memory.size):
            raise IndexError("a Triton kernel leaves its tensor")
        return memory, places, mask


def load(pointer, mask=None, other=0):
    pointer.tensor.storage.download()
    memory, places, mask = pointer.places(mask)
    found = numpy.full(places.shape, other, memory.dtype)
    found[mask] = memory[places[mask]]
    return Value(found)


def store(pointer, value, mask=None):
    pointer.tensor.storage.download()
    memory, places, mask = pointer.places(mask)
    memory[places[mask]] = numpy.broadcast_to(array_of(value), places.shape)[mask]
    pointer.tensor.storage.upload()


def program_id(axis):
    return Value(numpy.int32(program[axis]))


def cdiv(a, b):
    return -(-array_of(a) // array_of(b))


def arange(first, last):
    return Value(numpy.arange(first, last, dtype=numpy.int32))


def zeros(shape, dtype):
    return Value(numpy.zeros(shape, dtype))


def full(shape, value, dtype):
    return Value(numpy.full(shape, value, dtype))


def dot(a, b, total=None):
    product = a.data.astype(numpy.float64) @ b.data.astype(numpy.float64)
    kind = numpy.float32 if total is None else total.dtype
    return Value((product + (0 if total is None else total.data)).astype(kind))


def where(condition, a, b):
    return Value(numpy.where(array_of(condition), array_of(a), array_of(b)))


def maximum(a, b):
    return Value(numpy.maximum(a.data, b.data))


def max(value, axis):  # noqa: A001
    return Value(value.data.max(axis))


def sum(value, axis):  # noqa: A001
    return Value(value.data.sum(axis))


def exp(value):
    return Value(numpy.exp(value.data))


def exp2(value):
    return Value(numpy.exp2(value.data))
