"""Programs that put rows of the table through operations, in every way that operands come by."""

import json

from formats import FORMATS, INTS

# Loaded: tiles from memory. Constant: tiles of constants, which compilers fold. Left, right: one operand from memory, the other one
# constant for all. Scalar: tiles of rank 0 from memory.
FORMS = ("loaded", "constant", "left", "right", "scalar")
CONSTANTS = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")


def storage_bytes(kind):
    return max(1, FORMATS[kind].bits // 8)


def is_packed(kind):
    return FORMATS[kind].bits == 4


def to_bytes(kind, codes):
    if is_packed(kind):
        return bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2]))
    return b"".join(code.to_bytes(storage_bytes(kind), "little") for code in codes)


def from_bytes(kind, data):
    if is_packed(kind):
        return [half for byte in data for half in (byte & 15, byte >> 4)]
    size = storage_bytes(kind)
    return [int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]


def constant_text(kind, code):
    if kind == "i1":
        return "true" if code else "false"
    return str(INTS[kind].signed(code)) if kind in INTS else f"0x{code:0{FORMATS[kind].bits // 4}X}"


class Program:
    """One kernel; `results` are (label, rows, file)."""

    def __init__(self):
        self.body, self.parameters, self.buffers, self.files, self.results, self.known = [], [], [], {}, [], {}
        self.next = 0

    def name(self):
        self.next += 1
        return f"%v{self.next}"

    def emit(self, text):
        name = self.name()
        self.body.append(f"{name} = {text}")
        return name

    def once(self, key, make):
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    def add_buffer(self, kind, data=None, size=None):
        name = f"{'out' if data is None else 'in'}{len(self.buffers)}"
        self.parameters.append(f"%{name}: tile<ptr<{kind}>>")
        if data is None:
            self.buffers.append({"name": name, "bytes": size, "fill": 0x5A})
        else:
            self.files[f"{name}.bin"] = data
            self.buffers.append({"name": name, "file": f"{name}.bin"})
        return name

    def addresses(self, buffer, kind, count):
        row = self.emit(f"reshape %{buffer} : tile<ptr<{kind}>> -> tile<1xptr<{kind}>>")
        row = self.emit(f"broadcast {row} : tile<1xptr<{kind}>> -> tile<{count}xptr<{kind}>>") if count > 1 else row
        index = self.once(("iota", count), lambda: self.emit(f"iota : tile<{count}xi32>"))
        return self.emit(f"offset {row}, {index} : tile<{count}xptr<{kind}>>, tile<{count}xi32> -> tile<{count}xptr<{kind}>>")

    def element(self, buffer, kind, index):
        distance = self.once(("index", index), lambda: self.emit(f"constant <i32: {index}> : tile<i32>"))
        return self.emit(f"offset %{buffer}, {distance} : tile<ptr<{kind}>>, tile<i32> -> tile<ptr<{kind}>>")

    def load(self, kind, codes):
        def make():
            stored, count = ("i8", len(codes) // 2) if is_packed(kind) else (kind, len(codes))
            address = self.addresses(self.add_buffer(stored, to_bytes(kind, codes)), stored, count)
            name = self.name()
            self.body.append(f"{name}, {name}t = load_ptr_tko weak {address} : tile<{count}xptr<{stored}>> -> tile<{count}x{stored}>, token")
            return self.emit(f"unpack {name} : tile<{count}xi8> -> tile<{len(codes)}x{kind}>") if is_packed(kind) else name
        return self.once(("load", kind, tuple(codes)), make)

    def constant(self, kind, codes):
        values = "[" + ", ".join(constant_text(kind, code) for code in codes) + "]"
        return self.emit(f"constant <{kind}: {values}> : tile<{len(codes)}x{kind}>")

    def splat(self, kind, code, count):
        return self.emit(f"constant <{kind}: {constant_text(kind, code)}> : tile<{count}x{kind}>")

    def store(self, kind, value, count, label, rows):
        stored, size = ("i8", count // 2) if is_packed(kind) else (kind, count)
        if is_packed(kind):
            value = self.emit(f"pack {value} : tile<{count}x{kind}> -> tile<{size}xi8>")
        buffer = self.add_buffer(stored, size=size * storage_bytes(stored))
        address = self.addresses(buffer, stored, size)
        self.body.append(f"{self.name()} = store_ptr_tko weak {address}, {value} : tile<{size}xptr<{stored}>>, tile<{size}x{stored}> -> token")
        self.results.append((label, rows, buffer))

    def compute(self, operation, operands, shape):
        """`shape` is '8x', or nothing for a scalar."""
        result = self.name()
        types = {f"T{i}": f"tile<{shape}{kind}>" for i, kind in enumerate(operation.operands)}
        text = operation.text.format(*operands, r=result, R=f"tile<{shape}{operation.result}>", S=f"tile<{shape}", **types)
        self.body += text.splitlines()
        return result

    def text(self):
        lines = "".join(f"    {line}\n" for line in self.body)
        return f"cuda_tile.module @table {{\n  entry @kernel({', '.join(self.parameters)}) {{\n{lines}    return\n  }}\n}}\n"

    def launch(self):
        written = [{"buffer": buffer["name"], "bytes": buffer["bytes"], "file": f"{buffer['name']}.bin"}
                   for buffer in self.buffers if "bytes" in buffer]
        return json.dumps({"entry": "kernel", "grid": [1, 1, 1], "buffers": self.buffers,
                           "parameters": [{"buffer": buffer["name"]} for buffer in self.buffers], "write": written})


def padded(rows):
    """As many as a tile has; packed elements come in pairs."""
    count = 2
    while count < len(rows):
        count *= 2
    return rows + [rows[-1]] * (count - len(rows))


def add_tiles(program, operation, rows, form):
    full = padded(rows)
    columns = list(zip(*(operands for operands, _ in full)))
    make = program.constant if form == "constant" else program.load
    operands = [make(kind, column) for kind, column in zip(operation.operands, columns)]
    program.store(operation.result, program.compute(operation, operands, f"{len(full)}x"), len(full), operation, rows)


def add_with_splat(program, operation, rows, which):
    """One tile for each value of operand `which`."""
    for value in dict.fromkeys(operands[which] for operands, _ in rows):
        chosen = [row for row in rows if row[0][which] == value]
        full = padded(chosen)
        columns = list(zip(*(operands for operands, _ in full)))
        operands = [program.splat(kind, value, len(full)) if i == which else program.load(kind, column)
                    for i, (kind, column) in enumerate(zip(operation.operands, columns))]
        program.store(operation.result, program.compute(operation, operands, f"{len(full)}x"), len(full), operation, chosen)


def add_scalars(program, operation, rows):
    buffers = [program.add_buffer(kind, to_bytes(kind, column))
               for kind, column in zip(operation.operands, zip(*(operands for operands, _ in rows)))]
    kind = operation.result
    out = program.add_buffer(kind, size=len(rows) * storage_bytes(kind))
    program.results.append((operation, rows, out))
    for index in range(len(rows)):
        operands = []
        for buffer, source in zip(buffers, operation.operands):
            address, name = program.element(buffer, source, index), program.name()
            program.body.append(f"{name}, {name}t = load_ptr_tko weak {address} : tile<ptr<{source}>> -> tile<{source}>, token")
            operands.append(name)
        result = program.compute(operation, operands, "")
        program.body.append(f"{program.name()} = store_ptr_tko weak {program.element(out, kind, index)}, {result} : "
                            f"tile<ptr<{kind}>>, tile<{kind}> -> token")


def has_form(operation, form):
    """Whether a program of this form says something new of the operation."""
    kinds = (*operation.operands, operation.result)
    if form == "loaded":
        return True
    if any(kind not in CONSTANTS for kind in kinds):
        return False
    if form == "constant":
        return True
    # Where one operand decides what the other is put through.
    is_integer = len(operation.operands) == 2 and all(kind in INTS for kind in operation.operands)
    return is_integer and "overflow" not in operation.name and operation.name.split()[0] in ("shli", "shri", "remi", "divi", "mulhii")


def make_programs(table, form, operations_each):
    """`table` is a list of (operation, rows); a row is (operands, result)."""
    chosen = [(operation, rows) for operation, rows in table if rows and has_form(operation, form)]
    if form in ("left", "right", "scalar"):
        operations_each = 1
    programs = []
    for first in range(0, len(chosen), operations_each):
        program = Program()
        for operation, rows in chosen[first:first + operations_each]:
            if form == "scalar":
                add_scalars(program, operation, rows[:: max(1, len(rows) // 64)])
            elif form in ("left", "right"):
                add_with_splat(program, operation, rows, 0 if form == "left" else 1)
            else:
                add_tiles(program, operation, rows, form)
        programs.append(program)
    return programs
