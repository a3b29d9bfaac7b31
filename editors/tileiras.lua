-- Neovim: tileiras-lsp-server for Tile IR, and for our internal dialects. In init.lua:
--   dofile("/usr/share/tileiras/editors/tileiras.lua")
-- The server is looked for on PATH, or is what vim.g.tileiras_lsp_server says, a list: the program and its options.

vim.filetype = vim.filetype or {}
if vim.filetype.add then
  vim.filetype.add({ extension = { mlir = "mlir" } })
end

local function start(buffer)
  local config = {
    name = "tileiras",
    cmd = vim.g.tileiras_lsp_server or { "tileiras-lsp-server" },
    root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h"),
  }
  if vim.lsp.start then -- 0.8 and later
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  local client = vim.lsp.start_client(config)
  if client then
    vim.lsp.buf_attach_client(buffer, client)
  end
end

vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
  pattern = "*.mlir",
  callback = function(event)
    vim.bo[event.buf].filetype = "mlir"
    start(event.buf)
  end,
})
