//===- AsmHooks.cpp - Custom directives of the assembly formats -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"
#include "llvm/ADT/TypeSwitch.h"

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

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {

/// Reads numbers in nested lists and remembers their shape.
class ElementsParser {
public:
  ElementsParser(OpAsmParser &parser, Type elementType) : parser(parser), elementType(elementType) {}

  /// Reads a number (whose shape is empty) or a list.
  ParseResult parse(SmallVectorImpl<int64_t> &shape, unsigned depth = 0) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalLSquare()))
      return isa<FloatType>(elementType) ? parseFloat() : parseInteger();
    if (depth == kMaxDepth)
      return parser.emitError(loc, "lists are nested more than ") << kMaxDepth << " deep";
    int64_t size = 0;
    SmallVector<int64_t> innerShape;
    auto parseMember = [&]() -> ParseResult {
      llvm::SMLoc memberLoc = parser.getCurrentLocation();
      SmallVector<int64_t> memberShape;
      if (parse(memberShape, depth + 1))
        return failure();
      if (size++ == 0)
        innerShape = memberShape;
      else if (innerShape != memberShape)
        return parser.emitError(memberLoc, "members of a list have different shapes");
      return success();
    };
    if (parser.parseCommaSeparatedList(parseMember) || parser.parseRSquare())
      return failure();
    shape.push_back(size);
    shape.append(innerShape);
    return success();
  }

  DenseElementsAttr getElements(TileType type) const {
    return isa<FloatType>(elementType) ? DenseElementsAttr::get(type, floats) : DenseElementsAttr::get(type, integers);
  }

private:
  static constexpr unsigned kMaxDepth = 32;

  ParseResult parseFloat() {
    APFloat value = APFloat::IEEEdouble();
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseFloat(cast<FloatType>(elementType).getFloatSemantics(), value))
      return failure();
    // Infinities and NaNs are written by their bits.
    if (!value.isFinite() && !StringRef(loc.getPointer(), 2).equals_insensitive("0x"))
      return parser.emitError(loc, "number does not fit in ") << elementType;
    floats.push_back(value);
    return success();
  }

  ParseResult parseInteger() {
    llvm::SMLoc loc = parser.getCurrentLocation();
    unsigned width = elementType.getIntOrFloatBitWidth();
    StringRef keyword;
    if (succeeded(parser.parseOptionalKeyword(&keyword, {"true", "false"}))) {
      if (width != 1)
        return parser.emitError(loc, "expected an integer");
      integers.emplace_back(1, keyword == "true");
      return success();
    }
    APInt value;
    OptionalParseResult parsed = parser.parseOptionalInteger(value);
    if (!parsed.has_value())
      return parser.emitError(loc, "expected an integer");
    if (failed(*parsed))
      return failure();
    // Signed and unsigned readings of the type are both fine.
    if (!(value.isNegative() ? value.isSignedIntN(width) : value.isIntN(width)))
      return parser.emitError(loc, "integer does not fit in ") << elementType;
    integers.push_back(value.sextOrTrunc(width));
    return success();
  }

  OpAsmParser &parser;
  Type elementType;
  SmallVector<APInt> integers;
  SmallVector<APFloat> floats;
};

} // namespace

ParseResult parseElements(OpAsmParser &parser, DenseIntOrFPElementsAttr &elements) {
  Type elementType, type;
  if (parser.parseLess())
    return failure();
  llvm::SMLoc elementLoc = parser.getCurrentLocation();
  if (parseShortType(parser, elementType))
    return failure();
  if (!isNumberType(elementType))
    return parser.emitError(elementLoc, "expected a number type, got ") << elementType;

  SmallVector<int64_t> shape;
  ElementsParser values(parser, elementType);
  if (parser.parseColon() || values.parse(shape) || parser.parseGreater() || parser.parseColon())
    return failure();

  llvm::SMLoc typeLoc = parser.getCurrentLocation();
  if (parseShortType(parser, type))
    return failure();
  auto tile = dyn_cast<TileType>(type);
  if (!tile || tile.getElementType() != elementType)
    return parser.emitError(typeLoc, "expected a tile of ") << elementType << ", got " << type;
  // One number stands for all elements.
  if (!shape.empty() && ArrayRef(shape) != tile.getShape())
    return parser.emitError(typeLoc, "elements of shape [")
           << ArrayRef(shape) << "] do not make a tile of shape [" << tile.getShape() << "]";
  elements = cast<DenseIntOrFPElementsAttr>(values.getElements(tile));
  return success();
}

/// Writes the elements from `next` on as lists nested like `shape`.
template <typename Iterator, typename PrintElement>
static void printNested(OpAsmPrinter &printer, ArrayRef<int64_t> shape, Iterator &next, PrintElement printElement) {
  if (shape.empty())
    return printElement(*next++);
  printer << '[';
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i)
      printer << ", ";
    printNested(printer, shape.drop_front(), next, printElement);
  }
  printer << ']';
}

void printElements(OpAsmPrinter &printer, Operation *, DenseIntOrFPElementsAttr elements) {
  auto tile = cast<TileType>(elements.getType());
  ArrayRef<int64_t> shape = elements.isSplat() ? ArrayRef<int64_t>() : tile.getShape();
  printer << '<' << tile.getElementType() << ": ";
  if (isa<FloatType>(tile.getElementType())) {
    auto next = elements.value_begin<APFloat>();
    printNested(printer, shape, next, [&](const APFloat &value) { printer.printFloat(value); });
  } else {
    auto next = elements.value_begin<APInt>();
    printNested(printer, shape, next, [&](const APInt &value) {
      if (value.getBitWidth() == 1)
        printer << (value.isOne() ? "true" : "false");
      else
        printer << value;
    });
  }
  printer << "> : ";
  printShortType(printer, tile);
}

//===----------------------------------------------------------------------===//
// Types of several values
//===----------------------------------------------------------------------===//

ParseResult parseEqualTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types, Type source) {
  if (succeeded(parser.parseOptionalLParen()))
    return parser.parseRParen();
  Type type;
  if (parseShortType(parser, type))
    return failure();
  size_t rank = 0;
  if (auto view = dyn_cast<TileViewInterface>(source))
    rank = view.getViewIndexRank();
  else if (auto tensor = dyn_cast<TensorViewType>(source))
    rank = tensor.getRank();
  types.assign(rank, type);
  return success();
}

void printEqualTypes(OpAsmPrinter &printer, Operation *, TypeRange types, Type) {
  if (types.empty())
    printer << "()";
  else
    printShortType(printer, types.front());
}

ParseResult parseEqualTypes(OpAsmParser &parser, Type &x, Type &y, Type &z) {
  if (parseShortType(parser, x))
    return failure();
  y = z = x;
  return success();
}

void printEqualTypes(OpAsmPrinter &printer, Operation *, Type x, Type, Type) {
  printShortType(printer, x);
}

ParseResult parseIndexTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types,
                            ArrayRef<OpAsmParser::UnresolvedOperand> indices) {
  if (parseShortType(parser, types))
    return failure();
  if (types.size() == 1)
    types.resize(indices.size(), types.front());
  return success();
}

void printIndexTypes(OpAsmPrinter &printer, Operation *, TypeRange types, ValueRange) {
  printShortType(printer, llvm::all_equal(types) ? types.take_front(1) : types);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

ParseResult parseMemoryOrder(OpAsmParser &parser, MemoryOrderingSemanticsAttr &order, MemoryScopeAttr &scope) {
  if (parseKeyword(parser, order))
    return failure();
  if (order.getValue() != MemoryOrderingSemantics::WEAK)
    return parseKeyword(parser, scope);
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc, "a weak access has no memory scope, got '") << word << "'";
  return success();
}

void printMemoryOrder(OpAsmPrinter &printer, Operation *, MemoryOrderingSemanticsAttr order, MemoryScopeAttr scope) {
  printer << stringifyEnum(order.getValue());
  if (scope)
    printer << ' ' << stringifyEnum(scope.getValue());
}

ParseResult parsePredicate(OpAsmParser &parser, AssumePredicateAttrInterface &predicate) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  StringRef mnemonic;
  if (succeeded(parser.parseOptionalKeyword(&mnemonic))) {
    if (mnemonic == DivByAttr::getMnemonic())
      attribute = DivByAttr::parse(parser, {});
    else if (mnemonic == SameElementsAttr::getMnemonic())
      attribute = SameElementsAttr::parse(parser, {});
    else if (mnemonic == BoundedAttr::getMnemonic())
      attribute = BoundedAttr::parse(parser, {});
    else
      return parser.emitError(loc, "expected one of div_by, same_elements, bounded; got '") << mnemonic << "'";
    if (!attribute)
      return failure();
  } else if (parser.parseAttribute(attribute)) {
    return failure();
  }
  predicate = dyn_cast<AssumePredicateAttrInterface>(attribute);
  return predicate ? ParseResult(success()) : parser.emitError(loc, "expected a predicate, got ") << attribute;
}

void printPredicate(OpAsmPrinter &printer, Operation *, AssumePredicateAttrInterface predicate) {
  llvm::TypeSwitch<Attribute>(predicate)
      .Case<DivByAttr, SameElementsAttr, BoundedAttr>([&](auto attribute) {
        printer << attribute.getMnemonic();
        attribute.print(printer);
      })
      .Default([&](Attribute attribute) { printer << attribute; });
}

ParseResult parseVisibility(OpAsmParser &parser, SymbolVisibilityAttr &visibility) {
  auto value = SymbolVisibility::Public;
  if (succeeded(parser.parseOptionalKeyword("private")))
    value = SymbolVisibility::Private;
  else
    (void)parser.parseOptionalKeyword("public");
  visibility = SymbolVisibilityAttr::get(parser.getContext(), value);
  return success();
}

void printVisibility(OpAsmPrinter &printer, Operation *, SymbolVisibilityAttr visibility) {
  // The public text has a space after the keyword.
  if (visibility && visibility.getValue() == SymbolVisibility::Private)
    printer << "private ";
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

ParseResult parseShortArguments(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    NamedAttrList attributes;
    if (parser.parseArgument(argument) || parser.parseColon() || parseShortType(parser, argument.type) ||
        parser.parseOptionalAttrDict(attributes) || parser.parseOptionalLocationSpecifier(argument.sourceLoc))
      return failure();
    argument.attrs = attributes.getDictionary(parser.getContext());
    return success();
  });
}

void printShortArguments(OpAsmPrinter &printer, Region &region, ArrayAttr attributes) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer, [&](BlockArgument argument) {
    printer.printOperand(argument);
    printer << ": ";
    printShortType(printer, argument.getType());
    if (attributes)
      printer.printOptionalAttrDict(cast<DictionaryAttr>(attributes[argument.getArgNumber()]).getValue());
  });
  printer << ')';
}

ParseResult parseCombiner(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parseShortArguments(parser, arguments) || parser.parseRegion(body, arguments));
}

void printCombiner(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printNewline();
  printShortArguments(printer, body);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

} // namespace tileiras::cuda_tile
