#!/usr/bin/env python3
"""neovim_test.py SERVER CONFIGURATION: Neovim with the configuration that is installed. 77: Neovim is not installed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SERVER, CONFIGURATION = map(pathlib.Path, sys.argv[1:])
KERNEL = (pathlib.Path(__file__).resolve().parents[2] / "examples" / "matmul" / "kernel.mlir").read_text()

# Opens the file that is named, waits for the server, and prints what a user would see.
SCRIPT = """
local buffer = vim.api.nvim_get_current_buf()
local function wait(what) return vim.wait(30000, what, 20) end
local told = false
vim.api.nvim_create_autocmd("DiagnosticChanged", { callback = function() told = true end })
assert(wait(function() return next(vim.lsp.buf_get_clients(buffer)) end), "no server")
wait(function() return told end)
for _, wrong in ipairs(vim.diagnostic.get(buffer)) do
  print("wrong: " .. (wrong.lnum + 1) .. ": " .. wrong.message)
end
local row = vim.fn.search("mmaf")
local answers = vim.lsp.buf_request_sync(buffer, "textDocument/hover",
  { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = row - 1, character = vim.fn.col(".") } }, 30000)
for _, answer in pairs(answers or {}) do
  print("hover: " .. (answer.result and answer.result.contents.value:gsub("\\n", " ") or "nothing"))
end
print("type: " .. vim.bo[buffer].filetype)
vim.cmd("qa!")
"""


def show(text, folder):
    (folder / "kernel.mlir").write_text(text)
    (folder / "script.lua").write_text(SCRIPT)
    (folder / "init.lua").write_text(f'dofile("{CONFIGURATION}")\n')
    environment = {**os.environ, "PATH": f"{SERVER.parent}:{os.environ['PATH']}", "HOME": str(folder),
                   "XDG_STATE_HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
    result = subprocess.run(["nvim", "--headless", "-n", "-u", folder / "init.lua", folder / "kernel.mlir",
                             "-c", f"luafile {folder / 'script.lua'}"], env=environment, capture_output=True, text=True, timeout=120,
                            stdin=subprocess.DEVNULL)
    assert result.returncode == 0, result.stderr
    return result.stderr + result.stdout


if not shutil.which("nvim"):
    print("SKIPPED: Neovim is not installed (scripts/install-dependencies installs it)")
    sys.exit(77)
with tempfile.TemporaryDirectory() as name:
    said = show(KERNEL.replace("mmaf %tile_a", "mmaf %tile_x"), pathlib.Path(name))
    assert "wrong: 31: " in said and "undeclared SSA value" in said and "type: mlir" in said, said
with tempfile.TemporaryDirectory() as name:
    said = show(KERNEL, pathlib.Path(name))
    assert "wrong" not in said and "cuda_tile.mmaf" in said, said
print("Neovim shows a mistake at its line, and the operation under the cursor")
