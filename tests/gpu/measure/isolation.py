"""Work in processes of their own: one that crashes or hangs stops no other.

A child writes messages, a JSON text a line. It is forked where that works, so that PyTorch is imported once; CUDA must not
have been touched before. `fresh` starts an interpreter instead.
"""

import json
import math
import os
import select
import signal
import subprocess
import sys
import time
import traceback


class Ended(Exception):
    """The child is gone before it said that it is done; how."""


def child_main(channel, work):
    """Runs work(send) and never returns."""
    def send(message):
        os.write(channel, (json.dumps(message) + "\n").encode())
    os.dup2(2, 1)  # what kernels print is no message
    try:
        work(send)
        send({"done": True})
    except BaseException:  # noqa: BLE001: whatever it is, the parent is told
        send({"failed": traceback.format_exc().strip().splitlines()[-1]})
    sys.stderr.flush()
    os._exit(0)  # a context that an error has left behind may not be torn down


def fork(work):
    read, write = os.pipe()
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        os.setpgid(0, 0)
        os.close(read)
        child_main(write, work)
    os.close(write)
    return process, read


def fresh(arguments):
    """measure.py with these arguments, which has to call child_main."""
    read, write = os.pipe()
    command = [sys.executable, os.path.abspath(sys.argv[0]), *arguments, "--channel", str(write)]
    process = subprocess.Popen(command, pass_fds=[write], start_new_session=True)
    process.returncode = 0  # collect() waits for it
    os.close(write)
    return process.pid, read


def wait(process):
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        return f"crashed with signal {os.WTERMSIG(status)}"
    return f"ended with exit code {os.WEXITSTATUS(status)}"


def kill(process):
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(process, signal.SIGKILL)


def messages(child, seconds, until=math.inf):
    """What the child says. Each message has to come within `seconds` of the one before, and before `until` of the clock."""
    process, channel = child
    text, start, is_done = b"", time.monotonic(), False
    try:
        while not is_done:
            deadline = min(start + seconds, until)
            ready, _, _ = select.select([channel], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                kill(process)
                wait(process)
                process = None
                raise Ended(f"took more than {deadline - start:.0f} s")
            piece = os.read(channel, 1 << 16)
            if not piece:
                how = wait(process)
                process = None
                raise Ended(how)
            *lines, text = (text + piece).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "failed" in message:
                    raise Ended(message["failed"])
                if "done" in message:
                    is_done = True
                else:
                    yield message
            start = time.monotonic()
    finally:
        os.close(channel)
        if process is not None:
            kill_leftover(process)


def kill_leftover(process):
    """A child that is done ends by itself; one that hangs at its end is ended."""
    for _ in range(50):
        if os.waitpid(process, os.WNOHANG)[0]:
            return
        time.sleep(0.02)
    kill(process)
    os.waitpid(process, 0)
