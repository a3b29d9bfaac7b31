//===- ConsumerSteps.cpp - Consumers in single steps ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConsumerSteps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/FutureAccumulators.h"

using namespace mlir;

namespace tileiras::async {

as::AsyncFutureWaitOp getWait(as::AsyncDotOp product) {
  auto wait = product.getToken() && product.getToken().hasOneUse()
                  ? dyn_cast<as::AsyncFutureWaitOp>(*product.getToken().user_begin())
                  : nullptr;
  return wait && wait->getBlock() == product->getBlock() && wait.getValues().size() == 1 &&
                 wait.getValues().front() == product.getResult()
             ? wait
             : nullptr;
}

SmallVector<as::AsyncDotOp> getProducts(as::ConsumeOneOp consume) {
  return llvm::to_vector(consume.getBody().front().getOps<as::AsyncDotOp>());
}

Value removeWaits(RewriterBase &rewriter, ArrayRef<as::AsyncDotOp> products) {
  for (as::AsyncDotOp product : products)
    rewriter.replaceOp(getWait(product), product.getResult());
  return as::AsyncDotOp(products.back()).getToken();
}

//===----------------------------------------------------------------------===//
// Open consumers
//===----------------------------------------------------------------------===//

/// The pure operations of `body` that need nothing that it makes but each other.
static SetVector<Operation *> getIndependent(Block &body) {
  SetVector<Operation *> independent;
  for (Operation &op : body.without_terminator()) {
    auto isOutside = [&](Value value) {
      return value.getParentBlock() != &body || independent.contains(value.getDefiningOp());
    };
    if (isPure(&op) && op.getNumRegions() == 0 && llvm::all_of(op.getOperands(), isOutside))
      independent.insert(&op);
  }
  return independent;
}

/// Threads read the stage to registers, and compute from that.
static bool onlyReads(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    auto copy = dyn_cast<as::CopyOp>(op);
    return copy ? !copy.getDestination() : op.getNumRegions() == 0 && isPure(&op);
  });
}

bool canOpenConsumer(as::ConsumeOneOp consume, std::string &reason) {
  Block &body = consume.getBody().front();
  if (body.getNumArguments() != 0 && onlyReads(body))
    return true;
  const SetVector<Operation *> independent = getIndependent(body);
  auto refuse = [&](const Twine &what) {
    reason = what.str();
    return false;
  };
  if (body.getNumArguments() == 0 || getProducts(consume).empty())
    return refuse("a stage is read by no MMA of a warpgroup");
  for (Operation &op : body) {
    if (independent.contains(&op) || isa<ViewLikeOpInterface>(op))
      continue;
    if (auto yield = dyn_cast<as::PipelineYieldOp>(op)) {
      if (!llvm::all_of(yield.getValues(), [](Value value) { return value.getDefiningOp<as::AsyncFutureWaitOp>(); }))
        return refuse("a consumer gives what it has not waited for");
      continue;
    }
    auto product = dyn_cast<as::AsyncDotOp>(op);
    auto wait = dyn_cast<as::AsyncFutureWaitOp>(op);
    auto waited = wait ? wait.getToken().getDefiningOp<as::AsyncDotOp>() : nullptr;
    if ((product && getWait(product)) || (waited && getWait(waited) == wait))
      continue;
    return refuse("a consumer runs '" + op.getName().getStringRef() + "' on its stage");
  }
  // Without waits in between, products may only add to each other.
  for (as::AsyncDotOp product : getProducts(consume)) {
    Value result = getWait(product).getResults().front();
    auto next = result.hasOneUse() ? dyn_cast<as::AsyncDotOp>(*result.user_begin()) : nullptr;
    const bool isAddedTo = next && next.getC() == result && next.getAtom() == product.getAtom();
    if (!isAddedTo && !llvm::all_of(result.getUsers(), llvm::IsaPred<as::PipelineYieldOp>))
      return refuse("an MMA of a consumer needs another one of it");
  }
  return true;
}

/// Operands of products in registers, which nobody may write again before they are complete. Those in tensor memory
/// read copies there.
static SetVector<Value> getRegisterOperands(ArrayRef<as::AsyncDotOp> products, scf::ForOp loop,
                                            const AtomCatalogue *atoms) {
  SetVector<Value> operands;
  for (as::AsyncDotOp product : products)
    if (!as::isMemoryTensor(product.getA().getType()) && !as::sumsInTensorMemory(atoms, product.getAtom()) &&
        (!loop || !loop.isDefinedOutsideOfLoop(product.getA())))
      operands.insert(product.getA());
  return operands;
}

void openConsumer(RewriterBase &rewriter, as::ConsumeOneOp consume, const AtomCatalogue *atoms) {
  for (Operation *op : getIndependent(consume.getBody().front()))
    rewriter.moveOpBefore(op, consume);
  SmallVector<as::AsyncDotOp> products = getProducts(consume);
  if (products.empty()) {
    as::ConsumerReadOp read = as::splitConsumer(rewriter, consume, /*token=*/Value());
    rewriter.setInsertionPointAfter(read);
    as::ConsumerReleaseOp::create(rewriter, read.getLoc(), read.getDone());
    return;
  }
  const SetVector<Value> operands = getRegisterOperands(products, consume->getParentOfType<scf::ForOp>(), atoms);
  as::ConsumerReadOp read = as::splitConsumer(rewriter, consume, removeWaits(rewriter, products));

  rewriter.setInsertionPointAfter(read);
  ValueRange started = read.getValues().drop_back();
  SmallVector<Value> values(started);
  llvm::append_range(values, operands);
  auto wait = as::AsyncFutureWaitOp::create(rewriter, read.getLoc(), read.getValues().back(), values);
  for (auto [value, complete] : llvm::zip(started, wait.getResults()))
    rewriter.replaceAllUsesExcept(value, complete, wait);
  as::ConsumerReleaseOp::create(rewriter, read.getLoc(), read.getDone());
}

bool hasOpenConsumers(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && !loop.getBody()->getOps<as::ConsumerReadOp>().empty();
}

} // namespace tileiras::async
