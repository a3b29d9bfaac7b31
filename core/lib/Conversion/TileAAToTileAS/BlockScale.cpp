//===- BlockScale.cpp - Products with scaled blocks -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockScale.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Target/MmaSelection.h"

using namespace mlir;
using namespace tileiras;

static RankedTensorType getTile(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

class BlockScaleExpander {
public:
  explicit BlockScaleExpander(aa::MmaBlockScaleOp op) : op(op), builder(op) {}

  void run() {
    const int64_t depth = getTile(op.getA()).getRank() - 1; // of A; one less is that of B
    Value a = scale(op.getA(), op.getSfa(), depth), b = scale(op.getB(), op.getSfb(), depth - 1);
    auto product = aa::DotOp::create(builder, op.getLoc(), op.getType(), a, b, op.getC(), aa::SignednessAttr(),
                                     aa::SignednessAttr(), UnitAttr());
    product->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op.replaceAllUsesWith(product.getResult());
    op.erase();
  }

private:
  /// `operand` times `scales`, each of which is for a block along `axis`.
  Value scale(Value operand, Value scales, int64_t axis) {
    Type wide = builder.getF32Type();
    Value factors = repeat(convert(scales, wide), axis, getTile(operand).getShape());
    Value scaled = aa::MulFOp::create(builder, op.getLoc(), convert(operand, wide), factors);
    return convert(scaled, builder.getBF16Type());
  }

  Value convert(Value tile, Type element) {
    return aa::FpToFpOp::create(builder, op.getLoc(), getTile(tile).clone(element), tile);
  }

  /// The elements of `tile` along `axis`, each as often as `shape` has place.
  Value repeat(Value tile, int64_t axis, ArrayRef<int64_t> shape) {
    RankedTensorType type = getTile(tile);
    SmallVector<int64_t> blocks(type.getShape());
    blocks.insert(blocks.begin() + axis + 1, 1);
    Value expanded = aa::ExpandDimsOp::create(builder, op.getLoc(), type.clone(blocks), tile, axis + 1);
    blocks[axis + 1] = shape[axis] / blocks[axis];
    Value repeated = aa::BroadcastOp::create(builder, op.getLoc(), type.clone(blocks), expanded);
    return aa::ViewOp::create(builder, op.getLoc(), type.clone(shape), repeated);
  }

  aa::MmaBlockScaleOp op;
  OpBuilder builder;
};

} // namespace

/// The instruction that `op` becomes, or null if its scales go into the operands.
static FailureOr<const MmaAtom *> findAtom(aa::MmaBlockScaleOp op, const ChipTarget &target) {
  auto emitError = [&] { return op.emitOpError(); };
  FailureOr<MmaCandidates> candidates = target.target->findMmaCandidates(getMmaQuery(op), *target.chip, emitError);
  if (failed(candidates))
    return failure();
  return chooseMmaCandidate(*candidates, as::isWarpAtom, emitError);
}

LogicalResult tileiras::expandBlockScales(aa::FuncOp func, const ChipTarget &target, bool emulate) {
  SmallVector<aa::MmaBlockScaleOp> products;
  func.walk([&](aa::MmaBlockScaleOp op) { products.push_back(op); });
  for (aa::MmaBlockScaleOp op : products) {
    if (!target)
      return op.emitOpError() << "failed to get the target spec";
    if (!emulate) {
      FailureOr<const MmaAtom *> atom = findAtom(op, target);
      if (failed(atom))
        return failure();
      if (*atom)
        continue;
    }
    remarkMissed(op, "TensorCore", "convert-tileaa-to-tileas")
        << "block-scaled product without an instruction for its types and extents: the scales are multiplied into the "
           "operands, as bf16";
    BlockScaleExpander(op).run();
  }
  return success();
}
