#!/usr/bin/env python3
"""Where the ELF files below a folder look for libraries: library_paths.py ROOT [--allow FOLDER]...

The loader takes an empty entry, and a relative one, for the current directory: whoever can write there decides what a
program runs. So an entry begins with $ORIGIN and stays within ROOT, or is one of the folders --allow names. Libraries
are needed by name, not by a path. Build trees within ROOT that are not its own are left alone.
`--self-test COMPILER` shows that each rule can fail."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def find_programs(root):
    """Programs and shared objects, once each, but what lit tests write, which need not be whole."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name != "Output" and
                            not os.path.exists(os.path.join(folder, name, "CMakeCache.txt")))
        for name in sorted(names):
            path = os.path.join(folder, name)
            try:
                if os.path.islink(path) or not os.path.isfile(path):
                    continue
                with open(path, "rb") as file:
                    start = file.read(20)
            except OSError:  # another test has removed it
                continue
            is_elf = start[:4] == b"\x7fELF" and int.from_bytes(start[16:18], "little") in (2, 3)
            if is_elf and int.from_bytes(start[18:20], "little") != 190:  # EM_CUDA
                yield path


def read_dynamic(readelf, path):
    """The entries of the paths, and the libraries that are needed; None when the file is gone."""
    result = subprocess.run([readelf, "--dynamic", "--wide", path], capture_output=True, text=True, errors="replace")
    if not os.path.exists(path):
        return None
    if result.returncode:
        sys.exit(f"{readelf} cannot read {path}: {result.stderr}")
    paths = re.findall(r"\((?:RPATH|RUNPATH)\)[^\[]*\[(.*)\]", result.stdout)
    return [entry for text in paths for entry in text.split(":")], re.findall(r"\(NEEDED\)[^\[]*\[(.*)\]", result.stdout)


def judge(entry, folder, root, allowed):
    """What is wrong with an entry of a file in `folder`; empty if nothing is."""
    if entry in allowed:
        return ""
    if not entry:
        return "an empty entry, which is the current directory"
    origin = re.fullmatch(r"\$(?:ORIGIN|\{ORIGIN\})((?:/[^$]*)?)", entry)
    if not origin:
        return f"'{entry}', which is a place of this machine" if entry.startswith("/") else f"the relative entry '{entry}'"
    target = os.path.normpath(folder + origin.group(1))
    return "" if target == root or target.startswith(root.rstrip("/") + "/") else f"'{entry}', which leaves {root}"


def find_mistakes(readelf, root, allowed, fewest=5):
    root = os.path.realpath(root)
    looked_at = 0
    for path in find_programs(root):
        found = read_dynamic(readelf, path)
        if found is None:
            continue
        looked_at += 1
        entries, needed = found
        for problem in filter(None, (judge(entry, os.path.dirname(path), root, allowed) for entry in entries)):
            yield f"{path} looks for libraries in {problem}"
        for library in needed:
            if "/" in library:
                yield f"{path} needs '{library}', a path"
    if looked_at < fewest:  # that is not what one meant to look at
        yield f"only {looked_at} programs and libraries are below {root}: this looks at the wrong folder"
    print(f"{looked_at} programs and libraries below {root}")


def self_test(compiler, readelf):
    cases = [("", "empty"), (".", "relative"), ("lib", "relative"), ("ORIGIN/../lib", "relative"), ("$ORIGINAL/lib", "relative"),
             ("$LIB", "relative"), ("/home/me/build/lib", "place"), ("$ORIGIN/../../..", "leaves"), ("$ORIGIN/../lib", ""),
             ("${ORIGIN}", ""), ("$ORIGIN", ""), ("$ORIGIN/..", ""), ("$ORIGIN/../$LIB", "relative"), ("/usr/lib/llvm-22/lib", "")]
    for entry, expected in cases:
        problem = judge(entry, "/root/tree/bin", "/root/tree", ["/usr/lib/llvm-22/lib"])
        if bool(problem) != bool(expected) or expected not in problem:
            sys.exit(f"'{entry}' is judged '{problem}', expected '{expected}'")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "lib").mkdir()
        def link(output, *options):
            subprocess.run([compiler, "-shared", "-nostdlib", "-x", "c", "/dev/null", "-o", output, *options], cwd=folder, check=True)
        for i in range(5):
            link(f"lib/good{i}.so", "-Wl,-rpath,$ORIGIN/../lib")
        link("lib/padded.so", "-Wl,-rpath,$ORIGIN:::")
        link("lib/old.so", "-Wl,--disable-new-dtags,-rpath,/nowhere")
        link("lib/user.so", "-Wl,--no-as-needed", "-x", "none", "lib/good0.so")
        mistakes = list(find_mistakes(readelf, folder, []))
        for expected in ("padded.so looks for libraries in an empty", "old.so looks for libraries in '/nowhere'",
                         "user.so needs 'lib/good0.so'"):
            if not any(expected in mistake for mistake in mistakes):
                sys.exit(f"'{expected}' is not found, but {mistakes}")
        if any("good1.so" in mistake for mistake in mistakes):
            sys.exit(f"what is right is refused: {mistakes}")
        if not list(find_mistakes(readelf, folder / "none", [])):
            sys.exit("an empty folder is right")
    print("every rule can fail")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?")
    parser.add_argument("--allow", action="append", default=[])
    parser.add_argument("--fewest", type=int, default=5)
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--self-test", metavar="COMPILER")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.self_test, arguments.readelf)
    mistakes = list(find_mistakes(arguments.readelf, arguments.root, arguments.allow, arguments.fewest))
    print("\n".join(mistakes))
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
