# What the lit suites of the commands share: how tests are found and run, and what they see of the environment.

import os

import lit.formats


def set_up(config, name, source_root, tools, environment=()):
    """`tools` are folders to put on the path, `environment` names what else is passed on."""
    config.name = name
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.suffixes = [".mlir", ".test"]
    config.excludes = ["Inputs", "CMakeLists.txt"]
    config.test_source_root = source_root
    config.environment["PATH"] = os.pathsep.join([*tools, os.environ["PATH"]])
    for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS", *environment):
        if variable in os.environ:
            config.environment[variable] = os.environ[variable]


def offer_corpus(config):
    """%corpus: real Tile IR (feature: corpus)."""
    corpus = os.environ.get("TILEIRAS_CORPUS", config.corpus)
    if os.path.isdir(corpus):
        config.available_features.add("corpus")
        config.substitutions.append(("%corpus", corpus))
