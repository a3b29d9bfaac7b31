"""closed_pipe.py STREAM COMMAND...: runs COMMAND with its stdout or stderr a pipe that nobody reads, and says how it ended
and what it wrote to the other stream."""

import os
import signal
import subprocess
import sys

reader, writer = os.pipe()
os.close(reader)
streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, sys.argv[1]: writer}
# Popen gives the child SIGPIPE as it is by default.
result = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, text=True, timeout=60, **streams)
code = result.returncode
print("ended by " + signal.Signals(-code).name if code < 0 else f"exit {code}")
print(result.stdout or "", result.stderr or "", sep="", end="")
