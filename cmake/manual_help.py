#!/usr/bin/env python3
"""manual_help.py PROGRAM: the program's --help, in the form that help2man makes a page of (GNU's)."""

import re
import subprocess
import sys

OPTION = re.compile(r"  (?P<spelling>-{1,2}\S.*?)\s+- ?(?P<text>.*)$")
VALUE = re.compile(r"    =(?P<value>\S+)\s+-\s*(?P<text>.*)$")
# What every program has, and no reader of a manual page looks for.
UNINTERESTING = {"Color Options", "Generic Options"}


def help_of(program, *arguments):
    return subprocess.run([program, *arguments, "--help"], capture_output=True, text=True, check=True).stdout


def options(text):
    """Lines about the options in what LLVM's command line library prints, group by group."""
    groups = {}
    for line in text.splitlines():
        if match := re.fullmatch(r"(\S.*):", line):
            lines = groups.setdefault(match.group(1), [])
        elif not line.strip() or not groups:
            continue
        elif match := OPTION.match(line):
            lines.append(f"  {match['spelling']}  {match['text'].strip()}")
        elif match := VALUE.match(line):
            lines.append(f"         {match['value']}: {match['text'].strip()}")
        else:
            lines.append(line)
    said = []
    for title, lines in groups.items():
        if lines and title not in UNINTERESTING:
            said += ["", f"{title}:", *lines]
    return said


def of_llvm(program, text):
    overview, _, rest = text.partition("USAGE: ")
    overview = overview.removeprefix("OVERVIEW: ").strip().splitlines()
    usage, _, rest = rest.partition("\n")
    name = usage.split()[0]
    # Lines of the overview that say how the program is called are part of the usage.
    calls = [call for line in overview if line.startswith(name + " ") for call in re.split(r"\s{2,}(?=" + re.escape(name) + " )", line)]
    prose = [line for line in overview if not line.startswith(name + " ")]
    commands, _, rest = rest.partition("OPTIONS:")
    said = [f"Usage: {(calls or [usage])[0].split('   ')[0]}", *(f"  or:  {call.split('   ')[0]}" for call in calls[1:]), "", *prose]
    said += options(rest)
    for command, what in re.findall(r"^  (\w[\w-]*) +- (.*)$", commands, re.MULTILINE):
        _, _, of_command = help_of(program, command).partition("OPTIONS:")
        lines = [line for line in options(of_command) if line not in ("", "Options:")]
        said += ["", f"{name} {command} ({what}):", *lines] if lines else []
    return said


def of_others(text):
    """The first paragraph says how the program is called."""
    usage, _, rest = text.partition("\n\n")
    first, *others = usage.splitlines()
    return [f"Usage: {first}", *(f"  or:  {line}" for line in others), "", *rest.splitlines()]


def main():
    program = sys.argv[1]
    text = help_of(program)
    lines = of_llvm(program, text) if "USAGE: " in text else of_others(text)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
