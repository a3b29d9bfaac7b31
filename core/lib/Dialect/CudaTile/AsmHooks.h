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

//===----------------------------------------------------------------------===//
// custom<Elements>: <f32: [1.0, 2.0]> : tile<2xf32>
//===----------------------------------------------------------------------===//

mlir::ParseResult parseElements(mlir::OpAsmParser &parser, mlir::DenseIntOrFPElementsAttr &elements);
void printElements(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::DenseIntOrFPElementsAttr elements);

//===----------------------------------------------------------------------===//
// Types of several values
//===----------------------------------------------------------------------===//

/// custom<EqualTypes>: the one type of as many results as `source`, a view or tensor_view, has dimensions; `()` if
/// none.
mlir::ParseResult parseEqualTypes(mlir::OpAsmParser &parser, llvm::SmallVectorImpl<mlir::Type> &types,
                                  mlir::Type source);
void printEqualTypes(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::TypeRange types, mlir::Type source);

/// custom<EqualTypes>: the one type of three results.
mlir::ParseResult parseEqualTypes(mlir::OpAsmParser &parser, mlir::Type &x, mlir::Type &y, mlir::Type &z);
void printEqualTypes(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Type x, mlir::Type y, mlir::Type z);

/// custom<IndexTypes>: one type for all indices, or one for each.
mlir::ParseResult parseIndexTypes(mlir::OpAsmParser &parser, llvm::SmallVectorImpl<mlir::Type> &types,
                                  llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> indices);
void printIndexTypes(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::TypeRange types, mlir::ValueRange indices);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// custom<MemoryOrder>: `weak`, or another order and its scope.
mlir::ParseResult parseMemoryOrder(mlir::OpAsmParser &parser, MemoryOrderingSemanticsAttr &order,
                                   MemoryScopeAttr &scope);
void printMemoryOrder(mlir::OpAsmPrinter &printer, mlir::Operation *, MemoryOrderingSemanticsAttr order,
                      MemoryScopeAttr scope);

/// custom<Predicate>: a predicate of the dialect without its prefix.
mlir::ParseResult parsePredicate(mlir::OpAsmParser &parser, AssumePredicateAttrInterface &predicate);
void printPredicate(mlir::OpAsmPrinter &printer, mlir::Operation *, AssumePredicateAttrInterface predicate);

/// custom<Visibility>: nothing for public symbols.
mlir::ParseResult parseVisibility(mlir::OpAsmParser &parser, SymbolVisibilityAttr &visibility);
void printVisibility(mlir::OpAsmPrinter &printer, mlir::Operation *, SymbolVisibilityAttr visibility);

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Reads `(%x: tile<f32>, %y: tile<f32>)`.
mlir::ParseResult parseShortArguments(mlir::OpAsmParser &parser,
                                      llvm::SmallVectorImpl<mlir::OpAsmParser::Argument> &arguments);
/// Writes the arguments of a region's first block, with their attributes if there are any.
void printShortArguments(mlir::OpAsmPrinter &printer, mlir::Region &region, mlir::ArrayAttr attributes = {});

/// custom<Combiner>: the body of a reduction, arguments first.
mlir::ParseResult parseCombiner(mlir::OpAsmParser &parser, mlir::Region &body);
void printCombiner(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Region &body);

} // namespace tileiras::cuda_tile

#endif // TILEIRAS_LIB_DIALECT_CUDATILE_ASMHOOKS_H
