//===- MemoryPatterns.cpp - Access to memory ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAA/Contiguity.h"
#include "tileiras/Dialect/TileAA/Divisibility.h"
#include "tileiras/Lowering/LoweredTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {
namespace {

template <typename OpTy>
struct MemoryPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OpAdaptor = typename OpTy::Adaptor;

  /// What stands for a result; null for none.
  Type convert(Value result) const { return result ? this->getTypeConverter()->convertType(result.getType()) : Type(); }
  static as::AtomAttr getUniversalCopy(OpBuilder &builder) { return as::AtomAttr::getAnyCopy(builder.getContext()); }
};

//===----------------------------------------------------------------------===//
// Through views
//===----------------------------------------------------------------------===//

/// Scalars, which are unsigned, are brought to one type, the widest; indices of a gather stay.
SmallVector<Value> unifyCoordinates(OpBuilder &builder, ValueRange coordinates) {
  unsigned bits = 0;
  for (Type type : coordinates.getTypes())
    if (type.isInteger())
      bits = std::max(bits, type.getIntOrFloatBitWidth());
  SmallVector<Value> result;
  for (Value coordinate : coordinates) {
    bool isNarrow = coordinate.getType().isInteger() && coordinate.getType().getIntOrFloatBitWidth() < bits;
    result.push_back(
        isNarrow ? Value(arith::ExtUIOp::create(builder, coordinate.getLoc(), builder.getIntegerType(bits), coordinate))
                 : coordinate);
  }
  return result;
}

/// A view with the coordinates of an access.
struct ViewPlace {
  Value view;
  SmallVector<Value> coordinates;
};

/// Beside the indices of a gather, coordinates count elements. Where they are multiples of more, the view takes such
/// steps: they say how many elements an access may have at once.
ViewPlace takeSteps(OpBuilder &builder, Value view, ValueRange coordinates) {
  ViewPlace place{view, unifyCoordinates(builder, coordinates)};
  auto type = cast<as::TiledViewType>(view.getType());
  auto made = view.getDefiningOp<as::MakeTiledViewOp>();
  if (type.getSparseDim() < 0 || !made)
    return place;
  const int64_t wanted = 128 / getMemoryBits(type.getSource().getElementType()); // the widest access of a thread
  SmallVector<int64_t> steps(type.getSteps());
  for (auto [d, step] : llvm::enumerate(steps)) {
    Value &coordinate = place.coordinates[d];
    if (int32_t(d) == type.getSparseDim() || step != 1)
      continue;
    step = std::min(wanted, aa::getKnownDivisor(coordinates[d]));
    Value divisor = arith::ConstantIntOp::create(builder, coordinate.getLoc(), coordinate.getType(), step);
    coordinate = builder.createOrFold<arith::DivUIOp>(coordinate.getLoc(), coordinate, divisor);
  }
  auto stepped = as::TiledViewType::get(type.getContext(), type.getShape(), type.getSource(), steps, type.getDimMap(),
                                        type.getSparseDim());
  OpBuilder beside(made);
  place.view = as::MakeTiledViewOp::create(beside, made.getLoc(), stepped, made->getOperands());
  return place;
}

/// One flag for each dimension of the memref; unsaid means no.
template <typename OpTy>
SmallVector<bool> getInBounds(OpTy op) {
  if (std::optional<ArrayRef<bool>> flags = op.getInBounds())
    return SmallVector<bool>(*flags);
  return SmallVector<bool>(op.getView().getType().getRank(), false);
}

struct TiledLoadPattern final : MemoryPattern<aa::TiledLoadOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult matchAndRewrite(aa::TiledLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<bool> inBounds = getInBounds(op);
    aa::PaddingValueAttr padding;
    if (llvm::is_contained(inBounds, false))
      padding = aa::PaddingValueAttr::get(op.getContext(), op.getView().getType().getPaddingOrZero());
    const auto [view, coordinates] = takeSteps(rewriter, adaptor.getView(), adaptor.getCoordinates());
    return replaceKeepingNotes(
        rewriter, op,
        as::TiledLoadOp::create(rewriter, op.getLoc(), convert(op.getValue()), convert(op.getResultToken()), view,
                                coordinates, adaptor.getToken(), op.getMemSemanticAttr(), op.getMemScopeAttr(),
                                rewriter.getDenseBoolArrayAttr(inBounds), padding, op.getCacheAttr(), op.getEvictAttr(),
                                getUniversalCopy(rewriter)));
  }
};

struct TiledStorePattern final : MemoryPattern<aa::TiledStoreOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult matchAndRewrite(aa::TiledStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const auto [view, coordinates] = takeSteps(rewriter, adaptor.getView(), adaptor.getCoordinates());
    return replaceKeepingNotes(
        rewriter, op,
        as::TiledStoreOp::create(rewriter, op.getLoc(), convert(op.getResultToken()), view, adaptor.getValue(),
                                 coordinates, adaptor.getToken(), op.getMemSemanticAttr(), op.getMemScopeAttr(),
                                 rewriter.getDenseBoolArrayAttr(getInBounds(op)), op.getCacheAttr(), op.getEvictAttr(),
                                 getUniversalCopy(rewriter)));
  }
};

struct TiledAtomicPattern final : MemoryPattern<aa::TiledAtomicRMWOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult matchAndRewrite(aa::TiledAtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // Here `add` adds what the element type says.
    aa::RmwMode mode = op.getMode() == aa::RmwMode::AddF ? aa::RmwMode::Add : op.getMode();
    const auto [view, coordinates] = takeSteps(rewriter, adaptor.getView(), adaptor.getCoordinates());
    return replaceKeepingNotes(
        rewriter, op,
        as::TiledAtomicRMWOp::create(
            rewriter, op.getLoc(), /*result=*/Type(), convert(op.getResultToken()), view, adaptor.getValue(),
            coordinates, adaptor.getToken(), aa::RmwModeAttr::get(op.getContext(), mode), op.getMemSemanticAttr(),
            op.getMemScopeAttr(), rewriter.getDenseBoolArrayAttr(getInBounds(op)), getUniversalCopy(rewriter)));
  }
};

//===----------------------------------------------------------------------===//
// Through pointers
//===----------------------------------------------------------------------===//

struct LoadPattern final : MemoryPattern<aa::LoadOp> {
  LoadPattern(const TypeConverter &types, MLIRContext *context, const PointerContiguity &contiguity)
      : MemoryPattern(types, context), contiguity(contiguity) {}

  LogicalResult matchAndRewrite(aa::LoadOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    return replaceKeepingNotes(rewriter, op,
                               as::LoadOp::create(rewriter, op.getLoc(), convert(op.getValue()),
                                                  convert(op.getResultToken()), adaptor.getBase(), adaptor.getMask(),
                                                  adaptor.getOther(), adaptor.getToken(), op.getMemSemanticAttr(),
                                                  op.getMemScopeAttr(), op.getCacheAttr(), op.getEvictAttr(),
                                                  contiguity.lookup(op), getUniversalCopy(rewriter)));
  }

  const PointerContiguity &contiguity;
};

struct StorePattern final : MemoryPattern<aa::StoreOp> {
  StorePattern(const TypeConverter &types, MLIRContext *context, const PointerContiguity &contiguity)
      : MemoryPattern(types, context), contiguity(contiguity) {}

  LogicalResult matchAndRewrite(aa::StoreOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    return replaceKeepingNotes(
        rewriter, op,
        as::StoreOp::create(rewriter, op.getLoc(), convert(op.getResultToken()), adaptor.getBase(), adaptor.getValue(),
                            adaptor.getMask(), adaptor.getToken(), op.getMemSemanticAttr(), op.getMemScopeAttr(),
                            op.getCacheAttr(), op.getEvictAttr(), contiguity.lookup(op), getUniversalCopy(rewriter)));
  }

  const PointerContiguity &contiguity;
};

struct AtomicRMWPattern final : MemoryPattern<aa::AtomicRMWOp> {
  AtomicRMWPattern(const TypeConverter &types, MLIRContext *context, const PointerContiguity &contiguity)
      : MemoryPattern(types, context), contiguity(contiguity) {}

  LogicalResult matchAndRewrite(aa::AtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return replaceKeepingNotes(rewriter, op,
                               as::AtomicRMWOp::create(rewriter, op.getLoc(), convert(op.getResult()),
                                                       convert(op.getResultToken()), adaptor.getBase(),
                                                       adaptor.getValue(), adaptor.getMask(), adaptor.getToken(),
                                                       op.getModeAttr(), op.getMemSemanticAttr(), op.getMemScopeAttr(),
                                                       contiguity.lookup(op)));
  }

  const PointerContiguity &contiguity;
};

struct AtomicCASPattern final : MemoryPattern<aa::AtomicCASOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult matchAndRewrite(aa::AtomicCASOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return replaceKeepingNotes(
        rewriter, op,
        as::AtomicCASOp::create(rewriter, op.getLoc(), convert(op.getResult()), convert(op.getResultToken()),
                                adaptor.getBase(), adaptor.getCmp(), adaptor.getValue(), adaptor.getMask(),
                                adaptor.getToken(), op.getMemSemanticAttr(), op.getMemScopeAttr()));
  }
};

} // namespace

/// Null where nothing is known.
template <typename OpTy>
static DenseI64ArrayAttr getContiguity(OpTy op) {
  aa::PointerRun run = aa::getPointerRun(op.getBase(), op.getMask());
  if (run.elements == 1)
    return {};
  SmallVector<int64_t> contiguity(cast<RankedTensorType>(op.getBase().getType()).getRank(), 1);
  contiguity[run.dim] = run.elements;
  return DenseI64ArrayAttr::get(op.getContext(), contiguity);
}

PointerContiguity findPointerContiguity(aa::FuncOp func, bool ofSums) {
  PointerContiguity known;
  // Every element of others is an access of its own.
  auto add = [&](auto op) {
    if (op.getMemSemantic() == aa::MemSemantic::Weak)
      known[op] = getContiguity(op);
  };
  func.walk([&](Operation *op) { llvm::TypeSwitch<Operation *>(op).Case<aa::LoadOp, aa::StoreOp>(add); });
  func.walk([&](aa::AtomicRMWOp op) {
    if (ofSums && op.getMode() == aa::RmwMode::AddF && op.getMemSemantic() == aa::MemSemantic::Relaxed &&
        op.getResult().use_empty())
      known[op] = getContiguity(op);
  });
  return known;
}

void populateMemoryPatterns(const TileASTypeConverter &types, const PointerContiguity &contiguity,
                            RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<TiledLoadPattern, TiledStorePattern, TiledAtomicPattern, AtomicCASPattern>(types, context);
  patterns.add<LoadPattern, StorePattern, AtomicRMWPattern>(types, context, contiguity);
}

} // namespace tileiras
