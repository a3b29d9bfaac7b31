//===- MergeReductions.cpp - tileas-merge-reductions ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Dialect/CombiningBody.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASMERGEREDUCTIONS
#include "Passes.h.inc"

namespace {

RankedTensorType getInputType(as::ReduceOp reduce) {
  return cast<RankedTensorType>(reduce.getInputs().front().getType());
}

/// Bytes that the warps with parts of a result write to shared memory. 0 if no result has parts in several warps.
int64_t countPartBytes(as::ReduceOp reduce) {
  const LinearLayout layout = as::getLinearLayout(getInputType(reduce));
  const unsigned axis = reduce.getAxis();
  const int64_t warpsAlong =
      llvm::count_if(layout.getBases(LayoutDim::Warp), [&](const auto &basis) { return basis[axis] != 0; });
  if (warpsAlong == 0)
    return 0;
  const int64_t parts = (layout.getNumElements() / layout.getOutSize(axis)) << warpsAlong;
  int64_t bytes = 0;
  for (Type input : reduce.getInputs().getTypes())
    bytes += parts * llvm::divideCeil(as::getSharedBits(getElementTypeOrSelf(input)), 8);
  return bytes;
}

/// What `reduce` reads can be computed before `host`, and no tile among it has to be kept for that: nothing else reads
/// it, or it can be had again for nothing.
bool canComputeBefore(as::ReduceOp reduce, as::ReduceOp host) {
  constexpr unsigned mostMoved = 256; // More than that is not moved for a barrier.
  SetVector<Operation *> slice;
  unsigned numOperations = 0;
  BackwardSliceOptions options;
  options.inclusive = false;
  options.filter = [&](Operation *op) {
    return op->getBlock() == host->getBlock() && host->isBeforeInBlock(op) && ++numOperations <= mostMoved;
  };
  if (failed(getBackwardSlice(reduce.getOperation(), &slice, options)) || numOperations > mostMoved)
    return false;
  return llvm::all_of(slice, [&](Operation *op) {
    return llvm::none_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
           llvm::all_of(op->getUsers(), [&](Operation *user) { return user == reduce || slice.contains(user); });
  });
}

bool canMerge(as::ReduceOp host, as::ReduceOp reduce, const TuningModel &tuning) {
  RankedTensorType first = getInputType(host), second = getInputType(reduce);
  return host.getAxis() == reduce.getAxis() && host.getAtom() == reduce.getAtom() &&
         first.getShape() == second.getShape() && first.getEncoding() == second.getEncoding() &&
         countPartBytes(host) + countPartBytes(reduce) <= tuning.smallExchangeBytes && canComputeBefore(reduce, host);
}

/// One reduction of what both reduce, where `host` is.
as::ReduceOp merge(as::ReduceOp host, as::ReduceOp reduce) {
  IRRewriter rewriter(host);
  if (failed(moveValueDefinitions(rewriter, reduce.getInputs(), host)))
    return nullptr;
  SmallVector<Value> inputs(host.getInputs());
  llvm::append_range(inputs, reduce.getInputs());
  SmallVector<Type> types(host.getResultTypes());
  llvm::append_range(types, reduce.getResultTypes());
  SmallVector<Attribute> identities(host.getIdentities().getValue());
  llvm::append_range(identities, reduce.getIdentities());

  auto merged = as::ReduceOp::create(rewriter, rewriter.getFusedLoc({host.getLoc(), reduce.getLoc()}), types, inputs,
                                     host.getAxisAttr(), rewriter.getArrayAttr(identities), host.getAtomAttr());
  Block &body = merged.getBody().emplaceBlock();
  SmallVector<Value> yielded;
  for (as::ReduceOp part : {host, reduce}) {
    Block &own = part.getBody().front();
    const unsigned before = body.getNumArguments();
    for (BlockArgument argument : own.getArguments())
      body.addArgument(argument.getType(), argument.getLoc());
    llvm::append_range(yielded, own.getTerminator()->getOperands());
    rewriter.eraseOp(own.getTerminator());
    rewriter.mergeBlocks(&own, &body, body.getArguments().drop_front(before));
  }
  rewriter.setInsertionPointToEnd(&body);
  as::YieldOp::create(rewriter, merged.getLoc(), yielded);
  rewriter.replaceOp(host, merged.getResults().take_front(host.getNumResults()));
  rewriter.replaceOp(reduce, merged.getResults().take_back(reduce.getNumResults()));
  return merged;
}

struct TileASMergeReductions : impl::TileASMergeReductionsBase<TileASMergeReductions> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASMergeReductions)

  void runOnOperation() override {
    const ChipTarget target = findModuleTarget(getOperation(), "");
    getOperation().walk([&](Block *block) { mergeIn(*block, target.tuning()); });
  }

  /// Each with the first of those before it, not too many of them, that can take it.
  void mergeIn(Block &block, const TuningModel &tuning) {
    constexpr size_t mostHosts = 8;
    SmallVector<as::ReduceOp> hosts;
    for (as::ReduceOp reduce : llvm::make_early_inc_range(block.getOps<as::ReduceOp>())) {
      if (!isCommutative(reduce.getBody()) || countPartBytes(reduce) == 0)
        continue;
      auto host = llvm::find_if(hosts, [&](as::ReduceOp host) { return canMerge(host, reduce, tuning); });
      if (host == hosts.end()) {
        if (hosts.size() == mostHosts)
          hosts.erase(hosts.begin());
        hosts.push_back(reduce);
      } else if (as::ReduceOp merged = merge(*host, reduce)) {
        *host = merged;
        ++numMerged;
      }
    }
  }
};

} // namespace
} // namespace tileiras::layout
