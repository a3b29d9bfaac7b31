//===- OperandParts.cpp - Parts of an MMA's operands ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras::async {
inline namespace loads {

namespace {

/// Nothing between `copy` and `last`, in the same block, changes memory or makes threads meet.
bool canBeMovedTo(as::CopyOp copy, Operation *last) {
  auto canStay = [](Operation &op) {
    auto other = dyn_cast<as::CopyOp>(op);
    return isInvisible(op) || (other && other.getResult());
  };
  return copy->getBlock() == last->getBlock() &&
         llvm::all_of(llvm::make_range(std::next(copy->getIterator()), last->getIterator()), canStay);
}

bool isSplat(Value tile) {
  DenseElementsAttr elements;
  return matchPattern(tile, m_Constant(&elements)) && elements.isSplat();
}

/// One layout says for tiles of any extents who has which element.
bool hasLayoutForParts(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  return type && isa_and_nonnull<as::DotOperandAttr>(type.getEncoding());
}

} // namespace

bool isInvisible(Operation &op) {
  auto isExchange = [](as::ExchangeOpInterface exchange) {
    return exchange.getScratchAttr() ? WalkResult::interrupt() : WalkResult::advance();
  };
  return isMemoryEffectFree(&op) && !op.walk(isExchange).wasInterrupted();
}

std::optional<OperandParts> OperandParts::find(Value operand, unsigned dim, int64_t extent, Operation *last,
                                               const llvm::SmallPtrSetImpl<Operation *> &products) {
  OperandParts parts(operand, dim, extent);
  return parts.collect(operand, last, products) ? std::optional(std::move(parts)) : std::nullopt;
}

bool OperandParts::collect(Value tile, Operation *last, const llvm::SmallPtrSetImpl<Operation *> &users) {
  if (!hasLayoutForParts(tile))
    return false;
  Operation *op = tile.getDefiningOp();
  const bool isOnlyForUsers = llvm::all_of(tile.getUsers(), [&](Operation *user) { return users.contains(user); });
  if (auto copy = dyn_cast_or_null<as::CopyOp>(op);
      copy && isOnlyForUsers && !copy.getAtomPlan() && !copy.getOrigin() && canBeMovedTo(copy, last)) {
    loads.insert(copy);
    return true;
  }
  if (op && isOnlyForUsers && op->getBlock() == last->getBlock() && OpTrait::hasElementwiseMappableTraits(op) &&
      isMemoryEffectFree(op) && op->getNumResults() == 1) {
    llvm::SmallPtrSet<Operation *, 2> own = {op};
    auto isKnown = [&](Value of) {
      return !isa<RankedTensorType>(of.getType()) || isSplat(of) || collect(of, last, own);
    };
    if (llvm::all_of(op->getOperands(), isKnown)) {
      elementwise.insert(op);
      return true;
    }
  }
  return canExtract(tile);
}

bool OperandParts::canExtract(Value tile) const {
  const LinearLayout whole = as::getLinearLayout(cast<RankedTensorType>(tile.getType())),
                     part = as::getLinearLayout(getPartType(tile));
  return as::getPartRegisters(whole, part, SmallVector<int64_t>(whole.getRank(), 0)).has_value();
}

RankedTensorType OperandParts::getPartType(Value tile) const {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return type.clone(shape);
}

SmallVector<Type> OperandParts::getLoadTypes() const {
  return llvm::map_to_vector(loads, [&](as::CopyOp copy) -> Type { return getPartType(copy.getResult()); });
}

SmallVector<Value> OperandParts::load(OpBuilder &builder, int64_t part, const IRMapping &mapping) const {
  return llvm::map_to_vector(loads, [&](as::CopyOp copy) -> Value {
    RankedTensorType type = getPartType(copy.getResult());
    SmallVector<int64_t> origin(type.getRank(), 0);
    origin[dim] = part * extent;
    return as::CopyOp::create(builder, copy.getLoc(), type, mapping.lookupOrDefault(Value(copy.getSource())), Value(),
                              copy.getAtom(), as::AtomPlanAttr(), copy.getReinterpretByte(),
                              builder.getDenseI64ArrayAttr(origin))
        .getResult();
  });
}

Value OperandParts::make(OpBuilder &builder, int64_t part, ValueRange loaded) const {
  return make(builder, operand, part, loaded);
}

Value OperandParts::make(OpBuilder &builder, Value tile, int64_t part, ValueRange loaded) const {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!type) // a scalar
    return tile;
  Operation *op = tile.getDefiningOp();
  for (auto [copy, value] : llvm::zip_equal(loads, loaded))
    if (op == copy)
      return value;
  if (elementwise.contains(op)) {
    IRMapping mapping;
    for (Value of : op->getOperands())
      mapping.map(of, make(builder, of, part, loaded));
    Operation *clone = builder.clone(*op, mapping);
    clone->getResult(0).setType(getPartType(tile));
    return clone->getResult(0);
  }
  DenseElementsAttr elements;
  if (matchPattern(tile, m_Constant(&elements)) && elements.isSplat())
    return arith::ConstantOp::create(builder, tile.getLoc(), elements.resizeSplat(getPartType(tile)));
  SmallVector<Value> indices(type.getRank(), arith::ConstantIntOp::create(builder, tile.getLoc(), 0, 32));
  indices[dim] = arith::ConstantIntOp::create(builder, tile.getLoc(), part, 32);
  return as::ExtractSliceOp::create(builder, tile.getLoc(), getPartType(tile), tile, indices);
}

} // namespace loads
} // namespace tileiras::async
