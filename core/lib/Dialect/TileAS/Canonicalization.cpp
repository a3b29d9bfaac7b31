//===- Canonicalization.cpp - Folds of pure tile structure ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

namespace {

//===----------------------------------------------------------------------===//
// Slices of views
//===----------------------------------------------------------------------===//

/// Builds the slice of a view's source that a slice of the view is.
class SourceSlice {
public:
  SourceSlice(PatternRewriter &rewriter, ExtractSliceOp op, ViewOp view) : rewriter(rewriter), op(op), view(view) {}

  /// Fails, having built nothing, where the slice of the view is no slice of the source.
  LogicalResult find() {
    ArrayRef<int64_t> source = view.getSource().getType().getShape(), viewed = view.getType().getShape();
    const bool isSplit = source.size() < viewed.size();
    std::optional<SmallVector<ReassociationIndices>> groups =
        getReassociationIndicesForReshape(view.getSource().getType(), view.getType());
    if (!groups || source.empty() || viewed.empty())
      return failure();
    ArrayRef<int64_t> slice = op.getType().getShape();
    for (auto [i, group] : llvm::enumerate(*groups)) {
      std::optional<SmallVector<int64_t>> part =
          isSplit ? joinSlice(viewed, slice, group) : splitSlice(source, slice[i], group);
      if (!part)
        return failure();
      llvm::append_range(shape, *part);
    }
    this->groups = std::move(*groups);
    return success();
  }

  ArrayRef<int64_t> getShape() const { return shape; }

  SmallVector<Value> buildIndices() {
    ArrayRef<int64_t> source = view.getSource().getType().getShape(), viewed = view.getType().getShape();
    SmallVector<Value> indices;
    for (auto [i, group] : llvm::enumerate(groups))
      if (source.size() < viewed.size())
        indices.push_back(joinIndices(getCounts(viewed, op.getType().getShape(), group), group));
      else
        llvm::append_range(indices, splitIndex(getCounts(source, shape, group), op.getIndices()[i]));
    return indices;
  }

private:
  /// The extent of one slice of the dimension that `group` joins: single elements along its first dimensions, then a
  /// part of one, all of those behind.
  static std::optional<SmallVector<int64_t>> joinSlice(ArrayRef<int64_t> viewed, ArrayRef<int64_t> slice,
                                                       ArrayRef<int64_t> group) {
    int64_t extent = 1;
    bool isWhole = true;
    for (int64_t dim : llvm::reverse(group)) {
      if (!isWhole && slice[dim] != 1)
        return std::nullopt;
      extent *= slice[dim];
      isWhole &= slice[dim] == viewed[dim];
    }
    return SmallVector<int64_t>{extent};
  }

  /// The extents along `group` of `extent` elements of the dimension that it becomes.
  static std::optional<SmallVector<int64_t>> splitSlice(ArrayRef<int64_t> source, int64_t extent,
                                                        ArrayRef<int64_t> group) {
    SmallVector<int64_t> extents;
    for (int64_t dim : llvm::reverse(group)) {
      const int64_t part = std::min(extent, source[dim]);
      if (extent % part != 0 || source[dim] % part != 0)
        return std::nullopt;
      extents.push_back(part);
      extent /= part;
    }
    return SmallVector<int64_t>(llvm::reverse(extents));
  }

  /// Slices along each dimension of `group`.
  static SmallVector<int64_t> getCounts(ArrayRef<int64_t> extents, ArrayRef<int64_t> slice, ArrayRef<int64_t> group) {
    return llvm::map_to_vector(group, [&](int64_t dim) { return extents[dim] / slice[dim]; });
  }

  Value makeConstant(int64_t value) {
    return arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32IntegerAttr(value));
  }

  Value joinIndices(ArrayRef<int64_t> counts, ArrayRef<int64_t> group) {
    Value joined;
    for (auto [count, dim] : llvm::zip_equal(counts, group)) {
      if (count == 1)
        continue;
      Value index = op.getIndices()[dim];
      if (joined)
        index = rewriter.createOrFold<arith::AddIOp>(
            op.getLoc(), rewriter.createOrFold<arith::MulIOp>(op.getLoc(), joined, makeConstant(count)), index);
      joined = index;
    }
    return joined ? joined : makeConstant(0);
  }

  SmallVector<Value> splitIndex(ArrayRef<int64_t> counts, Value index) {
    SmallVector<Value> indices(counts.size());
    int64_t rest = 1;
    for (int64_t count : counts)
      rest *= count;
    for (auto [i, count] : llvm::enumerate(counts)) {
      rest /= count;
      if (count == 1) {
        indices[i] = makeConstant(0);
        continue;
      }
      indices[i] = rest == 1 ? index : rewriter.createOrFold<arith::DivUIOp>(op.getLoc(), index, makeConstant(rest));
      if (rest != 1)
        index = rewriter.createOrFold<arith::RemUIOp>(op.getLoc(), index, makeConstant(rest));
    }
    return indices;
  }

  PatternRewriter &rewriter;
  ExtractSliceOp op;
  ViewOp view;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
};

/// The slice of a view is the view of a slice.
struct SliceOfView final : OpRewritePattern<ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtractSliceOp op, PatternRewriter &rewriter) const override {
    auto view = op.getSource().getDefiningOp<ViewOp>();
    if (!view || !isDistributedTensor(view.getSource().getType()))
      return failure();
    SourceSlice slice(rewriter, op, view);
    if (failed(slice.find()))
      return failure();
    auto layout = LinearAttr::get(op.getContext(), getLinearLayout(op.getType()).reshape(slice.getShape()));
    auto type = RankedTensorType::get(slice.getShape(), op.getType().getElementType(), layout);
    Value part = ExtractSliceOp::create(rewriter, op.getLoc(), type, view.getSource(), slice.buildIndices());
    rewriter.replaceOpWithNewOp<ViewOp>(op, op.getType(), part);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Nobody has said something about the loop, and it hands nothing on.
bool isPlainLoop(scf::ForOp loop) {
  return loop.getInitArgs().empty() && !loop.getUnsignedCmp() && loop->getDiscardableAttrs().empty();
}

/// One loop instead of two, the inner one of which is all that the outer one does. The number of iterations of both
/// together has to be one of the induction variable's type.
struct NestedLoops final : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp outer, PatternRewriter &rewriter) const override {
    Block *body = outer.getBody();
    auto inner = body->getOperations().size() == 2 ? dyn_cast<scf::ForOp>(body->front()) : scf::ForOp();
    if (!inner || !isPlainLoop(outer) || !isPlainLoop(inner) || !isCounted(outer, inner))
      return failure();
    auto isMember = [](Operation *op) {
      return isa<MemoryConsistencyOpInterface>(op) ? WalkResult::interrupt() : WalkResult::advance();
    };
    if (inner.getBody()->walk(isMember).wasInterrupted())
      return failure();
    SmallVector<scf::ForOp> nest = {outer, inner};
    return coalesceLoops(rewriter, nest);
  }

  static bool isCounted(scf::ForOp outer, scf::ForOp inner) {
    std::optional<APInt> outerTrips = outer.getStaticTripCount(), innerTrips = inner.getStaticTripCount();
    Type type = outer.getInductionVar().getType();
    if (!outerTrips || !innerTrips || inner.getInductionVar().getType() != type)
      return false;
    const unsigned bits = type.isIndex() ? 32 : type.getIntOrFloatBitWidth();
    // Loops without iterations disappear by themselves.
    if (outerTrips->isZero() || innerTrips->isZero())
      return false;
    return outerTrips->getActiveBits() + innerTrips->getActiveBits() < bits;
  }
};

} // namespace

void ExtractSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SliceOfView>(context);
}

void TileASDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<NestedLoops>(getContext());
}
