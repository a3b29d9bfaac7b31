//===- CtaAnchors.cpp - Where layouts of clusters begin --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaAnchors.h"
#include "CarriedTiles.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras::cluster {

/// Rows, or columns, of a product that an instruction of a warpgroup works on; and those that one of a warp does.
constexpr int64_t kWarpgroupRows = 64, kWarpRows = 16;

static bool isProduct(Operation *op) {
  return isa<aa::DotOp, aa::MmaBlockScaleOp>(op);
}

SmallVector<Operation *> collectAnchors(aa::FuncOp func, const CtaRelations &relations) {
  SmallVector<Operation *> products, writes, reads;
  for (Operation *op : collectOperations(func)) {
    if (!relations.contains(op))
      continue;
    if (isProduct(op))
      products.push_back(op);
    else if (isa<aa::StoreOp, aa::TiledStoreOp, aa::AtomicRMWOp, aa::AtomicCASOp, aa::TiledAtomicRMWOp>(op))
      writes.push_back(op);
    else if (isa<aa::LoadOp, aa::TiledLoadOp>(op))
      reads.push_back(op);
  }
  auto getElements = [&](Operation *op) { return llvm::product_of(relations.at(op).space); };
  for (SmallVector<Operation *> *ops : {&writes, &reads})
    llvm::stable_sort(*ops, [&](Operation *a, Operation *b) { return getElements(a) > getElements(b); });
  SmallVector<Operation *> anchors = std::move(products);
  llvm::append_range(anchors, writes);
  llvm::append_range(anchors, reads);
  return anchors;
}

/// The dimensions of the space of `anchor` along which elements are combined by whom its result goes to, or whose
/// result it takes, as far as they keep their shape.
static SmallVector<bool> findCombinedDims(Operation *anchor, const CtaRelations &relations) {
  const CtaRelation &relation = relations.at(anchor);
  SmallVector<bool> combined(relation.space.size(), false);
  auto isElementwise = [&](Operation *op) {
    auto found = relations.find(op);
    return found != relations.end() && found->second.rule == "elementwise";
  };
  llvm::SetVector<Value> tiles;
  auto addTiles = [&](Operation *op) {
    for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value value : values)
        if (RankedTensorType tile = getTile(value); tile && tile.getShape() == ArrayRef(relation.space))
          tiles.insert(getRepresentative(value));
  };
  if (isProduct(anchor))
    tiles.insert(anchor->getResult(0));
  else
    addTiles(anchor);
  auto visit = [&](Operation *op) {
    if (auto reduce = dyn_cast<aa::ReduceOp>(op))
      combined[reduce.getAxis()] = true;
    else if (auto scan = dyn_cast<aa::ScanOp>(op))
      combined[scan.getAxis()] = true;
    else if (isProduct(op)) // The columns of a first operand.
      combined.back() = combined.back() || tiles.contains(getRepresentative(op->getOperand(0)));
    else if (isElementwise(op))
      addTiles(op);
  };
  for (unsigned i = 0; i < tiles.size(); ++i) {
    if (Operation *definition = tiles[i].getDefiningOp();
        definition && definition != anchor && isElementwise(definition))
      addTiles(definition);
    for (Value value : getRepresented(tiles[i]))
      for (OpOperand &use : value.getUses()) {
        if (Value target = getTargetOfUse(use))
          tiles.insert(target);
        else if (use.getOwner() != anchor)
          visit(use.getOwner());
      }
  }
  return combined;
}

/// The dimension that the next bit cuts a product of these extents along; kCopies for none.
static int32_t chooseDimOfProduct(ArrayRef<int64_t> extents, ArrayRef<bool> combined) {
  const int32_t row = static_cast<int32_t>(extents.size()) - 2, column = row + 1;
  if (row == 1 && extents[0] > 1)
    return 0;
  const int64_t rows = extents[row], columns = extents[column];
  const bool prefersRows = rows >= columns || combined[column];
  if (rows >= 2 * kWarpgroupRows && prefersRows)
    return row;
  if (columns >= 2 * kWarpgroupRows && !combined[column])
    return column;
  if (rows >= 2 * kWarpgroupRows || (rows >= 2 * kWarpRows && prefersRows))
    return row;
  if (columns >= 2 * kWarpRows && !combined[column])
    return column;
  return rows >= 2 * kWarpRows ? row : aa::CtaLayout::kCopies;
}

static int32_t chooseFirstDim(ArrayRef<int64_t> extents, ArrayRef<bool> isWhole, ArrayRef<bool> combined) {
  int32_t fallback = aa::CtaLayout::kCopies;
  for (int32_t dim = 0; dim < int32_t(extents.size()); ++dim) {
    if (extents[dim] < 2 || isWhole[dim])
      continue;
    if (!combined[dim])
      return dim;
    if (fallback == aa::CtaLayout::kCopies)
      fallback = dim;
  }
  return fallback;
}

aa::CtaLayout chooseOwn(Operation *anchor, const CtaRelations &relations, unsigned numBits) {
  const CtaRelation &relation = relations.at(anchor);
  SmallVector<int64_t> extents = relation.space;
  const SmallVector<bool> combined = findCombinedDims(anchor, relations);
  SmallVector<int32_t> dims;
  for (unsigned bit = 0; bit < numBits; ++bit) {
    const int32_t dim =
        isProduct(anchor) ? chooseDimOfProduct(extents, combined) : chooseFirstDim(extents, relation.isWhole, combined);
    dims.push_back(dim);
    if (dim != aa::CtaLayout::kCopies)
      extents[dim] /= 2;
  }
  // CTAs whose ranks differ in the lowest bit may multiply together, which takes different rows.
  if (auto *rows = llvm::find(dims, int32_t(extents.size()) - 2); isProduct(anchor) && rows != dims.end())
    std::swap(*rows, dims.front());
  return aa::CtaLayout(dims);
}

} // namespace tileiras::cluster
