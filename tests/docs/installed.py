#!/usr/bin/env python3
"""Checks what an installation has for reading: the pages, the examples, the plugin template, and manual pages."""

import argparse
import gzip
import pathlib
import sys

PROGRAMS = ("tileiras", "tileiras-opt", "tileiras-schedule", "tileirdisasm", "tileiras-lsp-server", "tileiras-run", "tileiras-interpret", "tileiras-cutile", "ptx-emulator")


def manual_problems(path, program):
    if not path.is_file():
        return [f"{program} has no manual page {path}"]
    text = gzip.decompress(path.read_bytes()).decode(encoding="utf-8")
    problems = [f"{path.name} has no {section}" for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO")
                if f".SH {section}" not in text and f'.SH "{section}"' not in text]
    plain = text.replace("\\", "")
    wanted = {"tileiras": ["--gpu-name", "--emit"], "tileiras-run": ["--launch"], "ptx-emulator": ["--machine", "--seeds"],
              "tileiras-cutile": ["--check", "--emulate", "--sanitize", "--time"], "tileiras-interpret": ["--print-values"]}
    problems += [f"{path.name} does not describe {option}" for option in wanted.get(program, []) if option not in plain]
    # What help2man could not make anything of stays as it was printed.
    problems += [f"{path.name} has '{word}'" for word in ("OVERVIEW:", "USAGE:", "OPTIONS:") if word in text]
    return problems


def problems_of(source, tree, manual):
    wanted = {source / "README.md": "share/doc/tileiras/README.md"}
    for folder, to in (("docs", "share/doc/tileiras/docs"), ("template", "share/tileiras/template"),
                       ("examples", "share/tileiras/examples")):
        for path in (source / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                wanted[path] = f"{to}/{path.relative_to(source / folder).as_posix()}"
    for path, to in wanted.items():
        if not (tree / to).is_file():
            yield f"{to} is not installed"
        elif (tree / to).read_bytes() != path.read_bytes():
            yield f"{to} is not {path}"
    for program in PROGRAMS:
        if not (tree / "bin" / program).is_file():
            yield f"bin/{program} is not installed"
        if manual:
            yield from manual_problems(tree / f"share/man/man1/{program}.1.gz", program)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("tree", type=pathlib.Path, help="the prefix of the installation")
    parser.add_argument("--no-manual", action="store_true", help="help2man was not there")
    arguments = parser.parse_args()
    problems = list(problems_of(arguments.source, arguments.tree, not arguments.no_manual))
    for problem in problems:
        print(f"error: {problem}")
    if arguments.no_manual:
        print("manual pages: SKIPPED, help2man is not installed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
