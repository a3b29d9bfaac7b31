"""Compiling, and what comes of it."""

from __future__ import annotations

import ctypes
import functools
import json
import os
import pathlib
import warnings
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

from . import _compiler_api as api
from ._errors import CompileError, CompilerWarning, Diagnostic, LimitError, Location
from ._interruptible import call

Source = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]"]
Settings = Union[Mapping[str, Any], Iterable[str]]

_BYTECODE_MAGIC = b"\x7fTileIR\0"


@dataclass(frozen=True)
class Remark:
    """What the compiler says of what it did. `tileiras --help-remarks` describes each."""

    kind: str  #: "Passed", "Missed", "Failure" or "Analysis"
    category: str  #: what it is about: "schedule", "layout", …
    name: str
    function: str  #: the kernel
    message: str
    location: Optional[Location]

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        return f"{place}[{self.kind}] {self.name}: {self.message}"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel."""

    type: str  #: "ptr", "i32", "f16", …; "tensor_map": one that the launch builds, not the caller
    bytes: int


@dataclass(frozen=True)
class Entry:
    """One kernel of a module, by the compiler's metadata; sizes are those of the launch that it needs."""

    name: str
    parameters: Tuple[Parameter, ...]  #: those that the caller passes
    block: Tuple[int, int, int]  #: threads of a CTA
    cluster: Tuple[int, int, int]  #: CTAs of a cluster
    dynamic_shared_bytes: int  #: of a CTA
    static_shared_bytes: Optional[int]  #: of a CTA, by the assembler; None: it was not asked
    registers: Optional[int]  #: of a thread, likewise
    spill_bytes: Optional[int]  #: stored and loaded, of a thread, likewise


@dataclass(frozen=True)
class Options:
    """What a kernel was compiled with. `compile` describes each."""

    gpu: str
    opt: Optional[int]
    profile: Optional[str]
    settings: Tuple[str, ...]
    line_info: bool
    device_debug: bool
    memcheck: bool
    plugins: Tuple[str, ...]
    plugin_path: Tuple[str, ...]
    pass_pipeline: Optional[str]
    assembler: Optional[str]
    assembler_options: Tuple[str, ...]
    time_limit: float
    memory_limit: int


@dataclass(frozen=True)
class Product:
    """What one compilation gave."""

    output: bytes
    ptx: str
    metadata: Dict[str, Any]
    remarks: Tuple[Remark, ...]
    diagnostics: Tuple[Diagnostic, ...]
    report: str  #: JSON; empty where nobody has asked


class Kernel:
    """A compiled module: PTX, and on demand a cubin. Immutable; made by `compile`."""

    def __init__(self, source: bytes, name: str, is_text: bool, options: Options) -> None:
        self._source, self._is_text = source, is_text
        self.name = name  #: of the source, as in messages
        self.options = options
        self._product = _compile(source, name, is_text, options, "ptx")

    @property
    def gpu(self) -> str:
        """What it was compiled for: "sm_90"."""
        return self.options.gpu

    @property
    def source(self) -> bytes:
        """The Tile IR that it was compiled from: bytecode, or text in UTF-8."""
        return self._source

    @property
    def ptx(self) -> str:
        """The PTX."""
        return self._product.ptx

    @functools.cached_property
    def _assembled(self) -> Product:
        return _compile(self._source, self.name, self._is_text, self.options, "cubin")

    @property
    def cubin(self) -> bytes:
        """The cubin. The first use compiles once more, through the assembler: CompileError where there is none."""
        return self._assembled.output

    @property
    def metadata(self) -> Dict[str, Any]:
        """What `tileiras --metadata` writes; with the assembler's part once there is a cubin."""
        return (self.__dict__.get("_assembled") or self._product).metadata

    @property
    def remarks(self) -> Tuple[Remark, ...]:
        """What the compiler says of what it did; with those about spills once there is a cubin."""
        return (self.__dict__.get("_assembled") or self._product).remarks

    @functools.cached_property
    def report_data(self) -> str:
        """What a report page shows of the compilation, as JSON: remarks, schedules, shared memory, what each pass changed.
        The first use compiles once more."""
        return _compile(self._source, self.name, self._is_text, self.options, "ptx", collects_report=True).report

    @property
    def diagnostics(self) -> Tuple[Diagnostic, ...]:
        """Warnings and notes, which were also given to Python's `warnings`."""
        return self._product.diagnostics

    @property
    def entries(self) -> Dict[str, Entry]:
        """The kernels of the module, by name."""
        return {kernel["name"]: _make_entry(kernel) for kernel in self.metadata["kernels"]}

    def entry(self, name: Optional[str] = None) -> Entry:
        """The kernel of this name; without a name the only one."""
        entries = self.entries
        if name is None and len(entries) == 1:
            return next(iter(entries.values()))
        if name is None or name not in entries:
            what = f"no kernel '{name}'" if name else f"{len(entries)} kernels"
            raise ValueError(f"{self.name} has {what}; say one of: {', '.join(entries) or 'none'}")
        return entries[name]

    @property
    def registers(self) -> int:
        """Registers of a thread of the only kernel, by the assembler (see `cubin`); else entry(NAME).registers."""
        self._assembled
        registers = self.entry().registers
        if registers is None:
            raise CompileError(f"the assembler says no registers of {self.name}; --assembler=ptxas does")
        return registers

    def __repr__(self) -> str:
        return f"<tileiras.Kernel {self.name!r} for {self.gpu}: {', '.join(self.entries)}>"


def compile(source: Source, gpu: str, *, opt: Optional[int] = 3, profile: Optional[str] = None,
            settings: Settings = (), line_info: bool = True, device_debug: bool = False, memcheck: bool = False,
            plugins: Sequence[str] = (), plugin_path: Sequence[str] = (), pass_pipeline: Optional[str] = None,
            assembler: Optional[str] = None, assembler_options: Sequence[str] = (), time_limit: float = 0,
            memory_limit: int = 0, name: Optional[str] = None) -> Kernel:
    """Compiles a module of Tile IR.

    source: bytecode or text as bytes; text as str, which has `cuda_tile` in it; or the path of a file with either.
    gpu: "sm_90"; "native" is the one of this machine.
    opt: 0 to 3; None: what the profile says.
    profile, settings, plugins, plugin_path, pass_pipeline, assembler, assembler_options: as the options --profile,
        --set, --load-plugin, --plugin-path, --pass-pipeline, --assembler and --Xptxas of the tool. Settings are
        {"num-warps": 8} or ["num-warps=8"].
    line_info: line tables, by which findings and estimates name lines of the source.
    device_debug: full debug information, with opt=0 only.
    memcheck: instrumented code.
    time_limit: in seconds; memory_limit: in MiB; exceeded, they are a LimitError. 0: none.
    name: of the source in messages; default: of its file.

    Raises CompileError with the compiler's diagnostics. The GIL is released meanwhile, and Ctrl-C ends it.
    """
    contents, file, is_text = _read(source)
    options = Options(gpu, opt, profile, _to_settings(settings), line_info, device_debug, memcheck, tuple(plugins),
                      tuple(plugin_path), pass_pipeline, assembler, tuple(assembler_options), time_limit, memory_limit)
    return Kernel(contents, name or file, is_text, options)


def _read(source: Source) -> Tuple[bytes, str, bool]:
    """Contents, name and whether they are text."""
    name = "<kernel>"
    if isinstance(source, str) and ("cuda_tile" in source or "\n" in source):
        contents = source.encode()
    elif isinstance(source, (bytes, bytearray, memoryview)):
        contents = bytes(source)
    else:
        name = os.fspath(source)
        try:
            contents = pathlib.Path(name).read_bytes()
        except OSError as error:
            raise CompileError(f"cannot read {name}: {error.strerror}") from error
    return contents, name, not contents.startswith(_BYTECODE_MAGIC)


def _to_settings(settings: Settings) -> Tuple[str, ...]:
    if isinstance(settings, str):
        raise TypeError("settings are a dict or a list of 'option=value', not one string")
    if not isinstance(settings, Mapping):
        return tuple(settings)

    def spell(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return tuple(f"{key}={spell(value)}" for key, value in settings.items())


def _make_entry(kernel: Mapping[str, Any]) -> Entry:
    parameters = tuple(Parameter(p["type"], p["bytes"]) for p in kernel["parameters"] if p["type"] != "tensor_map")
    spills = kernel["spill_store_bytes"] + kernel["spill_load_bytes"] if "spill_store_bytes" in kernel else None

    def sizes(key: str) -> Tuple[int, int, int]:
        x, y, z = kernel[key]
        return x, y, z

    return Entry(kernel["name"], parameters, sizes("block_size"), sizes("cluster_size"), kernel["dynamic_shared_bytes"],
                 kernel.get("static_shared_bytes"), kernel.get("registers"), spills)


def location_of(file: Optional[bytes], line: int, column: int) -> Optional[Location]:
    """What the libraries say of a place; None where they say nothing."""
    return Location(file.decode(errors="replace"), line, column) if file and line else None


def _to_strings(texts: Sequence[str]) -> "ctypes.Array[ctypes.c_char_p]":
    return (ctypes.c_char_p * len(texts))(*(text.encode() for text in texts))


def _make_config(source: bytes, name: str, is_text: bool, options: Options, product: str,
                 collects_report: bool) -> api.Config:
    def encode(text: Optional[str]) -> Optional[bytes]:
        return None if text is None else text.encode()

    config = api.Config(structSize=ctypes.sizeof(api.Config), input=source, inputSize=len(source),
                        inputName=name.encode(), inputIsText=is_text, gpuName=options.gpu.encode(),
                        lineInfo=options.line_info, deviceDebug=options.device_debug,
                        sanitizeMemcheck=options.memcheck, product=product.encode(),
                        profile=encode(options.profile), passPipeline=encode(options.pass_pipeline),
                        assembler=encode(options.assembler), timeLimitMs=round(1000 * options.time_limit),
                        memoryLimitMiB=options.memory_limit, collectReport=collects_report)
    config.optLevel = api.OPT_LEVEL_OF_PROFILE if options.opt is None else options.opt
    for field, count, texts in (("settings", "settingCount", options.settings),
                                ("pluginFiles", "pluginFileCount", options.plugins),
                                ("pluginDirectories", "pluginDirectoryCount", options.plugin_path),
                                ("assemblerOptions", "assemblerOptionCount", options.assembler_options)):
        setattr(config, field, _to_strings(texts))
        setattr(config, count, len(texts))
    return config


def _fail(status: int, library: ctypes.CDLL, text: str, diagnostics: Sequence[Diagnostic]) -> NoReturn:
    if status == api.ERROR_ALLOCATION:
        raise MemoryError(text)
    kind = LimitError if status == api.ERROR_LIMIT_EXCEEDED else CompileError
    errors = [str(d) for d in diagnostics if d.severity == "error" and d.message not in text]
    raise kind("\n".join([text, *errors]), diagnostics)


def _compile(source: bytes, name: str, is_text: bool, options: Options, product: str,
             collects_report: bool = False) -> Product:
    library = api.library()
    diagnostics: List[Diagnostic] = []
    remarks: List[Remark] = []

    def text(value: Optional[bytes]) -> str:
        return (value or b"").decode(errors="replace")

    def on_diagnostic(pointer: Any, _: Any) -> None:
        d = pointer.contents
        diagnostics.append(Diagnostic(api.SEVERITIES[d.severity], text(d.message), location_of(d.file, d.line, d.column)))

    def on_remark(pointer: Any, _: Any) -> None:
        r = pointer.contents
        remarks.append(Remark(text(r.kind), text(r.category), text(r.name), text(r.function), text(r.message),
                              location_of(r.file, r.line, r.column)))

    config = _make_config(source, name, is_text, options, product, collects_report)
    config.diagnosticCallback = api.DiagnosticCallback(on_diagnostic)
    config.remarkCallback = api.RemarkCallback(on_remark)
    program = ctypes.c_void_p()

    def work() -> Tuple[int, str]:
        status = library.tileirasProgramCreate(ctypes.byref(program), ctypes.byref(config))
        if status == api.SUCCESS:
            status = library.tileirasProgramCompile(program)
        return status, text(library.tileirasGetErrorText())  # of the thread that called

    def cancel() -> None:
        if program:
            library.tileirasProgramCancel(program)

    try:
        status, error = call(work, cancel)
        if status != api.SUCCESS:
            _fail(status, library, error, diagnostics)
        result = _take(library, program, tuple(remarks), tuple(diagnostics), collects_report)
    finally:
        if program:
            library.tileirasProgramRelease(program)
    for diagnostic in diagnostics:
        if diagnostic.severity == "warning":
            warnings.warn(str(diagnostic), CompilerWarning, stacklevel=4)
    return result


def _take(library: ctypes.CDLL, program: ctypes.c_void_p, remarks: Tuple[Remark, ...],
          diagnostics: Tuple[Diagnostic, ...], collects_report: bool) -> Product:
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    ptx, metadata, report = ctypes.c_char_p(), ctypes.c_char_p(), ctypes.c_char_p()
    library.tileirasProgramGetOutput(program, ctypes.byref(data), ctypes.byref(size))
    library.tileirasProgramGetPtx(program, ctypes.byref(ptx))
    library.tileirasProgramGetMetadata(program, ctypes.byref(metadata))
    if collects_report:
        library.tileirasProgramGetReport(program, ctypes.byref(report))
    return Product(ctypes.string_at(data, size.value), (ptx.value or b"").decode(),
                   json.loads(metadata.value or b"{}"), remarks, diagnostics, (report.value or b"").decode())
