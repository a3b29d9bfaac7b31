//===- TileProgram.cpp - What a Tile IR program says of its kernels -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileProgram.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Diagnostics.h"
#include "tileiras/Bytecode/Bytecode.h"

namespace tileiras::run {

std::string printType(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  constexpr llvm::StringLiteral prefix = "!cuda_tile.";
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  return text;
}

TileProgram::~TileProgram() = default;

bool TileProgram::readText(const Kernel &kernel) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(kernel.source, kernel.file), llvm::SMLoc());
  mlir::AsmParserState state;
  const mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (failed(mlir::parseAsmSourceFile(sources, &block, config, &state)))
    return false;
  for (const auto &definition : state.getBlockDefs())
    for (auto [argument, place] : llvm::zip(definition.block->getArguments(), definition.arguments)) {
      const char *start = place.loc.Start.getPointer();
      names[argument] = llvm::StringRef(start, place.loc.End.getPointer() - start).ltrim('%').str();
    }
  return true;
}

std::unique_ptr<TileProgram> TileProgram::read(const Kernel &kernel) {
  if (!kernel.isTileIR())
    return nullptr;
  std::unique_ptr<TileProgram> program(new TileProgram());
  program->context.loadDialect<cuda_tile::CudaTileDialect>();
  const mlir::ScopedDiagnosticHandler silence(&program->context, [](mlir::Diagnostic &) {});
  if (kernel.form == Kernel::Text)
    return program->readText(kernel) ? std::move(program) : nullptr;
  mlir::OwningOpRef<cuda_tile::ModuleOp> module =
      readBytecode(llvm::MemoryBufferRef(kernel.source, kernel.file), &program->context);
  if (!module)
    return nullptr;
  program->block.push_back(module.release());
  return program;
}

std::vector<cuda_tile::EntryOp> TileProgram::getEntries() {
  std::vector<cuda_tile::EntryOp> entries;
  block.walk([&](cuda_tile::EntryOp entry) { entries.push_back(entry); });
  return entries;
}

cuda_tile::EntryOp TileProgram::findEntry(llvm::StringRef name) {
  const std::vector<cuda_tile::EntryOp> entries = getEntries();
  if (name.empty())
    return entries.size() == 1 ? entries.front() : cuda_tile::EntryOp();
  auto found = llvm::find_if(entries, [&](cuda_tile::EntryOp entry) { return entry.getSymName() == name; });
  return found == entries.end() ? cuda_tile::EntryOp() : *found;
}

std::string TileProgram::describe(mlir::Value parameter) const {
  const std::string name = getName(parameter);
  return (name.empty() ? "" : "%" + name + ": ") + printType(parameter.getType());
}

} // namespace tileiras::run
