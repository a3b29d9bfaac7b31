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
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MemRefFacts.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::async {

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
static bool checkArray(const TensorCopyRule &rule, Value memref, std::string &reason) {
  auto type = cast<aa::TileMemRefType>(memref.getType());
  auto isLoop = [](LoopLikeOpInterface) { return WalkResult::interrupt(); };
  Operation *make = memref.getDefiningOp<aa::MakeMemRefOp>();
  LoopLikeOpInterface loop = make ? getInnermostLoop(make) : nullptr;
  if (!make)
    reason = "its array is not known where the kernel starts";
  else if (loop &&
           llvm::none_of(loop.getLoopRegions(), [&](Region *body) { return body->walk(isLoop).wasInterrupted(); }))
    reason = "its array is created in each iteration of an innermost loop";
  else if (reason = rule.explainRank(type.getRank()); reason.empty())
    reason = rule.explainElement(type.getElementType());
  return reason.empty();
}

/// The array of a view that a map can describe.
static bool checkView(const TensorCopyRule &rule, Value value, Value &memref, std::string &reason) {
  auto makeView = value.getDefiningOp<as::MakeTiledViewOp>();
  if (!makeView) {
    reason = "its array is not known where the kernel starts";
    return false;
  }
  memref = makeView.getSource();
  return checkArray(rule, memref, reason);
}

static bool checkAlignment(const TensorCopyRule &rule, Value memref, unsigned contiguous, std::string &reason) {
  as::MemRefFacts facts = as::getMemRefFacts(memref);
  facts.strideDivisors[contiguous] = 0;
  reason = rule.explainBase(facts.baseAlignment);
  if (reason.empty())
    reason = rule.explainStrides(facts.strideDivisors,
                                 getTmaElementBytes(cast<aa::TileMemRefType>(memref.getType()).getElementType()));
  return reason.empty();
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

static bool checkExtents(const TensorCopyRule &rule, Value memref, std::string &reason) {
  auto type = cast<aa::TileMemRefType>(memref.getType());
  auto make = memref.getDefiningOp<aa::MakeMemRefOp>();
  reason = rule.explainSizes(type.getShape(), findLargest(type.getShape(), make.getSizes()));
  if (reason.empty())
    reason = rule.explainLongStrides(type.getStrides(), findLargest(type.getStrides(), make.getStrides()),
                                     getTmaElementBytes(type.getElementType()));
  return reason.empty();
}

/// What fills `slot`; nothing where that is no row of boxes.
static std::optional<TmaTile> findTile(const TensorCopyRule &rule, RankedTensorType slot, Type element) {
  llvm::Expected<LinearLayout> memory = as::getSharedLayout(slot);
  if (memory)
    return rule.findBox(*memory, as::getSharedBits(element));
  llvm::consumeError(memory.takeError());
  return std::nullopt;
}

static as::TmaDescType getDescriptor(const TmaTile &tile, ArrayRef<int64_t> box, Type element) {
  const int64_t swizzle = tile.swizzle == SwizzleMode::None ? 0 : getSwizzleRowBytes(tile.swizzle);
  return as::TmaDescType::get(element.getContext(), box, element, swizzle);
}

std::optional<TmaAccess> findTmaAccess(const TensorCopyRule &rule, Value value, RankedTensorType slot,
                                       std::string &reason) {
  TmaAccess access;
  if (!checkView(rule, value, access.memref, reason) || !checkExtents(rule, access.memref, reason))
    return std::nullopt;
  auto view = cast<as::TiledViewType>(value.getType());
  reason = view.getSparseDim() >= 0 ? "it gathers" : rule.explainSteps(view.getSteps());
  if (!reason.empty())
    return std::nullopt;
  const std::optional<TmaTile> tile = findTile(rule, slot, view.getElementType());
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
  if (!checkAlignment(rule, access.memref, contiguous, reason))
    return std::nullopt;
  access.descriptor = getDescriptor(*tile, box, slot.getElementType());
  return access;
}

bool checkRowEnds(const TensorCopyRule &rule, const TmaAccess &access, ArrayRef<bool> inBounds, std::string &reason) {
  const int32_t row = access.memRefDims.back();
  if (inBounds[row])
    return true;
  auto type = cast<aa::TileMemRefType>(access.memref.getType());
  reason = rule.explainRowEnd(row, type.getShape()[row], as::getMemRefFacts(access.memref).sizeDivisors[row],
                              getTmaElementBytes(type.getElementType()));
  return reason.empty();
}

bool checkTmaHint(Operation *access, std::string &reason) {
  if (!aa::allowsTma(access))
    reason = "its hint 'allow_tma = false' says so";
  return reason.empty();
}

/// The engine keeps the order of `load` with other accesses, and fills what is outside as it says.
static bool checkAccess(as::TiledLoadOp load, std::string &reason) {
  if (!checkTmaHint(load, reason))
    return false;
  if (load.getMemSemantic() != aa::MemSemantic::Weak || (load.getResultToken() && !load.getResultToken().use_empty())) {
    reason = "others are ordered after the load";
    return false;
  }
  if (isBehindWrites(load.getToken())) {
    reason = "it is ordered after accesses of threads";
    return false;
  }
  return checkPadding(load.getPaddingValue(), load.getView().getType().getElementType(), reason);
}

std::optional<TmaAccess> findTmaAccess(const TensorCopyRule &rule, as::TiledLoadOp load, Value slot,
                                       std::string &reason) {
  if (!checkAccess(load, reason))
    return std::nullopt;
  std::optional<TmaAccess> access = findTmaAccess(rule, load.getView(), cast<RankedTensorType>(slot.getType()), reason);
  if (access && load.getPaddingValue().value_or(aa::PaddingValue::Zero) != aa::PaddingValue::Zero)
    access->oobMode = load.getPaddingValueAttr();
  return access;
}

/// Rows are along the sparse dimension of the view, of an array of two dimensions, whose rows have neighbours.
static std::string explainRows(as::TiledViewType view) {
  if (view.getRank() != 2 || view.getSource().getRank() != 2)
    return "its rows are not those of a matrix";
  if (view.getSource().getStrides()[view.getDimMap()[1 - view.getSparseDim()]] != 1)
    return "the elements of its rows are no neighbours in the array";
  if (view.getShape()[view.getSparseDim()] < as::kRowsOfCopy)
    return "it has fewer rows than one instruction copies";
  return "";
}

std::optional<TmaAccess> findRowAccess(const TensorCopyRule &rule, Value value, RankedTensorType slot,
                                       std::string &reason) {
  const auto view = cast<as::TiledViewType>(value.getType());
  TmaAccess access;
  if (!checkView(rule, value, access.memref, reason) || !checkExtents(rule, access.memref, reason))
    return std::nullopt;
  reason = explainRows(view);
  if (!reason.empty())
    return std::nullopt;
  const int32_t sparse = view.getSparseDim(), row = 1 - sparse;
  const std::optional<TmaTile> tile = findTile(rule, slot, view.getElementType());
  if (!tile || tile->order.front() != unsigned(row) || tile->box[sparse] != slot.getDimSize(sparse)) {
    reason = "its rows are not one after the other in shared memory";
    return std::nullopt;
  }
  access.tileDims = {sparse, row};
  access.memRefDims = {view.getDimMap()[sparse], view.getDimMap()[row]};
  if (!checkAlignment(rule, access.memref, access.memRefDims.back(), reason))
    return std::nullopt;
  access.descriptor = getDescriptor(*tile, {1, tile->box[row]}, slot.getElementType());
  return access;
}

std::optional<TmaAccess> findRowAccess(const TensorCopyRule &rule, as::TiledLoadOp load, RankedTensorType slot,
                                       std::string &reason) {
  if (!checkAccess(load, reason))
    return std::nullopt;
  if (load.getPaddingValue().value_or(aa::PaddingValue::Zero) == aa::PaddingValue::Zero)
    return findRowAccess(rule, load.getView(), slot, reason);
  reason = "rows that are not there are filled with zeros only";
  return std::nullopt;
}

std::optional<unsigned> findContiguousDim(aa::TiledViewType view) {
  std::optional<unsigned> contiguous;
  for (unsigned d = 0; d < view.getRank(); ++d)
    if (view.getSource().getStrides()[view.getDimMap()[d]] == 1 &&
        (!contiguous || view.getTileShape()[d] > view.getTileShape()[*contiguous]))
      contiguous = d;
  return contiguous;
}

bool canEngineLoad(const TensorCopyRule &rule, aa::TiledLoadOp load, std::string &reason) {
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
  if (!reason.empty() || !checkArray(rule, tiles.getSource(), reason) || !checkExtents(rule, tiles.getSource(), reason))
    return false;
  reason = rule.explainSteps(steps);
  if (!reason.empty() || !checkPadding(view.getPadding(), view.getElementType(), reason))
    return false;
  // The stage will have it as its fastest.
  const std::optional<unsigned> contiguous = findContiguousDim(view);
  if (!contiguous)
    reason = "no dimension of the array is known to have neighbouring elements";
  else
    reason = rule.explainRow(view.getTileShape()[*contiguous] * getTmaElementBytes(view.getElementType()));
  return reason.empty() && checkAlignment(rule, tiles.getSource(), view.getDimMap()[*contiguous], reason);
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
  const uint64_t farthest = llvm::divideCeil(TensorCopyLimits::kMostElements, uint64_t(step));
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

Value emitTmaRows(OpBuilder &builder, Location location, Value rows, int64_t numWarps) {
  auto type = cast<RankedTensorType>(rows.getType());
  const unsigned bits = type.getElementTypeBitWidth();
  auto i32 = type.clone(builder.getI32Type());
  if (bits > 32) {
    auto farthest = DenseElementsAttr::get(type, APInt(bits, TensorCopyLimits::kMostElements));
    Value most = arith::ConstantOp::create(builder, location, farthest);
    rows = arith::MinUIOp::create(builder, location, rows, most);
  }
  if (bits != 32)
    rows = bits < 32 ? arith::ExtUIOp::create(builder, location, i32, rows).getResult()
                     : arith::TruncIOp::create(builder, location, i32, rows).getResult();
  const LinearLayout layout = as::getRowLayout(type.getNumElements(), numWarps);
  auto held = i32.cloneWithEncoding(as::LinearAttr::get(builder.getContext(), layout));
  return rows.getType() == held ? rows : as::ConvertLayoutOp::create(builder, location, held, rows).getResult();
}

Value emitTmaColumn(OpBuilder &builder, Location location, const TmaAccess &access, as::TiledViewType view,
                    ValueRange tile) {
  const int32_t row = access.tileDims.back();
  return emitTmaCoordinate(builder, location, tile[row], view.getSteps()[row]);
}

SmallVector<Value> emitTmaCoordinates(OpBuilder &builder, Location location, const TmaAccess &access,
                                      as::TiledViewType view, ValueRange tile) {
  return llvm::map_to_vector(access.tileDims, [&](int32_t dim) {
    return emitTmaCoordinate(builder, location, tile[dim], view.getSteps()[dim]);
  });
}

} // namespace tileiras::async
