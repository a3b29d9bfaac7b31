"""How long a launch would take, by the emulator's clock."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple

from . import _run_api as api
from ._arguments import Grid, make_arguments, make_grid
from ._kernel import Kernel
from ._run import Setup


@dataclass(frozen=True)
class LineTime:
    """Where warps spend their cycles."""

    place: str  #: "kernel.py:7", or "PTX line 12"
    instruction: str  #: of the PTX, the dearest one there
    share: float  #: of the cycles of all warps, 0 to 1
    issues: int  #: warp instructions


@dataclass(frozen=True)
class Estimate:
    """What the clock says of a launch: a model, no measurement."""

    machine: str
    microseconds: float  #: from the launch to the end of its last CTA
    launch_microseconds: float  #: of that, until the first CTAs run
    bound: str  #: what bounds it, a phrase
    tflops: float  #: of matrix instructions, else of arithmetic, in TFLOP/s
    possible_tflops: float  #: of the machine
    gbs: float  #: of DRAM, in GB/s
    possible_gbs: float
    dram_bytes: float
    units: Dict[str, float]  #: how busy each is, 0 to 1, the busiest first
    occupancy: Dict[str, Any]  #: CTAs and warps of a multiprocessor, and what limits them
    waves: float  #: how often the grid fills the machine
    is_tentative: bool  #: the machine's figures are less certain than those of others
    lines: Tuple[LineTime, ...]  #: those with a thousandth of the cycles or more, the dearest first
    notes: Tuple[str, ...]
    data: Dict[str, Any]  #: all of it, as `ptx-emulator time --json` writes it: nanoseconds

    def __str__(self) -> str:
        return f"{self.machine} (model): {self.microseconds:.2f} us, bounded by {self.bound}"


def time(kernel: Kernel, grid: Grid, args: Sequence[Any] = (), *, machine: str = "h100-sxm",
         entry: Optional[str] = None, registers: Optional[int] = None) -> Estimate:
    """Says how long a launch would take on a machine, by the emulator's clock. Nothing is run to the end, and the arrays
    stay as they are.

    grid, args, entry: as of `run`. What is in arrays does not matter, but where control flow and addresses depend on it.
    machine: one of `machines()`, or a file of figures that ends in .toml.
    registers: of a thread, by the assembler; default: those of the cubin where it has been made, else an estimate.
    """
    found = kernel.entry(entry)
    setup = Setup(kernel, found.name, make_grid(grid), make_arguments(found, args), "emulator")
    data = json.loads(setup.estimate(machine, registers or found.registers or 0))
    nanoseconds = 1e-3
    lines = tuple(LineTime(l["place"], l["text"], l["share"], l["issues"]) for l in data["lines"])
    return Estimate(data["machine"], data["ns"] * nanoseconds, data["launch_ns"] * nanoseconds, data["bound"],
                    data["tflops"], data["possible_tflops"], data["dram_gb_s"], data["possible_dram_gb_s"],
                    data["dram_bytes"], data["units"], data["occupancy"], data["waves"], data["tentative"], lines,
                    tuple(data["notes"]), data)


def machines() -> Tuple[str, ...]:
    """The machines whose times the clock knows."""
    return tuple(api.library().tileirasRunGetMachines().decode().split("\n"))
