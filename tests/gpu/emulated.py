#!/usr/bin/python3
"""Runs a payload on the emulated driver: all the way from the launcher through the launch library to right results,
without a GPU.

  emulated.py GPU_LAUNCHER PAYLOAD FOLDER_OF_EMULATED_LIBCUDA COMPUTE_CAPABILITY GROUP…

Every case of the GROUPs (folders of the payload) has to pass.
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def unpack(payload, groups, folder):
    """A payload of these groups. A cubin's PTX, which is what the driver runs, lies beside it."""
    shutil.copy(payload / "commit.txt", folder)
    for name in ["data", *groups]:
        shutil.copytree(payload / name, folder / name)
    for compressed in folder.glob("*/*/kernel.ptx.gz"):
        compressed.with_suffix("").write_bytes(gzip.decompress(compressed.read_bytes()))
    for text in folder.glob("*/*/kernel.ptx"):
        # Some PTX is assembled for later GPUs than it says; the driver, too, goes by what it says.
        target = (text.parent / "target.txt").read_text().strip()
        text.write_text(re.sub(r"^\.target\s+sm_\w+", f".target sm_{target}", text.read_text(), flags=re.MULTILINE))
    return len(list(folder.glob("*/*/launch.txt")))


def main():
    launcher, payload, driver, capability, *groups = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="gpu-emulated-") as temporary:
        folder = pathlib.Path(temporary)
        count = unpack(pathlib.Path(payload), [g for g in groups if (pathlib.Path(payload) / g).is_dir()], folder)
        # The launcher runs a case in its folder.
        environment = os.environ | {"LD_LIBRARY_PATH": driver, "EMULATED_CUDA_IMAGES": ".", "EMULATED_CUDA_CC": capability}
        results = folder / "results.json"
        subprocess.run([launcher, folder, results], env=environment)
        if not results.exists():
            print("error: no results")
            return 1
        passed = json.loads(results.read_text())["pass"]
    print(f"{passed} of {count} cases pass")
    return 0 if count and passed == count else 1


if __name__ == "__main__":
    sys.exit(main())
