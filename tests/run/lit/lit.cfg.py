# Tests of tileiras-run; on the path: it, tileiras, FileCheck, not. No GPU is seen, wherever they run. Feature: ptxas, then %ptxas.

import os
import sys

here = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(here, os.pardir, os.pardir))
import lit_commands

lit_commands.set_up(config, "tileiras-run", here, [config.tileiras_tools_dir, config.llvm_tools_dir],
                    ["CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"])
config.environment["CUDA_VISIBLE_DEVICES"] = "-1"
if config.ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", config.ptxas))
