"""interrupt.py SIGNAL,... FOLDER COMMAND...: for each SIGNAL, sends it to COMMAND once its assembler has written FOLDER/pid,
and says how COMMAND ended and whether the assembler lives on."""

import os
import resource
import signal
import subprocess
import sys
import time

pid_file = os.path.join(sys.argv[2], "pid")
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # some signals leave a core file otherwise
for name in sys.argv[1].split(","):
    number = getattr(signal, name)
    signal.signal(number, signal.SIG_DFL)  # in the compiler, too: what runs tests may ignore it
    if os.path.exists(pid_file):
        os.remove(pid_file)
    compiler = subprocess.Popen(sys.argv[3:])
    while not os.path.exists(pid_file) and compiler.poll() is None:
        time.sleep(0.01)
    compiler.send_signal(number)
    print("ended by", signal.Signals(-compiler.wait(timeout=30)).name)
    with open(pid_file) as file:
        assembler = int(file.read())
    try:
        os.kill(assembler, 0)
        print("the assembler lives on")
    except ProcessLookupError:
        print("the assembler is gone")
