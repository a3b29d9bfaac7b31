"""limited.py LIMIT FIRST LAST COMMAND...: runs COMMAND under the limit (nofile, fsize, nproc) of FIRST, … LAST, and says
how it ended: `N: exit E`, or `N: killed by S`, or `N: never ends`; then what it said of errors."""

import resource
import signal
import subprocess
import sys

limit, first, last, command = "RLIMIT_" + sys.argv[1].upper(), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]


def set_limits(value):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    hard = resource.getrlimit(getattr(resource, limit))[1]
    resource.setrlimit(getattr(resource, limit), (value, hard))


for value in range(first, last + 1):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               preexec_fn=lambda: set_limits(value))
    try:
        said, _ = process.communicate(timeout=60)
        code = process.returncode
        print(f"{value}: " + (f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit {code}"))
        print("".join(line + "\n" for line in said.splitlines() if "error" in line), end="")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        print(f"{value}: never ends")
