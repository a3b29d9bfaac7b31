//===- AsmHooks.h - Custom directives of the assembly formats ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_DIALECT_CUDATILE_ASMHOOKS_H
#define TILEIRAS_LIB_DIALECT_CUDATILE_ASMHOOKS_H

#include "tileiras/Dialect/CudaTile/CudaTile.h"

namespace tileiras::cuda_tile {

//===----------------------------------------------------------------------===//
// custom<Keyword>: an enum attribute as a bare keyword
//===----------------------------------------------------------------------===//

template <typename Attr>
using EnumOf = decltype(std::declval<Attr>().getValue());

/// Reads one of the keywords of `Enum`, whose values count up from 0; an error lists them.
template <typename Enum>
std::optional<Enum> parseEnumKeyword(mlir::AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    if (std::optional<Enum> value = symbolizeEnum<Enum>(keyword))
      return value;
  auto diagnostic = parser.emitError(loc, "expected one of ");
  for (uint32_t i = 0; !stringifyEnum(Enum(i)).empty(); ++i)
    diagnostic << (i ? ", " : "") << stringifyEnum(Enum(i));
  if (!keyword.empty())
    diagnostic << "; got '" << keyword << "'";
  return std::nullopt;
}

template <typename Attr>
mlir::ParseResult parseKeyword(mlir::AsmParser &parser, Attr &attr) {
  auto value = parseEnumKeyword<EnumOf<Attr>>(parser);
  if (!value)
    return mlir::failure();
  attr = Attr::get(parser.getContext(), *value);
  return mlir::success();
}

template <typename Attr>
void printKeyword(mlir::AsmPrinter &printer, Attr attr) {
  printer << stringifyEnum(attr.getValue());
}

template <typename Attr>
void printKeyword(mlir::AsmPrinter &printer, mlir::Operation *, Attr attr) {
  printKeyword(printer, attr);
}

//===----------------------------------------------------------------------===//
// custom<ShortType>: types without the dialect's prefix
//===----------------------------------------------------------------------===//

mlir::ParseResult parseShortType(mlir::AsmParser &parser, llvm::SmallVectorImpl<mlir::Type> &types);
void printShortType(mlir::AsmPrinter &printer, mlir::TypeRange types);

inline void printShortType(mlir::AsmPrinter &printer, mlir::Operation *, mlir::Type type) {
  printShortType(printer, type);
}
inline void printShortType(mlir::AsmPrinter &printer, mlir::Operation *, mlir::TypeRange types) {
  printShortType(printer, types);
}

//===----------------------------------------------------------------------===//
// custom<Rounding>: rounding<mode>, unless it is the initial one
//===----------------------------------------------------------------------===//

mlir::ParseResult parseRounding(mlir::OpAsmParser &parser, RoundingModeAttr &mode, RoundingMode initial);
void printRounding(mlir::OpAsmPrinter &printer, mlir::Operation *, RoundingModeAttr mode, RoundingMode initial);

} // namespace tileiras::cuda_tile

#endif // TILEIRAS_LIB_DIALECT_CUDATILE_ASMHOOKS_H
