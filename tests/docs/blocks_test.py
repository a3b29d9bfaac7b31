#!/usr/bin/env python3
"""Pages that are wrong, and what the runner of blocks says of each; a made-up installation stands for tileiras."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

import blocks
import pages

TILEIRAS = """#!/bin/sh
for argument; do
  case $argument in
    *.toml) ! grep -q broken "$argument" || { echo "$argument:1:1: error: unknown key 'broken'" >&2; exit 2; } ;;
  esac
done
echo "tileiras $*"
"""
TILEIRAS_OPT = """#!/bin/sh
! grep -q broken "$1" || { echo "$1:1:1: error: expected operation name" >&2; exit 1; }
"""
HEADERS = {"Compiler/tileiras-c.h": "#include <stddef.h>\n#include <stdint.h>\ntypedef struct TileirasProgram TileirasProgram;\n",
           "Launch/tileiras-launch.h": "typedef struct TileirasModule TileirasModule;\ntypedef struct TileirasKernel TileirasKernel;\n"
                                       "int tileirasLaunch(const TileirasKernel *, const uint32_t *);\n",
           "Plugin/Plugin.h": "namespace tileiras { struct Registry {}; }\n"}


def block(info, *lines, fence="```"):
    return "\n".join([fence + info, *lines, fence, ""])


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        install = self.root / "install"
        for name, text in (("tileiras", TILEIRAS), ("tileiras-opt", TILEIRAS_OPT)):
            (install / "bin").mkdir(parents=True, exist_ok=True)
            (install / "bin" / name).write_text(text, encoding="utf-8")
            (install / "bin" / name).chmod(0o755)
        for name, text in HEADERS.items():
            (install / "include/tileiras" / name).parent.mkdir(parents=True, exist_ok=True)
            (install / "include/tileiras" / name).write_text(text, encoding="utf-8")

    def suite(self, *arguments, **texts):
        """(exit status, output) of the suite on the pages docs/<name>.md."""
        for name, text in texts.items():
            (self.root / "pages/docs").mkdir(parents=True, exist_ok=True)
            (self.root / f"pages/docs/{name}.md").write_text(text, encoding="utf-8")
        command = ["blocks.py", "--source", str(self.root / "pages"), "--install", str(self.root / "install"),
                   "--work", str(self.root / "work"), *arguments]
        argv, sys.argv = sys.argv, command
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
                status = blocks.main()
        finally:
            sys.argv = argv
        return status, output.getvalue()

    def passes(self, text, *expected):
        status, output = self.suite(page=text)
        self.assertEqual(status, 0, output)
        for line in expected:
            self.assertIn(line, output)

    def fails(self, text, line, message):
        status, output = self.suite(page=text)
        self.assertEqual(status, 1, output)
        self.assertRegex(output, rf"(?m)^docs/page\.md:{line}: error: ")
        self.assertIn(message, output)

    def test_shell(self):
        self.passes(block("sh", "echo one two", "tileiras --version", 'test -x "$TILEIRAS_ROOT/bin/tileiras"'),
                    "1 pages: 1 blocks run, 0 built or read, 0 text and files, 0 not run, 0 failures")
        self.fails("\n\n" + block("sh", "true", "no-such-program"), 3, "page.md: line 5: no-such-program: command not found")
        self.fails(block("sh", "false", "true"), 1, "exit status 1")

    def test_blocks_of_a_page_are_one_session(self):
        self.passes(block("sh", "mkdir inner", "cd inner", "export WORD=kept", "echo text > file") +
                    block("sh", 'test "$WORD" = kept', "test -e file"))
        status, output = self.suite(page=block("sh", "touch file"), other=block("sh", "test ! -e file"))
        self.assertEqual(status, 0, output)

    def test_each_run_begins_with_an_empty_folder(self):
        for _ in range(2):
            self.passes(block("sh", "mkdir folder"))

    def test_time_limit(self):
        status, output = self.suite("--timeout", "1", page=block("sh", "sleep 60"))
        self.assertEqual(status, 1)
        self.assertIn("takes longer than 1.0 s", output)

    def test_output(self):
        said = block("sh", "echo 'alpha   beta 12 gamma'; echo delta >&2")
        self.passes(said + block("text output", "delta", "alpha beta … gamma"))
        self.fails(said + block("text output", "alpha … omega"), 4, "does not say 'alpha … omega'")
        self.fails(said + block("text output", ""), 4, "an output without lines")
        self.fails(block("text output", "alpha"), 1, "the block before is none that runs")
        self.fails(said + block("toml", "x = 1") + block("text output", "alpha"), 7, "the block before is none that runs")

    def test_output_twice(self):
        self.passes(block("sh", "echo alpha; echo beta") + block("text output", "alpha") + block("text output", "beta"))

    def test_not_run(self):
        self.passes(block('sh no-run="needs a GPU"', "false") + block("text output", "anything"), "2 not run, 0 failures",
                    "not run: docs/page.md:1: needs a GPU", "not run: docs/page.md:4: output of a block that is not run")
        self.passes(block('sh needs="no-such-tool"', "no-such-tool"), "docs/page.md:1: no-such-tool is not installed")
        self.passes(block('sh needs="sh"', "echo said") + block("text output", "said"))
        self.fails(block("sh no-run", "false"), 1, "attribute 'no-run' needs a value")
        self.fails(block('sh no-run=" "', "false"), 1, "attribute 'no-run' needs a value")

    def test_profiles(self):
        self.passes(block("toml file=mine.toml", 'name = "mine"') + block("sh", "test -e mine.toml") + block("toml", "[options]"),
                    "1 blocks run, 2 built or read")
        self.fails(block("toml", 'name = "mine"', "broken = 1"), 1, "unknown key 'broken'")

    def test_programs(self):
        self.passes(block("mlir file=a/kernel.mlir", "module {}") + block("sh", "test -e a/kernel.mlir"))
        self.fails(block("mlir", "broken"), 1, "expected operation name")
        self.passes(block("json", '{"grid": [1]}') + block("python", "print(1)"), "2 built or read")
        self.fails(block("json", "{grid: 1}"), 1, "not JSON")
        self.fails(block("python", "print(1"), 1, "not Python")

    def test_c(self):
        self.passes(block("c", '#include "tileiras/Compiler/tileiras-c.h"', "int main(void) { return 0; }") +
                    block("c", "/* A fragment. */", "tileirasLaunch(kernel, grid);") +
                    block("cpp", "struct Mine { Registry registry; };"), "3 built or read")
        self.fails(block("c", "int x;", "tileirasLanch(kernel, grid);"), 1, "page.md:3")
        self.fails(block("cpp", "Registr registry;"), 1, "page.md:2")
        self.fails(block("c", '#include "tileiras/None.h"'), 1, "tileiras/None.h")
        self.passes(block("c file=main.c", "anything") + block("sh", "grep anything main.c"))

    def test_cmake(self):
        self.passes(block("cmake", "project(x NONE)", "add_custom_target(y SOURCES Plugin.cpp)"), "1 built or read")
        self.fails(block("cmake", "project(x NONE)", "tileiras_add_plugn(y)"), 1, "tileiras_add_plugn")

    def test_text(self):
        self.passes(block("text", "what is not run") + block("text file=input.txt", "7") + block("sh", "grep 7 input.txt"))
        self.fails(block("text output file=x", "y"), 1, "a file or an output, not both")

    def test_info_strings(self):
        self.fails(block("", "ls"), 1, "a fenced block without info string")
        self.fails(block("bash", "ls"), 1, "unknown info string 'bash'")
        self.fails(block("sh file=x", "ls"), 1, "unknown attribute 'file' of a sh block")
        self.fails(block('sh no-run="x', "ls"), 1, "malformed info string")
        self.fails(block("toml file=../x.toml", "ls"), 1, "is not in the page's folder")
        self.fails("# Title\n\n```sh\nls\n", 3, "a fenced block without its end")
        self.fails("> ```sh\n> ls\n> ```\n", 1, "a fenced block in a quotation")

    def test_indented_code(self):
        self.fails("Text:\n\n    ls\n    ls -l\n\nText\n", 3, "an indented code block")
        self.fails("# Title\n    ls\n", 2, "an indented code block")
        self.fails("- item\n\n      ls\n", 3, "an indented code block")
        self.passes("Text\n    goes on\n\n- item\n\n  text of it\n\n    of the item, still\n\n1. one\n\n   " +
                    "```sh\n   echo in a list\n   ```\n   " + "```text output\n   in a list\n   ```\n", "1 blocks run")

    def test_fences(self):
        self.passes(block("text", "```sh", "false", "```", fence="````") + block("sh", "true", fence="~~~"), "1 blocks run")

    def test_one_page(self):
        texts = {"good": block("sh", "true"), "bad": block("sh", "false")}
        self.assertEqual(self.suite(**texts)[0], 1)
        self.assertEqual(self.suite("--page", "docs/good.md", **texts)[0], 0)
        status, output = self.suite("--page", "docs/none.md", **texts)
        self.assertEqual(status, 2)
        self.assertIn("no such file", output)

    def test_absent_installation(self):
        subprocess.run(["rm", self.root / "install/bin/tileiras"], check=True)
        self.assertEqual(self.suite(page=block("sh", "true"))[0], 2)


class Pages(unittest.TestCase):
    def test_links_and_headings(self):
        page = pages.Reader("# One `two`\n\nSee [a](b.md#c), ![picture](d.svg), `[no](link)`, [e](<f g.md>).\n\n"
                            "```text\n[no](either)\n# no heading\n```\n\n[name]: h.md\n").read()
        self.assertEqual(page.headings, ["One `two`"])
        self.assertEqual([target for _, target in page.links], ["b.md#c", "d.svg", "f g.md", "h.md"])


if __name__ == "__main__":
    unittest.main()
