#!/usr/bin/env python3
"""Compiles sources of a batch build one by one, up to code generation: a batch hides includes that a file lacks. Which
files, the commit says; those that it changed come first.

Where files are compiled one by one anyway (TILEIRAS_UNITY=OFF), there is nothing to check."""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import rotation  # noqa: E402

CHANGED = 8  # files of the commit itself that are compiled at most


def find_sources(commands):
    """The sources that batches include, each with the command of its batch: {path: (folder, words)}."""
    sources = {}
    for entry in commands:
        if not re.search(r"/Unity/unity_\w+\.cxx$", entry["file"]):
            continue
        batch = pathlib.Path(entry["file"])
        for source in re.findall(r'^#include "(.*)"$', batch.read_text(encoding="utf-8"), re.MULTILINE):
            words = shlex.split(entry["command"])
            words[words.index("-c")] = "-fsyntax-only"
            words[words.index("-o"):words.index("-o") + 2] = []
            sources[source] = (entry["directory"], [source if word == entry["file"] else word for word in words])
    return sources


def list_changed(root):
    """What the commit that is checked out has changed."""
    result = subprocess.run(["git", "-C", str(root), "show", "--name-only", "--format=", "HEAD"], capture_output=True, text=True,
                            check=False)
    return [str(root / name) for name in result.stdout.split()] if result.returncode == 0 else []


def compile_alone(source, folder, words):
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(f"{source} does not compile by itself:\n{result.stderr[:2000]}", flush=True)
    return result.returncode == 0


def self_test(compiler):
    """Of two files of a batch, the second one lacks an include."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as name:
        folder = pathlib.Path(name)
        (folder / "Unity").mkdir()
        (folder / "Whole.cpp").write_text("#include <vector>\nstd::vector<int> whole;\n", encoding="utf-8")
        (folder / "Lacking.cpp").write_text("std::vector<int> lacking;\n", encoding="utf-8")
        batch = folder / "Unity/unity_0_cxx.cxx"
        batch.write_text(f'#include "{folder}/Whole.cpp"\n#include "{folder}/Lacking.cpp"\n', encoding="utf-8")
        sources = find_sources([{"directory": name, "file": str(batch), "command": f"{compiler} -o x.o -c {batch}"}])
        found = {pathlib.Path(source).name: compile_alone(source, *command) for source, command in sources.items()}
        return found != {"Whole.cpp": True, "Lacking.cpp": False}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--part", metavar="K/N", help="a sample of the files; without it all of them")
    parser.add_argument("--self-test", metavar="COMPILER")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.self_test)
    sources = find_sources(json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8")))
    if not sources:
        print("SKIP: this build compiles each file by itself")
        return 77
    chosen = rotation.choose_part(sorted(sources), arguments.part, "files")
    if arguments.part:
        chosen += [path for path in list_changed(arguments.source) if path in sources and path not in chosen][:CHANGED]
    failed = sum(not compile_alone(source, *sources[source]) for source in chosen)
    print(f"{len(chosen)} files, {failed} lack something")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
