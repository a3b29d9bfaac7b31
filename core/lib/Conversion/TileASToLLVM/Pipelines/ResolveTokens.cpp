//===- ResolveTokens.cpp - Tokens become what instructions count ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandAsyncStages.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Analysis/LaterStarts.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASRESOLVETOKENS
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// An MMA that nobody has waited for may be what makes `value`, perhaps in an iteration before.
bool mayBeInFlight(Value value) {
  llvm::SmallSetVector<Value, 4> sources;
  sources.insert(value);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].getDefiningOp<as::AsyncDotOp>())
      return true;
    for (Value source : as::findSources(sources[i]))
      sources.insert(source);
  }
  return false;
}

/// What the MMA `product` makes, under all names that loops and branches give it, and who waits for that.
class InFlight {
public:
  explicit InFlight(as::AsyncDotOp product) {
    for (Value result : product->getResults())
      names.insert(result);
    for (size_t i = 0; i < names.size(); ++i)
      for (OpOperand &use : names[i].getUses())
        visit(use);
  }

  ArrayRef<OpOperand *> getUses() const { return uses; }
  bool isWaitedForBefore(Operation *user, const DominanceInfo &dominance) const {
    return llvm::any_of(waits, [&](Operation *wait) { return dominance.properlyDominates(wait, user); });
  }

private:
  void visit(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<as::AsyncWaitOp, as::AsyncFutureWaitOp>(user)) {
      waits.push_back(user);
    } else if (isa<as::AsyncToAsyncOp>(user)) {
      names.insert(user->getResult(0));
    } else if (Value carried = as::getCarried(use)) {
      names.insert(carried);
      if (auto loop = carried.getDefiningOp<scf::ForOp>())
        names.insert(loop.getRegionIterArg(cast<OpResult>(carried).getResultNumber()));
    } else if (auto product = dyn_cast<as::AsyncDotOp>(user); !product || &use != &product.getCMutable()) {
      uses.push_back(&use);
    }
  }

  llvm::SmallSetVector<Value, 4> names;
  SmallVector<Operation *, 2> waits;
  SmallVector<OpOperand *> uses; ///< by what needs it complete
};

/// Whoever uses a sum in registers that nobody has waited for waits for it (`async.dot`).
void awaitUses(RewriterBase &rewriter, LLVM::LLVMFuncOp function) {
  const DominanceInfo dominance(function);
  SmallVector<as::AsyncDotOp> products;
  function.walk([&](as::AsyncDotOp product) {
    if (as::isDistributedTensor(product.getResult().getType()))
      products.push_back(product);
  });
  for (as::AsyncDotOp product : products) {
    const InFlight inFlight(product);
    for (OpOperand *use : inFlight.getUses()) {
      Operation *user = use->getOwner();
      if (!as::isDistributedTensor(use->get().getType()) || inFlight.isWaitedForBefore(user, dominance))
        continue;
      rewriter.setInsertionPoint(user);
      Value none = as::CreateNoneOp::create(rewriter, user->getLoc(), rewriter.getType<as::AsyncTokenType>());
      auto wait = as::AsyncFutureWaitOp::create(rewriter, user->getLoc(), none, use->get());
      rewriter.modifyOpInPlace(user, [&] { use->set(wait.getResults().front()); });
    }
  }
}

void resolve(RewriterBase &rewriter, as::AsyncToAsyncOp op) {
  rewriter.setInsertionPoint(op);
  if (op.getValue().getType() == op.getResult().getType())
    rewriter.replaceOp(op, op.getValue());
  else if (!mayBeInFlight(op.getValue()))
    rewriter.replaceOpWithNewOp<as::CreateNoneOp>(op, op.getResult().getType());
}

/// Registers are sliced when they are complete.
void resolve(RewriterBase &rewriter, as::AsyncExtractSliceOp op) {
  rewriter.replaceAllUsesWith(op.getToken(), op.getAfter());
  auto slice = [&](Value source) -> Value {
    return as::ExtractSliceOp::create(rewriter, op.getLoc(), op.getResult().getType(), source, op.getIndices());
  };
  for (Operation *user :
       llvm::to_vector(llvm::SetVector<Operation *>(op.getResult().user_begin(), op.getResult().user_end()))) {
    auto wait = dyn_cast<as::AsyncFutureWaitOp>(user);
    rewriter.setInsertionPoint(user);
    if (!wait) {
      Value complete = slice(op.getSource());
      rewriter.modifyOpInPlace(user, [&] { user->replaceUsesOfWith(op.getResult(), complete); });
      continue;
    }
    SmallVector<Value> values = llvm::map_to_vector(
        wait.getValues(), [&](Value value) { return value == op.getResult() ? op.getSource() : value; });
    auto whole = as::AsyncFutureWaitOp::create(rewriter, wait.getLoc(), wait.getToken(), values);
    SmallVector<Value> results(whole.getResults());
    for (auto [value, result] : llvm::zip_equal(wait.getValues(), results))
      if (value == op.getResult())
        result = slice(result);
    rewriter.replaceOp(wait, results);
  }
  rewriter.eraseOp(op);
}

template <typename OpTy>
void resolveAll(RewriterBase &rewriter, LLVM::LLVMFuncOp function) {
  SmallVector<OpTy> ops;
  function.walk([&](OpTy op) { ops.push_back(op); });
  for (OpTy op : ops)
    resolve(rewriter, op);
}

/// What is not known by its token alone says so: the wait is for all of its kind.
void countLaterStarts(RewriterBase &rewriter, LLVM::LLVMFuncOp function) {
  const as::LaterStarts later(function);
  function.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](as::AsyncWaitOp wait) {
          if (std::optional<unsigned> pending = later.get(wait))
            wait.setPending(*pending);
          else
            rewriter.eraseOp(wait);
        })
        .Case([&](as::AsyncFutureWaitOp wait) {
          if (std::optional<unsigned> pending = later.get(wait))
            wait.setPending(*pending);
          else
            rewriter.replaceOp(wait, wait.getValues());
        })
        .Case([&](as::AsyncStoreWaitOp wait) {
          if (wait.getRead())
            wait.setPending(later.get(wait).value_or(0));
        });
  });
}

class ResolveTokensPass final : public impl::TileASResolveTokensBase<ResolveTokensPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      resolveAll<as::AsyncToAsyncOp>(rewriter, function);
      resolveAll<as::AsyncExtractSliceOp>(rewriter, function);
      if (failed(expandAsyncStages(function)))
        return signalPassFailure();
      awaitUses(rewriter, function);
      countLaterStarts(rewriter, function);
      function.walk([&](as::AsyncToAsyncOp op) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOpWithNewOp<as::CreateNoneOp>(op, op.getResult().getType());
      });
    }
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
