"""Runs in a Python program under tileiras-cutile before anything else: makes cuTile Python take the compiler of tileiras.

Everything else stays as it would be: this folder leaves the environment and sys.path, a sitecustomize that it hides runs,
and of all modules only cuda.tile._compile is looked at, when the program imports it. What goes wrong here is a warning.
"""

import os
import sys

_LIBRARY = "libtileiras-cutile.so"
_MODULE = "cuda.tile._compile"
_home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PROGRAMS = ("tileiras", "tileirdisasm")


def _warn(text):
    sys.stderr.write(f"tileiras-cutile: warning: {text}\n")


def _remove(variable, entry, separators=":"):
    """Takes an entry and a separator beside it out of a list in the environment."""
    value = os.environ.get(variable)
    if value is None:
        return
    begin = 0
    while begin <= len(value):
        end = min([at for at in (value.find(separator, begin) for separator in separators) if at >= 0], default=len(value))
        if value[begin:end] == entry:
            value = value[:begin] + value[end + 1:] if end < len(value) else value[:max(begin - 1, 0)]
            if value:
                os.environ[variable] = value
            else:
                del os.environ[variable]
            return
        begin = end + 1


def _restore_environment():
    """What the program starts does not see us."""
    in_words = " " not in _home
    _remove("LD_PRELOAD", os.path.join(_home, _LIBRARY) if in_words else _LIBRARY, ": ")
    if not in_words:
        _remove("LD_LIBRARY_PATH", _home, ":;")
    _remove("LD_LIBRARY_PATH", os.path.join(os.path.dirname(_home), "emulated"), ":;")
    _remove("PATH", os.path.join(_home, "bin"))
    _remove("PYTHONPATH", os.path.join(_home, "python"))
    if os.environ.get("CUTILE_TILEIRAS_PATH") == os.path.join(_home, "bin", "tileiras"):
        del os.environ["CUTILE_TILEIRAS_PATH"]
    for variable in ("TILEIRAS_CUTILE_HOME", "TILEIRAS_CUTILE_PROCESS"):
        os.environ.pop(variable, None)


class _Shutil:
    """shutil as cuda.tile._compile sees it."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        return getattr(self._module, name)

    def which(self, cmd, *arguments, **options):
        return os.path.join(_home, "bin", cmd) if cmd in _PROGRAMS else self._module.which(cmd, *arguments, **options)


def _prefer_our_compiler(module):
    """`module` looks for the packages of a compiler, then calls shutil.which("tileiras", …); older ones only the latter.
    Newer ones look for the disassembler, too."""
    if hasattr(module, "_find_pip_tileiras"):
        module._find_pip_tileiras = lambda *arguments, **options: None
    if hasattr(getattr(module, "shutil", None), "which"):
        module.shutil = _Shutil(module.shutil)
        return
    path = os.environ.get("PATH")
    os.environ["PATH"] = os.path.join(_home, "bin") + (":" + path if path else "")
    _warn(f"this version of cuTile Python looks for its compiler in a way that is not known here; {_home}/bin is now first "
          "on PATH, for it and for what the program starts")


class _Finder:
    """Finds one module, as the others do, and changes it once it is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if hasattr(finder, "find_spec") else None
            if spec is not None:
                self._watch(spec.loader)
                return spec
        return None

    def _watch(self, loader):
        execute = loader.exec_module

        def exec_module(module):
            del loader.exec_module
            execute(module)
            try:
                _prefer_our_compiler(module)
            except Exception as error:
                _warn(f"cuTile Python keeps its compiler: {error!r}")

        try:
            loader.exec_module = exec_module
        except AttributeError:
            _warn(f"cuTile Python keeps its compiler: {_MODULE} is loaded by {loader!r}, which cannot be watched")


def _run_hidden_sitecustomize():
    """In our place, so that errors in it are what they would be."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec
    spec = PathFinder.find_spec(__name__)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules[__name__] = module
        spec.loader.exec_module(module)


try:
    if os.environ.get("TILEIRAS_CUTILE_PROCESS") != "all":
        _restore_environment()
    sys.path[:] = [_entry for _entry in sys.path if _entry != os.path.join(_home, "python")]
    sys.path_importer_cache.pop(os.path.join(_home, "python"), None)
    sys.meta_path.insert(0, _Finder())
except Exception as _error:
    _warn(f"cuTile Python keeps its compiler: {_error!r}")
_run_hidden_sitecustomize()
