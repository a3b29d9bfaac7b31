"""For tileiras-cutile --check: says, as lines NAME=VALUE, what a Python program would find."""

import importlib.metadata
import os
import sys


def say(name, value):
    print(f"{name}={' '.join(str(value).split())}", flush=True)


def main():
    say("python", f"{sys.executable} {sys.version.split()[0]}")
    # Whoever starts us puts the variable there, and sitecustomize.py takes it out.
    say("hooked", int("TILEIRAS_CUTILE_HOME" not in os.environ))
    try:
        say("cutile", importlib.metadata.version("cuda-tile"))
    except importlib.metadata.PackageNotFoundError:
        pass
    try:
        from cuda.tile import _compile
        say("compiler", _compile._find_compiler_bin().path)
    except Exception as error:
        say("error", f"{type(error).__name__}: {error}")


main()
