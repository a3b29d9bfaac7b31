# Tests of the command; on the path: tileiras-interpret, FileCheck, not. %corpus: real Tile IR (feature: corpus).

import os

import lit.formats

config.name = "tileiras-interpret"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join(
    [config.tileiras_tools_dir, config.llvm_tools_dir, os.environ["PATH"]])
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# One with numpy.
config.substitutions.append(("%python", config.python))
corpus = os.environ.get("TILEIRAS_CORPUS", config.corpus)
if os.path.isdir(corpus):
    config.available_features.add("corpus")
    config.substitutions.append(("%corpus", corpus))
