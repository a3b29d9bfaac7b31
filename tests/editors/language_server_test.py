#!/usr/bin/env python3
"""language_server_test.py SERVER TOOL PLUGINS: what an editor asks of tileiras-lsp-server."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import language_server

SERVER, TOOL = (pathlib.Path(argument).resolve() for argument in (sys.argv.pop(1), sys.argv.pop(1)))
KERNEL = pathlib.Path(__file__).resolve().parents[2] / "examples" / "matmul" / "kernel.mlir"
TEXT = KERNEL.read_text()


def place(text, needle, index=0):
    """Line and character, from 0, of an occurrence."""
    at = -1
    for _ in range(index + 1):
        at = text.index(needle, at + 1)
    return {"line": text.count("\n", 0, at), "character": at - text.rfind("\n", 0, at) - 1}


class LanguageServer(unittest.TestCase):
    def test_a_kernel_without_mistakes(self):
        with language_server.Client(SERVER) as client:
            uri, wrong = client.open(KERNEL, TEXT)
            self.assertEqual(wrong, [])
            document = {"uri": uri}
            hover = client.ask("textDocument/hover", {"textDocument": document, "position": place(TEXT, "mmaf")})
            self.assertIn("cuda_tile.mmaf", hover["contents"]["value"])
            use = place(TEXT, "%tile_a, %tile_b, %partial :")
            (definition,) = client.ask("textDocument/definition", {"textDocument": document, "position": use})
            self.assertEqual(definition["range"]["start"]["line"], place(TEXT, "%tile_a, %read_a")["line"])
            references = client.ask("textDocument/references", {"textDocument": document, "position": use,
                                                                "context": {"includeDeclaration": True}})
            self.assertEqual(len(references), 2)
            symbols = client.ask("textDocument/documentSymbol", {"textDocument": document})
            self.assertIn("matmul", str(symbols))
        self.assertEqual(client.code, 0)

    def test_mistakes_while_one_types(self):
        with language_server.Client(SERVER) as client:
            uri, (wrong,) = client.open(KERNEL, TEXT.replace("mmaf %tile_a", "mmaf %tile_x"))
            self.assertEqual((wrong["range"]["start"]["line"], wrong["severity"]), (30, 1))
            self.assertIn("undeclared SSA value", wrong["message"])
            client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": TEXT}]})
            self.assertEqual(client.diagnostics(uri), [])
            # What the verifier says, too.
            text = TEXT.replace("tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>", "tile<128x64xf16>, tile<64x64xf16>, tile<128x128xf32>")
            client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": text}]})
            self.assertTrue(client.diagnostics(uri))

    def test_internal_dialects(self):
        """What --emit=tileas writes, with the atoms of the GPUs' plugins."""
        with tempfile.TemporaryDirectory() as folder:
            for level in ("tileaa", "tileas"):
                file = pathlib.Path(folder) / f"{level}.mlir"
                subprocess.run([TOOL, KERNEL, "--gpu-name", "sm_90", f"--emit={level}", "-o", file], check=True)
                with language_server.Client(SERVER) as client:
                    uri, wrong = client.open(file, file.read_text())
                    self.assertEqual(wrong, [])
                    hover = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": place(file.read_text(), f"nv_{level}.make_")})
                    self.assertIn(f"nv_{level}.", hover["contents"]["value"])

    def test_plugins_that_there_are_not(self):
        result = subprocess.run([SERVER, "--load-plugin=/nowhere/x.so"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 2)
        self.assertIn("/nowhere/x.so", result.stderr)


if __name__ == "__main__":
    unittest.main()
