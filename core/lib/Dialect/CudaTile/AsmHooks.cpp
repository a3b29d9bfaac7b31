//===- AsmHooks.cpp - Custom directives of the assembly formats -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"

using namespace mlir;

namespace tileiras::cuda_tile {

ParseResult parseRounding(OpAsmParser &parser, RoundingModeAttr &mode, RoundingMode initial) {
  if (succeeded(parser.parseOptionalKeyword("rounding")))
    return failure(parser.parseLess() || parseKeyword(parser, mode) || parser.parseGreater());
  mode = RoundingModeAttr::get(parser.getContext(), initial);
  return success();
}

void printRounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr mode, RoundingMode initial) {
  if (mode && mode.getValue() != initial)
    printer << "rounding<" << stringifyEnum(mode.getValue()) << '>';
}

} // namespace tileiras::cuda_tile
