//===- TileASTypes.cpp - Types of nv_tileas -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/TileAA/ProgramForm.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Layout/TensorCopyLimits.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAS/TileASTypes.cpp.inc"

void TileASDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/TileAS/TileASTypes.cpp.inc"
      >();
}

/// Loops are unrolled by as many iterations; no shared memory holds so many stages of tiles.
static constexpr int64_t kMostStages = 1024;

template <typename Int>
static ParseResult parseList(AsmParser &parser, StringRef name, SmallVectorImpl<Int> &values) {
  if (parser.parseComma() || parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

// '<' 64x32 ',' memref<…> ',' 'steps' '=' […] ',' 'dim_map' '=' […] (',' 'sparse_dim' '=' n)? '>'
Type TiledViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, steps;
  SmallVector<int32_t> dimMap;
  aa::TileMemRefType source;
  int32_t sparseDim = -1;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true, /*withTrailingX=*/false) ||
      parser.parseComma() || parser.parseKeyword("memref") || parser.parseCustomTypeWithFallback(source) ||
      parseList(parser, "steps", steps) || parseList(parser, "dim_map", dimMap))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("sparse_dim") || parser.parseEqual() || parser.parseInteger(sparseDim)))
    return {};
  if (parser.parseGreater())
    return {};
  return TiledViewType::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape, source, steps,
                                   dimMap, sparseDim);
}

void TiledViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << ", memref";
  printer.printStrippedAttrOrType(getSource());
  printer << ", steps = [";
  llvm::interleaveComma(getSteps(), printer);
  printer << "], dim_map = [";
  llvm::interleaveComma(getDimMap(), printer);
  printer << ']';
  if (getSparseDim() >= 0)
    printer << ", sparse_dim = " << getSparseDim();
  printer << '>';
}

LogicalResult TiledViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                    aa::TileMemRefType source, ArrayRef<int64_t> steps, ArrayRef<int32_t> dimMap,
                                    int32_t sparseDim) {
  auto refuse = [&](StringRef text) -> LogicalResult {
    InFlightDiagnostic diagnostic = emitError() << text << '(';
    llvm::interleaveComma(shape, diagnostic);
    return diagnostic << ')';
  };
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent <= 0)
      return refuse("all dimensions must be positive constants, got ");
    if (!llvm::isPowerOf2_64(extent))
      return refuse("all dimensions must be powers of two, got ");
    if (extent > aa::kMaxElements / elements)
      return emitError() << "tile would exceed the maximum of " << aa::kMaxElements << " elements";
    elements *= extent;
  }
  if (shape.empty())
    return emitError() << "a tile of a view has at least one dimension";
  size_t rank = shape.size();
  if (steps.size() != rank || dimMap.size() != rank || source.getShape().size() != rank)
    return emitError() << "expects steps, dim_map and memref dimensions for each of the " << rank
                       << " dimensions of the tile, but got " << steps.size() << ", " << dimMap.size() << " and "
                       << source.getShape().size();
  SmallVector<bool> mapped(rank, false);
  for (int32_t dim : dimMap)
    if (dim < 0 || dim >= int32_t(rank) || std::exchange(mapped[dim], true))
      return emitError() << "dim_map must name every dimension of the memref once";
  if (!llvm::all_of(steps, [](int64_t step) { return step > 0; }))
    return emitError() << "steps must be positive";
  if (sparseDim < -1 || sparseDim >= int32_t(rank))
    return emitError() << "sparse_dim " << sparseDim << " is not a dimension of the tile";
  return success();
}

LogicalResult SlicesType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> grid,
                                 RankedTensorType slice, unsigned addressSpace) {
  if (int64_t(grid.size()) != slice.getRank())
    return emitError() << "expects a number of slices for each of the " << slice.getRank() << " axes, not "
                       << grid.size();
  if (!llvm::all_of(grid, llvm::isPowerOf2_64))
    return emitError() << "expects powers of two as numbers of slices";
  if (addressSpace != 0 && addressSpace != 3)
    return emitError() << "expects local (0) or shared memory (3), not address space " << addressSpace;
  return success();
}

//===----------------------------------------------------------------------===//
// Pipelines and tensor maps
//===----------------------------------------------------------------------===//

std::pair<int64_t, ArrayRef<Type>> tileiras::as::detail::getPipelineParameters(Type type) {
  return TypeSwitch<Type, std::pair<int64_t, ArrayRef<Type>>>(type)
      .Case<PipelineType, IteratorType, ProducerTokenType, ConsumerTokenType>(
          [](auto of) { return std::pair(of.getStages(), of.getPayload()); })
      .Default([](Type) { return std::pair<int64_t, ArrayRef<Type>>(0, {}); });
}

LogicalResult PipelineType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages,
                                   ArrayRef<Type> payload) {
  if (stages < 1)
    return emitError() << "expects a pipeline of at least one stage, but got " << stages;
  if (stages > kMostStages)
    return emitError() << "expects a pipeline of at most " << kMostStages << " stages, but got " << stages;
  if (payload.empty())
    return emitError() << "expects a pipeline whose stages hold something";
  for (Type type : payload) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor ? !tensor.hasStaticShape() : !type.isIntOrIndexOrFloat() && !isa<aa::PtrType>(type))
      return emitError() << "expects a payload of tensors of static shape and scalars, but got " << type;
  }
  return success();
}

LogicalResult IteratorType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages,
                                   ArrayRef<Type> payload) {
  return PipelineType::verify(emitError, stages, payload);
}

LogicalResult ProducerTokenType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages,
                                        ArrayRef<Type> payload) {
  return PipelineType::verify(emitError, stages, payload);
}

LogicalResult ConsumerTokenType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages,
                                        ArrayRef<Type> payload) {
  return PipelineType::verify(emitError, stages, payload);
}

/// What the ISA allows. A chip may allow less: tileir-verify-ops-analysis, which knows it, says so.
static constexpr TensorCopyLimits kTensorMapLimits;

// '<' 128x64xf16 (',' 'swizzle' '=' bytes)? '>'
Type TmaDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> box;
  Type elementType;
  int64_t swizzle = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(box, /*allowDynamic=*/false) || parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("swizzle") || parser.parseEqual() || parser.parseInteger(swizzle)))
    return {};
  if (parser.parseGreater())
    return {};
  return TmaDescType::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), box, elementType, swizzle);
}

void TmaDescType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getBox());
  printer << 'x' << getElementType();
  if (getSwizzle() != 0)
    printer << ", swizzle = " << getSwizzle();
  printer << '>';
}

Type TmaDescType::getArrayElementType() const {
  return isa<FloatTF32Type>(getElementType()) ? Float32Type::get(getContext()) : getElementType();
}

LogicalResult TmaDescType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> box, Type elementType,
                                  int64_t swizzle) {
  if (!elementType.isIntOrFloat())
    return emitError() << "expects a tensor map of numbers, but got " << elementType;
  if (box.empty() || box.size() > kTensorMapLimits.mostDimensions)
    return emitError() << "expects a box of 1 to " << kTensorMapLimits.mostDimensions << " dimensions, but got "
                       << box.size();
  for (int64_t extent : box)
    if (extent < 1 || extent > kTensorMapLimits.mostBoxExtent)
      return emitError() << "expects box extents of 1 to " << kTensorMapLimits.mostBoxExtent << ", but got " << extent
                         << "; copy a larger tile in several boxes";
  const int64_t rowBits = box.back() * getSharedBits(elementType);
  if (rowBits % (8 * kTensorMapLimits.rowAlignment) != 0)
    return emitError() << "tma boxDims[0] * elemTypeBitWidth is not a multiple of 16 bytes";
  if (!llvm::is_contained<int64_t>({0, 32, 64, 128}, swizzle))
    return emitError() << "expects a swizzle over 32, 64 or 128 bytes, or 0 for none, but got " << swizzle;
  if (swizzle != 0 && rowBits > 8 * swizzle)
    return emitError() << "expects box rows within the swizzle's " << swizzle << " bytes, but got " << rowBits / 8
                       << "; copy a wider tile in several boxes";
  return success();
}
