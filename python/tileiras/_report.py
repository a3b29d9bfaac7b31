"""Pages that show a kernel."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from typing import Sequence, Union

from . import _run_api as api
from ._errors import LaunchError
from ._kernel import Kernel
from ._time import Estimate


def report(file: Union[str, "os.PathLike[str]"], kernel: Kernel, estimates: Sequence[Estimate] = ()) -> None:
    """Writes a page (HTML) that shows the program with its remarks, the schedules, shared memory, registers, the PTX, and
    what each pass changed; with `estimates` of `time` also these. It needs no other file and no network."""
    library = api.library()
    texts = [json.dumps(estimate.data).encode() for estimate in estimates]
    html = ctypes.c_char_p()
    status = library.tileirasRunMakePage(os.path.basename(kernel.name).encode(), kernel.report_data.encode(),
                                         (ctypes.c_char_p * len(texts))(*texts), len(texts), ctypes.byref(html))
    if status != api.SUCCESS:
        raise LaunchError(library.tileirasRunGetErrorText().decode(errors="replace"))
    pathlib.Path(file).write_bytes(html.value or b"")
