#!/usr/bin/env python3
"""Words that the glossary replaces, each found; and what is let alone."""

import pathlib
import tempfile
import unittest

import words

ROWS = [line for line in (pathlib.Path(__file__).parents[2] / "docs/glossary.md").read_text(encoding="utf-8")
        .partition(words.SECTION)[2].splitlines() if line.startswith("|")]
TABLE = "# Glossary\n\n## Replaced words\n\nNot a product.\n\n" + "\n".join(ROWS) + "\n"
# Of each row of the table, something that says so.
SAID = {
    "product": "the matrix product of a and b", "sum": "its sums are in tensor memory", "copy engine": "by the copy engine",
    "made anew": "what is made in each iteration anew", "goes round": "a value that goes round the loop",
    "carried round": "what is carried round a loop", "behind": "it is ordered behind the load",
    "turns": "warpgroups take turns", "exchange operands": "its operands are not exchanged", "uplift loops": "uplifts such loops",
    "relax maxima": "relaxing the maximum", "go on behind": "they go on after it, behind the operation",
}


class Words(unittest.TestCase):
    def found(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve() / "root"
            for name, text in {"docs/glossary.md": TABLE, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return words.findings(root)[0]

    def one(self, name, text, message):
        found = self.found({name: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(message, found[0])

    def none(self, name, text):
        self.assertEqual(self.found({name: text}), [])

    def test_each_row(self):
        phrases = [phrase for row in ROWS[2:] for phrase in words.phrases_of(row)]
        self.assertEqual(phrases, list(SAID))
        for said in SAID.values():
            self.assertTrue(self.found({"README.md": said}), said)

    def test_what_to_say(self):
        self.one("README.md", "# A\n\nIt is copied by the\ncopy engine.\n", "README.md:4: 'copy engine' in")
        self.one("README.md", "the copy engine\n", ": say TMA")

    def test_without_a_table(self):
        self.one("docs/glossary.md", "# Glossary\n", "docs/glossary.md:1: no table")

    def test_pages(self):
        self.one("docs/a.md", "```text output\nremark: two products\n```\n", "docs/a.md:2: 'products'")
        self.one("docs/a.md", "# A\n\n_A product_\n", "docs/a.md:3: 'product'")
        self.one("docs/a.md", "a double-width product\n", "docs/a.md:1: 'product'")
        self.one("plugins/x/README.md", "| a | Products |\n", "plugins/x/README.md:1: 'Products'")
        self.none("docs/a.md", "`a product`, option --sum, take_turns = turns, [MMA](product.md)\n\n```mlir\n%sum = a sum\n```\n")
        self.none("docs/a.md", "LLVM turns them\ninto registers; sums and products of numbers; a running sum\n")

    def test_sources(self):
        self.one("core/lib/X.cpp", '// A product.\n\nreturn fail("it is "\n            "a product");\n', "core/lib/X.cpp:4: 'product'")
        self.one("core/lib/X.cpp", 'say("the " /* x */\n    "copy "  // y\n    "engine");\n', "core/lib/X.cpp:2: 'copy engine'")
        self.one("runtime/x.h", 'auto x = R"(a\nproduct)";\n', "runtime/x.h:2: 'product'")
        self.one("plugins/x/X.cpp", "char a = '\"'; say(\"its \\n sum\");\n", "plugins/x/X.cpp:1: 'sum'")
        self.none("core/lib/X.cpp", '// The product.\nget("product"); say("--product-agent is", "`sum` of x");\n')
        self.none("core/lib/X.cpp", 'say("enter_exclusive and product_groups = products");\n')
        self.none("core/lib/X.cpp", 'emit("setp.ne.b32 sum, 1, 0;");\n')
        self.none("emulator/tests/X.cpp", 'TEST_CASE("a product")\n')

    def test_descriptions_and_profiles(self):
        self.one("plugins/x/Passes.td", 'let summary = "Turns";\nlet description = [{\n  Of\n  products, `sum`.\n}];\n',
                 "plugins/x/Passes.td:4: 'products'")
        self.one("core/include/Passes.td", 'let summary = "Goes on behind";\n', "core/include/Passes.td:1: 'Goes on behind'")
        self.one("config/o9.toml", '# For products.\npass = "a product"\n', "config/o9.toml:1: 'products'")
        self.none("core/include/Ops.td", 'let summary = "A product";\n')


if __name__ == "__main__":
    unittest.main()
