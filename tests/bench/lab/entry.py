"""A kernel with a launch, as the lab times it."""

import json


class Entry:
    """name: of the row; choice: what was chosen for it; case: of a generator, whose module and parameters are taken; buffers:
    bytes by name; integers: of the launch, in their order; flops: of products; written: names of buffers that have to be, others
    are read; data: arrays, or what makes them, of buffers on which it depends what is executed; options: of the compiler;
    operation: what is computed, as data: a kind and its sizes, for who computes the same in another way; published: the best
    known figure, with its card; reason: why the limit is not reached to 80 %, where it is not."""

    def __init__(self, name, choice, case, grid, buffers, integers, operation, flops=0, written=(), data=(), options=(),
                 published="", reason=""):
        self.name, self.choice, self.case, self.grid, self.options = name, choice, case, grid, list(options)
        self.operation, self.published, self.reason = operation, published, reason
        self.buffers, self.integers, self.flops, self.data = buffers, integers, flops, dict(data)
        self.written = sum(buffers[buffer] for buffer in written)
        self.read = sum(buffers.values()) - self.written

    def write(self, folder):
        """k.mlir, k.json and the data of buffers."""
        (folder / "k.mlir").write_text(self.case.text, encoding="utf-8")
        buffers = []
        for name, size in self.buffers.items():
            buffers.append({"name": name, "bytes": size})
            if name in self.data:
                values = self.data[name]
                (values() if callable(values) else values).tofile(folder / f"{name}.bin")
                buffers[-1]["file"] = f"{name}.bin"
        launch = {"grid": self.grid, "buffers": buffers, "parameters": self.parameters()}
        (folder / "k.json").write_text(json.dumps(launch), encoding="utf-8")

    def parameters(self):
        """Of the launch: {"buffer": name} or {"i32": number} each."""
        numbers = iter(self.integers)
        return [{"buffer": text.split()[1]} if text.startswith("ptr") else {"i32": next(numbers)}
                for text in self.case.PARAMETERS]


def blocks(size, tile):
    return -(-size // tile)
