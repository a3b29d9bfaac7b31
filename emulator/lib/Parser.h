//===- Parser.h - PTX text to a module --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_PARSER_H
#define PTX_EMULATOR_PARSER_H

#include "Ast.h"
#include <string_view>

namespace ptxemu {

/// Reads a whole module; throws InputError with the line of the first mistake.
ast::Module parseModule(std::string_view source);

} // namespace ptxemu

#endif // PTX_EMULATOR_PARSER_H
