"""The C interface of the compiler (tileiras/Compiler/tileiras-c.h) as ctypes. Names of fields are the header's."""

from __future__ import annotations

import ctypes
import functools
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, List, Tuple

from ._libraries import check_version, open_library

SUCCESS, ERROR_ALLOCATION, ERROR_CANCELLED, ERROR_LIMIT_EXCEEDED = 0, 1, 6, 7
SEVERITIES = ("note", "warning", "error", "remark")
OPT_LEVEL_OF_PROFILE = 0xFFFFFFFF


class Diagnostic(ctypes.Structure):
    _fields_ = [("severity", c_int), ("message", c_char_p), ("file", c_char_p), ("line", c_uint32),
                ("column", c_uint32)]


class Remark(ctypes.Structure):
    _fields_ = [("kind", c_char_p), ("category", c_char_p), ("name", c_char_p), ("function", c_char_p),
                ("message", c_char_p), ("file", c_char_p), ("line", c_uint32), ("column", c_uint32)]


DiagnosticCallback = CFUNCTYPE(None, POINTER(Diagnostic), c_void_p)
RemarkCallback = CFUNCTYPE(None, POINTER(Remark), c_void_p)
ScopeCallback = CFUNCTYPE(None, c_char_p, c_int, c_void_p)
InterruptCallback = CFUNCTYPE(c_int, c_void_p)


class Config(ctypes.Structure):
    _fields_ = [
        ("structSize", c_size_t),
        ("input", c_char_p), ("inputSize", c_size_t), ("inputName", c_char_p), ("inputIsText", c_int),
        ("gpuName", c_char_p), ("optLevel", c_uint32), ("lineInfo", c_int), ("deviceDebug", c_int),
        ("sanitizeMemcheck", c_int), ("hostArch", c_int), ("hostOs", c_int),
        ("product", c_char_p), ("profile", c_char_p), ("settings", POINTER(c_char_p)), ("settingCount", c_size_t),
        ("pluginFiles", POINTER(c_char_p)), ("pluginFileCount", c_size_t),
        ("diagnosticCallback", DiagnosticCallback), ("remarkCallback", RemarkCallback),
        ("scopeCallback", ScopeCallback), ("userData", c_void_p),
        ("passPipeline", c_char_p), ("pluginDirectories", POINTER(c_char_p)), ("pluginDirectoryCount", c_size_t),
        ("assembler", c_char_p), ("assemblerOptions", POINTER(c_char_p)), ("assemblerOptionCount", c_size_t),
        ("timeLimitMs", c_uint32), ("memoryLimitMiB", c_uint64), ("interruptCallback", InterruptCallback),
        ("collectReport", c_int), ("pool", c_void_p), ("cache", c_char_p),
    ]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    opened = open_library("libtileiras.so")
    check_version(opened)
    program = c_void_p
    functions: List[Tuple[str, List[Any]]] = [
        ("ProgramCreate", [POINTER(program), POINTER(Config)]), ("ProgramCompile", [program]),
        ("ProgramGetOutput", [program, POINTER(c_void_p), POINTER(c_size_t)]),
        ("ProgramGetPtx", [program, POINTER(c_char_p)]),
        ("ProgramGetMetadata", [program, POINTER(c_char_p)]),
        ("ProgramGetReport", [program, POINTER(c_char_p)]), ("ProgramCancel", [program]),
        ("ProgramRelease", [program]),
    ]
    for name, arguments in functions:
        function = getattr(opened, "tileiras" + name)
        function.argtypes, function.restype = arguments, c_int
    opened.tileirasGetErrorText.restype = c_char_p
    opened.tileirasGetBuildId.restype = c_char_p
    return opened
