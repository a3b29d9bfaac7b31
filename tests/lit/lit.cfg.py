# What lit tests may rely on.
#
#   tileiras, tileiras-opt, FileCheck, not, count, split-file    on the path
#   %tileiras-lib       the folder of libtileiras.so; plugins are in %plugins
#   %config             the shipped profiles
#   %lower              the passes of tileiras-opt that lower nv_tileas functions, in the order of the profiles
#   %tileas-to-llvm     the same, with the checks around them, as a pipeline of tileiras
#   %corpus             real Tile IR                  (feature: corpus)
#   %seeds              the documents that say what is to be built, beside the corpus  (feature: seeds)
#   %ptxas              NVIDIA's assembler            (feature: ptxas)
#   feature address-space-limit unless a sanitizer needs all of the address space
#   feature emulator when ptx-emulator, on the path then, has been built
#   feature plugin-NAME when tileiras-NAME.so has been built

import glob
import os
import sys

here = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(here, os.pardir))
import lit_commands

tools = [config.tileiras_tools_dir, config.llvm_tools_dir]
if os.path.isfile(config.ptxas):
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", config.ptxas))
    tools.append(os.path.dirname(config.ptxas))
lit_commands.set_up(config, "tileiras", here, tools, ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"))
lit_commands.offer_corpus(config)
seeds = os.path.join(os.environ.get("TILEIRAS_CORPUS", config.corpus), os.pardir, "seeds")
if os.path.isdir(seeds):
    config.available_features.add("seeds")
    config.substitutions.append(("%seeds", os.path.realpath(seeds)))

plugins = os.path.join(config.tileiras_library_dir, "tileiras", "plugins")
for path in glob.glob(os.path.join(plugins, "tileiras-*.so")):
    config.available_features.add("plugin-" + os.path.basename(path)[len("tileiras-") : -len(".so")])
if os.path.isfile(os.path.join(config.tileiras_tools_dir, "ptx-emulator")):
    config.available_features.add("emulator")
if not config.tileiras_sanitize:
    config.available_features.add("address-space-limit")
config.substitutions.append(("%plugins", plugins))
config.substitutions.append(("%config", os.path.join(config.tileiras_source_dir, "config")))
config.substitutions.append(("%tileiras-lib", config.tileiras_library_dir))
lowering = (
    "convert-nv-tile-func-to-llvm",
    "tileas-resolve-tokens",
    "tileas-attach-tma-descriptors",
    "tileas-place-accumulators",
    "tileas-place-launch-control",
    "tileas-allocate-memory",
    "tileas-group-copies",
    "tileas-place-barriers",
    "tileas-budget-registers",
    "convert-tileas-control-flow",
    "convert-tileas-to-llvm",
)
config.substitutions.append(("%lower", " ".join("--" + name for name in lowering)))
checked = ("tileir-verify-ops-analysis", *lowering, "tileir-finalize-llvm-kernel")
config.substitutions.append(("%tileas-to-llvm", "builtin.module(" + ",".join(checked) + ")"))

# A test says itself what it takes from the environment.
for variable in ("TILEIRAS_PLUGIN_PATH", "TILEIRAS_CONFIG_PATH"):
    config.environment.pop(variable, None)
