//===- CudaTileTypes.cpp - Types of the tile language ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

#include "tileiras/Dialect/CudaTile/CudaTileTypeInterfaces.cpp.inc"

namespace tileiras::cuda_tile {
#include "tileiras/Dialect/CudaTile/CudaTileTypeConstraints.cpp.inc"
} // namespace tileiras::cuda_tile

#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileTypes.cpp.inc"

void CudaTileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/CudaTile/CudaTileTypes.cpp.inc"
      >();
}

TileType tileiras::cuda_tile::getI1SameShape(Type tile) {
  return TileType::get(cast<TileType>(tile).getShape(), IntegerType::get(tile.getContext(), 1));
}

TensorViewType tileiras::cuda_tile::getViewedTensor(Type view) {
  auto interface = dyn_cast<TileViewInterface>(view);
  return interface ? cast<TensorViewType>(interface.getViewedTensor()) : TensorViewType();
}

//===----------------------------------------------------------------------===//
// Types without prefix
//===----------------------------------------------------------------------===//

ParseResult tileiras::cuda_tile::parseShortType(AsmParser &parser, Type &type) {
  OptionalParseResult prefixed = parser.parseOptionalType(type);
  if (prefixed.has_value())
    return *prefixed;
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  OptionalParseResult ours = generatedTypeParser(parser, &mnemonic, type);
  if (ours.has_value())
    return *ours;
  return parser.emitError(loc, "unknown type '") << mnemonic << "'";
}

void tileiras::cuda_tile::printShortType(AsmPrinter &printer, Type type) {
  if (failed(generatedTypePrinter(type, printer)))
    printer.printType(type);
}

ParseResult tileiras::cuda_tile::parseShortType(AsmParser &parser, SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList([&] { return parseShortType(parser, types.emplace_back()); });
}

void tileiras::cuda_tile::printShortType(AsmPrinter &printer, TypeRange types) {
  llvm::interleaveComma(types, printer, [&](Type type) { printShortType(printer, type); });
}

//===----------------------------------------------------------------------===//
// TileType
//===----------------------------------------------------------------------===//

/// Writes `8x?xf32`.
static void printShapeAndElement(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer.printDimensionList(shape);
  if (!shape.empty())
    printer << 'x';
  printShortType(printer, element);
}

Type TileType::parse(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parseShortType(parser, element) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape, element);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  printShapeAndElement(printer, getShape(), getElementType());
  printer << '>';
}

LogicalResult TileType::verifyShape(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape) {
  int64_t numElements = 1;
  for (int64_t size : shape) {
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << "tile dimensions must be positive powers of two, got [" << shape << "]";
    // Each factor is checked before it is multiplied: the product cannot overflow.
    if (size > kMaxNumElements / numElements)
      return emitError() << "tile of [" << shape << "] exceeds the maximum of " << kMaxNumElements << " elements";
    numElements *= size;
  }
  return success();
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type) {
  return verifyShape(emitError, shape);
}

//===----------------------------------------------------------------------===//
// TensorViewType
//===----------------------------------------------------------------------===//

static ParseResult parseStride(AsmParser &parser, int64_t &stride) {
  if (succeeded(parser.parseOptionalQuestion())) {
    stride = ShapedType::kDynamic;
    return success();
  }
  llvm::SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalInteger(stride);
  if (!parsed.has_value())
    return parser.emitError(loc, "expected a number or '?'");
  // A number must not spell the marker of a dynamic stride.
  if (succeeded(*parsed) && stride == ShapedType::kDynamic)
    return parser.emitError(loc, "expected a positive stride");
  return *parsed;
}

Type TensorViewType::parse(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type element;
  PtrAttrAttr ptrAttr;
  if (parser.parseLess() || parser.parseDimensionList(shape) || parseShortType(parser, element))
    return {};
  if (!shape.empty() && (parser.parseComma() || parser.parseKeyword("strides") || parser.parseEqual() ||
                         parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                                        [&] { return parseStride(parser, strides.emplace_back()); })))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("ptr_attr") || parser.parseEqual() || parseKeyword(parser, ptrAttr)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorViewType>(loc, parser.getContext(), element, shape, strides, ptrAttr);
}

void TensorViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printShapeAndElement(printer, getShape(), getElementType());
  if (!getShape().empty()) {
    printer << ", strides=[";
    llvm::interleave(
        getStrides(), printer, [&](int64_t stride) { stride == kDynamic ? printer << '?' : printer << stride; }, ",");
    printer << ']';
  }
  if (getPtrAttr())
    printer << ", ptr_attr = " << stringifyEnum(getPtrAttr().getValue());
  printer << '>';
}

LogicalResult TensorViewType::verify(function_ref<InFlightDiagnostic()> emitError, Type, ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> strides, PtrAttrAttr) {
  if (shape.size() != strides.size())
    return emitError() << "tensor_view of rank " << shape.size() << " has " << strides.size() << " strides";
  auto isInvalid = [](int64_t value) { return value <= 0 && value != kDynamic; };
  if (const int64_t *size = llvm::find_if(shape, isInvalid); size != shape.end())
    return emitError() << "tensor_view sizes must be positive or dynamic, got " << *size;
  if (const int64_t *stride = llvm::find_if(strides, isInvalid); stride != strides.end())
    return emitError() << "tensor_view strides must be positive or dynamic, got " << *stride;
  return success();
}

//===----------------------------------------------------------------------===//
// Parts that the views share
//===----------------------------------------------------------------------===//

/// Reads `tile=(2x4),`.
static ParseResult parseTileShape(AsmParser &parser, SmallVectorImpl<int32_t> &tileShape) {
  SmallVector<int64_t> shape;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("tile") || parser.parseEqual() || parser.parseLParen() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false) || parser.parseRParen() ||
      parser.parseComma())
    return failure();
  for (int64_t size : shape) {
    if (!llvm::isInt<32>(size))
      return parser.emitError(loc, "tile dimension ") << size << " does not fit in 32 bits";
    tileShape.push_back(size);
  }
  return success();
}

/// Reads `padding_value = zero,` if it is there, then the tensor view.
static ParseResult parsePaddingAndTensor(AsmParser &parser, PaddingValueAttr &padding, TensorViewType &tensor) {
  if (succeeded(parser.parseOptionalKeyword("padding_value")) &&
      (parser.parseEqual() || parseKeyword(parser, padding) || parser.parseComma()))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parseShortType(parser, type))
    return failure();
  tensor = dyn_cast<TensorViewType>(type);
  return tensor ? ParseResult(success()) : parser.emitError(loc, "expected a tensor_view, got ") << type;
}

static ParseResult parseIntegers(AsmParser &parser, SmallVectorImpl<int32_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

/// Reads `, dim_map=[1, 0]` if it is there; otherwise the map is the identity.
static ParseResult parseDimMap(AsmParser &parser, SmallVectorImpl<int32_t> &dimMap, size_t rank) {
  if (succeeded(parser.parseOptionalComma()))
    return failure(parser.parseKeyword("dim_map") || parser.parseEqual() || parseIntegers(parser, dimMap));
  llvm::append_range(dimMap, llvm::seq<int32_t>(rank));
  return success();
}

static void printTileShape(AsmPrinter &printer, ArrayRef<int32_t> tileShape) {
  printer << "<tile=(";
  llvm::interleave(tileShape, printer, "x");
  printer << "), ";
}

static void printPaddingAndTensor(AsmPrinter &printer, PaddingValueAttr padding, TensorViewType tensor) {
  if (padding)
    printer << "padding_value = " << stringifyEnum(padding.getValue()) << ", ";
  printShortType(printer, tensor);
}

static void printDimMap(AsmPrinter &printer, ArrayRef<int32_t> dimMap) {
  if (!llvm::equal(dimMap, llvm::seq<int32_t>(dimMap.size())))
    printer << ", dim_map=[" << dimMap << ']';
}

static Type getTileType(ArrayRef<int32_t> tileShape, TensorViewType tensor) {
  return TileType::get(SmallVector<int64_t>(tileShape), tensor.getElementType());
}

/// Tile, tensor and padding of any view.
static LogicalResult verifyView(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> tileShape,
                                TensorViewType tensor, PaddingValueAttr padding) {
  if (tileShape.empty())
    return emitError() << "a view's tile must have at least one dimension";
  if (static_cast<int64_t>(tileShape.size()) != tensor.getRank())
    return emitError() << "tile of rank " << tileShape.size() << " does not match the tensor_view of rank "
                       << tensor.getRank();
  if (failed(TileType::verifyShape(emitError, SmallVector<int64_t>(tileShape))))
    return failure();
  if (padding && padding.getValue() != PaddingValue::zero && !isa<FloatType>(tensor.getElementType()))
    return emitError() << "padding_value " << stringifyEnum(padding.getValue())
                       << " needs a floating-point element type, got " << tensor.getElementType();
  return success();
}

/// The map must be a permutation of the dimensions.
static LogicalResult verifyDimMap(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> dimMap, size_t rank) {
  if (dimMap.size() != rank)
    return emitError() << "dim_map maps " << dimMap.size() << " dimensions, the tile has " << rank;
  llvm::SmallBitVector seen(rank);
  for (int32_t dim : dimMap) {
    if (dim < 0 || static_cast<size_t>(dim) >= rank)
      return emitError() << "dim_map target " << dim << " is not one of the " << rank
                         << " dimensions of the tensor_view";
    if (seen.test(dim))
      return emitError() << "dim_map maps two tile dimensions to tensor dimension " << dim;
    seen.set(dim);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// PartitionViewType
//===----------------------------------------------------------------------===//

Type PartitionViewType::parse(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tileShape, dimMap;
  PaddingValueAttr padding;
  TensorViewType tensor;
  if (parser.parseLess() || parseTileShape(parser, tileShape) || parsePaddingAndTensor(parser, padding, tensor) ||
      parseDimMap(parser, dimMap, tileShape.size()) || parser.parseGreater())
    return {};
  return parser.getChecked<PartitionViewType>(loc, parser.getContext(), tileShape, tensor, dimMap, padding);
}

void PartitionViewType::print(AsmPrinter &printer) const {
  printTileShape(printer, getTileShape());
  printPaddingAndTensor(printer, getPaddingValue(), getTensorView());
  printDimMap(printer, getDimMap());
  printer << '>';
}

LogicalResult PartitionViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> tileShape,
                                        TensorViewType tensor, ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  return success(succeeded(verifyView(emitError, tileShape, tensor, padding)) &&
                 succeeded(verifyDimMap(emitError, dimMap, tileShape.size())));
}

Type PartitionViewType::getViewedTensor() const {
  return getTensorView();
}
Type PartitionViewType::getViewTileType() const {
  return getTileType(getTileShape(), getTensorView());
}
size_t PartitionViewType::getViewIndexRank() const {
  return getTileShape().size();
}

//===----------------------------------------------------------------------===//
// StridedViewType
//===----------------------------------------------------------------------===//

Type StridedViewType::parse(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tileShape, traversalStrides, dimMap;
  PaddingValueAttr padding;
  TensorViewType tensor;
  if (parser.parseLess() || parseTileShape(parser, tileShape) || parser.parseKeyword("traversal_strides") ||
      parser.parseEqual() || parseIntegers(parser, traversalStrides) || parser.parseComma() ||
      parsePaddingAndTensor(parser, padding, tensor) || parseDimMap(parser, dimMap, tileShape.size()) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<StridedViewType>(loc, parser.getContext(), tileShape, traversalStrides, tensor, dimMap,
                                            padding);
}

void StridedViewType::print(AsmPrinter &printer) const {
  printTileShape(printer, getTileShape());
  printer << "traversal_strides=[";
  llvm::interleave(getTraversalStrides(), printer, ",");
  printer << "], ";
  printPaddingAndTensor(printer, getPaddingValue(), getTensorView());
  printDimMap(printer, getDimMap());
  printer << '>';
}

LogicalResult StridedViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> tileShape,
                                      ArrayRef<int32_t> traversalStrides, TensorViewType tensor,
                                      ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  if (failed(verifyView(emitError, tileShape, tensor, padding)) ||
      failed(verifyDimMap(emitError, dimMap, tileShape.size())))
    return failure();
  if (traversalStrides.size() != tileShape.size())
    return emitError() << "strided_view has " << traversalStrides.size() << " traversal strides for a tile of rank "
                       << tileShape.size();
  for (int32_t stride : traversalStrides)
    if (stride <= 0)
      return emitError() << "traversal strides must be positive, got " << stride;
  return success();
}

Type StridedViewType::getViewedTensor() const {
  return getTensorView();
}
Type StridedViewType::getViewTileType() const {
  return getTileType(getTileShape(), getTensorView());
}
size_t StridedViewType::getViewIndexRank() const {
  return getTileShape().size();
}

//===----------------------------------------------------------------------===//
// GatherScatterViewType
//===----------------------------------------------------------------------===//

Type GatherScatterViewType::parse(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tileShape;
  PaddingValueAttr padding;
  TensorViewType tensor;
  int32_t sparseDim;
  if (parser.parseLess() || parseTileShape(parser, tileShape) || parsePaddingAndTensor(parser, padding, tensor) ||
      parser.parseComma() || parser.parseKeyword("sparse_dim") || parser.parseEqual() ||
      parser.parseInteger(sparseDim) || parser.parseGreater())
    return {};
  return parser.getChecked<GatherScatterViewType>(loc, parser.getContext(), tileShape, tensor, sparseDim, padding);
}

void GatherScatterViewType::print(AsmPrinter &printer) const {
  printTileShape(printer, getTileShape());
  printPaddingAndTensor(printer, getPaddingValue(), getTensorView());
  printer << ", sparse_dim=" << getSparseDim() << '>';
}

LogicalResult GatherScatterViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> tileShape,
                                            TensorViewType tensor, int32_t sparseDim, PaddingValueAttr padding) {
  if (failed(verifyView(emitError, tileShape, tensor, padding)))
    return failure();
  if (sparseDim < 0 || static_cast<size_t>(sparseDim) >= tileShape.size())
    return emitError() << "sparse_dim " << sparseDim << " is not one of the " << tileShape.size()
                       << " dimensions of the tile";
  return success();
}

Type GatherScatterViewType::getViewedTensor() const {
  return getTensorView();
}
Type GatherScatterViewType::getViewTileType() const {
  return getTileType(getTileShape(), getTensorView());
}
size_t GatherScatterViewType::getViewIndexRank() const {
  return getTileShape().size();
}
SmallVector<int64_t> GatherScatterViewType::getIndexShape(unsigned dim) const {
  if (dim != static_cast<unsigned>(getSparseDim()))
    return {};
  return {getTileShape()[dim]};
}
