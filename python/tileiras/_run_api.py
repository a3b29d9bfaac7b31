"""The C interface of what runs kernels (tileiras/Run/tileiras-run.h) as ctypes. Names of fields are the header's."""

from __future__ import annotations

import ctypes
import functools
from ctypes import (CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_size_t, c_ssize_t, c_uint32, c_uint64, c_void_p)
from typing import Any, List, Tuple

from . import _compiler_api
from ._libraries import open_library

SUCCESS, ERROR_INVALID_ARGUMENT, ERROR_BAD_INPUT, ERROR_KERNEL, ERROR_INTERRUPTED = 0, 1, 2, 3, 4
ERROR_NO_ESTIMATE, ERROR_ALLOCATION = 5, 6


class Finding(ctypes.Structure):
    _fields_ = [("kind", c_char_p), ("message", c_char_p), ("text", c_char_p), ("file", c_char_p), ("line", c_uint32),
                ("column", c_uint32), ("ptxLine", c_uint32), ("instruction", c_char_p), ("seed", c_uint64),
                ("isWarning", c_int)]


FindingCallback = CFUNCTYPE(None, POINTER(Finding), c_void_p)
OutputCallback = CFUNCTYPE(None, POINTER(ctypes.c_char), c_size_t, c_void_p)


class Buffer(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t), ("name", c_char_p), ("bounds", POINTER(c_double)),
                ("boundStride", c_size_t)]


class Argument(ctypes.Structure):
    _fields_ = [("buffer", c_ssize_t), ("offset", c_uint64), ("value", c_char_p), ("size", c_size_t),
                ("type", c_char_p)]


class Run(ctypes.Structure):
    _fields_ = [
        ("structSize", c_size_t),
        ("kernel", c_char_p), ("kernelSize", c_size_t), ("kernelName", c_char_p), ("entry", c_char_p),
        ("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("cluster", c_uint32 * 3), ("dynamicShared", c_uint32),
        ("buffers", POINTER(Buffer)), ("bufferCount", c_size_t),
        ("arguments", POINTER(Argument)), ("argumentCount", c_size_t),
        ("seed", c_uint64), ("skipsRaces", c_int), ("skipsUninitialized", c_int), ("isStrict", c_int),
        ("allowed", POINTER(c_char_p)), ("allowedCount", c_size_t), ("mostFindings", c_uint32), ("threads", c_uint32),
        ("findingCallback", FindingCallback), ("outputCallback", OutputCallback), ("userData", c_void_p),
        ("interrupt", c_void_p),
    ]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    _compiler_api.library()  # whose release is looked at
    opened = open_library("libtileiras-run.so")
    functions: List[Tuple[str, List[Any]]] = [
        ("OnEmulator", [POINTER(Run)]), ("OnInterpreter", [POINTER(Run)]),
        ("Estimate", [POINTER(Run), c_char_p, c_uint32, POINTER(c_char_p)]),
        ("MakePage", [c_char_p, c_char_p, POINTER(c_char_p), c_size_t, POINTER(c_char_p)]),
    ]
    for name, arguments in functions:
        function = getattr(opened, "tileirasRun" + name)
        function.argtypes, function.restype = arguments, c_int
    opened.tileirasRunGetErrorText.restype = c_char_p
    opened.tileirasRunGetMachines.restype = c_char_p
    opened.tileirasInterruptCreate.restype = c_void_p
    opened.tileirasInterruptSet.argtypes, opened.tileirasInterruptSet.restype = [c_void_p], None
    opened.tileirasInterruptRelease.argtypes, opened.tileirasInterruptRelease.restype = [c_void_p], None
    return opened
