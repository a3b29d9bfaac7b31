#!/usr/bin/env python3
"""Builds the documentation's site: lays out the pages as mkdocs takes them, runs it, and checks what came of it."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

import links
import pages


def for_mkdocs(text):
    """Its fences know a language only."""
    lines, fence = [], None
    for line in text.splitlines(keepends=True):
        match = pages.FENCE.match(line.rstrip("\n"))
        if match and fence is None:
            fence = match["fence"]
            language = match["info"].split(" ")[0]
            line = f"{match['indent']}{fence}{language}\n"
        elif match and match["fence"].startswith(fence) and not match["info"]:
            fence = None
        lines.append(line)
    return "".join(lines)


def lay_out(source, output):
    shutil.rmtree(output, ignore_errors=True)
    (output / "pages").mkdir(parents=True)
    shutil.copy(source / "mkdocs.yml", output / "mkdocs.yml")
    for path in sorted(links.reachable(source)):
        target = output / "pages" / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            target.write_text(for_mkdocs(path.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copy(path, target)
    shutil.copy(source / "docs/site.css", output / "pages/docs/site.css")


def missing_pages(output):
    """Pages of the navigation that a search does not find."""
    index = json.loads((output / "site/search/search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"].split("#")[0] for entry in index["docs"] if entry["text"].strip()}
    listed, _ = links.navigation((output / "mkdocs.yml").read_text(encoding="utf-8"))
    for _, page in listed:
        path = pathlib.PurePosixPath(page)
        name = "index.html" if path.name == "README.md" else f"{path.stem}.html"
        if path.with_name(name).as_posix() not in found:
            yield page


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path, help="the repository")
    parser.add_argument("output", type=pathlib.Path, help="a folder: pages, and in site what browsers show")
    parser.add_argument("--mkdocs", help="the program")
    arguments = parser.parse_args()
    program = arguments.mkdocs and shutil.which(arguments.mkdocs)
    if not program:
        print("SKIPPED: mkdocs is not installed")
        return 77
    output = arguments.output.resolve()
    lay_out(arguments.source.resolve(), output)
    done = subprocess.run([program, "build", "--strict", "--quiet", "--config-file", output / "mkdocs.yml", "--site-dir",
                           output / "site"], check=False)
    if done.returncode != 0:
        return 1
    missing = list(missing_pages(output))
    for page in missing:
        print(f"error: a search does not find {page}")
    print(f"{output / 'site/index.html'}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
