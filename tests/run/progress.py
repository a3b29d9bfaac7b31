#!/usr/bin/env python3
"""A line on the terminal says what goes on for more than a second; in a pipe, and with --quiet, there is none.

  progress.py TILEIRAS-RUN
"""

import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CLEAR = "\r\x1b[K"


def read_all(descriptor):
    """Until the other side of the terminal is closed, which Linux reports as an error."""
    data = b""
    while True:
        try:
            part = os.read(descriptor, 4096)
        except OSError:
            return data.decode()
        if not part:
            return data.decode()
        data += part


def run_on_terminal(command):
    """(exit code, standard error) with a terminal as standard error."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = read_all(ours)
    os.close(ours)
    return process.wait(), text


def main():
    kernel = HERE / "lit" / "Inputs" / "store.ptx"
    with tempfile.TemporaryDirectory() as folder:
        launch = pathlib.Path(folder) / "launch.json"
        # Long enough for any machine: one thread a block, all of which write the same 7.
        launch.write_text(json.dumps({"grid": [150000], "block": [1], "buffers": [{"name": "out", "bytes": 4}],
                                      "parameters": [{"buffer": "out"}]}))
        command = [sys.argv[1], str(kernel), "--launch", str(launch), "--on", "emulator", "--no-race-check", "--seeds", "3"]
        code, terminal = run_on_terminal(command)
        assert code == 0, terminal
        assert CLEAR + "emulator: seed " in terminal and " s)" in terminal, repr(terminal)
        assert terminal.endswith(CLEAR), f"the line stays: {terminal!r}"
        code, quiet = run_on_terminal(command + ["--quiet"])
        assert (code, quiet) == (0, ""), repr(quiet)
        piped = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "\r" not in piped.stderr + piped.stdout and "seed" not in piped.stderr, repr(piped.stderr)
    print("the line comes, goes, and stays away")


if __name__ == "__main__":
    main()
