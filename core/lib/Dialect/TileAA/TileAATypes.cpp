//===- TileAATypes.cpp - Types of nv_tileaa -------------------------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/TileAA.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace tileiras::aa;

/// (`,` `isolated`)?
static ParseResult parseIsolated(AsmParser &parser, bool &isolated) {
  isolated = succeeded(parser.parseOptionalComma());
  return isolated ? parser.parseKeyword("isolated") : success();
}

static void printIsolated(AsmPrinter &printer, bool isolated) {
  if (isolated)
    printer << ", isolated";
}

#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAA/TileAATypes.cpp.inc"

void TileAADialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/TileAA/TileAATypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Spelling
//===----------------------------------------------------------------------===//

static ParseResult parseStride(AsmParser &parser, SmallVectorImpl<int64_t> &strides) {
  if (succeeded(parser.parseOptionalQuestion())) {
    strides.push_back(ShapedType::kDynamic);
    return success();
  }
  return parser.parseInteger(strides.emplace_back());
}

static void printStrides(AsmPrinter &printer, ArrayRef<int64_t> strides) {
  printer << '[';
  llvm::interleaveComma(strides, printer, [&](int64_t stride) {
    if (ShapedType::isDynamic(stride))
      printer << '?';
    else
      printer << stride;
  });
  printer << ']';
}

/// integer-list ::= `[` (integer (`,` integer)*)? `]`
template <typename Int>
static ParseResult parseIntegerList(AsmParser &parser, SmallVectorImpl<Int> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

//===----------------------------------------------------------------------===//
// memref
//===----------------------------------------------------------------------===//

// memref ::= `<` (extent `x`)* type `,` `strides` `=` `[` stride-list `]` (`,` address-space)? `>`
Type TileMemRefType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, strides;
  Type elementType;
  unsigned addressSpace = 1;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) || parser.parseType(elementType) ||
      parser.parseComma() || parser.parseKeyword("strides") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parseStride(parser, strides); }))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(addressSpace))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TileMemRefType>(parser.getContext(), shape, elementType, strides, addressSpace);
}

void TileMemRefType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  if (getRank() != 0)
    printer << 'x';
  printer << getElementType() << ", strides = ";
  printStrides(printer, getStrides());
  if (getAddressSpace() != 1)
    printer << ", " << getAddressSpace();
  printer << '>';
}

LogicalResult TileMemRefType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                     Type elementType, ArrayRef<int64_t> strides, unsigned addressSpace) {
  if (!elementType.isSignlessInteger() && !isa<FloatType, PtrType>(elementType))
    return emitError() << "expects an integer, float or pointer element type, but got " << elementType;
  if (shape.size() != strides.size())
    return emitError() << "expects as many strides as extents, but got " << strides.size() << " vs " << shape.size();
  if (llvm::any_of(shape, [](int64_t extent) { return !ShapedType::isDynamic(extent) && extent < 0; }))
    return emitError() << "expects extents that are not negative";
  return success();
}

//===----------------------------------------------------------------------===//
// tiled_view
//===----------------------------------------------------------------------===//

static bool isIdentity(ArrayRef<int32_t> dimMap) {
  return llvm::all_of(llvm::enumerate(dimMap), [](auto entry) { return entry.value() == int32_t(entry.index()); });
}

bool TiledViewType::hasIdentityDimMap() const {
  return isIdentity(getDimMap());
}

namespace {
/// The clauses of a tiled_view that may come in any order, each at most once.
struct ViewClauses {
  ViewKind kind = ViewKind::Partition;
  SmallVector<int32_t> dimMap;
  SmallVector<int64_t> traversalStrides;
  int32_t sparseDim = -1;
  std::optional<PaddingValue> padding;

  ParseResult parseOne(AsmParser &parser);

private:
  llvm::StringSet<> seen;
};
} // namespace

template <typename Enum>
static ParseResult parseEnum(AsmParser &parser, std::optional<Enum> (*symbolize)(StringRef), Enum &value) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Enum> parsed = symbolize(keyword);
  if (!parsed)
    return parser.emitError(loc) << "unknown value '" << keyword << "'";
  value = *parsed;
  return success();
}

ParseResult ViewClauses::parseOne(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name) || parser.parseEqual())
    return failure();
  if (!seen.insert(name).second)
    return parser.emitError(loc) << "'" << name << "' appears twice";
  if (name == "kind")
    return parseEnum<ViewKind>(parser, symbolizeViewKind, kind);
  if (name == "dim_map")
    return parseIntegerList(parser, dimMap);
  if (name == "traversal_strides")
    return parseIntegerList(parser, traversalStrides);
  if (name == "sparse_dim")
    return parser.parseInteger(sparseDim);
  if (name == "padding")
    return parseEnum<PaddingValue>(parser, symbolizePaddingValue, padding.emplace());
  return parser.emitError(loc) << "expected kind, dim_map, traversal_strides, sparse_dim or padding";
}

// tiled_view ::= `<` extent (`x` extent)* `,` `memref` memref-body (`,` clause)* `>`
Type TiledViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> tileShape;
  if (parser.parseLess() || parser.parseDimensionList(tileShape, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseComma() || parser.parseKeyword("memref"))
    return {};
  auto source = dyn_cast_or_null<TileMemRefType>(TileMemRefType::parse(parser));
  if (!source)
    return {};
  ViewClauses clauses;
  while (succeeded(parser.parseOptionalComma()))
    if (clauses.parseOne(parser))
      return {};
  if (parser.parseGreater())
    return {};
  if (clauses.dimMap.empty())
    llvm::append_range(clauses.dimMap, llvm::seq<int32_t>(tileShape.size()));
  return parser.getChecked<TiledViewType>(parser.getContext(), tileShape, source, clauses.kind, clauses.dimMap,
                                          clauses.traversalStrides, clauses.sparseDim, clauses.padding);
}

void TiledViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getTileShape());
  printer << ", memref";
  getSource().print(printer);
  if (getKind() != ViewKind::Partition)
    printer << ", kind = " << stringifyViewKind(getKind());
  if (!hasIdentityDimMap())
    printer << ", dim_map = [" << llvm::interleaved(getDimMap()) << ']';
  if (!getTraversalStrides().empty())
    printer << ", traversal_strides = [" << llvm::interleaved(getTraversalStrides()) << ']';
  if (getSparseDim() >= 0)
    printer << ", sparse_dim = " << getSparseDim();
  if (getPadding())
    printer << ", padding = " << stringifyPaddingValue(*getPadding());
  printer << '>';
}

LogicalResult TiledViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> tileShape,
                                    TileMemRefType source, ViewKind kind, ArrayRef<int32_t> dimMap,
                                    ArrayRef<int64_t> traversalStrides, int32_t sparseDim,
                                    std::optional<PaddingValue> padding) {
  if (tileShape.empty())
    return emitError() << "expects non-empty tileSizes";
  if (dimMap.empty())
    return emitError() << "expects non-empty dimGroups";
  if (tileShape.size() != dimMap.size())
    return emitError() << "expects rank of tileSizes be equal to rank of dimGroups, but got " << tileShape.size()
                       << " vs " << dimMap.size();
  if (llvm::any_of(tileShape, [](int64_t extent) { return extent <= 0; }))
    return emitError() << "expects all tile size bigger than zero";
  if (int64_t(tileShape.size()) != source.getRank())
    return emitError() << "expects the tile to have the memref's rank, but got " << tileShape.size() << " vs "
                       << source.getRank();
  llvm::SmallBitVector tiled(source.getRank());
  for (int32_t axis : dimMap) {
    if (axis < 0 || axis >= source.getRank())
      return emitError() << "expects dim_map to name axes of the memref, but got " << axis;
    if (tiled.test(axis))
      return emitError() << "expects dim is being tiled only one time, but got " << axis;
    tiled.set(axis);
  }
  bool strided = kind == ViewKind::Strided;
  if (traversalStrides.size() != (strided ? tileShape.size() : 0))
    return emitError() << (strided ? "expects a traversal stride for every tile axis"
                                   : "expects traversal strides only in a strided view");
  if (llvm::any_of(traversalStrides, [](int64_t stride) { return stride <= 0; }))
    return emitError() << "expects all traversal strides bigger than zero";
  if (kind != ViewKind::GatherScatter && sparseDim != -1)
    return emitError() << "expects sparse_dim only in a gather_scatter view";
  if (kind == ViewKind::GatherScatter && (sparseDim < 0 || sparseDim >= int32_t(tileShape.size())))
    return emitError() << "expects sparse_dim to name an axis of the tile, but got " << sparseDim;
  if (padding && *padding != PaddingValue::Zero && !isa<FloatType>(source.getElementType()))
    return emitError() << "expects a float element type with padding " << stringifyPaddingValue(*padding)
                       << ", but got " << source.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// queue
//===----------------------------------------------------------------------===//

LogicalResult QueueType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Type> types, bool) {
  if (types.empty())
    return emitError() << "expects a queue whose entries hold something";
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor ? !tensor.hasStaticShape() : !type.isIntOrIndexOrFloat() && !isa<PtrType>(type))
      return emitError() << "expects entries of tensors of static shape and scalars, but got " << type;
  }
  return success();
}
