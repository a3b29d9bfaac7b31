#!/usr/bin/env python3
"""Configures the release preset for another compiler, and compiles one of its unity batches up to code generation: which
one, the commit says.

Generated headers are those of another build of the same sources (--build)."""

import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time


def configure(source, scratch, compiler):
    """The compile commands of the release preset's unity batches, in order."""
    shutil.rmtree(scratch, ignore_errors=True)
    done = subprocess.run(["cmake", "--preset", "release", "-B", scratch, f"-DCMAKE_CXX_COMPILER={compiler}"], cwd=source,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"error: the release preset cannot be configured:\n{done.stdout}")
    commands = json.loads((scratch / "compile_commands.json").read_text(encoding="utf-8"))
    batches = [entry for entry in commands if re.search(r"/Unity/unity_\w+\.cxx$", entry["file"])]
    if not batches:
        raise SystemExit("error: the release preset compiles no unity batch")
    return sorted(batches, key=lambda entry: entry["file"])


def commit_number(source):
    """A number that differs from commit to commit; 0 outside of git."""
    done = subprocess.run(["git", "-C", source, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return int(done.stdout.strip()[:12], 16) if done.returncode == 0 else 0


def use_generated_sources(entry, scratch, build):
    """Nothing is generated in `scratch`: the batch includes what `build` has."""
    batch = pathlib.Path(entry["file"])
    batch.write_text(batch.read_text(encoding="utf-8").replace(f"{scratch}/", f"{build}/"), encoding="utf-8")


def check_command(entry, scratch, build):
    """The batch's command, without the launcher and the products, with the generated headers of `build`."""
    words = shlex.split(entry["command"])
    first = next(index for index, word in enumerate(words) if re.search(r"(^|/)(c\+\+|g\+\+|clang\+\+)[\w.-]*$", word))
    command, words = [words[first], "-fsyntax-only"], iter(words[first + 1:])
    for word in words:
        # The precompiled header (-include of GCC, -Xclang) is only there to be fast; the batch's own includes have to be
        # complete.
        if word in ("-o", "-MF", "-MT", "-include", "-Xclang"):
            next(words)
        elif word not in ("-c", "-MD", "-Winvalid-pch"):
            inner = re.sub(r"^(-I|-isystem)?" + re.escape(str(scratch)) + r"(?!.*/Unity/)", rf"\g<1>{build}", word)
            command.append(inner)
    return command


def self_test():
    failed = 0
    for compiler, header in (("/usr/bin/c++", "-include /s/pch.hxx"),
                             ("/usr/bin/clang++-22", "-Xclang -include-pch -Xclang /s/pch.hxx.pch -Xclang -include -Xclang /s/pch.hxx")):
        entry = {"command": f"/usr/bin/env X=y /usr/bin/ccache {compiler} -DA -I/s/core/lib -I/r/core -Winvalid-pch {header} -O2 "
                            "-MD -MT a.o -MF a.d -o a.o -c /s/core/lib/CMakeFiles/x.dir/Unity/unity_A_0_cxx.cxx"}
        expected = [compiler, "-fsyntax-only", "-DA", "-I/b/core/lib", "-I/r/core", "-O2",
                    "/s/core/lib/CMakeFiles/x.dir/Unity/unity_A_0_cxx.cxx"]
        found = check_command(entry, pathlib.Path("/s"), pathlib.Path("/b"))
        print("ok" if found == expected else f"expected {expected}\nfound    {found}")
        failed += found != expected
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, help="a build that has generated headers")
    parser.add_argument("--scratch", type=pathlib.Path, help="where the release preset is configured")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--batch", action="append", default=[], help="compile batches whose path contains this, not the commit's; '' is all")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    batches = configure(arguments.source, arguments.scratch.resolve(), arguments.compiler)
    chosen = [batches[commit_number(arguments.source) % len(batches)]]
    if arguments.batch:
        chosen = [entry for entry in batches if any(part in entry["file"] for part in arguments.batch)]
    failed = 0
    for entry in chosen:
        begin = time.monotonic()
        name = pathlib.Path(entry["file"]).relative_to(arguments.scratch.resolve())
        use_generated_sources(entry, arguments.scratch.resolve(), arguments.build.resolve())
        done = subprocess.run(check_command(entry, arguments.scratch.resolve(), arguments.build.resolve()), cwd=entry["directory"],
                              check=False)
        failed += done.returncode != 0
        print(f"{'broken' if done.returncode else 'ok'}: {name} of {len(batches)} batches, {time.monotonic() - begin:.0f} s")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
