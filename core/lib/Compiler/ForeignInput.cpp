//===- ForeignInput.cpp - Input that is not Tile IR -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignInput.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Profile/Origin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tileiras;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

static std::string describeElf(StringRef bytes) {
  constexpr size_t machineOffset = 18; // e_machine, after e_ident and e_type
  if (bytes.size() >= machineOffset + 2 &&
      llvm::support::endian::read16le(bytes.data() + machineOffset) == llvm::ELF::EM_CUDA)
    return "a cubin, which is compiled already (tileiras-run runs one)";
  return "an ELF file: a program, a library or an object file";
}

std::string tileiras::describeBinary(StringRef bytes) {
  if (bytes.trim().empty())
    return "empty";
  if (bytes.starts_with(llvm::ELF::ElfMagic))
    return describeElf(bytes);
  const std::pair<StringRef, const char *> beginnings[] = {
      {"\x50\xED\x55\xBA", "a fatbin, which is compiled already"},
      {"\x1F\x8B", "compressed by gzip; decompress it before"},
      {"\x28\xB5\x2F\xFD", "compressed by zstd; decompress it before"},
      {"PK\x03\x04", "a zip archive"}};
  for (const auto &[beginning, description] : beginnings)
    if (bytes.starts_with(beginning))
      return description;
  switch (llvm::file_magic(llvm::identify_magic(bytes))) {
  case llvm::file_magic::bitcode:
    return "LLVM bitcode, which is compiled below Tile IR already";
  case llvm::file_magic::archive:
    return "an archive of object files";
  default:
    return "";
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The languages, by what a line begins with that no line of MLIR at the top level does.
static std::optional<std::string> recognizeLine(StringRef line) {
  const std::pair<const char *, const char *> beginnings[] = {
      {"^\\.(version|target|address_size|visible|entry|func)[ \t]",
       "PTX, which is compiled already (tileiras-run runs it)"},
      {"^(; ModuleID|;|source_filename *=|target (datalayout|triple) *=|define |declare )",
       "LLVM IR, which is below Tile IR already"},
      {"^#!.*python", "Python source; run it: a front end, such as cuTile Python, calls the compiler"},
      {"^(import |from [A-Za-z_.]+ import|def [A-Za-z_]|class [A-Za-z_]|@[A-Za-z_.]+(\\(.*\\))?$|\"\"\"|''')",
       "Python source; run it: a front end, such as cuTile Python, calls the compiler"},
      {"^(#include|#pragma|#define|#if|__global__|__device__|extern \"C\"|template *<|using |namespace |typedef )",
       "C++ source; nvcc compiles CUDA C++"},
      {"^(\\{ *(\"|$)|\\[)", "JSON"}};
  for (const auto &[beginning, language] : beginnings)
    if (llvm::Regex(beginning).match(line))
      return language;
  return std::nullopt;
}

std::optional<ForeignText> tileiras::recognizeForeignText(StringRef text) {
  for (StringRef line : llvm::split(text, '\n')) {
    StringRef content = line.trim();
    if (content.empty() || content.starts_with("//") || content == "#" || content.starts_with("# "))
      continue;
    if (std::optional<std::string> language = recognizeLine(content))
      return ForeignText{std::move(*language), size_t(content.begin() - text.begin())};
    return std::nullopt;
  }
  return std::nullopt;
}

mlir::FileLineColLoc tileiras::getPlace(mlir::MLIRContext *context, StringRef name, StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  unsigned line = before.count('\n') + 1, column = before.size() - (before.rfind('\n') + 1) + 1;
  return mlir::FileLineColLoc::get(context, name, line, column);
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

mlir::Operation *tileiras::findForeignOperation(mlir::ModuleOp module) {
  constexpr StringRef upstream[] = {"func", "gpu", "scf", "arith", "memref", "nvvm", "linalg", "tensor", "vector"};
  mlir::Operation *first = nullptr;
  for (mlir::Operation &op : *module.getBody()) {
    auto nested = mlir::dyn_cast<mlir::ModuleOp>(op);
    bool isForeign = llvm::is_contained(upstream, op.getName().getDialectNamespace());
    mlir::Operation *foreign = nested ? findForeignOperation(nested) : isForeign ? &op : nullptr;
    if (!foreign)
      return nullptr;
    first = first ? first : foreign;
  }
  return first;
}

/// The last bracket of `text` that is open at its end; npos if there is none.
static size_t findUnclosedBracket(StringRef text) {
  llvm::SmallVector<size_t> open;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\')
          ++at;
    } else if (text.substr(at).starts_with("//")) {
      at = text.find('\n', at);
      if (at == StringRef::npos)
        break;
    } else if (StringRef("([{").contains(text[at])) {
      open.push_back(at);
    } else if (StringRef(")]}").contains(text[at]) && !open.empty()) {
      open.pop_back();
    }
  }
  return open.empty() ? StringRef::npos : open.back();
}

ParseErrorHints::ParseErrorHints(mlir::MLIRContext *context, StringRef name, StringRef text)
    : ScopedDiagnosticHandler(context), context(context), name(name), text(text) {
  setHandler([this](mlir::Diagnostic &diagnostic) { return explain(diagnostic); });
}

/// Failure: the diagnostic goes on to the next handler.
mlir::LogicalResult ParseErrorHints::explain(mlir::Diagnostic &diagnostic) {
  auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
  if (isExplaining || diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || !place ||
      place.getFilename() != name)
    return mlir::failure();
  std::string message = diagnostic.str();
  if (StringRef(message).starts_with("custom op '"))
    return explainUnknownOperation(diagnostic, message);
  mlir::FileLineColLoc end = getPlace(context, name, text, text.rtrim().size());
  if (std::pair(place.getLine(), place.getColumn()) >= std::pair(end.getLine(), end.getColumn()))
    return explainEnd(place);
  return mlir::failure();
}

mlir::LogicalResult ParseErrorHints::explainEnd(mlir::FileLineColLoc place) {
  size_t open = findUnclosedBracket(text);
  if (open == StringRef::npos)
    return mlir::failure();
  const char closing = text[open] == '(' ? ')' : text[open] == '[' ? ']' : '}';
  llvm::SaveAndRestore guard(isExplaining, true);
  mlir::InFlightDiagnostic error = mlir::emitError(place)
                                   << "expected '" << StringRef(&closing, 1) << "': the input ends";
  error.attachNote(getPlace(context, name, text, open)) << "to match this '" << text.substr(open, 1) << "'";
  return mlir::success();
}

/// The operations of `dialect`, without its name.
static std::vector<std::string> listOperations(mlir::MLIRContext *context, StringRef dialect) {
  std::vector<std::string> names;
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations())
    if (op.getDialectNamespace() == dialect)
      names.push_back(op.stripDialect().str());
  return names;
}

mlir::LogicalResult ParseErrorHints::explainUnknownOperation(mlir::Diagnostic &diagnostic, StringRef message) {
  // "custom op 'ad' is unknown (tried 'cuda_tile.ad' as well)"
  const StringRef given = message.split('\'').second.split('\'').first;
  const StringRef tried = message.split("(tried '").second.split('\'').first;
  auto [dialect, op] = given.contains('.') ? given.split('.') : tried.split('.');
  const StringRef language = cuda_tile::CudaTileDialect::getDialectNamespace();
  const bool isTopLevel = !given.contains('.') && dialect != language;
  mlir::Diagnostic &note = diagnostic.attachNote();
  std::vector<std::string> nearest = findNearestNames(op, listOperations(context, isTopLevel ? language : dialect));
  if (isTopLevel) {
    note << "a program of Tile IR begins with 'cuda_tile.module @name {', and its kernels are 'entry @name(…)' in it";
    return mlir::failure();
  }
  if (nearest.empty() && context->getLoadedDialect(dialect) && dialect == language)
    note << "the dialect '" << dialect << "' has no operation of such a name";
  else if (nearest.empty())
    note << "a program of Tile IR has operations of the dialect '" << language << "'";
  for (const std::string &name : nearest)
    note << (&name == &nearest.front() ? "did you mean '" : " or '") << (given.contains('.') ? dialect + "." : "")
         << name << "'";
  if (!nearest.empty())
    note << "?";
  return mlir::failure();
}
