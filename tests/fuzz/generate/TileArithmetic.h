//===- TileArithmetic.h - Arithmetic on the tiles of loops ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_TILEARITHMETIC_H
#define TILEIRAS_FUZZ_TILEARITHMETIC_H

#include "ProgramBuilder.h"

namespace tileiras::fuzz {

Value broadcast(ProgramBuilder &builder, const Value &value, const Type &type);
Value negate(ProgramBuilder &builder, const Value &value);
Value atLeastZero(ProgramBuilder &builder, const Value &value);
/// What any type with two bits of mantissa can represent, as `element`.
Value clampTo(ProgramBuilder &builder, Value value, Element element);
/// What the bits of a sum may differ by is the reference's to say.
Facts openFacts(Element element);
Value reduceRows(ProgramBuilder &builder, const Value &value, const char *operation, const char *identity,
                 const char *suffix = "");
/// A value for each row, in all columns of `type`.
Value alongRows(ProgramBuilder &builder, const Value &rows, const Type &type);
Value unary(ProgramBuilder &builder, const char *mnemonic, const Value &value);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_TILEARITHMETIC_H
