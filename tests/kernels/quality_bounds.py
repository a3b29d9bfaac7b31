"""What must hold of the figures of kernels: a file NAME-bounds.txt, a row a line.

  KERNELS FIGURE <= NUMBER because REASON      (>= for a figure of which more is better)

It has three sections:

  [limits]     written by hand: what the design promises, whatever is measured. KERNELS is a regular expression that is
               searched for in the name of a kernel. Of several rows that fit, the last one counts.
  [not yet]    where a kernel does not keep to a limit, and what it may not exceed meanwhile. KERNELS is its name.
  [measured]   what nothing but the code itself promises: the figure of the worst of the kernels, and MARGIN. KERNELS is a
               regular expression for whole names.

The last two are sorted, and their numbers are written by `quality.py --record`; the reasons are written by hand. A new row
of them has `?` for its number. A kernel that stops keeping to a limit gets a row with `?` for its reason when this is
allowed; no table passes with either.
"""

import dataclasses
import math
import re

MARGIN = 0.02  # of a measured figure, before a bound is crossed: what small changes of the order of instructions take
UNKNOWN = "?"
SECTIONS = ("limits", "not yet", "measured")
ROW = re.compile(r"(\S+)\s+(\w+)\s+([<>]=)\s+(\d+(?:\.\d+)?|\?)\s+because\s+(\S.*)")


def show(number):
    """As in the files: no digit is lost."""
    return f"{number:.10g}"


@dataclasses.dataclass(frozen=True)
class Row:
    kernels: str
    figure: str
    number: float | None
    reason: str


@dataclasses.dataclass(frozen=True)
class Change:
    """Of a row by a recording; before: None for a new row, after: None for one that goes."""
    file: str
    kernels: str
    figure: str
    before: float | None
    after: float | None
    kind: str  # better, worse, refused or new

    def percent(self):
        if self.before is None or self.after is None:
            return math.inf
        return 100 * abs(self.after - self.before) / max(abs(self.before), 1)

    def __str__(self):
        row = f"{self.file}: {self.kernels} {self.figure}"
        if self.before is None:
            return f"{self.kind}: {row} is bounded by {show(self.after)}"
        if self.after is None:
            return f"{self.kind}: {row} keeps to its limit, {show(self.before)} before"
        return f"{self.kind} by {self.percent():.1f} %: {row} {show(self.before)} -> {show(self.after)}"


def sort_changes(changes):
    """What got worse before what got better, the most of each first."""
    order = ("refused", "worse", "better", "new")
    return sorted(changes, key=lambda change: (order.index(change.kind), -change.percent()))


class Bounds:
    """at_least: figures of which more is better."""

    def __init__(self, path, at_least=()):
        self.path, self.at_least = path, at_least
        self.rows = {section: [] for section in SECTIONS}
        self.texts = {section: [] for section in SECTIONS}  # lines of comments, which stay before the rows
        self.head, self.by_hand = [], []
        self.read(path.read_text(encoding="utf-8"))

    def read(self, text):
        section = None
        for at, line in enumerate(text.splitlines(), start=1):
            if line.startswith("["):
                section = line.strip("[] ")
                if section not in SECTIONS:
                    raise ValueError(f"{self.path.name}:{at}: none of the sections {', '.join(SECTIONS)}: {line}")
            elif section is None:
                self.head.append(line)
            else:
                if section == "limits":
                    self.by_hand.append(line)
                if line and not line.startswith("#"):
                    self.rows[section].append(self.read_row(line, f"{self.path.name}:{at}", section))
                elif line:
                    self.texts[section].append(line)

    def read_row(self, line, where, section):
        found = ROW.fullmatch(line)
        if not found or section == "limits" and found[4] == UNKNOWN:
            raise ValueError(f"{where}: not KERNELS FIGURE <= NUMBER because REASON: {line}")
        kernels, figure, relation, number, reason = found.groups()
        if (relation == ">=") != (figure in self.at_least):
            raise ValueError(f"{where}: of {figure}, {'more' if figure in self.at_least else 'less'} is better: {line}")
        return Row(kernels, figure, None if number == UNKNOWN else float(number), reason)

    def holds(self, figure, value, bound):
        return value >= bound if figure in self.at_least else value <= bound

    def leave_margin(self, figure, value):
        """A whole number that is worse than the value by MARGIN at most, or the next one where none is."""
        if figure in self.at_least:
            return min(math.ceil(value * (1 - MARGIN)), math.floor(value))
        return max(math.floor(value * (1 + MARGIN)), math.ceil(value))

    def get_limit(self, name, figure):
        fitting = [row for row in self.rows["limits"] if row.figure == figure and re.search(row.kernels, name)]
        return fitting[-1] if fitting else None

    def get_exception(self, name, figure):
        return next((row for row in self.rows["not yet"] if (row.kernels, row.figure) == (name, figure)), None)

    def get_measured(self, name, figure):
        """All rows: there should be one at most."""
        return [row for row in self.rows["measured"] if row.figure == figure and re.fullmatch(row.kernels, name)]

    def judge(self, name, figure, value, is_limited=True):
        """What counts (a bound, or None), how it stands with the limit (holds, not yet, FAILS, or nothing), and mistakes."""
        limit = self.get_limit(name, figure) if is_limited else None
        exception, measured = self.get_exception(name, figure), self.get_measured(name, figure)
        status, mistakes = "", []
        if limit:
            status = "holds" if self.holds(figure, value, limit.number) else "not yet" if exception else "FAILS"
        if status == "FAILS":
            mistakes.append(f"{figure} is {show(value)}, the limit {show(limit.number)} because {limit.reason}")
        if status in ("holds", "") and exception:
            mistakes.append(f"{figure} is {show(value)} and keeps to its limit: take it out of [not yet] of {self.path.name}")
        for row in ([exception] if status == "not yet" else []) + measured:
            if row.number is not None and not self.holds(figure, value, row.number):
                mistakes.append(f"{figure} is {show(value)}, the bound {show(row.number)} because {row.reason}")
                status = "FAILS"
        if len(measured) > 1:
            mistakes.append(f"{figure} has {len(measured)} rows in [measured] of {self.path.name}")
        numbers = [row.number for row in measured + ([limit] if limit else [])]
        return numbers[0] if numbers else None, status, mistakes

    def find_mistakes(self, names=None):
        """Of the file itself; names: all kernels, where they are known."""
        mistakes = []
        for section, rows in self.rows.items():
            keys = [(row.kernels, row.figure) for row in rows]
            if section != "limits" and keys != sorted(set(keys)):
                mistakes.append(f"[{section}] is not sorted, or has a row twice")
            for row in rows:
                if row.number is None or row.reason == UNKNOWN:
                    mistakes.append(f"{row.kernels} {row.figure} has no {'number' if row.number is None else 'reason'} yet")
                if names is not None and not any(self.fits(section, row, name) for name in names):
                    mistakes.append(f"{row.kernels} {row.figure} of [{section}] is about no kernel")
        return [f"{self.path.name}: {mistake}" for mistake in mistakes]

    def fits(self, section, row, name):
        if section == "not yet":
            return row.kernels == name
        return re.search(row.kernels, name) if section == "limits" else re.fullmatch(row.kernels, name)

    def record(self, results, allowed=(), is_limited=lambda figure, figures: True):
        """Takes what is measured, {kernel: {figure: value}}, for the rows' numbers. What is worse is refused unless
        `allowed` names the row's KERNELS. The changes."""
        changes = []
        self.record_measured(results, allowed, changes)
        self.record_exceptions(results, allowed, is_limited, changes)
        return changes

    def renumber(self, row, value, allowed, changes):
        """The row with the value's number."""
        number = self.leave_margin(row.figure, value)
        kind = "new" if row.number is None else "better" if self.holds(row.figure, value, row.number) else "worse"
        if kind == "better" and self.holds(row.figure, row.number, number):
            return row  # no less than that: the margin is not taken twice
        if kind == "worse" and row.kernels not in allowed:
            changes.append(Change(self.path.name, row.kernels, row.figure, row.number, number, "refused"))
            return row
        changes.append(Change(self.path.name, row.kernels, row.figure, row.number, number, kind))
        return dataclasses.replace(row, number=number)

    def record_measured(self, results, allowed, changes):
        rows = []
        for row in self.rows["measured"]:
            values = [figures[row.figure] for name, figures in results.items()
                      if row.figure in figures and re.fullmatch(row.kernels, name)]
            worst = (min if row.figure in self.at_least else max)(values, default=None)
            rows.append(row if worst is None else self.renumber(row, worst, allowed, changes))
        self.rows["measured"] = sorted(rows, key=lambda row: (row.kernels, row.figure))

    def record_exceptions(self, results, allowed, is_limited, changes):
        rows = [row for row in self.rows["not yet"] if row.figure not in results.get(row.kernels, {})]
        for name, figures in results.items():
            for figure, value in figures.items():
                limit = self.get_limit(name, figure) if is_limited(figure, figures) else None
                row, keeps = self.get_exception(name, figure), not limit or self.holds(figure, value, limit.number)
                if row and keeps:
                    changes.append(Change(self.path.name, name, figure, row.number, None, "better"))
                elif row:
                    rows.append(self.renumber(row, value, allowed, changes))
                elif not keeps:
                    number = self.leave_margin(figure, value)
                    changes.append(Change(self.path.name, name, figure, limit.number, number, "worse" if name in allowed else "refused"))
                    rows += [Row(name, figure, number, UNKNOWN)] if name in allowed else []
        self.rows["not yet"] = sorted(rows, key=lambda row: (row.kernels, row.figure))

    def write(self):
        lines = [*self.head, "[limits]", *self.by_hand]
        for section in SECTIONS[1:]:
            while lines and not lines[-1]:
                lines.pop()
            lines += ["", f"[{section}]", *self.texts[section], *map(self.print_row, self.rows[section])]
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def print_row(self, row):
        relation = ">=" if row.figure in self.at_least else "<="
        number = UNKNOWN if row.number is None else show(row.number)
        return f"{row.kernels:<44} {row.figure:<12} {relation} {number:>6} because {row.reason}"
