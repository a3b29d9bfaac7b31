#!/usr/bin/env python3
"""Links and navigation that are wrong, each found out; and pages as mkdocs takes them."""

import pathlib
import tempfile
import unittest

import links
import site_pages

NAVIGATION = "site_name: x\nnav:\n  - Home: README.md\n  - Guides:\n      - One: docs/one.md\ntheme:\n  name: mkdocs\n"


class Links(unittest.TestCase):
    def problems(self, files, navigation=NAVIGATION):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve() / "root"
            texts = {"README.md": "# Home\n", "docs/one.md": "# One\n\n## A part, of `it`\n", "mkdocs.yml": navigation, **files}
            for name, text in texts.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return links.problems_of(root)[0]

    def one(self, files, message, **arguments):
        problems = self.problems(files, **arguments)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(message, problems[0])

    def test_good_links(self):
        self.assertEqual(self.problems({"README.md": "# Home\n\n[a](docs/one.md), [b](docs/one.md#a-part-of-it), [c](#home), "
                                                     "[d](https://example.org/none), ![e](e.svg) `[f](none.md)`\n", "e.svg": "x"}), [])

    def test_bad_links(self):
        self.one({"README.md": "\n[a](docs/none.md)\n"}, "README.md:2: 'docs/none.md' leads nowhere")
        self.one({"README.md": "![a](none.svg)\n"}, "'none.svg' leads nowhere")
        self.one({"README.md": "[a](docs/one.md#another)\n"}, "docs/one.md has no heading '#another'")
        self.one({"README.md": "[a](#another)\n"}, "README.md has no heading '#another'")
        self.one({"README.md": "[a](docs)\n"}, "is a folder")
        self.one({"README.md": "[a](/docs/one.md)\n"}, "is absolute")
        self.one({"README.md": "[a](../../x.md)\n"}, "leads out of the repository")
        self.one({"README.md": "[a][b]\n\n[b]: none.md\n"}, "README.md:3: 'none.md' leads nowhere")
        self.one({"README.md": "[a](#one--two)\n\n# One — two\n"}, "has another name on the site")
        self.one({"README.md": "[a](tests/README.md)\n", "tests/README.md": "[b](none.md)\n"}, "tests/README.md:1")

    def test_navigation(self):
        self.one({}, "docs/one.md is not in the navigation", navigation="nav:\n  - Home: README.md\n")
        self.one({}, "mkdocs.yml:5: there is no page docs/two.md",
                 navigation="nav:\n  - README.md\n  - docs/one.md\n\n  - Two: docs/two.md\n")
        self.one({}, "mkdocs.yml:4: README.md is listed twice",
                 navigation="nav:\n  - Home: README.md\n  - One: docs/one.md\n  - Again: README.md\n")
        self.one({}, "mkdocs.yml:4: not a title", navigation="nav:\n  - Home: README.md\n  - One: docs/one.md\n  Two: x y z\n")
        self.assertIn("mkdocs.yml has no 'nav:'", "\n".join(self.problems({}, navigation="site_name: x\n")))

    def test_equal_headings_have_numbers(self):
        self.assertEqual(self.problems({"README.md": "# A\n\n# B\n\n# B\n\n[x](#b), [y](#a)\n"}), [])
        self.one({"README.md": "# B\n\n# B\n\n[x](#b-1)\n"}, "has another name on the site")

    def test_fences_for_mkdocs(self):
        self.assertEqual(site_pages.for_mkdocs('```sh no-run="x y"\nls\n```\n  ````text output\n```sh a\n````\n'),
                         "```sh\nls\n```\n  ````text\n```sh a\n````\n")


if __name__ == "__main__":
    unittest.main()
