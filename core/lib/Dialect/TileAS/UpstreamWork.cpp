//===- UpstreamWork.cpp - The work of MLIR's operations -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "tileiras/Dialect/TileAS/WorkCollector.h"

using namespace mlir;
using namespace tileiras;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static std::optional<ElementWork> getArithWork(Operation *op) {
  if (isa<arith::ConstantOp, arith::BitcastOp>(op))
    return ElementWork::Free;
  if (isa<arith::DivFOp>(op))
    return ElementWork::Division;
  if (isa<arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return ElementWork::Sequence;
  if (isa<arith::SelectOp, arith::CmpFOp>(op)) // whatever they select or compare
    return ElementWork::Integer;
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
    return getMinMaxWork(op->getResult(0).getType());
  return deriveElementWork(op);
}

static std::optional<ElementWork> getMathWork(Operation *op) {
  if (isa<math::FmaOp, math::AbsFOp, math::CopySignOp, math::AbsIOp, math::CtPopOp>(op))
    return deriveElementWork(op);
  if (isa<math::SqrtOp>(op))
    return ElementWork::Division;
  if (isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::RsqrtOp, math::TanhOp>(op))
    return ElementWork::Special;
  return ElementWork::Sequence;
}

namespace {

template <typename OpTy>
struct ArithWork final : WorkOpInterface::ExternalModel<ArithWork<OpTy>, OpTy> {
  std::optional<ElementWork> getElementWork(Operation *op) const { return getArithWork(op); }
};

template <typename OpTy>
struct MathWork final : WorkOpInterface::ExternalModel<MathWork<OpTy>, OpTy> {
  std::optional<ElementWork> getElementWork(Operation *op) const { return getMathWork(op); }
};

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Each region once: of branches all, as some thread may take each; of a loop of unknown length one iteration.
template <typename OpTy>
struct RegionWork final : WorkOpInterface::ExternalModel<RegionWork<OpTy>, OpTy> {
  void collectWork(Operation *op, WorkCollector &works, uint64_t times) const { works.collectRegions(op, times); }
};

/// As often as it is known to run, else once.
struct LoopWork final : WorkOpInterface::ExternalModel<LoopWork, scf::ForOp> {
  void collectWork(Operation *op, WorkCollector &works, uint64_t times) const {
    const std::optional<llvm::APInt> count = cast<scf::ForOp>(op).getStaticTripCount();
    works.collectRegions(op, WorkCollector::multiply(times, count ? count->getLimitedValue() : 1));
  }
};

} // namespace

template <template <typename> class Model, typename... Ops>
static void attach(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

void tileiras::registerUpstreamWork(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<ArithWork,
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
           >(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attach<MathWork,
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
           >(context);
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::ForOp::attachInterface<LoopWork>(*context);
    attach<RegionWork, scf::ExecuteRegionOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(context);
  });
}
