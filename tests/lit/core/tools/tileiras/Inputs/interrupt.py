"""interrupt.py SIGNAL FOLDER COMMAND...: sends SIGNAL to COMMAND once its assembler has written FOLDER/pid, and says
how COMMAND ended and whether the assembler lives on."""

import os
import signal
import subprocess
import sys
import time

number = getattr(signal, sys.argv[1])
pid_file = os.path.join(sys.argv[2], "pid")
signal.signal(number, signal.SIG_DFL)  # in the compiler, too: what runs tests may ignore it
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
