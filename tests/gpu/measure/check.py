"""Compares results with what they have to be."""

CHUNK = 1 << 26  # elements: more at a time would take much memory in double precision


class Verdict:
    """wrong: elements that are further from the wanted ones than the tolerance; error: the norm of the difference over that of
    the wanted ones; first: of the wrong elements, (index, got, wanted)."""

    def __init__(self, wrong, error, first=None):
        self.wrong, self.error, self.first = wrong, error, first


def compare(got, wanted, tolerance):
    """An element may be off by the tolerance times its size plus the root mean square of all. A NaN is wrong."""
    got, wanted = got.reshape(-1), wanted.reshape(-1)
    if got.numel() != wanted.numel():
        raise ValueError(f"{got.numel()} elements to compare with {wanted.numel()}")
    pieces = [slice(start, start + CHUNK) for start in range(0, wanted.numel(), CHUNK)]
    square = sum((wanted[piece].double() ** 2).sum().item() for piece in pieces)
    size = (square / wanted.numel()) ** 0.5
    wrong, off, first = 0, 0.0, None
    for piece in pieces:
        right = wanted[piece].double()
        difference = (got[piece].double() - right).abs()
        is_wrong = ~(difference <= tolerance * (right.abs() + size))
        count = int(is_wrong.sum().item())
        if count and first is None:
            index = int(is_wrong.float().argmax().item())
            first = (piece.start + index, got[piece][index].item(), right[index].item())
        wrong += count
        off += (difference ** 2).sum().item()
    return Verdict(wrong, (off / square) ** 0.5 if square else off ** 0.5, first)


def judge(results, wanted, tolerance):
    """{"ok", "error", "detail"} of results by name."""
    verdicts = {name: compare(results[name], values, tolerance) for name, values in wanted.items() if name in results}
    error = max(verdict.error for verdict in verdicts.values())
    details = [f"{name}[{v.first[0]}] is {v.first[1]:.6g}, not {v.first[2]:.6g} ({v.wrong} of {wanted[name].numel()} wrong)"
               for name, v in verdicts.items() if v.wrong]
    return {"ok": not details, "error": error if error == error else None, "detail": "; ".join(details)}
