#!/usr/bin/env python3
"""Every page of docs is in the index, its own or that of its folder, and nothing names a document that is not in the
repository. `--self-test` shows that each check can fail. Links and blocks are tests/docs' business."""

import argparse
import os
import pathlib
import re
import sys
import tempfile

# What the project was told before it began is no document of the repository. Seeds of random numbers have no possessions.
OUTSIDE = re.compile(r"\b(?:the|of the|a|which) seed(?:'s|s' words)|\bseeds' (?:words|own)|\bseed (?:states|describes|says)\b", re.IGNORECASE)
SOURCES = {".h", ".cpp", ".c", ".td", ".md", ".py", ".mlir", ".test", ".toml", ".cmake", ".txt"}


def pages_are_in_the_index(root):
    """A page is linked from docs/README.md, or from the README.md of its folder."""
    docs = root / "docs"
    for page in sorted(docs.rglob("*.md")):
        indices = [index for index in {docs / "README.md", page.parent / "README.md"} if index.is_file() and index != page]
        if page != docs / "README.md" and not any(
                f"]({os.path.relpath(page, index.parent)})" in index.read_text(encoding="utf-8") for index in indices):
            yield f"{page.relative_to(root)} is in no index"


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
    pages_are_in_the_index: {"docs/README.md": "[b](b.md)", "docs/b.md": "", "docs/guides/c.md": "", "docs/reference/README.md": "[e](e.md)",
                             "docs/reference/e.md": ""},
    nothing_outside_is_named: {"core/lib/X.cpp": "// As the seed's table has it.\n", "docs/x.md": "which the seed describes\n"},
}
WANTED = {pages_are_in_the_index: 2, nothing_outside_is_named: 2}


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
