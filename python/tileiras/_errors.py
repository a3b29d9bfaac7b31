"""What goes wrong, as exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Tuple


@dataclass(frozen=True)
class Location:
    """A place in a source: line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Diagnostic:
    """What the compiler says of a program. A note belongs to the diagnostic before it."""

    severity: str  #: "error", "warning", "note" or "remark"
    message: str
    location: Optional[Location]

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        return f"{place}{self.severity}: {self.message}"


@dataclass(frozen=True)
class Finding:
    """A mistake of a kernel that ran on the emulator or the interpreter."""

    kind: str  #: "data-race", "out-of-bounds", "assertion", …; of the interpreter: "error"
    message: str
    text: str  #: all that is known of it, several lines
    location: Optional[Location]  #: in the kernel's source
    ptx_line: Optional[int]
    instruction: str  #: of the PTX; empty where there is none
    seed: Optional[int]  #: run(..., seed=…) replays it; None: it does not depend on the interleaving

    def __str__(self) -> str:
        return self.text.rstrip()


class Error(Exception):
    """Whatever this package raises, but for Python's own TypeError and ValueError of wrong arguments."""

    location: Optional[Location] = None  #: the first place that it is about


class LibraryError(Error):
    """The libraries of tileiras, or the CUDA driver, are not there, or are not of this release."""


class CompileError(Error):
    """A program was not compiled. `diagnostics` are all that the compiler said, in their order."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(diagnostics)
        errors = [d for d in self.diagnostics if d.severity == "error" and d.location]
        self.location = errors[0].location if errors else None


class LimitError(CompileError):
    """A compilation took more time or memory than it was allowed."""


class LaunchError(Error):
    """A launch does not fit the kernel, or cannot be made here."""


class KernelError(Error):
    """A kernel ran, and made a mistake. `findings` are what was found; its arrays are as they were before."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings: Tuple[Finding, ...] = tuple(findings)
        self.location = self.findings[0].location if self.findings else None


class DisagreementError(Error):
    """Two places computed different results: a mistake of the compiler, or of what was expected."""


class CompilerWarning(UserWarning):
    """A warning of the compiler."""


class KernelWarning(UserWarning):
    """A finding of a kind that run(..., allow=…) lets pass."""
