#!/usr/bin/env python3
"""The pages that people read lead somewhere: links resolve, every page is in the index, and nothing names a document that is
not in the repository. `--self-test` shows that each check can fail."""

import argparse
import os
import pathlib
import re
import sys
import tempfile

PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/**/*.md")
# What the project was told before it began is no document of the repository. Seeds of random numbers have no possessions.
OUTSIDE = re.compile(r"\b(?:the|of the|a|which) seed(?:'s|s' words)|\bseeds' (?:words|own)|\bseed (?:states|describes|says)\b", re.IGNORECASE)
SOURCES = {".h", ".cpp", ".c", ".td", ".md", ".py", ".mlir", ".test", ".toml", ".cmake", ".txt"}


def pages(root):
    for pattern in PAGES:
        yield from sorted(root.glob(pattern))


def without_blocks(text):
    """The text with fenced blocks blanked, so that lines keep their numbers."""
    return re.sub(r"^```.*?^```$", lambda block: "\n" * block.group(0).count("\n"), text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """As GitHub makes them of headings."""
    for heading in re.findall(r"^#+ (.*)$", without_blocks(page.read_text(encoding="utf-8")), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links_resolve(root):
    for page in pages(root):
        text = without_blocks(page.read_text(encoding="utf-8"))
        for match in re.finditer(r"\]\(([^)\s]+)\)", text):
            target, _, anchor = match.group(1).partition("#")
            where = f"{page.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            if re.match(r"\w+:", target):
                continue
            path = (page.parent / target).resolve() if target else page
            if not path.exists():
                yield f"{where}: {match.group(1)} does not exist"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                yield f"{where}: {target or page.name} has no heading #{anchor}"
            elif page.is_relative_to(root / "docs") and not path.is_relative_to((root / "docs").resolve()):
                yield f"{where}: {target} is not installed with the documentation; name it without a link"


def pages_are_in_the_index(root):
    index = root / "docs/README.md"
    text = index.read_text(encoding="utf-8") if index.is_file() else ""
    for page in sorted((root / "docs").rglob("*.md")):
        name = page.relative_to(root / "docs").as_posix()
        if page != index and f"]({name})" not in text:
            yield f"docs/{name} is not in docs/README.md"


def blocks_say_what_they_are(root):
    for page in pages(root):
        inside = False
        before = ""
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            where = f"{page.relative_to(root)}:{number}"
            if line.startswith("```"):
                if not inside and not line[3:].strip():
                    yield f"{where}: a block without an info string"
                inside = not inside
            elif not inside and line.startswith("    ") and not before.strip():
                yield f"{where}: an indented block; fence it"
            before = line


def sources(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "build", "install", "__")))
        yield from (pathlib.Path(folder) / name for name in sorted(names) if pathlib.Path(name).suffix in SOURCES)


def nothing_outside_is_named(root):
    for path in sources(root):
        if path == pathlib.Path(__file__).resolve():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if OUTSIDE.search(line):
                yield f"{path.relative_to(root)}:{number}: names a document that is not in the repository: {line.strip()}"


CHECKS = {
    links_resolve: {"docs/README.md": "[a](b.md) [c](#d)\n[e](../LICENSE)", "LICENSE": ""},
    pages_are_in_the_index: {"docs/README.md": "[b](b.md)", "docs/b.md": "", "docs/guides/c.md": ""},
    blocks_say_what_they_are: {"README.md": "```\nx\n```\n\n    y\n"},
    nothing_outside_is_named: {"core/lib/X.cpp": "// As the seed's table has it.\n", "docs/x.md": "which the seed describes\n"},
}
WANTED = {links_resolve: 3, pages_are_in_the_index: 1, blocks_say_what_they_are: 2, nothing_outside_is_named: 2}


def self_test():
    ok = True
    for check, contents in CHECKS.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in contents.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            found = list(check(root))
        good = len(found) == WANTED[check]
        print(f"{'caught' if good else 'MISSED'}: {check.__name__}: {found}")
        ok = ok and good
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    failures = [failure for check in CHECKS for failure in check(arguments.root.resolve())]
    print("\n".join(failures + [f"{len(CHECKS)} checks, {len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
