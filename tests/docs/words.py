#!/usr/bin/env python3
"""Keeps words out of what users read that the field has better ones for: the table "Replaced words" of docs/glossary.md.

Read are the pages, messages in sources (string literals with a blank in them), descriptions of passes (Passes.td), and
comments of profiles. Names stay: what is in `code`, options, attributes and passes; so does PTX."""

import argparse
import pathlib
import re
import sys

import pages

SECTION = "## Replaced words"
# Folders whose sources have messages for users, and the parts of these that have none.
SOURCES = ("core", "nvidia", "plugins", "runtime", "template", "emulator", "interpreter")
NO_MESSAGES = ("emulator/tests/", "emulator/clock/tests/", "interpreter/tests/")

# Words of the table that have other forms, too.
FORMS = {
    "product": "products?", "sum": "sums?", "engine": "engines?", "turns": "turns?", "operands": "operands?",
    "loops": "loops?", "maxima": "maxim(?:a|um)", "made": "ma(?:k(?:es?|ing)|de)", "goes": "go(?:es|ing|ne)?",
    "go": "go(?:es|ing|ne)?", "carried": "carr(?:y|ies|ied|ying)", "exchange": "exchang(?:es?|ed|ing)",
    "uplift": "uplift(?:s|ed|ing)?", "relax": "relax(?:es|ed|ing)?",
}
# Where a word means something else: phrases, each with what it is about.
ALLOWED = [re.compile(text.replace(" ", r"\s+"), re.IGNORECASE) for text in (
    r"\bturn(s|ed|ing)? [^.;]{0,120}\binto\b",  # to make something else of it
    r"sums and products of",  # of numbers
    r"a product of at most",  # of the extents of a launch
    r"the product or the addend",  # of numbers, PTX's `vmad`
    r"compose, complement, divide, product",  # of layouts
    r"(row|running|intermediate) sums?\b",  # of elements
    r"a scan needs the sums",  # of elements
    r"sums in another order",  # of elements
    r"exponentials, sum, rescale",  # of elements, in a softmax
    r"sums: 2 \(n - 1\) u sum \||\+ sum \|",  # bounds of errors
    r"sum of threads ×|not by their sum",  # of what a schedule or a kernel takes
    r"hide it behind|memory behind a pointer",  # a place
    r"(?m:^) (sum|product|product, its low half) (?m:$)",  # of numbers: operations of cuda_tile
    r"(high|upper) half of the (double-width )?product",  # of numbers
    r"the scaled offset nor the sum",  # of numbers
)]

BETWEEN = r"[^\w\0]+"  # words of one text
FENCED = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>\w*)[^\n]*\n(?P<block>.*?)^[ \t]*(?P=fence)[`~]*[ \t]*$",
                    re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
EMPHASIS = re.compile(r"\b_(?=[^\W_])|(?<=[^\W_])_\b")
LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
# Options, and names with an underscore (and a value), also where they are not marked as code.
NAME = re.compile(r"(?<![\w-])--?\w[\w-]*|\w+(?:_\w+)+(?: = \w+)?")
# In messages, names of passes and of their options, too.
NAME_IN_MESSAGE = re.compile(NAME.pattern + r"|\w+(?:-\w+)+")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/
                     |R"(?P<mark>[^(\s"]*)\((?P<raw>.*?)\)(?P=mark)"
                     |"(?P<text>(?:[^"\\\n]|\\.)*)"
                     |(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'
                     |\[\{(?P<described>.*?)\}\]""", re.DOTALL | re.VERBOSE)
PTX = re.compile(r"\.(?:reg|pred|sync|target|bf16|[busf](?:8|16|32|64))\b|;\\n\\t")


def nothing(text):
    return re.sub(r"[^\n]", "\0", text)


def hide(pattern, text):
    """As long as `text`, and with its lines, but with nothing where `pattern` is."""
    return pattern.sub(lambda match: nothing(match[0]), text)


def prose(text):
    """Of Markdown: what is no code, and what it says programs print."""
    def printed(match):
        block = match["block"]
        first, last = (at - match.start() for at in match.span("block"))
        kept = block.replace("`", "'") if match["language"] == "text" else nothing(block)
        return nothing(match[0][:first]) + kept + nothing(match[0][last:])

    return hide(NAME, hide(LINK_TARGET, hide(CODE, FENCED.sub(printed, text))))


def page_texts(text):
    yield 1, EMPHASIS.sub(" ", text), prose


def message(text):
    return hide(NAME_IN_MESSAGE, hide(CODE, re.sub(r"\\.", "  ", text)))


def source_texts(text):
    """(line, text, how to read it) of literals, those that follow each other as one, and of descriptions."""
    pieces, first, end, line, counted = [], 0, 0, 1, 0
    for match in TOKEN.finditer(text):
        if pieces and text[end:match.start()].strip():
            yield first, "".join(pieces), message
            pieces = []
        elif pieces:
            pieces.append("\n" * text.count("\n", end, match.start()))
        end = match.end()
        if match[0].startswith("/"):
            if pieces:
                pieces.append("\n" * match[0].count("\n"))
            continue
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        if match["described"] is not None:
            yield line, match["described"], prose
        elif (literal := match["text"] if match["text"] is not None else match["raw"]) is not None:
            if not pieces:
                first = line
            pieces.append("" if PTX.search(literal) else literal)
    if pieces:
        yield first, "".join(pieces), message


def comment_texts(text):
    for line, said in enumerate(text.splitlines(), start=1):
        if said.startswith("#"):
            yield line, said, message


def phrases_of(row):
    """What a row of the table replaces."""
    return [phrase.strip() for phrase in re.sub(r"\([^)]*\)", "", row.strip("|").split("|")[0]).split(",")]


def read_table(glossary):
    """(what to say instead, pattern of what is replaced) of each row."""
    section = glossary.partition(SECTION + "\n")[2].partition("\n## ")[0]
    rows = [line.strip() for line in section.splitlines() if line.startswith("|")]
    some = rf"{BETWEEN}(?:\w+{BETWEEN}){{0,3}}"  # "exchange the operands", too, and "the operands are exchanged"
    for row in rows[2:]:
        new = row.strip("|").split("|")[1].strip()
        for phrase in phrases_of(row):
            words = [FORMS.get(word, re.escape(word)) for word in phrase.split()]
            orders = sorted({some.join(words), some.join(reversed(words))})
            yield new, re.compile("|".join(rf"\b(?:{order})\b" for order in orders), re.IGNORECASE)


def without_table(text):
    before, title, after = text.partition(SECTION + "\n")
    section, following, rest = after.partition("\n## ")
    return before + "\n" * (title + section).count("\n") + following + rest


class Checker:
    def __init__(self, root):
        self.root, self.count, self.found = root, 0, []
        glossary = (root / "docs/glossary.md").read_text(encoding="utf-8")
        self.table = list(read_table(glossary))
        self.some_word = re.compile("|".join(pattern.pattern for _, pattern in self.table), re.IGNORECASE)
        if not self.table:
            self.found.append(("docs/glossary.md", 1, f"no table below '{SECTION}'"))

    def check(self, path, texts_of):
        name = path.relative_to(self.root).as_posix()
        if name.startswith(NO_MESSAGES):
            return
        text = path.read_text(encoding="utf-8")
        for line, said, read in texts_of(without_table(text) if name == "docs/glossary.md" else text):
            # A text without a blank is a name.
            if re.search(r"\s", said):
                self.count += 1
                if self.some_word.search(said):
                    self.check_text(name, line, read(said))

    def check_text(self, name, line, said):
        others = [match.span() for pattern in ALLOWED for match in pattern.finditer(said)]
        # Longer ones first: a word in a phrase that has been found is no finding of its own.
        matches = [(match, new) for new, pattern in self.table for match in pattern.finditer(said)]
        for match, new in sorted(matches, key=lambda item: len(item[0][0]), reverse=True):
            if not any(first <= match.start() and match.end() <= last for first, last in others):
                others.append(match.span())
                here = line + said.count("\n", 0, match.start())
                around = said[max(0, match.start() - 40):match.end() + 40].replace("\0", " ")
                self.found.append((name, here, f"'{' '.join(match[0].split())}' in '{' '.join(around.split())}': say {new}"))


def findings(root):
    """(what is wrong, a line each; how many texts were read)"""
    checker = Checker(root)
    for path in pages.find(root):
        checker.check(path, page_texts)
    for path in sorted((root / "config").glob("*.toml")):
        checker.check(path, comment_texts)
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".c") or path.name == "Passes.td":
                checker.check(path, source_texts)
    return [f"{name}:{line}: {what}" for name, line, what in sorted(checker.found)], checker.count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).parents[2])
    found, count = findings(parser.parse_args().root.resolve())
    for finding in found:
        print(finding)
    print(f"{count} texts, {len(found)} findings")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
