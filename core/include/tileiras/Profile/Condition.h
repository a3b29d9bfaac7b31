//===- Condition.h - When a pass of a profile runs --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   condition  ::= and-term ("or" and-term)*
//   and-term   ::= not-term ("and" not-term)*
//   not-term   ::= "not" not-term | "(" condition ")" | comparison
//   comparison ::= boolean-option | option ("==" | "!=" | "<" | "<=" | ">" | ">=") literal
//   literal    ::= integer | "true" | "false" | 'text' | "text"
//
// Options are those of an option table; literals must be values the option can have, and only integers have an order.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PROFILE_CONDITION_H
#define TILEIRAS_PROFILE_CONDITION_H

#include "tileiras/Profile/Options.h"
#include <memory>

namespace tileiras {

class Condition {
public:
  /// Always true.
  Condition() = default;

  /// `origin` is the place of the text's first character; errors point into the text.
  static llvm::Expected<Condition> parse(llvm::StringRef text, const Origin &origin,
                                         const OptionTable &table = *getCoreOptions());

  /// `options` have the table that the text was parsed with.
  bool evaluate(const OptionSet &options) const;
  bool isAlways() const { return !root; }
  /// The text it was parsed from.
  llvm::StringRef str() const { return text; }

  struct Node; ///< of the parsed tree; private to Condition.cpp
private:
  std::string text;
  std::shared_ptr<const Node> root; ///< immutable, so copies share it
};

} // namespace tileiras

#endif // TILEIRAS_PROFILE_CONDITION_H
