//===- TmaEligibility.cpp - What the copy engine can copy -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaEligibility.h"
#include "TokenOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/AccessHints.h"
#include "tileiras/Dialect/TileAA/Ranges.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MemRefFacts.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::async {

constexpr int64_t kTmaAlignment = 16, kMaxTmaRank = 5;

static bool isTmaElement(Type element) {
  return element.isIntOrFloat() && llvm::is_contained({8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth());
}

static int64_t getTmaElementBytes(Type element) {
  return as::getSharedBits(element) / 8;
}

/// What the engine reads outside of the array: zeros, or NaN of wider floats.
static bool checkPadding(std::optional<aa::PaddingValue> padding, Type element, std::string &reason) {
  if (!padding || *padding == aa::PaddingValue::Zero)
    return true;
  if (*padding == aa::PaddingValue::NaN && isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return true;
  reason = llvm::formatv("it fills what is outside of an array with zeros, not with '{0}' of {1}",
                         aa::stringifyPaddingValue(*padding), element);
  return false;
}

static LoopLikeOpInterface getInnermostLoop(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>();
}

/// A map is made where the kernel starts or where its array is made: not in innermost loops, which use it.
static bool checkArray(Value memref, std::string &reason) {
  auto type = cast<aa::TileMemRefType>(memref.getType());
  auto isLoop = [](LoopLikeOpInterface) { return WalkResult::interrupt(); };
  Operation *make = memref.getDefiningOp<aa::MakeMemRefOp>();
  LoopLikeOpInterface loop = make ? getInnermostLoop(make) : nullptr;
  if (!make)
    reason = "its array is not known where the kernel starts";
  else if (loop &&
           llvm::none_of(loop.getLoopRegions(), [&](Region *body) { return body->walk(isLoop).wasInterrupted(); }))
    reason = "its array is created in each iteration of an innermost loop";
  else if (type.getRank() == 0 || type.getRank() > kMaxTmaRank)
    reason = llvm::formatv("an array of {0} dimensions; one to five are possible", type.getRank());
  else if (!isTmaElement(type.getElementType()))
    reason = llvm::formatv("elements of type {0}", type.getElementType());
  return reason.empty();
}

/// The array of a view that a map can describe.
static bool checkView(Value value, Value &memref, std::string &reason) {
  auto makeView = value.getDefiningOp<as::MakeTiledViewOp>();
  if (!makeView)
    reason = "its array is not known where the kernel starts";
  else if (cast<as::TiledViewType>(value.getType()).getSparseDim() >= 0)
    reason = "it gathers";
  if (!reason.empty())
    return false;
  memref = makeView.getSource();
  return checkArray(memref, reason);
}

/// A map holds addresses and strides in units of 16 bytes.
static bool checkAlignment(Value memref, unsigned contiguous, std::string &reason) {
  auto type = cast<aa::TileMemRefType>(memref.getType());
  const as::MemRefFacts facts = as::getMemRefFacts(memref);
  const int64_t bytes = getTmaElementBytes(type.getElementType());
  if (facts.baseAlignment % kTmaAlignment != 0) {
    reason = llvm::formatv("the address of the array is not known to be a multiple of {0} bytes; 'assume div_by<{0}>' "
                           "on its pointer would say so",
                           kTmaAlignment);
    return false;
  }
  for (auto [dim, divisor] : llvm::enumerate(facts.strideDivisors)) {
    if (dim == contiguous || divisor * bytes % kTmaAlignment == 0)
      continue;
    reason =
        llvm::formatv("the stride of dimension {0} is not known to be a multiple of {1} bytes; 'assume div_by<{2}>' "
                      "on it would say so",
                      dim, kTmaAlignment, std::max<int64_t>(kTmaAlignment / bytes, 1));
    return false;
  }
  return true;
}

/// The most that each of these may be; `dynamics` are the values that `statics` leaves open.
static SmallVector<uint64_t> findLargest(ArrayRef<int64_t> statics, ValueRange dynamics) {
  SmallVector<uint64_t> largest;
  for (int64_t value : statics) {
    largest.push_back(value);
    if (!ShapedType::isDynamic(value))
      continue;
    largest.back() = aa::getKnownRange(dynamics.front()).umax().getLimitedValue();
    dynamics = dynamics.drop_front();
  }
  return largest;
}

/// Extents and strides are unsigned, the engine's coordinates are signed numbers of 32 bits: it reaches the first 2^31
/// elements along a dimension. A map has 40 bits for a stride in bytes.
static bool checkExtents(Value memref, std::string &reason) {
  constexpr uint64_t mostElements = uint64_t(1) << 31, strideLimit = uint64_t(1) << 40;
  auto type = cast<aa::TileMemRefType>(memref.getType());
  auto make = memref.getDefiningOp<aa::MakeMemRefOp>();
  for (auto [dim, size] : llvm::enumerate(findLargest(type.getShape(), make.getSizes()))) {
    if (size <= mostElements)
      continue;
    reason = llvm::formatv("the size of dimension {0} may be more than 2^31, and its coordinates are signed numbers of "
                           "32 bits",
                           dim);
    if (ShapedType::isDynamic(type.getShape()[dim]))
      reason += "; 'assume bounded<0, 2147483647>' on it would say that it is not";
    return false;
  }
  const uint64_t bytes = getTmaElementBytes(type.getElementType());
  for (auto [dim, stride] : llvm::enumerate(findLargest(type.getStrides(), make.getStrides()))) {
    if (stride < strideLimit / bytes)
      continue;
    reason = llvm::formatv("the stride of dimension {0} may be 2^40 bytes or more", dim);
    if (ShapedType::isDynamic(type.getStrides()[dim]))
      reason += llvm::formatv("; 'assume bounded<0, {0}>' on it would say that it is not", strideLimit / bytes - 1);
    return false;
  }
  return true;
}

/// Tiles that start where no coordinate reaches get one in front of the array (see emitTmaCoordinate), so far that
/// they end there, too.
static bool checkSteps(ArrayRef<int64_t> steps, std::string &reason) {
  constexpr int64_t most = 1 << 30;
  if (llvm::all_of(steps, [](int64_t step) { return step <= most; }))
    return true;
  reason = "its tiles are more than 2^30 elements apart";
  return false;
}

std::optional<TmaAccess> findTmaAccess(Value value, RankedTensorType slot, std::string &reason) {
  TmaAccess access;
  if (!checkView(value, access.memref, reason) || !checkExtents(access.memref, reason))
    return std::nullopt;
  auto view = cast<as::TiledViewType>(value.getType());
  if (!checkSteps(view.getSteps(), reason))
    return std::nullopt;
  const unsigned bits = as::getSharedBits(view.getElementType());
  llvm::Expected<LinearLayout> memory = as::getSharedLayout(slot);
  std::optional<TmaTile> tile;
  if (memory)
    tile = matchTmaTile(*memory, bits);
  else
    llvm::consumeError(memory.takeError());
  if (!tile) {
    reason = "the tile's place in shared memory is not a row of boxes";
    return std::nullopt;
  }
  // The box's fastest dimension last.
  for (unsigned dim = 0; dim < view.getRank(); ++dim)
    if (!llvm::is_contained(tile->order, dim))
      access.tileDims.push_back(dim);
  llvm::append_range(access.tileDims, llvm::reverse(tile->order));
  SmallVector<int64_t> box;
  for (int32_t dim : access.tileDims) {
    access.memRefDims.push_back(view.getDimMap()[dim]);
    box.push_back(tile->box[dim]);
  }
  const unsigned contiguous = access.memRefDims.back();
  if (view.getSource().getStrides()[contiguous] != 1) {
    reason = "neighbours along the tile's fastest dimension are not neighbours in the array";
    return std::nullopt;
  }
  if (!checkAlignment(access.memref, contiguous, reason))
    return std::nullopt;
  const int64_t swizzle = tile->swizzle == SwizzleMode::None ? 0 : getSwizzleRowBytes(tile->swizzle);
  access.descriptor = as::TmaDescType::get(value.getContext(), box, slot.getElementType(), swizzle);
  return access;
}

bool checkRowEnds(const TmaAccess &access, ArrayRef<bool> inBounds, std::string &reason) {
  const int32_t row = access.memRefDims.back();
  auto type = cast<aa::TileMemRefType>(access.memref.getType());
  const int64_t bytes = getTmaElementBytes(type.getElementType());
  if (inBounds[row] || as::getMemRefFacts(access.memref).sizeDivisors[row] * bytes % kTmaAlignment == 0)
    return true;
  reason =
      llvm::formatv("its stores reach the end of the last {0} bytes in which a row has elements, and ", kTmaAlignment);
  if (const int64_t size = type.getShape()[row]; !ShapedType::isDynamic(size))
    reason +=
        llvm::formatv("rows are {0} elements of {1} bytes (dimension {2}), no multiple of that", size, bytes, row);
  else
    reason +=
        llvm::formatv("the size of dimension {0} is not known to be a multiple of that; 'assume div_by<{1}>' on it "
                      "would say so",
                      row, kTmaAlignment / bytes);
  return false;
}

bool checkTmaHint(Operation *access, std::string &reason) {
  if (!aa::allowsTma(access))
    reason = "its hint 'allow_tma = false' says so";
  return reason.empty();
}

std::optional<TmaAccess> findTmaAccess(as::TiledLoadOp load, Value slot, std::string &reason) {
  if (!checkTmaHint(load, reason))
    return std::nullopt;
  if (load.getMemSemantic() != aa::MemSemantic::Weak || (load.getResultToken() && !load.getResultToken().use_empty())) {
    reason = "others are ordered after the load";
    return std::nullopt;
  }
  if (isBehindWrites(load.getToken())) {
    reason = "it is ordered after accesses of threads";
    return std::nullopt;
  }
  if (!checkPadding(load.getPaddingValue(), load.getView().getType().getElementType(), reason))
    return std::nullopt;
  std::optional<TmaAccess> access = findTmaAccess(load.getView(), cast<RankedTensorType>(slot.getType()), reason);
  if (access && load.getPaddingValue().value_or(aa::PaddingValue::Zero) != aa::PaddingValue::Zero)
    access->oobMode = load.getPaddingValueAttr();
  return access;
}

std::optional<unsigned> findContiguousDim(aa::TiledViewType view) {
  std::optional<unsigned> contiguous;
  for (unsigned d = 0; d < view.getRank(); ++d)
    if (view.getSource().getStrides()[view.getDimMap()[d]] == 1 &&
        (!contiguous || view.getTileShape()[d] > view.getTileShape()[*contiguous]))
      contiguous = d;
  return contiguous;
}

bool canEngineLoad(aa::TiledLoadOp load, std::string &reason) {
  aa::TiledViewType view = load.getView().getType();
  auto tiles = load.getView().getDefiningOp<aa::BlockTileOp>();
  if (!checkTmaHint(load, reason))
    return false;
  if (!tiles)
    reason = "its array is not known where the kernel starts";
  else if (view.isGatherScatter())
    reason = "it gathers";
  SmallVector<int64_t> steps;
  for (unsigned dim = 0; dim < view.getRank(); ++dim)
    steps.push_back(view.getStep(dim));
  if (!reason.empty() || !checkArray(tiles.getSource(), reason) || !checkExtents(tiles.getSource(), reason) ||
      !checkSteps(steps, reason) || !checkPadding(view.getPadding(), view.getElementType(), reason))
    return false;
  // The stage will have it as its fastest.
  const std::optional<unsigned> contiguous = findContiguousDim(view);
  if (!contiguous)
    reason = "no dimension of the array is known to have neighbouring elements";
  else if (view.getTileShape()[*contiguous] * getTmaElementBytes(view.getElementType()) % kTmaAlignment != 0)
    reason = llvm::formatv("a row of the tile is no multiple of {0} bytes", kTmaAlignment);
  return reason.empty() && checkAlignment(tiles.getSource(), view.getDimMap()[*contiguous], reason);
}

template <typename T>
static SmallVector<T> pick(ArrayRef<T> values, ArrayRef<int32_t> dims) {
  return llvm::map_to_vector(dims, [&](int32_t dim) { return values[dim]; });
}

/// The values of those dimensions that `statics` leaves open, in the order of `dims`.
static SmallVector<Value> pickDynamic(ArrayRef<int64_t> statics, ValueRange dynamics, ArrayRef<int32_t> dims) {
  SmallVector<Value> picked;
  for (int32_t dim : dims)
    if (ShapedType::isDynamic(statics[dim]))
      picked.push_back(dynamics[llvm::count(statics.take_front(dim), ShapedType::kDynamic)]);
  return picked;
}

static bool isIdentity(ArrayRef<int32_t> dims) {
  return llvm::all_of(llvm::enumerate(dims), [](auto it) { return int32_t(it.index()) == it.value(); });
}

Value permuteMemRef(OpBuilder &builder, Value memref, ArrayRef<int32_t> dims) {
  if (isIdentity(dims))
    return memref;
  auto type = cast<aa::TileMemRefType>(memref.getType());
  auto make = memref.getDefiningOp<aa::MakeMemRefOp>();
  auto permuted = aa::TileMemRefType::get(type.getContext(), pick(type.getShape(), dims), type.getElementType(),
                                          pick(type.getStrides(), dims), type.getAddressSpace());
  return aa::MakeMemRefOp::create(builder, make.getLoc(), permuted, make.getBase(),
                                  pickDynamic(type.getShape(), make.getSizes(), dims),
                                  pickDynamic(type.getStrides(), make.getStrides(), dims), make.getAliasScopeAttr());
}

Value permuteSlot(OpBuilder &builder, Location location, Value slot, ArrayRef<int32_t> dims) {
  if (isIdentity(dims))
    return slot;
  auto type = cast<RankedTensorType>(slot.getType());
  return as::PermuteOp::create(builder, location, as::getPermutedMemory(type, dims), slot,
                               builder.getDenseI32ArrayAttr(dims));
}

/// The i32 element index at which tile number `tile` starts, `step` elements a tile. From 2^31 on, where no array has
/// elements, the number of the tile becomes the first such; the engine takes its index for one far in front of the
/// array.
static Value emitTmaCoordinate(OpBuilder &builder, Location location, Value tile, int64_t step) {
  const uint64_t farthest = llvm::divideCeil(uint64_t(1) << 31, uint64_t(step));
  Type i32 = builder.getI32Type();
  auto constant = [&](Type type, uint64_t value) {
    return arith::ConstantOp::create(builder, location,
                                     builder.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), value)));
  };
  Value number = tile;
  if (aa::getKnownRange(tile).umax().ugt(farthest))
    number = arith::MinUIOp::create(builder, location, tile, constant(tile.getType(), farthest));
  const unsigned bits = tile.getType().getIntOrFloatBitWidth();
  if (bits != 32)
    number = bits < 32 ? arith::ExtUIOp::create(builder, location, i32, number).getResult()
                       : arith::TruncIOp::create(builder, location, i32, number).getResult();
  return step == 1 ? number : arith::MulIOp::create(builder, location, number, constant(i32, step)).getResult();
}

SmallVector<Value> emitTmaCoordinates(OpBuilder &builder, Location location, const TmaAccess &access,
                                      as::TiledViewType view, ValueRange tile) {
  return llvm::map_to_vector(access.tileDims, [&](int32_t dim) {
    return emitTmaCoordinate(builder, location, tile[dim], view.getSteps()[dim]);
  });
}

} // namespace tileiras::async
