# Tests of the commands; on the path: tileiras-generate, tileiras-differential, FileCheck, not.

import os
import sys

here = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(here, os.pardir, os.pardir))
import lit_commands

lit_commands.set_up(config, "tileiras-fuzz", here, [config.tileiras_tools_dir, config.llvm_tools_dir])
