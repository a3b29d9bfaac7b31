//===- PromoteAccumulators.cpp - tileas-promote-accumulators --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASPROMOTEACCUMULATORS
#include "Passes.h.inc"

using namespace mlir;

namespace {

struct TileASPromoteAccumulators : impl::TileASPromoteAccumulatorsBase<TileASPromoteAccumulators> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASPromoteAccumulators)
  using TileASPromoteAccumulatorsBase::TileASPromoteAccumulatorsBase;

  void runOnOperation() override {
    target = findModuleTarget(getOperation(), gpuName);
    if (!target)
      return;
    SmallVector<as::DotOp> products;
    getOperation()->walk([&](as::DotOp product) {
      auto consume = dyn_cast<as::ConsumeOneOp>(product->getParentOp());
      if (consume && isa<scf::ForOp>(consume->getParentOp()) && !isFilledByThreads(consume) && isOnePart(product) &&
          hasRegisters(product) && isGiven(product))
        products.push_back(product);
    });
    IRRewriter rewriter(&getContext());
    for (as::DotOp product : products)
      promote(rewriter, product, cast<as::ConsumeOneOp>(product->getParentOp()));
  }

  /// Its sum is one of those that are added up apart.
  bool isOnePart(as::DotOp product) {
    const MmaAtom *atom = product.getAtom().findMma(target.atoms());
    return atom && sumsInParts(*atom, product.getFastAcc()) &&
           product.getA().getType().getShape().back() <= int64_t(atom->k) * kInstructionsOfPart;
  }

  /// For the sum, a part that is complete and one that is under way, and a fifth for everything else. A few additions
  /// are not worth it.
  bool hasRegisters(as::DotOp product) {
    const int64_t threads = getExecutionScope(product).getNumThreads();
    RankedTensorType type = product.getType();
    const int64_t sum = countRegisters(type.getNumElements(), type.getElementType(), threads);
    return sum >= target.tuning().leastPromotedRegisters &&
           5 * 3 * sum <= 4 * target.machine().getRegistersPerThread(threads, getWantedCTAs(getOperation()));
  }

  /// Threads that fill stages have enough to do beside products.
  static bool isFilledByThreads(as::ConsumeOneOp consume) {
    return llvm::any_of(consume.getPipeline().getUsers(), [](Operation *user) {
      auto produce = dyn_cast<as::ProduceOneOp>(user);
      return produce && (as::loadsToRegisters(produce.getBody()) || as::startsCopies(produce.getBody()));
    });
  }

  /// What is added to comes from outside the stage's reader, and the sum leaves it.
  static bool isGiven(as::DotOp product) {
    return product.getC().getParentBlock() != product->getBlock() && product->hasOneUse() &&
           isa<as::PipelineYieldOp>(*product->user_begin());
  }

  static void promote(RewriterBase &rewriter, as::DotOp product, as::ConsumeOneOp consume) {
    OpOperand &given = *product->use_begin();
    Value part = consume.getValues()[given.getOperandNumber()], sum = product.getC();
    rewriter.setInsertionPoint(consume);
    Value zero = arith::ConstantOp::create(rewriter, product.getLoc(), rewriter.getZeroAttr(product.getType()));
    rewriter.modifyOpInPlace(product, [&] {
      product.getCMutable().set(zero);
      product.setFastAcc(true);
    });
    rewriter.setInsertionPointAfter(consume);
    auto add = arith::AddFOp::create(rewriter, product.getLoc(), sum, part);
    rewriter.replaceAllUsesExcept(part, add, add);
  }

  ChipTarget target;
};

} // namespace
} // namespace tileiras::async
