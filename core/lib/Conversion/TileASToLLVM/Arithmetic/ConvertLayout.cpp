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

/// The plan that `op` names, if there is one of its kind; the cheapest one where it names none.
std::optional<ConversionPlan> findPlan(as::ConvertLayoutOp op, const LoweringContext &lowering) {
  const unsigned bits = 8 * getCarrierBytes(lowering.converter.convertElement(getElementTypeOrSelf(op.getType())));
  const LinearLayout source = getLayout(op.getSource().getType()), destination = getLayout(op.getType());
  const ConversionPlan &cheapest = lowering.getConversionPlan(bits, source, destination);
  auto isNamed = [&](const ConversionPlan &plan) {
    return !op.getAtomPlan() || op.getAtomPlan()->getAtom() == stringifyConversionKind(plan.kind);
  };
  if (isNamed(cheapest))
    return cheapest;
  MatrixInstructions instructions = {lowering.features().ldmatrix, lowering.features().stmatrix};
  const ConversionCosts costs = lowering.tuning().getConversionCosts();
  for (ConversionPlan &plan : collectConversionPlans(source, destination, bits, costs, instructions))
    if (isNamed(plan))
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
  if (getAtomPlan()) // From registers to registers.
    return 0;
  Type element = lowering.converter.convertElement(getElementTypeOrSelf(getType()));
  return getConversionScratchBytes(lowering, element, getLayout(getSource().getType()), getLayout(getType()), *this);
}

void populateConvertLayoutPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ConvertLayoutPattern>(lowering);
}

} // namespace tileiras
