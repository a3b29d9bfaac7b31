//===- Clusters.cpp - Tiles and the CTAs of a cluster --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Clusters.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras::aa {

/// Clusters have at most 16 CTAs.
constexpr size_t kMaxRankBits = 4;

static constexpr llvm::StringLiteral kSharedCtas = "shared_ctas";

uint32_t getSharedCtas(Operation *op) {
  auto mask = dyn_cast_or_null<IntegerAttr>(op->getInherentAttr(kSharedCtas).value_or(Attribute()));
  return mask ? mask.getInt() : 0;
}

void setSharedCtas(Operation *op, uint32_t mask) {
  assert(op->getInherentAttr(kSharedCtas) && "it does not define the attribute");
  op->setAttr(kSharedCtas, IntegerAttr::get(IntegerType::get(op->getContext(), 32), mask));
}

uint32_t CtaLayout::getCopyMask() const {
  uint32_t mask = 0;
  for (auto [bit, dim] : llvm::enumerate(dims))
    mask |= uint32_t(dim == kCopies) << bit;
  return mask;
}

SmallVector<unsigned> CtaLayout::getBits(unsigned dim) const {
  SmallVector<unsigned> bits;
  for (auto [bit, along] : llvm::enumerate(dims))
    if (along == int32_t(dim))
      bits.push_back(bit);
  return bits;
}

bool CtaLayout::fits(ArrayRef<int64_t> shape) const {
  return llvm::all_of(dims, [&](int32_t dim) {
    return dim == kCopies || (dim < int32_t(shape.size()) && shape[dim] % getNumParts(dim) == 0);
  });
}

SmallVector<int64_t> CtaLayout::getPartShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> part(shape);
  for (auto [dim, extent] : llvm::enumerate(part))
    extent /= getNumParts(dim);
  return part;
}

static ArrayRef<int64_t> getExchangedShape(Type type) {
  auto tile = dyn_cast<ShapedType>(type);
  return tile ? tile.getShape() : ArrayRef<int64_t>();
}

LogicalResult verifyClusterExchange(Operation *op, const CtaLayout &from, const CtaLayout &to) {
  const Type source = op->getOperand(0).getType(), result = op->getResult(0).getType();
  if (from.getDims().size() != to.getDims().size() || from.getDims().empty() || from.getDims().size() > kMaxRankBits)
    return op->emitOpError() << "says where the bits of a rank lead, one to " << kMaxRankBits
                             << " of them, as many in 'from' as in 'to'";
  if (getElementTypeOrSelf(source) != getElementTypeOrSelf(result) ||
      getExchangedShape(source).size() != getExchangedShape(result).size())
    return op->emitOpError() << "brings " << source << " to its CTAs as " << result << ", which is another tile";
  const int32_t rank = static_cast<int32_t>(getExchangedShape(source).size());
  for (const CtaLayout *layout : {&from, &to})
    if (llvm::any_of(layout->getDims(), [&](int32_t dim) { return dim < CtaLayout::kCopies || dim >= rank; }))
      return op->emitOpError() << "names a dimension that " << source << " does not have";
  for (int32_t dim = 0; dim < rank; ++dim)
    if (getExchangedShape(source)[dim] * from.getNumParts(dim) != getExchangedShape(result)[dim] * to.getNumParts(dim))
      return op->emitOpError() << "has " << from.getNumParts(dim) << " parts of " << getExchangedShape(source)[dim]
                               << " along dimension " << dim << ", which are not " << to.getNumParts(dim) << " of "
                               << getExchangedShape(result)[dim];
  return success();
}

} // namespace tileiras::aa
