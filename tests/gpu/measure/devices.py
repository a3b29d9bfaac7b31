"""What measurements run on: PyTorch's GPU, or, without PyTorch, the driver's."""

import array
import itertools
import random
import struct

import buffers
import launching

FLUSH_BYTES = 256 << 20  # several times the L2 cache of any GPU


class TorchDevice:
    def __init__(self, torch, flush_bytes=FLUSH_BYTES):
        self.torch = torch
        self.noise = torch.zeros(flush_bytes // 4, dtype=torch.float32, device="cuda")
        self.stream = torch.cuda.current_stream().cuda_stream
        self.flush_us = measure_flush(self)

    def record(self):
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def elapsed(self, first, second):
        return first.elapsed_time(second) * 1e3

    def synchronize(self):
        self.torch.cuda.synchronize()

    def flush(self):
        self.noise.sum()  # reads only: lines that were written would be written back while the next kernel runs


class DriverDevice:
    """Has no kernel to read with: the cache is flushed by a copy, whose lines are written back later."""

    def __init__(self, flush_bytes=FLUSH_BYTES):
        self.driver = launching.Driver()
        self.half = flush_bytes // 2
        self.noise = self.driver.allocate(flush_bytes)
        self.driver.clear(self.noise, flush_bytes)
        self.stream = 0
        self.flush_us = measure_flush(self)

    def record(self):
        event = self.driver.event()
        self.driver.call("cuEventRecord", event, None)
        return event

    def elapsed(self, first, second):
        milliseconds = launching.ctypes.c_float()
        self.driver.call("cuEventElapsedTime", launching.ctypes.byref(milliseconds), first, second)
        return milliseconds.value * 1e3

    def synchronize(self):
        self.driver.synchronize()

    def flush(self):
        self.driver.copy(self.noise + self.half, self.noise, self.half)

    def place(self, described):
        """{name: address} of buffers, filled."""
        addresses = {}
        for number, (name, buffer) in enumerate(described.items()):
            addresses[name] = self.driver.allocate(buffer.bytes)
            if buffer.is_result:
                self.driver.clear(addresses[name], buffer.bytes)
            else:
                self.write_all(addresses[name], buffer.bytes, contents(buffer, number))
        return addresses

    def write_all(self, address, size, block):
        """The block again and again."""
        for start in range(0, size, len(block)):
            self.driver.write(address + start, block[:size - start])


def measure_flush(device):
    device.flush()
    first = device.record()
    device.flush()
    last = device.record()
    device.synchronize()
    return device.elapsed(first, last)


BLOCK = 1 << 16  # elements that are drawn; larger buffers repeat them


def contents(buffer, seed):
    """Bytes that fill a buffer when they are repeated."""
    draw, kind = random.Random(seed), buffer.fill.split()
    if kind[0] == "permutation":
        numbers = list(range(buffer.elements))
        draw.shuffle(numbers)
        return array.array("i", numbers).tobytes()
    if kind[0] == "below":
        return array.array("i", (draw.randrange(int(kind[1])) for _ in range(buffer.elements))).tobytes()
    if kind[0] == "blocks":
        each = buffer.elements // int(kind[1])
        return array.array("i", itertools.chain.from_iterable([i] * each for i in range(int(kind[1])))).tobytes()
    count = min(BLOCK, buffer.elements)
    if kind[0] == "derived":  # statistics of rows, angles: anything that keeps results finite
        return array.array("f", [1.0]).tobytes() * count
    return normal(buffer.dtype, count, draw)


def normal(dtype, count, draw):
    if dtype in ("s8", "e4m3"):  # of e4m3, those from 1/64 to 28, of either sign
        numbers = (draw.randrange(256) if dtype == "s8" else draw.randrange(2) << 7 | draw.randrange(0x10, 0x60)
                   for _ in range(count))
        return bytes(numbers)
    values = [draw.gauss(0, 1) for _ in range(count)]
    if dtype == "f16":
        return struct.pack(f"<{count}e", *values)
    singles = struct.pack(f"<{count}f", *values)
    if dtype == "bf16":
        return b"".join(singles[i + 2:i + 4] for i in range(0, len(singles), 4))
    return singles


assert set(buffers.SIZES) == {"f16", "bf16", "f32", "tf32", "e4m3", "s8", "i32"}  # what normal() knows
