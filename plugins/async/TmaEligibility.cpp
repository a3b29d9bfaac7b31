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
    reason = "its array is made anew in each iteration of an innermost loop";
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

/// Coordinates are signed numbers of 32 bits.
static bool checkExtents(Value memref, std::string &reason) {
  auto type = cast<aa::TileMemRefType>(memref.getType());
  auto make = memref.getDefiningOp<aa::MakeMemRefOp>();
  auto isWide = [](Value size) {
    Operation *op = size.getDefiningOp();
    return size.getType().getIntOrFloatBitWidth() > 32 && !isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op);
  };
  if (llvm::none_of(make.getSizes(), isWide) &&
      llvm::none_of(type.getShape(), [](int64_t size) { return size > std::numeric_limits<int32_t>::max(); }))
    return true;
  reason = "an extent of the array may not fit in 32 bits";
  return false;
}

std::optional<TmaAccess> findTmaAccess(Value value, RankedTensorType slot, std::string &reason) {
  TmaAccess access;
  if (!checkView(value, access.memref, reason) || !checkExtents(access.memref, reason))
    return std::nullopt;
  auto view = cast<as::TiledViewType>(value.getType());
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
    reason = "others are ordered behind the load";
    return std::nullopt;
  }
  if (isBehindWrites(load.getToken())) {
    reason = "it is ordered behind accesses of threads";
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
  if (!reason.empty() || !checkArray(tiles.getSource(), reason) || !checkExtents(tiles.getSource(), reason) ||
      !checkPadding(view.getPadding(), view.getElementType(), reason))
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

/// For steps that are powers of two: from 2^31 / step on, products wrap to where no array is.
static Value emitWrappedCoordinate(OpBuilder &builder, Location location, Value tile, int64_t step) {
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, location, builder.getI32IntegerAttr(value));
  };
  if (step == 1)
    return tile;
  const int64_t farthest = (int64_t(1) << 31) / step;
  Value low = arith::MaxSIOp::create(builder, location, tile, constant(-farthest));
  Value clamped = arith::MinSIOp::create(builder, location, low, constant(farthest));
  return arith::MulIOp::create(builder, location, clamped, constant(step));
}

/// The i32 element index at which tile number `tile` starts, `step` elements a tile. Beyond 32 bits it is the nearest
/// index that exists: no array reaches it.
static Value emitTmaCoordinate(OpBuilder &builder, Location location, Value tile, int64_t step) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  if (tile.getType() == i32 && llvm::isPowerOf2_64(step))
    return emitWrappedCoordinate(builder, location, tile, step);
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, location, builder.getI64IntegerAttr(value));
  };
  const int64_t lowest = std::numeric_limits<int32_t>::min(), highest = std::numeric_limits<int32_t>::max();
  auto clamp = [&](Value value) -> Value {
    Value low = arith::MaxSIOp::create(builder, location, value, constant(lowest));
    return arith::MinSIOp::create(builder, location, low, constant(highest));
  };
  // Clamped before, too, where the product could overflow.
  Value wide = tile;
  if (tile.getType().getIntOrFloatBitWidth() < 64)
    wide = arith::ExtSIOp::create(builder, location, i64, tile);
  else
    wide = clamp(tile);
  Value start = arith::MulIOp::create(builder, location, wide, constant(step));
  return arith::TruncIOp::create(builder, location, i32, clamp(start));
}

SmallVector<Value> emitTmaCoordinates(OpBuilder &builder, Location location, const TmaAccess &access,
                                      as::TiledViewType view, ValueRange tile) {
  return llvm::map_to_vector(access.tileDims, [&](int32_t dim) {
    return emitTmaCoordinate(builder, location, tile[dim], view.getSteps()[dim]);
  });
}

} // namespace tileiras::async
