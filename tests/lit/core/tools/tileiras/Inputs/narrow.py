"""narrow.py: fails with the lines of standard input that are wider than a terminal of 100 columns, or when there are none"""

import sys

lines = sys.stdin.read().splitlines()
wide = [line for line in lines if len(line) > 100]
sys.exit("\n".join(wide) or (0 if lines else "there is no line"))
