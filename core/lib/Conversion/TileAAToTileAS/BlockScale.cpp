//===- BlockScale.cpp - Products with scaled blocks -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockScale.h"
#include "PackedOperands.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"

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
    Value a = op.getA(), b = op.getB();
    if (aa::isPacked(op)) {
      a = unpackAlong(builder, op.getLoc(), a, depth);
      b = unpackAlong(builder, op.getLoc(), b, depth - 1);
    }
    a = scale(a, op.getSfa(), depth);
    b = scale(b, op.getSfb(), depth - 1);
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

/// Whether instructions compute the products of a function, and with what room.
class BlockScaleAtoms {
public:
  BlockScaleAtoms(aa::FuncOp func, const ChipTarget &target) : func(func), target(target) {}

  /// Empty if an instruction computes `op`, else why none does. Fails where the target refuses it.
  FailureOr<std::string> findObstacle(aa::MmaBlockScaleOp op) {
    const MmaQuery query = getMmaQuery(op);
    FailureOr<const MmaAtom *> atom = as::findWarpAtom(op, query, target);
    if (failed(atom))
      return failure();
    if (*atom)
      return aa::isPacked(op) ? std::string("its operands are packed, and the instruction reads registers") : "";
    const MmaAtom *nearest = findNearest(query);
    if (!nearest)
      return std::string("no instruction takes its element types");
    if (as::isWarpAtom(*nearest) || !takesScales(*nearest, query))
      return "of \"" + nearest->name + "\": " + describeMisfit(*nearest, query).value_or("it has no lowering");
    return findObstacle(op, query);
  }

private:
  static bool takesScales(const MmaAtom &atom, const MmaQuery &query) {
    return atom.scale.matches(query.elementScale) && int64_t(atom.scaleBlock) == query.scaleBlock;
  }

  /// An atom for its element types, with its scales if there is one; null if there is none.
  const MmaAtom *findNearest(const MmaQuery &query) const {
    const MmaAtom *nearest = nullptr;
    for (const MmaAtom &atom : target.atoms().mma) {
      if (atom.scaleBlock == 0 || !atom.a.matches(query.elementA) || !atom.b.matches(query.elementB))
        continue;
      if (!nearest || (takesScales(atom, query) && !takesScales(*nearest, query)))
        nearest = &atom;
    }
    return nearest;
  }

  std::string findObstacle(aa::MmaBlockScaleOp op, const MmaQuery &query) {
    if (op->getParentOfType<aa::AgentLikeOpInterface>())
      return "it is in an agent of the program, whose warps need not be those that reach tensor memory";
    if (aa::hasAgents(func))
      return "it stands around agents of the program, where all warps of the block run";
    llvm::Expected<as::WarpgroupProduct> product =
        as::findWarpgroupProduct(op.getContext(), query, target, getExecutionScope(op).numWarps,
                                 as::OperandPlace::KMajor, as::OperandPlace::KMajor);
    if (!product)
      return llvm::toString(product.takeError());
    if (as::getMemoryBits(*product->atom, as::OperandAxis::A) != getTile(op.getA()).getElementTypeBitWidth())
      return "its operands are not packed";
    if (!memory)
      memory.emplace(func, target, /*ctas=*/1);
    for (Value operand : {op.getA(), op.getB()}) {
      const RankedTensorType tile = getTile(operand);
      const int64_t bytes = tile.getNumElements() * as::getSharedBits(tile.getElementType()) / 8;
      if (!memory->take(bytes, memory->getOrder().getWhole()))
        return "shared memory has no room for its operands; smaller tiles take less";
    }
    return "";
  }

  aa::FuncOp func;
  const ChipTarget &target;
  std::optional<SharedBudget> memory;
};

} // namespace

LogicalResult tileiras::expandBlockScales(aa::FuncOp func, const ChipTarget &target, bool emulate) {
  SmallVector<aa::MmaBlockScaleOp> products;
  func.walk([&](aa::MmaBlockScaleOp op) { products.push_back(op); });
  BlockScaleAtoms atoms(func, target);
  for (aa::MmaBlockScaleOp op : products) {
    if (!target)
      return op.emitOpError() << "failed to get the target spec";
    FailureOr<std::string> obstacle = std::string("as the options want it");
    if (!emulate)
      obstacle = atoms.findObstacle(op);
    if (failed(obstacle))
      return failure();
    if (obstacle->empty())
      continue;
    remarkOn(op, Missed::TensorCore)
        << "block-scaled MMA without an instruction: the scales are multiplied into the operands, as bf16; " +
               *obstacle;
    BlockScaleExpander(op).run();
  }
  return success();
}
