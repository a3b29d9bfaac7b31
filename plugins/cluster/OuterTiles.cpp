//===- OuterTiles.cpp - Tiles of a function that has agents ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OuterTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::cluster {

/// The tile in `type`; null where it has none in registers.
static RankedTensorType findTile(Type type) {
  if (auto slices = dyn_cast<as::SlicesType>(type))
    return slices.getSlice();
  return as::isDistributedTensor(type) ? cast<RankedTensorType>(type) : RankedTensorType();
}

/// Warp w has what warp w modulo the warps of `layout` has.
static LinearLayout addCopies(LinearLayout layout, int64_t numWarps) {
  while (layout.getInSize(LayoutDim::Warp) < numWarps)
    layout.addZeroBasis(LayoutDim::Warp);
  return layout;
}

static void giveToWarps(Value value, int64_t numWarps) {
  RankedTensorType tile = findTile(value.getType());
  if (!tile || as::getLinearLayout(tile).getInSize(LayoutDim::Warp) >= numWarps)
    return;
  const auto layout = as::LinearAttr::get(value.getContext(), addCopies(as::getLinearLayout(tile), numWarps));
  if (auto slices = dyn_cast<as::SlicesType>(value.getType()))
    return value.setType(slices.cloneWithEncoding(layout));
  const RankedTensorType type = tile.cloneWithEncoding(layout);
  value.setType(type);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(type));
}

/// The results and arguments of what stands around agents.
static void forEachOuterValue(aa::FuncOp kernel, function_ref<void(Value)> visit) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), visit);
    if (isa<aa::AgentLikeOpInterface>(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), visit);
    return WalkResult::advance();
  });
}

/// The fragment of an operand for `numWarps` warps, which divide columns where there are enough, else rows.
static as::DotOperandAttr giveToWarps(as::DotOperandAttr fragment, bool dividesColumns, int64_t numWarps) {
  SmallVector<int64_t> warps(fragment.getWarpsPerCTA());
  const int64_t factor = numWarps / fragment.getNumWarps();
  (dividesColumns ? warps.back() : warps[warps.size() - 2]) *= factor;
  return as::DotOperandAttr::get(fragment.getContext(), fragment.getAxis(), fragment.getAtom(), warps,
                                 fragment.getExtents(), fragment.getFragment());
}

namespace {

/// An MMA of fragments, which its instruction wants as they are: all warps divide its work.
class OuterProduct {
public:
  explicit OuterProduct(as::DotOp dot) : dot(dot) {
    for (OpOperand &operand : dot->getOpOperands())
      fragments.push_back(getFragment(operand.get()));
    result = getFragment(dot.getResult());
  }

  /// The others have been given copies.
  void convert(int64_t numWarps) {
    if (!result || result.getNumWarps() >= numWarps)
      return;
    const ArrayRef<int64_t> warps = result.getWarpsPerCTA();
    const int64_t columns = cast<RankedTensorType>(dot.getType()).getShape().back();
    const bool dividesColumns =
        columns >= warps.back() * result.getExtents().back() * (numWarps / result.getNumWarps());
    OpBuilder builder(dot);
    for (auto [operand, fragment] : llvm::zip_equal(dot->getOpOperands(), fragments))
      if (fragment)
        operand.set(emitConversion(builder, operand.get(), giveToWarps(fragment, dividesColumns, numWarps)));
    Value value = dot.getResult();
    const Type wanted = value.getType();
    value.setType(cast<RankedTensorType>(wanted).cloneWithEncoding(giveToWarps(result, dividesColumns, numWarps)));
    builder.setInsertionPointAfter(dot);
    auto back = as::ConvertLayoutOp::create(builder, dot.getLoc(), wanted, value);
    value.replaceAllUsesExcept(back, back);
  }

private:
  static as::DotOperandAttr getFragment(Value value) {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    return tile ? dyn_cast_or_null<as::DotOperandAttr>(tile.getEncoding()) : as::DotOperandAttr();
  }
  static Value emitConversion(OpBuilder &builder, Value value, Attribute layout) {
    RankedTensorType tile = cast<RankedTensorType>(value.getType());
    return as::ConvertLayoutOp::create(builder, value.getLoc(), tile.cloneWithEncoding(layout), value);
  }

  as::DotOp dot;
  SmallVector<as::DotOperandAttr> fragments; ///< of operands, null for what is none
  as::DotOperandAttr result;
};

} // namespace

/// Products of warpgroups are under way beside what follows: their accumulators cannot change hands.
static LogicalResult verifyOuterProducts(aa::FuncOp kernel, SmallVectorImpl<OuterProduct> &products) {
  WalkResult walk = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<aa::AgentLikeOpInterface>(op))
      return WalkResult::skip();
    if (auto dot = dyn_cast<as::DotOp>(op)) {
      products.push_back(OuterProduct(dot));
    } else if (isa<as::AsyncDotOp>(op)) {
      op->emitError("an MMA of a function with agents is asynchronous and stands outside of them, where all warps of "
                    "the block run; move it into an agent");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult giveOuterTilesToAllWarps(aa::FuncOp kernel) {
  const aa::KernelSpecAttr spec = kernel.getKernelSpecAttr();
  const uint32_t warps = llvm::PowerOf2Ceil(spec.countWarps());
  bool hasFewer = false;
  forEachOuterValue(kernel, [&](Value value) {
    const RankedTensorType tile = findTile(value.getType());
    hasFewer |= tile && as::getLinearLayout(tile).getInSize(LayoutDim::Warp) != spec.countWarps();
  });
  if (!hasFewer)
    return success();
  SmallVector<OuterProduct> products;
  if (failed(verifyOuterProducts(kernel, products)))
    return failure();
  forEachOuterValue(kernel, [&](Value value) { giveToWarps(value, warps); });
  for (OuterProduct &product : products)
    product.convert(warps);
  if (warps != spec.countWarps())
    kernel.setKernelSpecAttr(aa::KernelSpecAttr::get(kernel.getContext(), spec.getNumWarps(), spec.getNumCtas(),
                                                     spec.getOccupancy(), warps));
  return success();
}

} // namespace tileiras::cluster
