//===- ConvertLayout.cpp - Tiles change hands -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/SharedStaging.h"

using namespace mlir;

namespace tileiras {
namespace {

/// `plan` is what `op` names, if it names anything.
bool isNamed(as::ConvertLayoutOp op, const ConversionPlan &plan) {
  const as::AtomPlanAttr named = op.getAtomPlanAttr();
  if (!named || named.getTag() == 0)
    return !named || named.getAtom() == stringifyConversionKind(plan.kind);
  return plan.shared && named.getAtom() == (plan.shared->exchange.load.matrix ? as::AtomPlanAttr::kLoadMatrix
                                                                              : as::AtomPlanAttr::kLoadShared);
}

/// The plan that `op` names, if there is one of its kind; the cheapest one where it names none.
std::optional<ConversionPlan> findPlan(as::ConvertLayoutOp op, const LoweringContext &lowering) {
  const unsigned bits = 8 * getCarrierBytes(lowering.converter.convertElement(getElementTypeOrSelf(op.getType())));
  const LinearLayout source = getLayout(op.getSource().getType()), destination = getLayout(op.getType());
  const ConversionPlan &cheapest = lowering.getConversionPlan(bits, source, destination);
  if (isNamed(op, cheapest))
    return cheapest;
  // What the cheapest way reads by ldmatrix can be read without.
  for (bool ldmatrix : {lowering.features().ldmatrix, false})
    for (ConversionPlan &plan :
         collectConversionPlans(source, destination, bits, lowering.tuning().getConversionCosts(),
                                {ldmatrix, lowering.features().stmatrix}))
      if (isNamed(op, plan))
        return std::move(plan);
  return std::nullopt;
}

struct ConvertLayoutPattern final : TilePattern<as::ConvertLayoutOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<ConversionPlan> plan = findPlan(op, lowering);
    if (!plan)
      return op.emitOpError() << "is planned as '" << op.getAtomPlan()->getAtom().getValue()
                              << "', which cannot bring this tile into that layout; without 'atom_plan' a way is found";
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op,
                       emitPlannedConversion(emit, lowering, adaptor.getSource(), *plan, getLayout(op.getType()), op));
    return success();
  }
};

} // namespace

int64_t as::ConvertLayoutOp::getScratchBytes(const LoweringContext &lowering) {
  const std::optional<ConversionPlan> plan = findPlan(*this, lowering);
  return plan ? getConversionScratchBytes(lowering, *plan, *this) : 0;
}

void populateConvertLayoutPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ConvertLayoutPattern>(lowering);
}

} // namespace tileiras
