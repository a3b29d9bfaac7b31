#!/usr/bin/env python3
"""Checks the navigation of the documentation's site (mkdocs.yml) and the relative links of all pages."""

import argparse
import pathlib
import re
import sys
import unicodedata
import urllib.parse

import pages

NAVIGATION_LINE = re.compile(r"\s*- (?:(?P<title>[^:]+):)?\s*(?P<page>\S+)?\s*$")


def plain(heading):
    """A heading's text without its markup."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[`*]", "", heading)


def github_slug(heading):
    return re.sub(r"[^\w\- ]", "", plain(heading).strip().lower()).replace(" ", "-")


def mkdocs_slug(heading):
    text = unicodedata.normalize("NFKD", plain(heading)).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def anchors(page, slug, separator):
    """The anchors of a page's headings; of equal ones, the second and later have numbers."""
    found, seen = set(), {}
    for heading in page.headings:
        name = slug(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(f"{name}{separator}{count}" if count else name)
    return found


class Repository:
    def __init__(self, root):
        self.root = root
        self.read = {}

    def page(self, path):
        if path not in self.read:
            self.read[path] = pages.read(path)
        return self.read[path]

    def targets(self, path):
        """(line, link, file, anchor) of a page's links into the repository."""
        for line, link in self.page(path).links:
            if re.match(r"[a-z][a-z0-9+.-]*:", link, re.IGNORECASE):
                continue
            name, _, anchor = link.partition("#")
            name = urllib.parse.unquote(name)
            yield line, link, pathlib.Path((path.parent / name).as_posix()).resolve() if name else path, anchor

    def reachable(self):
        """The pages, and what they link to, directly or not."""
        waiting, found = [*pages.find(self.root)], set()
        while waiting:
            path = waiting.pop()
            if path in found or not path.is_file() or not path.is_relative_to(self.root):
                continue
            found.add(path)
            if path.suffix == ".md":
                waiting += [target for _, _, target, _ in self.targets(path)]
        return found


def reachable(root):
    return Repository(root).reachable()


def link_problems(repository, path):
    for line, link, target, anchor in repository.targets(path):
        where = f"{path.relative_to(repository.root)}:{line}"
        if link.startswith("/"):
            yield f"{where}: '{link}' is absolute; write it relative to the page"
        elif not target.is_relative_to(repository.root):
            yield f"{where}: '{link}' leads out of the repository"
        elif not target.exists():
            yield f"{where}: '{link}' leads nowhere"
        elif target.is_dir():
            yield f"{where}: '{link}' is a folder, which the site cannot show; link to a file in it"
        elif anchor and target.suffix == ".md":
            page = repository.page(target)
            if anchor not in anchors(page, github_slug, "-"):
                known = ", ".join(sorted(anchors(page, github_slug, "-")))
                yield f"{where}: {target.relative_to(repository.root)} has no heading '#{anchor}', only {known}"
            elif anchor not in anchors(page, mkdocs_slug, "_"):
                yield f"{where}: '#{anchor}' has another name on the site; reword the heading"


def navigation(text):
    """(line, page) of the navigation in mkdocs.yml, which is plain: a title and a page a line; then what is not."""
    lines = text.splitlines()
    if "nav:" not in lines:
        return [], [(1, "mkdocs.yml has no 'nav:'")]
    found, problems = [], []
    for number, line in enumerate(lines[lines.index("nav:") + 1:], start=lines.index("nav:") + 2):
        if line.strip() and not line.startswith(" "):
            break
        if not line.strip():
            continue
        match = NAVIGATION_LINE.match(line)
        if not match or not (match["title"] or match["page"]):
            problems.append((number, f"not a title, or a title and a page: {line.strip()}"))
        elif match["page"]:
            found.append((number, match["page"]))
    return found, problems


def navigation_problems(repository):
    file = repository.root / "mkdocs.yml"
    if not file.is_file():
        yield "mkdocs.yml is missing"
        return
    listed, problems = navigation(file.read_text(encoding="utf-8"))
    for line, message in problems:
        yield f"mkdocs.yml:{line}: {message}"
    known = {path.relative_to(repository.root).as_posix() for path in pages.find(repository.root)}
    seen = set()
    for line, page in listed:
        if page in seen:
            yield f"mkdocs.yml:{line}: {page} is listed twice"
        elif page not in known:
            yield f"mkdocs.yml:{line}: there is no page {page}"
        seen.add(page)
    for page in sorted(known - seen):
        yield f"mkdocs.yml: {page} is not in the navigation"


def problems_of(root):
    repository = Repository(root)
    found = list(navigation_problems(repository))
    count = 0
    for path in sorted(repository.reachable()):
        if path.suffix == ".md":
            found += link_problems(repository, path)
            count += len(repository.page(path).links)
    return found, count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).parents[2])
    found, count = problems_of(parser.parse_args().root.resolve())
    for problem in found:
        print(problem)
    print(f"{count} links, {len(found)} problems")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
