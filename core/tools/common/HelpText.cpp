//===- HelpText.cpp - Help that fits a terminal ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HelpText.h"
#include "tileiras/Support/WrappedText.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>

using namespace tileiras;
namespace cl = llvm::cl;

/// Columns of "  --name=<value>" beside which a description has room.
static constexpr size_t kMostNameColumns = 40;

/// What the command-line library writes between an option and its description.
static constexpr size_t kDashColumns = 3;

static bool isShown(const cl::Option &option) {
  // The library shows --help-list, which is hidden, where options are in groups.
  return (option.getOptionHiddenFlag() == cl::NotHidden && option.hasArgStr()) || option.ArgStr == "help-list";
}

void tileiras::fitHelp(llvm::ArrayRef<const cl::OptionCategory *> groups) {
  cl::HideUnrelatedOptions(groups);
  size_t widest = 0;
  for (const auto &item : cl::getRegisteredOptions()) {
    cl::Option &option = *item.second;
    if (isShown(option) && option.getOptionWidth() > kMostNameColumns)
      option.setHiddenFlag(cl::Hidden);
    if (isShown(option))
      widest = std::max(widest, option.getOptionWidth());
  }
  // The library keeps references to descriptions, breaks them at line ends, and indents what follows itself.
  static std::deque<std::string> descriptions;
  for (const auto &item : cl::getRegisteredOptions()) {
    size_t indent = widest + kDashColumns;
    if (!isShown(*item.second) || item.second->HelpStr.contains('\n'))
      continue;
    const std::string wrapped = wrapText(item.second->HelpStr, indent, indent);
    descriptions.push_back(llvm::join(llvm::split(wrapped, "\n" + std::string(indent, ' ')), "\n"));
    item.second->setDescription(descriptions.back());
  }
}
