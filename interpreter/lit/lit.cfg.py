# Tests of the command; on the path: tileiras-interpret, FileCheck, not. %corpus: real Tile IR (feature: corpus).

import os
import sys

here = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(here, os.pardir, os.pardir, "tests"))
import lit_commands

lit_commands.set_up(config, "tileiras-interpret", here, [config.tileiras_tools_dir, config.llvm_tools_dir])
lit_commands.offer_corpus(config)
# One with numpy.
config.substitutions.append(("%python", config.python))
