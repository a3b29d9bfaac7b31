"""Which sample of a large family of cases a test takes: another one at each commit, the same wherever and whenever a
commit is tested. TILEIRAS_ROTATION=N takes the N-th; where there is no repository, it is the first.

  rotation.py N COMMAND...               runs the command with --part K/N at its end
  rotation.py --every K/N COMMAND...     runs it at one of N commits; exit code 77 at the others"""

import os
import pathlib
import subprocess
import sys


def read_commit():
    """The hash of the commit that is checked out, or nothing."""
    try:
        result = subprocess.run(["git", "rev-parse", "HEAD"], cwd=pathlib.Path(__file__).resolve().parent,
                                capture_output=True, text=True)
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def get_rotation():
    """A number of 32 bits, to be taken modulo the number of samples."""
    if chosen := os.environ.get("TILEIRAS_ROTATION"):
        return int(chosen)
    return int(read_commit()[:8] or "0", 16)


def choose_part(cases, part, what="kernels"):
    """Every N-th of a list: "K/N", "commit/N", "commit+D/N". Without a part, all of it."""
    if not part:
        return cases
    which, _, count = part.partition("/")
    commit, _, ahead = which.partition("+")
    try:
        index = get_rotation() + int(ahead or 0) if commit == "commit" else int(which)
        chosen = cases[index % int(count)::int(count)]
    except (ValueError, ZeroDivisionError):
        sys.exit(f"error: --part '{part}' is none of K/N, commit/N and commit+D/N")
    print(f"part {index % int(count)}/{count}: {len(chosen)} of {len(cases)} {what}", flush=True)
    return chosen


def main():
    parts, *command = sys.argv[1:]
    if parts == "--every":
        part, *command = command
        index, count = (int(number) for number in part.split("/"))
        if get_rotation() % count != index:
            print(f"SKIP: one of {count} commits runs it, as TILEIRAS_ROTATION={index} does: {' '.join(command)}")
            return 77
        return subprocess.run(command, check=False).returncode
    return subprocess.run([*command, "--part", f"{get_rotation() % int(parts)}/{parts}"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
