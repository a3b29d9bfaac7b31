//===- PlaceAccumulators.cpp - Accumulators in tensor memory --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products that add in tensor memory are found and opened; their accumulators become webs, and webs get columns. Then
// the program is rewritten: tiles move to and from tensor memory, products release the stages that they read, and
// threads wait for products, and for each other, where they have to.
//
//===----------------------------------------------------------------------===//

#include "AccumulatorMoves.h"
#include "AccumulatorStages.h"
#include "CarriedTiles.h"
#include "Exponentials.h"
#include "OperandStages.h"
#include "ProductWaits.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/NVIDIA/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASPLACEACCUMULATORS
#include "tileiras/NVIDIA/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {

/// Registers that a thread at `op` has, at most.
static int64_t countRegistersAt(Operation *op, LLVM::LLVMFuncOp kernel, const LoweringContext &lowering) {
  Region *scope = getScopeRegion(op);
  auto agents = dyn_cast<as::AgentSwitchOp>(scope->getParentOp());
  const int64_t ofAgent = agents ? agents.getRegisters(scope->getRegionNumber()) : 0;
  return ofAgent != 0 ? ofAgent
                      : lowering.machine().getRegistersPerThread(getExecutionScope(kernel).getNumThreads(), 1);
}

/// Shortens what loops carry, and fills the time of their exponentials. Returns results of loops that carry no
/// accumulators.
static SmallVector<OpResult> arrangeLoops(const KernelProducts &products, const LoweringContext &lowering) {
  LLVM::LLVMFuncOp kernel = products.kernel;
  llvm::SetVector<scf::ForOp> loops;
  for (as::AsyncDotOp product : products.all)
    if (auto loop = product->getParentOfType<scf::ForOp>())
      loops.insert(loop);
  for (scf::ForOp loop : loops)
    carryComputedTiles(loop, lowering);
  SmallVector<OpResult> inRegisters;
  kernel.walk([&](scf::ForOp loop) {
    llvm::append_range(inRegisters, overlapExponentials(loop, lowering, countRegistersAt(loop, kernel, lowering)));
  });
  return inRegisters;
}

/// The webs of products whose accumulators are not in stages of pipelines already.
static AccumulatorWebs findWebs(const KernelProducts &products, ArrayRef<OpResult> inRegisters) {
  auto isInRegisters = [](as::AsyncDotOp product) { return !as::isTensorMemoryTensor(product.getC().getType()); };
  return AccumulatorWebs(products.kernel, llvm::filter_to_vector(products.all, isInRegisters), inRegisters);
}

static LogicalResult placeAccumulators(LLVM::LLVMFuncOp kernel, const LoweringContext &lowering) {
  ScaleColumns scales;
  const KernelProducts products = openProducts(kernel, lowering, scales);
  if (products.all.empty())
    return success();
  const SmallVector<OpResult> inRegisters = arrangeLoops(products, lowering);
  const SmallVector<as::AllocTensorOp> rings = findAccumulatorRings(kernel);

  AccumulatorWebs webs = findWebs(products, inRegisters);
  const FailureOr<ColumnPlan> columns = fitColumns(products, rings, lowering, webs, scales);
  if (failed(columns))
    return failure();
  const llvm::SmallPtrSet<Operation *, 4> apart = findApart(kernel, webs, *columns);

  AccumulatorMemory memory = createMemory(products, rings, webs, *columns, lowering);
  moveOperands(*columns, memory, lowering); // First: registers that hold operands are free before sums are scaled.
  moveAccumulators(webs, memory, lowering);
  memory.barriers.commitProducts(memory.getBarriers());

  handOverAccumulators(kernel);
  const bool allCommitted = commitStages(products, memory, /*hasAccumulatorStages=*/!columns->rings.empty());
  replaceWaits(products, memory, allCommitted);
  scales.replaceProducts(memory.getBase(), [&](OpBuilder &builder, Operation *product) {
    emitWait(builder, product->getLoc(), product, memory);
  });
  placeProductWaits(products, webs, *columns, memory, apart, lowering);
  return success();
}

namespace {

struct PlaceAccumulatorsPass final : impl::TileASPlaceAccumulatorsBase<PlaceAccumulatorsPass> {
  void runOnOperation() override {
    LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!kernel.isExternal() && failed(placeAccumulators(kernel, *lowering)))
        return signalPassFailure();
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
