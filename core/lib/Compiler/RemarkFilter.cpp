//===- RemarkFilter.cpp - Which remarks a user wants ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/RemarkFilter.h"
#include "tileiras/Compiler/Session.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace tileiras;

static bool matchesAny(const llvm::Regex &expression, llvm::ArrayRef<DeclaredRemark> known) {
  return llvm::any_of(known, [&](const DeclaredRemark &remark) {
    return expression.match(remark.info->category->name) || expression.match(remark.info->name);
  });
}

static bool isWord(llvm::StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
}

static llvm::Error describeUnknown(llvm::StringRef text, llvm::ArrayRef<DeclaredRemark> known) {
  std::set<std::string> categories, names;
  for (const DeclaredRemark &remark : known) {
    categories.insert(remark.info->category->name);
    names.insert(remark.info->category->name);
    names.insert(remark.info->name);
  }
  std::string suggestion = isWord(text) ? suggestName(text, std::vector<std::string>(names.begin(), names.end())) : "";
  if (suggestion.empty())
    suggestion = "; the categories are " + llvm::join(categories, ", ");
  return llvm::make_error<CompileError>(ExitCode::Usage, "error: no remark has the category or the name '" + text +
                                                             "'" + suggestion + " (--help-remarks lists them)");
}

/// Of alternatives each has to be known: 'schedule|pipelin' is misspelt.
static llvm::Error checkKnown(llvm::StringRef text, llvm::ArrayRef<DeclaredRemark> known) {
  llvm::SmallVector<llvm::StringRef> alternatives;
  text.split(alternatives, '|');
  if (!llvm::all_of(alternatives, isWord))
    alternatives.assign(1, text);
  for (llvm::StringRef alternative : alternatives)
    if (!matchesAny(llvm::Regex(alternative), known))
      return describeUnknown(alternative, known);
  return llvm::Error::success();
}

llvm::Expected<RemarkFilter> RemarkFilter::create(const mlir::remark::RemarkCategories &wanted,
                                                  llvm::ArrayRef<DeclaredRemark> known) {
  RemarkFilter filter;
  const std::pair<llvm::StringRef, const std::optional<std::string> *> kinds[] = {{"Passed", &wanted.passed},
                                                                                  {"Missed", &wanted.missed},
                                                                                  {"Failure", &wanted.failed},
                                                                                  {"Analysis", &wanted.analysis}};
  for (auto [kind, expression] : kinds)
    for (const std::optional<std::string> *text : {expression, &wanted.all})
      if (*text)
        if (llvm::Error error = filter.add(kind, **text, known))
          return error;
  return filter;
}

llvm::Error RemarkFilter::add(llvm::StringRef kind, const std::string &text, llvm::ArrayRef<DeclaredRemark> known) {
  llvm::Regex expression(text);
  std::string problem;
  if (!expression.isValid(problem))
    return llvm::make_error<CompileError>(ExitCode::Usage,
                                          "error: '" + text + "' is no regular expression: " + problem);
  if (llvm::Error error = checkKnown(text, known))
    return error;
  expressions.emplace_back(kind, std::move(expression));
  return llvm::Error::success();
}

bool RemarkFilter::accepts(llvm::StringRef kind, llvm::StringRef category, llvm::StringRef name) const {
  return llvm::any_of(expressions, [&](const auto &item) {
    return item.first == kind && (item.second.match(category) || item.second.match(name));
  });
}
