//===- PackedOperands.cpp - tileaa-pack-operands --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedOperands.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Lowering/ExecutionScope.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEAAPACKOPERANDS
#include "tileiras/Conversion/TileAAToTileAS/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

static RankedTensorType getTileType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// `dim` changes places with the last dimension.
static SmallVector<int32_t> getExchange(int64_t rank, int64_t dim) {
  SmallVector<int32_t> permutation;
  for (int64_t d = 0; d < rank; ++d)
    permutation.push_back(d);
  std::swap(permutation[dim], permutation[rank - 1]);
  return permutation;
}

static Value exchange(OpBuilder &builder, Location location, Value tile, int64_t dim) {
  RankedTensorType type = getTileType(tile);
  if (dim == type.getRank() - 1)
    return tile;
  const SmallVector<int32_t> permutation = getExchange(type.getRank(), dim);
  if (auto before = tile.getDefiningOp<aa::PermuteOp>(); before && before.getPermutation() == ArrayRef(permutation))
    return before.getSource();
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[dim], shape.back());
  return aa::PermuteOp::create(builder, location, type.clone(shape), tile, permutation);
}

static Value view(OpBuilder &builder, Location location, Value tile, ArrayRef<int64_t> shape) {
  if (getTileType(tile).getShape() == shape)
    return tile;
  return aa::ViewOp::create(builder, location, getTileType(tile).clone(shape), tile);
}

/// The tile of bytes that `tile`, whose last dimension is the packed one, has been unpacked from; null if there is
/// none.
static Value findBytes(Value tile, ArrayRef<int64_t> shape) {
  while (auto view = tile.getDefiningOp<aa::ViewOp>())
    tile = view.getSource();
  auto unpacked = tile.getDefiningOp<aa::UnpackOp>();
  if (!unpacked || !getTileType(unpacked.getSource()).getElementType().isInteger(8))
    return {};
  Value bytes = unpacked.getSource();
  while (getTileType(bytes).getShape() != shape && bytes.getDefiningOp<aa::ViewOp>())
    bytes = bytes.getDefiningOp<aa::ViewOp>().getSource();
  return bytes;
}

Value tileiras::packAlong(OpBuilder &builder, Location location, Value tile, int64_t dim) {
  Value last = exchange(builder, location, tile, dim);
  SmallVector<int64_t> shape(getTileType(last).getShape());
  shape.back() /= 2;
  Value bytes = findBytes(last, shape);
  if (!bytes) {
    const int64_t count = getTileType(last).getNumElements();
    Value row = view(builder, location, last, {count});
    bytes = aa::PackOp::create(builder, location, RankedTensorType::get({count / 2}, builder.getI8Type()), row);
  }
  return exchange(builder, location, view(builder, location, bytes, shape), dim);
}

Value tileiras::unpackAlong(OpBuilder &builder, Location location, Value tile, int64_t dim) {
  Value last = exchange(builder, location, tile, dim);
  SmallVector<int64_t> shape(getTileType(last).getShape());
  shape.back() *= 2;
  const int64_t count = getTileType(last).getNumElements();
  Value row = view(builder, location, last, {count});
  Value elements = aa::UnpackOp::create(
      builder, location, RankedTensorType::get({2 * count}, Float4E2M1FNType::get(builder.getContext())), row);
  return exchange(builder, location, view(builder, location, elements, shape), dim);
}

namespace {

struct TileAAPackOperands : tileiras::impl::TileAAPackOperandsBase<TileAAPackOperands> {
  using Base::Base;

  void runOnOperation() override {
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target || blockScale == "emulate")
      return;
    SmallVector<aa::MmaBlockScaleOp> products;
    getOperation()->walk([&](aa::MmaBlockScaleOp op) {
      if (readsPacked(op, target))
        products.push_back(op);
    });
    for (aa::MmaBlockScaleOp op : products) {
      OpBuilder builder(op);
      const int64_t depth = getTileType(op.getA()).getRank() - 1; // of A; one less is that of B
      pack(builder, op.getAMutable(), depth);
      pack(builder, op.getBMutable(), depth - 1);
      op.setPacked(true);
    }
  }

  static void pack(OpBuilder &builder, OpOperand &operand, int64_t dim) {
    Operation *dead = operand.get().getDefiningOp();
    operand.set(packAlong(builder, operand.getOwner()->getLoc(), operand.get(), dim));
    while (dead && isOpTriviallyDead(dead)) {
      Operation *source = dead->getNumOperands() == 1 ? dead->getOperand(0).getDefiningOp() : nullptr;
      dead->erase();
      dead = source;
    }
  }

  /// The instruction for `op` reads operands in shared memory, where elements of four bits are packed.
  static bool readsPacked(aa::MmaBlockScaleOp op, const ChipTarget &target) {
    if (aa::isPacked(op) || !isa<Float4E2M1FNType>(getTileType(op.getA()).getElementType()) ||
        !isa<Float4E2M1FNType>(getTileType(op.getB()).getElementType()))
      return false;
    llvm::Expected<as::WarpgroupProduct> product =
        as::findWarpgroupProduct(op.getContext(), getMmaQuery(op), target, getExecutionScope(op).numWarps,
                                 as::OperandPlace::KMajor, as::OperandPlace::KMajor);
    if (product)
      return product->atom->a.bits == 4;
    llvm::consumeError(product.takeError());
    return false;
  }
};

} // namespace
