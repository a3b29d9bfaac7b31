//===- Printing.cpp - Steps that print ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

/// A conversion that shows an element whole, and its width or precision.
static std::string pickConversion(ProgramBuilder &builder, Element element) {
  std::string flags = builder.random.pick({"", "", "", "8", "-6", "+", "012"});
  if (isFloat(element))
    return "%" + flags + builder.random.pick({"f", "e", "g", ".3f", ".9e", "G", "E", "a"});
  return "%" + flags + builder.random.pick({"d", "i", "u", "x", "X", "o"});
}

/// One line. It is printed at once, as long as printf takes its arguments at once: nothing of another tile block comes
/// between.
bool tileiras::fuzz::makePrint(ProgramBuilder &builder) {
  int64_t room = builder.blockCount() > 1 ? 31 : 96;
  std::string format = "print " + std::to_string(builder.random.below(1000)) + " of %i:", operands, types;
  auto add = [&](const Value &value) {
    operands += ", " + value.name;
    types += (types.empty() ? "" : ", ") + value.type.str();
  };
  add(builder.linearBlock);
  for (uint64_t count = builder.random.below(3); count > 0; --count) {
    // Which NaN a NaN is, and its sign, is not specified.
    std::optional<Value> value = builder.findLive([&](const Value &candidate) {
      return !candidate.type.isPointer && candidate.type.size() <= room && candidate.type.element != Element::E8M0 &&
             satisfies(candidate.type.element, candidate.facts, Need::Finite);
    });
    if (!value)
      break;
    room -= value->type.size();
    add(*value);
    format += " " + pickConversion(builder, value->type.element) + (builder.random.chance(20) ? " 100%%" : "");
  }
  builder.line(builder.freshName() + " = print_tko \"" + format + "\\n\"" + operands + " : " + types + " -> token");
  return true;
}
