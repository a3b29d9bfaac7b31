#!/usr/bin/env python3
"""What front ends ask of the compiler, and how they read the answers: clients_test.py BUILD [unittest …]

Each class does what the client that it is called after does, by its own sources. Cubins need the CUDA toolkit."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
TILEIRAS, DISASSEMBLER = BUILD / "bin/tileiras", BUILD / "bin/tileirdisasm"
VERSIONS = [(13, minor) for minor in (5, 4, 3, 2, 1)]  # as a client of today tries them

KERNEL = """cuda_tile.module @kernels {
  entry @scale(%pointer: tile<ptr<f32>>, %size: tile<i32>) {
    %start = make_token : token
    %length = assume bounded<0, ?>, %size : tile<i32>
    %tensor = make_tensor_view %pointer, shape = [%length], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %tile, %read = load_view_tko weak %view[%x] token = %start
      : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %sum = addf %tile, %tile : tile<128xf32>
    %written = store_view_tko weak %sum, %view[%x] token = %read
      : tile<128xf32>, partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
"""


def run(*command, **environment):
    """Standard output and error together, as some clients collect them."""
    return subprocess.run([str(word) for word in command], env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def version(**environment):
    return run(TILEIRAS, "--version", **environment).stdout


class Client(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def succeeds(self, *command, **environment):
        result = run(*command, **environment)
        self.assertEqual(result.returncode, 0, result.stdout)
        return result.stdout

    def bytecode(self, text=KERNEL):
        source, path = self.folder / "kernel.mlir", self.folder / "kernel.tile"
        source.write_text(text)
        self.succeeds(TILEIRAS, source, "--emit=bytecode", "-o", path)
        return path

    def newest_bytecode(self, gpu):
        """The first version whose empty module compiles."""
        probe = bytearray(self.bytecode("cuda_tile.module @empty {}").read_bytes())
        for major, minor in VERSIONS:
            probe[8:10] = major, minor
            path = self.folder / "probe.bytecode"
            path.write_bytes(probe)
            result = run(TILEIRAS, path, "-o", self.folder / "probe.cubin", "--gpu-name", gpu)
            if result.returncode == 0:
                return major, minor
            self.refusal = result.stdout
        self.fail("no version is taken")


class CuTilePython(Client):
    def test_the_newest_version_that_is_taken_is_13_4(self):
        self.assertEqual(self.newest_bytecode("sm_120"), (13, 4))
        self.assertRegex(self.refusal, r"unsupported Tile IR bytecode version 13\.5, (.|\n)*front end write 13\.4")

    def test_the_log_of_its_cache_names_the_compiler(self):
        match = re.search(r"Cuda compilation tools,\s*release\s*([^,\n]+),\s*V([^\s\n]+)", version())
        self.assertEqual(match.groups(), ("13.4", "13.4.0"))

    def test_a_kernel_with_its_remarks(self):
        remarks = self.folder / "kernel.remarks.yaml"
        cubin = self.folder / "kernel.cubin"
        self.succeeds(TILEIRAS, self.bytecode(), "-o", cubin, "--gpu-name", "sm_90", "-O3", "--lineinfo",
                      "--remark-format=yaml", "--remarks=all", f"--remarks-output-file={remarks}")
        self.assertEqual(cubin.read_bytes()[:4], b"\x7fELF")
        self.assertRegex(remarks.read_text(), r"(?m)^--- !(Passed|Missed|Analysis)\nPass: .*\nName: ")

    def test_a_dump_is_the_text_of_the_module(self):
        text = self.succeeds(DISASSEMBLER, self.bytecode())
        self.assertIn("entry @scale", text)
        self.assertNotIn("loc(", text)
        again = self.folder / "again.mlir"
        again.write_text(text)
        self.assertEqual(self.succeeds(DISASSEMBLER, again), text)

    def test_the_key_of_its_cache_changes_with_what_changes_code(self):
        """Its key has the whole text of --version."""
        toolkits = [self.folder / "first", self.folder / "second"]
        for toolkit in toolkits:
            (toolkit / "bin").mkdir(parents=True)
            (toolkit / "bin/ptxas").write_text(f"#!/bin/sh\n# {toolkit}\n")
        profiles = self.folder / "profiles"
        profiles.mkdir()
        profile = self.folder / "own.toml"
        profile.write_text('inherits = "o3"\n')
        plugins = self.folder / "plugins"
        plugins.mkdir()
        shutil.copy(next((BUILD / "lib/tileiras/plugins").glob("*.so")), plugins)
        texts = [version(), version(TILEIRAS_FLAGS="--profile=o3-ws"), version(TILEIRAS_FLAGS="--set num-warps=8"),
                 version(TILEIR_PREFER_TMA_FOR_LOAD_STORE="true"), version(CUDA_ROOT=str(toolkits[0])),
                 version(CUDA_ROOT=str(toolkits[1])), version(TILEIRAS_PLUGIN_PATH=str(plugins)),
                 version(TILEIRAS_FLAGS=f"--profile={profile}")]
        profile.write_text('inherits = "o3"\n[options]\nnum-warps = 8\n')
        texts.append(version(TILEIRAS_FLAGS=f"--profile={profile}"))
        (profiles / "o3.toml").write_text('inherits = "o2"\n')
        texts.append(version(TILEIRAS_CONFIG_PATH=str(profiles)))
        self.assertEqual(len(set(texts)), len(texts))
        self.assertEqual(version(), texts[0])
        # What only says where a failure is written is no part of it.
        self.assertEqual(version(TILEIRAS_REPRODUCER=str(self.folder)), texts[0])

    def test_flags_of_the_environment_are_those_of_the_command_line(self):
        source = self.bytecode()
        compile_it = [TILEIRAS, source, "-o", "-", "--emit=ptx", "--gpu-name", "sm_90", "-O3"]
        plain, wide = self.succeeds(*compile_it), self.succeeds(*compile_it, "--set", "num-warps=8")
        self.assertNotEqual(plain, wide)
        self.assertEqual(self.succeeds(*compile_it, TILEIRAS_FLAGS="--set num-warps=8"), wide)
        self.assertEqual(self.succeeds(*compile_it, TILEIRAS_FLAGS="-O0 '--set' num-warps=8"), wide)
        # The command line wins.
        self.assertEqual(self.succeeds(*compile_it, "--set", "num-warps=4", TILEIRAS_FLAGS="--set num-warps=8"),
                         self.succeeds(*compile_it, "--set", "num-warps=4"))
        # Through tileiras-cutile, as the program's compiler finds them.
        tool = [BUILD / "bin/tileiras-cutile", "--set", "num-warps=8", "--children", *compile_it]
        self.assertEqual(self.succeeds(*tool), wide)
        tool[1:3] = ["--profile=o3-ws"]
        self.assertEqual(self.succeeds(*tool), self.succeeds(*compile_it, "--profile=o3-ws"))

    def test_flags_that_have_no_place_in_the_environment(self):
        for flags, reason in (("-o x", "'-o' has no place there"), ("kernel.mlir", "'kernel.mlir' is no option"),
                              ("--profil=o3", "unknown option '--profil=o3'; did you mean '--profile'"),
                              ("--version", "'--version' has no place there")):
            result = run(TILEIRAS, self.bytecode(), "-o", self.folder / "x.ptx", TILEIRAS_FLAGS=flags)
            self.assertEqual(result.returncode, 1)
            self.assertIn("TILEIRAS_FLAGS in the environment: " + reason, result.stdout)
        result = run(TILEIRAS, self.bytecode(), "-o", self.folder / "x.ptx", TILEIRAS_FLAGS="--set nothing=1")
        self.assertIn("note: TILEIRAS_FLAGS in the environment adds: --set nothing=1", result.stdout)


class CuTileJl(Client):
    def version_of(self, program):
        """It asks for remarks, and for forms of 13.4 in dumps, by the first version in the text."""
        return tuple(int(part) for part in re.search(r"V(\d+\.\d+\.\d+)", run(program, "--version").stdout)[1].split("."))

    def test_compiler_and_disassembler_are_of_13_4(self):
        self.assertEqual(self.newest_bytecode("sm_100"), (13, 4))
        self.assertGreaterEqual(self.version_of(TILEIRAS), (13, 4, 0))
        self.assertTrue((TILEIRAS.parent / "tileirdisasm").is_file())
        self.assertEqual(self.version_of(DISASSEMBLER), self.version_of(TILEIRAS))

    def test_locations_are_printed_when_asked_for(self):
        kernel = KERNEL.replace("  }\n}\n", "  } loc(#place)\n} loc(unknown)\n") + """
#file = #cuda_tile.di_file<"app.jl" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#function = #cuda_tile.di_subprogram<file = #file, line = 3, name = "scale", linkageName = "scale", compileUnit = #unit, scopeLine = 3>
#place = loc("/src/app.jl":3:1)
#within = #cuda_tile.di_loc<#place in #function>
"""
        kernel = kernel.replace("    return\n", "    return loc(#within)\n").replace("loc(#place)\n}", "loc(#within)\n}")
        path = self.bytecode(kernel)
        text = self.succeeds(DISASSEMBLER, "--print-debug-info", path)
        for part in ("#di_file = #cuda_tile.di_file<", "#di_compile_unit = ", '#di_subprogram = ', "di_loc<", 'name = "scale"'):
            self.assertIn(part, text)
        self.assertNotRegex(self.succeeds(DISASSEMBLER, path), "di_loc|di_subprogram|callsite")

    def test_the_toolkit_is_found_though_it_names_the_compilers_folder(self):
        """With the preference "tileiras" the folder above the compiler's is CUDA_ROOT."""
        for program in (TILEIRAS, BUILD / "lib/tileiras/cutile/bin/tileiras"):
            self.succeeds(program, self.bytecode(), "-o", self.folder / "kernel.cubin", "--gpu-name", "sm_100", "-O3",
                          "--lineinfo", CUDA_ROOT=str(program.parent.parent))
        # Who names another folder means that one.
        result = run(TILEIRAS, self.bytecode(), "-o", self.folder / "kernel.cubin", CUDA_ROOT=str(self.folder))
        self.assertIn(f"ptxas was not found in {self.folder}", result.stdout)

    def test_the_cubin_has_its_ptx(self):
        cubin = self.folder / "kernel.cubin"
        self.succeeds(TILEIRAS, self.bytecode(), "-o", cubin, "--gpu-name", "sm_90", "-O3", "--lineinfo")
        contents = cubin.read_bytes()
        self.assertIn(b".nv_debug_ptx_txt", contents)
        self.assertIn(b".entry scale", contents)


class CuTileRs(Client):
    """And cuda-rust."""

    def test_its_command_lines(self):
        path = self.bytecode()
        for options in (["--opt-level", "3"], ["--opt-level", "0", "--device-debug"], ["--opt-level", "2", "--lineinfo"],
                        ["--opt-level", "3", "--sanitize=memcheck"]):
            cubin = self.folder / "kernel.cubin"
            self.succeeds(TILEIRAS, "--gpu-name", "sm_90", *options, "-o", cubin, path)
            self.assertEqual(cubin.read_bytes()[:4], b"\x7fELF")
            cubin.unlink()

    def test_the_fingerprint_is_one_text(self):
        result = subprocess.run([TILEIRAS, "--version"], capture_output=True)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertEqual(result.stdout, subprocess.run([TILEIRAS, "--version"], capture_output=True).stdout)

    def test_the_version_is_answered_without_loading_plugins(self):
        result = run(TILEIRAS, "--version", LD_DEBUG="files")
        self.assertIn("plugin sm90, build ", result.stdout)
        self.assertIn("calling init: ", result.stdout)
        self.assertNotIn("tileiras-sm90.so", result.stdout)
        self.assertIn("tileiras-sm90.so", run(TILEIRAS, "--list-plugins", LD_DEBUG="files").stdout)


class Candle(Client):
    def test_the_gpus_are_listed_below_the_option(self):
        names, inside = [], False
        for line in run(TILEIRAS, "--help").stdout.splitlines():
            line = line.lstrip()
            if line.startswith("--gpu-name"):
                inside = True
            elif inside and line.startswith("="):
                names.append(line[1:].split()[0])
            else:
                inside = False
        listed = re.findall(r"(?m)^(sm_\S+) +\S+$", run(TILEIRAS, "--list-plugins").stdout)
        self.assertGreater(len(listed), 10)
        self.assertEqual(names, [*listed, "native"])
        self.assertIn("sm_88", names)


if __name__ == "__main__":
    unittest.main()
