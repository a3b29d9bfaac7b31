//===- PtxNames.cpp - Names of the program's in PTX -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxNames.h"
#include "tileiras/Lowering/SymbolNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tileiras;
using llvm::StringRef;

/// Whether the NVPTX back end makes names like this one: of parameters, labels, stack frames, arguments of calls.
static bool isLikeMadeName(StringRef name) {
  static constexpr llvm::StringLiteral kBeginnings[] = {"$L_",   "__local_depot", "func_retval",
                                                        "param", "prototype_",    "retval"};
  return name.contains("_param_") ||
         llvm::any_of(kBeginnings, [&](StringRef beginning) { return name.starts_with(beginning); });
}

StandInNames::StandInNames(llvm::Module &module) {
  llvm::SmallVector<llvm::GlobalValue *> symbols;
  for (llvm::GlobalValue &symbol : module.global_values())
    if (!symbol.isDeclaration() && !symbol.getName().starts_with(kInternalSymbolPrefix))
      symbols.push_back(&symbol);
  if (llvm::none_of(symbols, [](const llvm::GlobalValue *symbol) { return isLikeMadeName(symbol->getName()); }))
    return;
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    std::string standIn = makeInternalSymbol("symbol_" + llvm::Twine(number));
    names[standIn] = symbol->getName().str();
    symbol->setName(standIn);
  }
}

static bool isPartOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
}

std::string StandInNames::replaceIn(StringRef ptx) const {
  if (names.empty())
    return ptx.str();
  llvm::StringSet<> taken;
  for (const auto &entry : names)
    taken.insert(entry.second);
  std::string result;
  while (!ptx.empty()) {
    // Strings are names of files.
    if (ptx.front() == '"') {
      const size_t length = std::min(ptx.find('"', 1), ptx.size() - 1) + 1;
      result += ptx.take_front(length);
      ptx = ptx.drop_front(length);
      continue;
    }
    StringRef name = ptx.take_while(isPartOfName);
    if (auto found = names.find(name); found != names.end())
      result += found->second;
    else if (taken.contains(name) && isLikeMadeName(name) && !StringRef(result).ends_with(".")) // no directive
      result += makeInternalSymbol("made_" + name);
    else
      result += name;
    ptx = ptx.drop_front(name.size());
    StringRef between = ptx.take_until([](char c) { return c == '"' || isPartOfName(c); });
    result += between;
    ptx = ptx.drop_front(between.size());
  }
  return result;
}
