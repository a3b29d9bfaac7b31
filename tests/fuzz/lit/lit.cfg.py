# Tests of the commands; on the path: tileiras-generate, tileiras-differential, FileCheck, not.

import os

import lit.formats

config.name = "tileiras-fuzz"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join(
    [config.tileiras_tools_dir, config.llvm_tools_dir, os.environ["PATH"]])
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
