"""Reads pages of Markdown: their fenced blocks, headings and links, and what in them no reader or test could use."""

import dataclasses
import pathlib
import re
import shlex

# Info strings, and the attributes that each may have.
ATTRIBUTES = {
    "sh": {"no-run", "needs"},
    "toml": {"file", "no-run"},
    "cmake": {"file", "no-run"},
    "c": {"file", "no-run"},
    "cpp": {"file", "no-run"},
    "mlir": {"file", "no-run"},
    "json": {"file", "no-run"},
    "python": {"file", "no-run"},
    "text": {"file", "output"},
}
# The pages that users read, as patterns below the root of the repository.
PAGES = ("*.md", "docs/**/*.md", "examples/**/*.md", "plugins/*/README.md", "runtime/**/README.md", "core/llvm/README.md",
         "template/*.md")

FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>.*?)[ \t]*$")
QUOTED_FENCE = re.compile(r"[ \t]*>[> \t]*(`{3,}|~{3,})")
LIST_ITEM = re.compile(r"(?P<indent> *)(?P<marker>[-*+]|\d{1,9}[.)])(?P<gap> +)\S")
HEADING = re.compile(r"(?P<level>#{1,6})[ \t]+(?P<text>.*?)[ \t]*#*$")
LINK = re.compile(r"(?<!\\)!?\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<target><[^>]*>|[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\)")
REFERENCE = re.compile(r"\s{0,3}\[(?P<name>[^\]]+)\]:\s+(?P<target>\S+)")


@dataclasses.dataclass
class Block:
    """A fenced block; `line` is that of its fence, 1-based, `text` is what stands between the fences."""

    line: int
    language: str
    attributes: dict
    text: str


@dataclasses.dataclass
class Problem:
    line: int
    message: str


@dataclasses.dataclass
class Page:
    blocks: list = dataclasses.field(default_factory=list)
    problems: list = dataclasses.field(default_factory=list)
    headings: list = dataclasses.field(default_factory=list)  # texts
    links: list = dataclasses.field(default_factory=list)  # (line, target)


def find(root):
    """The pages of a repository, in order."""
    found = {path for pattern in PAGES for path in root.glob(pattern)}
    return sorted(path for path in found if not path.relative_to(root).parts[0].startswith("build"))


def parse_info(info):
    """(language, attributes) of an info string; raises ValueError with what is wrong."""
    if not info:
        raise ValueError("a fenced block without info string; say what it is: " + ", ".join(ATTRIBUTES))
    try:
        language, *words = shlex.split(info)
    except ValueError as error:
        raise ValueError(f"malformed info string '{info}': {error}") from None
    if language not in ATTRIBUTES:
        raise ValueError(f"unknown info string '{language}'; known are " + ", ".join(ATTRIBUTES))
    attributes = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key not in ATTRIBUTES[language]:
            known = ", ".join(sorted(ATTRIBUTES[language]))
            raise ValueError(f"unknown attribute '{key}' of a {language} block; known are {known}")
        if (key == "output") == bool(equals) or (key != "output" and not value.strip()):
            raise ValueError(f"attribute '{key}' " + ("takes no value" if key == "output" else "needs a value"))
        attributes[key] = value
    if language == "text" and len(attributes) > 1:
        raise ValueError("a text block is a file or an output, not both")
    name = pathlib.PurePosixPath(attributes.get("file", "."))
    if name.is_absolute() or ".." in name.parts:
        raise ValueError(f"file '{name}' is not in the page's folder")
    return language, attributes


class Reader:
    """Walks over the lines of one page."""

    def __init__(self, text):
        self.page = Page()
        self.lines = text.splitlines()
        self.contents = []  # columns where the contents of the list items around begin
        self.at = 0

    def problem(self, line, message):
        self.page.problems.append(Problem(line, message))

    def read(self):
        blank = True
        while self.at < len(self.lines):
            line = self.lines[self.at].expandtabs(4)
            self.at += 1
            if not line.strip():
                blank = True
                continue
            indent = len(line) - len(line.lstrip())
            if blank or LIST_ITEM.match(line) or HEADING.match(line):
                while self.contents and indent < self.contents[-1]:
                    self.contents.pop()
            relative = indent - (self.contents[-1] if self.contents else 0)
            match = FENCE.match(line)
            if blank and relative >= 4:
                self.indented_code(indent)
            elif match and (match["fence"][0] == "~" or "`" not in match["info"]):
                self.fenced(match)
            else:
                self.prose(line)
            # Only a paragraph goes on in an indented line.
            blank = bool(match or HEADING.match(line))
        return self.page

    def indented_code(self, indent):
        """Up to a line that is neither blank nor so far indented."""
        self.problem(self.at, "an indented code block; use a fence with an info string")
        while self.at < len(self.lines):
            line = self.lines[self.at].expandtabs(4)
            if line.strip() and len(line) - len(line.lstrip()) < indent:
                break
            self.at += 1

    def fenced(self, match):
        first, indent, fence = self.at, len(match["indent"].expandtabs(4)), match["fence"]
        content = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if re.fullmatch(rf"\s*{re.escape(fence[0])}{{{len(fence)},}}\s*", line):
                break
            content.append(re.sub(rf"^[ ]{{0,{indent}}}", "", line) + "\n")
        else:
            self.problem(first, f"a fenced block without its end, {fence}")
            return
        try:
            language, attributes = parse_info(match["info"])
        except ValueError as error:
            self.problem(first, str(error))
            return
        self.page.blocks.append(Block(first, language, attributes, "".join(content)))

    def prose(self, line):
        if QUOTED_FENCE.match(line):
            self.problem(self.at, "a fenced block in a quotation; take it out of the quotation")
        if match := LIST_ITEM.match(line):
            self.contents.append(len(match["indent"]) + len(match["marker"]) + min(len(match["gap"]), 4))
        if match := HEADING.match(line):
            self.page.headings.append(match["text"])
        spoken = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "``", line)
        for match in LINK.finditer(spoken):
            self.page.links.append((self.at, match["target"].strip("<>")))
        if match := REFERENCE.match(spoken):
            self.page.links.append((self.at, match["target"].strip("<>")))


def read(path):
    return Reader(path.read_text(encoding="utf-8")).read()
