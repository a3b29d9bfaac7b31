//===- TileArithmetic.cpp - Arithmetic on the tiles of loops --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileArithmetic.h"

using namespace tileiras::fuzz;
using llvm::Twine;

Value tileiras::fuzz::broadcast(ProgramBuilder &builder, const Value &value, const Type &type) {
  return builder.compute(type, value.facts, "broadcast " + value.name + printTypes(value.type, type));
}

Value tileiras::fuzz::negate(ProgramBuilder &builder, const Value &value) {
  return builder.compute(value.type, value.facts,
                         (isFloat(value.type.element) ? "negf " : "negi ") + value.name + " : " + value.type.str());
}

Value tileiras::fuzz::atLeastZero(ProgramBuilder &builder, const Value &value) {
  const bool isFloating = isFloat(value.type.element);
  return builder.binary(isFloating ? "maxf" : "maxi", value, builder.zero(value.type), value.facts,
                        isFloating ? "" : " signed");
}

Value tileiras::fuzz::clampTo(ProgramBuilder &builder, Value value, Element element) {
  if (!isFloat(value.type.element)) {
    Value low = builder.binary("maxi", value, builder.constant(value.type, -8), rangeFacts(-8, 8), " signed");
    low = builder.binary("mini", low, builder.constant(value.type, 8), rangeFacts(-8, 8), " signed");
    return builder.castInt(low, element);
  }
  value = builder.binary("maxf", value, builder.floatConstant(value.type, -2), value.facts);
  value = builder.binary("minf", value, builder.floatConstant(value.type, 2), value.facts);
  if (value.type.element == element)
    return value;
  Type type = value.type.with(element);
  return builder.compute(type, value.facts, "ftof " + value.name + printTypes(value.type, type));
}

Facts tileiras::fuzz::openFacts(Element element) {
  Facts facts = unknownFacts(element);
  facts.exact = !isFloat(element);
  return facts;
}

Value tileiras::fuzz::reduceRows(ProgramBuilder &builder, const Value &value, const char *operation,
                                 const char *identity, const char *suffix) {
  Type row = value.type.with({value.type.shape[0]}), scalar = scalarOf(value.type.element);
  std::string name = builder.freshName(), x = builder.freshName(), y = builder.freshName(), r = builder.freshName();
  const std::string text = scalar.str();
  builder.line(name + " = reduce " + value.name + " dim=1 identities=[" + identity + " : " +
               getInfo(value.type.element).name + "]" + printTypes(value.type, row));
  builder.line("(" + x + ": " + text + ", " + y + ": " + text + ") {");
  builder.line("  " + r + " = " + operation + " " + x + ", " + y + suffix + " : " + text);
  builder.line("  yield " + r + " : " + text);
  builder.line("}");
  return {name, row, value.facts};
}

Value tileiras::fuzz::alongRows(ProgramBuilder &builder, const Value &rows, const Type &type) {
  return broadcast(builder, builder.reshape(rows, {type.shape[0], 1}), type.with(rows.type.element));
}

Value tileiras::fuzz::unary(ProgramBuilder &builder, const char *mnemonic, const Value &value) {
  return builder.compute(value.type, openFacts(value.type.element),
                         mnemonic + Twine(" ") + value.name + " : " + value.type.str());
}
