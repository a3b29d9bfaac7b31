#!/usr/bin/python3
"""What the lab takes for right: its references, on the operands of the generators of tests/kernels, are what those expect, and
PyTorch's operations are the same. operations_test.py, with the PyTorch that Python finds, else the small one of fake_torch."""

import pathlib
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE / "measure")]
sys.path.append(str(HERE / "fake_torch"))

import torch  # noqa: E402

import check  # noqa: E402
import lab_rows  # noqa: E402
import operations  # noqa: E402

# Of the generators, whose statistics are of f16 and whose results are rounded.
TOLERANCE = 5e-3
# The small PyTorch has none of these.
MISSING = {"rms norm", "rms norm backward"}


def place(operation, data):
    """The operation on these operands."""
    for name, values in data.items():
        operation.tensors[name] = torch.zeros(values.shape, dtype=operation.types[operation.described[name].dtype], device="cuda")
        operation.tensors[name].copy_(torch.from_numpy(values))


def derived_are_right(operation, data):
    """What follows from other operands is as the generator has it. Angles follow from nothing, and y is a softmax's."""
    operation.derive()
    names = [name for name, buffer in operation.described.items() if buffer.fill == "derived" and name not in ("cosine", "sine")]
    verdicts = [check.compare(operation.tensors[name], torch.from_numpy(data[name]), TOLERANCE) for name in names]
    return all(not verdict.wrong for verdict in verdicts)


def test(entry):
    """None, or what is wrong."""
    operation, data = operations.make(torch, entry.operation), entry.case.buffers()
    place(operation, data)
    wanted = {name: torch.from_numpy(numpy.ascontiguousarray(values)) for name, values in entry.case.expected(data).items()}
    results = operation.reference()
    if set(results) != {name for name, buffer in operation.described.items() if buffer.is_result} or set(results) != set(wanted):
        return f"the reference gives {sorted(results)}, the kernel {sorted(wanted)}"
    verdict = check.judge(results, wanted, TOLERANCE)
    if not verdict["ok"]:
        return f"the reference: {verdict['detail']}"
    try:
        label, function, names = operation.competitor()
        found = function()
        found = dict(zip(names, found if isinstance(found, (tuple, list)) else [found]))
        verdict = check.judge(found, results, operation.tolerance or TOLERANCE)
        if not verdict["ok"]:
            return f"{label}: {verdict['detail']}"
    except operations.Missing as reason:
        if "fake" in torch.__version__ and entry.operation["kind"] not in MISSING:
            return f"PyTorch's operation is missing: {reason}"
    if entry.operation["kind"] != "softmax backward" and not derived_are_right(operation, data):
        return "what is derived from other operands is not as the generator has it"
    # A wrong result is found.
    name = next(iter(results))
    wrong = (results[name] * 1).reshape(-1)
    wrong[wrong.numel() // 2] = 1e4
    found = not check.judge({name: wrong}, results, operation.tolerance)["ok"]
    return None if found else "a planted error is not found"


def main():
    failures = 0
    for row in lab_rows.KNOWN:
        try:
            failure = test(row[0])
        except (AttributeError, RuntimeError, TypeError, ValueError) as reason:
            failure = f"{type(reason).__name__}: {reason}"
        failures += failure is not None
        print(f"{'FAIL' if failure else 'pass'} {row[0].name}{': ' + failure if failure else ''}")
    print(f"{len(lab_rows.KNOWN) - failures} passed, {failures} failed, by PyTorch {torch.__version__}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
