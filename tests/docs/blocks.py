#!/usr/bin/env python3
"""Runs or builds every fenced block of the pages that users read, from an install tree; tests/docs/README.md says how."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pages

TIMEOUT = 300  # seconds for one block
CUDA_FOLDERS = ("/usr/local/cuda/bin",)
SOURCES = re.compile(r"[\w./-]+\.(?:cpp|cc|c|td)\b")

# Around a C or C++ block that is no translation unit, after its #include lines: what its statements may use without
# declaring it. tests/docs/README.md shows it.
FRAGMENT = {
    "c": """#include "tileiras/Compiler/tileiras-c.h"
#include "tileiras/Launch/tileiras-launch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
""",
    "cpp": """#include "tileiras/Plugin/Plugin.h"
using namespace tileiras;
""",
}
NAMES = """
void *cubin, *data;
size_t size;
const char *metadata;
const void *bytecode;
TileirasProgram *program;
TileirasModule *module;
const TileirasKernel *kernel;
const void *const *arguments;
const uint32_t grid[3] = {1, 1, 1};
void *stream;
"""


class Failure(Exception):
    """What is wrong with a block."""


class Session:
    """One page's blocks, in its own folder."""

    def __init__(self, page, root, work, tools):
        self.page, self.root, self.tools = page, root, tools
        self.folder, self.state = work / "folder", work / "state"
        for folder in (self.folder, self.state):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        self.output = None  # of the last block, where that is one that ran
        self.skipped = None  # why the last block did not run
        self.count = 0
        self.environment = self.make_environment()

    def make_environment(self):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("TILEIRAS_", "LD_", "CMAKE_"))}
        if "CCACHE_DIR" not in environment and (ccache := shutil.which("ccache")):
            cache = subprocess.run([ccache, "--get-config", "cache_dir"], capture_output=True, text=True, check=False)
            environment["CCACHE_DIR"] = cache.stdout.strip()
        environment.update(self.tools.environment, HOME=str(self.state), LC_ALL="C.UTF-8", TILEIRAS_ROOT=str(self.root),
                           PATH=os.pathsep.join([str(self.root / "bin"), environment.get("PATH", os.defpath)]))
        return environment

    def call(self, command, what):
        """The command's standard output and error in one; raises Failure with them."""
        with subprocess.Popen(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
            try:
                output = process.communicate(timeout=self.tools.timeout)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise Failure(f"{what} takes longer than {self.tools.timeout} s") from None
        if process.returncode != 0:
            said = output.rstrip().replace(f"{self.state}/", "").replace(f"{self.folder}/", "")
            raise Failure(f"{what} failed with exit status {process.returncode}" + (f":\n{said}" if said else ""))
        return output

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def scratch(self, suffix, text, line=0):
        """A file that no block sees. It begins with as many empty lines as the page: errors name the page's line."""
        self.count += 1
        path = self.state / str(self.count) / f"{self.page.name}{suffix}"
        path.parent.mkdir()
        path.write_text("\n" * line + text, encoding="utf-8")
        return path

    def block(self, block):
        """'run', 'built', 'shown', or ('not run', reason); raises Failure."""
        if block.language == "text":
            return self.text(block)
        reason = block.attributes.get("no-run") or self.missing(block)
        name = block.attributes.get("file")
        path = self.write(name, block.text) if name else None
        self.output, self.skipped = None, reason
        if reason:
            return "not run", reason
        return getattr(self, block.language)(block, path)

    def missing(self, block):
        for program in block.attributes.get("needs", "").split():
            if not shutil.which(program, path=os.pathsep.join([self.environment["PATH"], *CUDA_FOLDERS])):
                return f"{program} is not installed"
        return None

    def text(self, block):
        if "output" not in block.attributes:
            if name := block.attributes.get("file"):
                self.write(name, block.text)
            return "shown"
        if self.skipped:
            return "not run", f"output of a block that is not run: {self.skipped}"
        if self.output is None:
            raise Failure("an output, but the block before is none that runs")
        said = [" ".join(line.split()) for line in self.output.splitlines()]
        wanted = [line for line in block.text.splitlines() if line.strip()]
        if not wanted:
            raise Failure("an output without lines")
        for line in wanted:
            pattern = re.compile(".*".join(re.escape(" ".join(part.split())) for part in line.split("…")))
            if not any(pattern.search(candidate) for candidate in said):
                raise Failure(f"the block before does not say '{line.strip()}', but:\n{self.output.rstrip()}")
        return "shown"

    def sh(self, block, _):
        script = self.scratch("", block.text, block.line)
        # Blocks of a page are one session to its reader: exported variables and the current folder go on.
        keep = f"trap 'status=$?; export -p > {self.state}/exports; pwd > {self.state}/folder; exit $status' EXIT"
        go_on = f"[[ ! -e {self.state}/exports ]] || {{ . {self.state}/exports; cd \"$(< {self.state}/folder)\"; }}"
        self.output = self.call(["bash", "-e", "-c", f"{go_on}; {keep}; . '{script}'"], "the block")
        return "run"

    def toml(self, block, path):
        text = block.text
        if not re.search(r"^name\s*=", text, re.MULTILINE):
            text = 'name = "fragment"\ninherits = "o3"\n' + text
        path = path if path and text is block.text else self.scratch(".toml", text, block.line - text.count("\n") + block.text.count("\n"))
        plugins = [f"--plugin-path={folder}" for folder in sorted(self.folder.glob("**/lib/tileiras/plugins"))]
        gpu = [] if "${gpu}" in text else ["--gpu-name", "sm_90"]
        self.call([self.root / "bin/tileiras", *plugins, *gpu, "--profile", path, "--print-profile"], "reading the profile")
        return "built"

    def mlir(self, block, path):
        path = path or self.scratch(".mlir", block.text, block.line)
        plugins = [f"--load-plugin={file}" for file in sorted(self.folder.glob("**/lib/tileiras/plugins/tileiras-*.so"))]
        self.call([self.root / "bin/tileiras-opt", *plugins, path, "-o", "/dev/null"], "parsing and verifying")
        return "built"

    def json(self, block, _):
        try:
            json.loads(block.text)
        except ValueError as error:
            raise Failure(f"not JSON: {error}") from None
        return "built"

    def python(self, block, path):
        try:
            compile(block.text, str(path or self.page), "exec")
        except SyntaxError as error:
            raise Failure(f"not Python: {error}") from None
        return "built"

    def cmake(self, block, path):
        """A list without a file is configured; sources that it names and the page does not have are made, empty."""
        if path:
            return "shown"
        self.count += 1
        source = self.state / f"project-{self.count}"
        source.mkdir()
        text = block.text
        if not re.search(r"^\s*project\s*\(", text, re.MULTILINE):
            text = "cmake_minimum_required(VERSION 3.25)\nproject(page LANGUAGES C CXX)\n" + text
        (source / "CMakeLists.txt").write_text(text, encoding="utf-8")
        for name in SOURCES.findall(text):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).touch()
        self.call(["cmake", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.root}"], "configuring")
        return "built"

    def c(self, block, path):
        return self.compiled(block, path, self.tools.c_compiler, "-std=c11", ".c")

    def cpp(self, block, path):
        return self.compiled(block, path, self.tools.cxx_compiler, "-std=c++20", ".cpp")

    def compiled(self, block, path, compiler, standard, suffix):
        """A block that goes to a file is built by the blocks after it; any other is compiled by itself."""
        if path:
            return "shown"
        command = [*compiler, standard, "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-I", self.root / "include"]
        command += [f"-isystem{folder}" for folder in self.tools.include_folders]
        whole = f'#line {block.line + 1} "{self.page.name}"\n{block.text}'
        try:
            self.call([*command, self.scratch(suffix, whole)], "compiling")
        except Failure as failure:
            try:
                self.call([*command, self.scratch(suffix, self.fragment(block))], "compiling as a fragment")
            except Failure as of_fragment:
                raise Failure(f"{failure}\n{of_fragment}") from None
        return "built"

    def fragment(self, block):
        lines = block.text.splitlines()
        includes = "\n".join(line for line in lines if line.startswith("#include"))
        rest = "\n".join("" if line.startswith("#include") else line for line in lines)
        prelude = FRAGMENT[block.language]
        line = f'#line {block.line + 1} "{self.page.name}"'
        if block.language == "cpp":
            return f"{prelude}{includes}\n{line}\n{rest}\n"
        return f"{prelude}{includes}\n{NAMES}void example(void);\nvoid example(void) {{\n{line}\n{rest}\n}}\n"


class Tools:
    """The compilers that blocks are built with."""

    def __init__(self, arguments):
        self.c_compiler, self.cxx_compiler = [arguments.c_compiler], [arguments.cxx_compiler]
        self.include_folders = arguments.include
        self.timeout = arguments.timeout
        self.environment = {}
        if shutil.which("ninja"):
            self.environment["CMAKE_GENERATOR"] = "Ninja"
        if arguments.launcher and shutil.which(arguments.launcher):
            self.environment.update(CMAKE_C_COMPILER_LAUNCHER=arguments.launcher, CMAKE_CXX_COMPILER_LAUNCHER=arguments.launcher)


class Results:
    def __init__(self, name):
        self.name = name
        self.counts = {"run": 0, "built": 0, "shown": 0}
        self.not_run, self.failures = [], []
        self.seconds = 0.0


def run_page(root_of_pages, path, work, install, tools):
    """Everything about one page."""
    name = path.relative_to(root_of_pages).as_posix()
    results = Results(name)
    begin = time.monotonic()
    page = pages.read(path)
    results.failures += [(problem.line, problem.message) for problem in page.problems]
    session = Session(path, install, work / name.removesuffix(".md").replace("/", "-"), tools)
    for block in page.blocks:
        try:
            outcome = session.block(block)
        except Failure as failure:
            results.failures.append((block.line, str(failure)))
            session.output, session.skipped = None, "it failed"
            continue
        if isinstance(outcome, tuple):
            results.not_run.append((block.line, outcome[1]))
        else:
            results.counts[outcome] += 1
    results.failures.sort()
    results.seconds = time.monotonic() - begin
    return results


def report(all_results):
    """Prints what became of the pages; whether all is well."""
    for results in all_results:
        for line, message in results.failures:
            print(f"{results.name}:{line}: error: {message}")
    totals = {kind: sum(results.counts[kind] for results in all_results) for kind in ("run", "built", "shown")}
    not_run = [(results.name, *entry) for results in all_results for entry in results.not_run]
    failed = sum(len(results.failures) for results in all_results)
    for results in sorted(all_results, key=lambda results: -results.seconds)[:3]:
        print(f"{results.name}: {results.seconds:.1f} s")
    print(f"{len(all_results)} pages: {totals['run']} blocks run, {totals['built']} built or read, {totals['shown']} text and "
          f"files, {len(not_run)} not run, {failed} failures")
    places = {}
    for name, line, reason in not_run:
        places.setdefault((name, reason), []).append(str(line))
    for (name, reason), lines in places.items():
        print(f"  not run: {name}:{','.join(lines)}: {reason}")
    return failed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="the repository, whose pages are read (default: this one)")
    parser.add_argument("--install", type=pathlib.Path, required=True, help="the prefix of an installed tileiras")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for what the blocks write")
    parser.add_argument("--page", action="append", default=[], help="run this page only, e.g. docs/tutorial.md; may be repeated")
    parser.add_argument("--c-compiler", default="cc")
    parser.add_argument("--cxx-compiler", default="c++")
    parser.add_argument("--launcher", help="what CMake starts compilers with, e.g. ccache")
    parser.add_argument("--include", action="append", default=[], help="a folder of headers (LLVM's); may be repeated")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="seconds for one block (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="pages at a time (default: %(default)s)")
    arguments = parser.parse_args()

    source = arguments.source.resolve()
    if arguments.page:
        paths = [source / page for page in arguments.page]
    else:
        paths = pages.find(source)
    absent = [path for path in [arguments.install / "bin/tileiras", *paths] if not path.is_file()]
    if absent or not paths:
        print(f"error: no such file: {absent[0]}" if absent else f"error: no pages in {source}", file=sys.stderr)
        return 2
    tools = Tools(arguments)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        work, install = arguments.work.resolve(), arguments.install.resolve()
        results = list(pool.map(lambda path: run_page(source, path, work, install, tools), paths))
    return 0 if report(results) else 1


if __name__ == "__main__":
    sys.exit(main())
