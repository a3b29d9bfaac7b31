//===- SymbolNames.h - Names that the lowering makes ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SYMBOLNAMES_H
#define TILEIRAS_LOWERING_SYMBOLNAMES_H

#include "llvm/ADT/Twine.h"

namespace tileiras {

/// Begins every symbol that is not the user's; refused as the beginning of a name of the user's.
inline constexpr char kInternalSymbolPrefix[] = "__tileiras_";

inline std::string makeInternalSymbol(const llvm::Twine &name) {
  return (kInternalSymbolPrefix + name).str();
}

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SYMBOLNAMES_H
