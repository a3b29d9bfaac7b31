//===- WrappedText.h - Text that fits a terminal ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_WRAPPEDTEXT_H
#define TILEIRAS_SUPPORT_WRAPPEDTEXT_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"
#include <string>

namespace tileiras {

/// Columns of a terminal that listings and help have to fit.
inline constexpr unsigned kTerminalColumns = 100;

/// Columns of UTF-8 text.
inline unsigned countColumns(llvm::StringRef text) {
  int columns = llvm::sys::unicode::columnWidthUTF8(text);
  return columns < 0 ? text.size() : columns;
}

/// `text`, which begins in column `column` and is broken at blanks so that no line is longer than a terminal's; later
/// lines begin in column `indent`. A word that is longer has a line of its own.
inline std::string wrapText(llvm::StringRef text, unsigned column, unsigned indent) {
  std::string wrapped;
  unsigned used = column;
  for (llvm::StringRef word : llvm::split(text, ' ')) {
    unsigned columns = countColumns(word);
    if (!wrapped.empty()) {
      bool fits = used + 1 + columns <= kTerminalColumns;
      wrapped += fits ? " " : "\n" + std::string(indent, ' ');
      used = fits ? used + 1 : indent;
    }
    wrapped += word;
    used += columns;
  }
  return wrapped;
}

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_WRAPPEDTEXT_H
