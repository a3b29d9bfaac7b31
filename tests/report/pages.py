"""The pages that are looked at, and what is in them."""

import html.parser
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# As cuTile Python makes them.
LONG_NAME = "attention_forward_Kt1_" + "A4f16_7v8l0_8t1_ei16_p16_" * 4 + "Sf32_Si32_I128_I32_I128_I128_I1_B0_B1"


class DataFinder(html.parser.HTMLParser):
    """The text of the element with the data."""

    def __init__(self):
        super().__init__()
        self.is_inside, self.text = False, ""

    def handle_starttag(self, tag, attributes):
        self.is_inside = tag == "script" and ("id", "data") in attributes

    def handle_endtag(self, tag):
        self.is_inside = False

    def handle_data(self, data):
        if self.is_inside:
            self.text += data


def read_data(file):
    finder = DataFinder()
    finder.feed(pathlib.Path(file).read_text())
    return json.loads(finder.text)


def run(tools, *command, **changes):
    result = subprocess.run([tools / command[0], *map(str, command[1:])], env={**os.environ, **changes}, capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stderr
    return result


def write_matmul(tools, folder):
    """Through tileiras-run, of 512×512×512."""
    n = 512
    launch = {"entry": "matmul", "grid": [n // 128, n // 128],
              "buffers": [{"name": "a", "type": "f16", "bytes": 2 * n * n, "values": 1},
                          {"name": "b", "type": "f16", "bytes": 2 * n * n, "values": 0.5}, {"name": "c", "bytes": 2 * n * n}],
              "parameters": [{"buffer": name} for name in "abc"] + [{"i32": n}] * 3,
              "expect": [{"buffer": "c", "type": "f16", "bytes": 2 * n * n, "values": n / 2}]}
    (folder / "matmul.json").write_text(json.dumps(launch))
    file = folder / "matmul.html"
    run(tools, "tileiras-run", ROOT / "examples" / "matmul" / "kernel.mlir", "--launch", folder / "matmul.json", "--on",
        "emulator", "--gpu-name", "sm_90", "--no-race-check", "--report", file)
    return file


def write_attention(tools, folder):
    """Through tileiras and ptx-emulator: two pages, of the compilation and of the estimate."""
    sys.path[:0] = [str(ROOT / "tests" / "kernels"), str(ROOT / "tests" / "bench"), str(ROOT / "tests")]
    import attention_kernels
    length, batch, depth = 512, 2, 128
    program = attention_kernels.attention(depth, length=length, batch=batch).text
    (folder / "attention.mlir").write_text(program.replace("@kernel(", f"@{LONG_NAME}("))
    size = 2 * batch * length * depth
    launch = {"entry": LONG_NAME, "grid": [length // 128, batch],
              "buffers": [{"name": name, "bytes": size, "type": "f16", "values": "normal", "seed": 1} for name in "qkvo"],
              "parameters": [{"buffer": name} for name in "qkvo"] + [{"i32": length}, {"i32": batch}]}
    (folder / "attention.json").write_text(json.dumps(launch))
    page, timed = folder / "attention.html", folder / "attention-time.html"
    run(tools, "tileiras", folder / "attention.mlir", "-o", folder / "attention.ptx", "--gpu-name", "sm_90", "-O3", "--lineinfo",
        "--report", page)
    run(tools, "ptx-emulator", "time", folder / "attention.ptx", "--launch", folder / "attention.json", "--report", timed)
    return page, timed


def write_launches(tools, folder, name, *program):
    """A program of tests/emulate under tileiras-cutile --emulate."""
    file, temporary = folder / f"{name}.html", folder / "temporary"
    temporary.mkdir(exist_ok=True)
    emulate, packages = ROOT / "tests" / "emulate", ROOT / "tests" / "cutile" / "packages" / "new"
    run(tools, "tileiras-cutile", "--emulate", "--time=h100-sxm", f"--report={file}", "env", f"PYTHONPATH={packages}",
        sys.executable, "-B", emulate / program[0], *program[1:], TMPDIR=str(temporary))
    assert not list(temporary.glob("tileiras-*")), "what the compilations left for the page is gone"
    return file
