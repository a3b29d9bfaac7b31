//===- RegisterBudget.cpp - Tiles that do not fit in registers ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Preparation.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {

/// Registers of a thread that are not there for tiles: addresses, indices, what an instruction works with.
static constexpr int64_t kOverhead = 24;

/// 32-bit registers a thread takes for `value`. A predicate takes one, numbers of less than 32 bits share one.
static int64_t countRegisters(const LoweringContext &lowering, Value value) {
  Operation *op = value.getDefiningOp();
  bool isMadeAnew = op && (op->hasTrait<OpTrait::ConstantLike>() ||
                           isa<as::SplatOp, as::BroadcastOp, as::MakeRangeOp, as::ExpandDimsOp>(op));
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!tensor || isMadeAnew)
    return 0;
  Type element = lowering.converter.convertElement(tensor.getElementType());
  int64_t bits = element.isInteger(1) ? 32 : 8 * getCarrierBytes(element);
  return llvm::divideCeil(getNumRegisters(tensor) * bits, 32);
}

static int64_t getRegisterLimit(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel) {
  if (auto limit = kernel->getAttrOfType<IntegerAttr>("nvvm.maxnreg"))
    return limit.getInt();
  const MachineModel &machine = lowering.machine();
  int64_t share = llvm::alignDown(machine.registersPerSM / getNumThreads(kernel), machine.registerAllocationUnit);
  return std::min<int64_t>(share, machine.maxRegistersPerThread);
}

void provideForSpills(const LoweringContext &lowering, LLVM::LLVMFuncOp function, bool canShare) {
  if (!function->hasAttr("nvvm.kernel"))
    return;
  RegisterPressure pressure =
      measureRegisterPressure(function.getBody(), [&](Value value) { return countRegisters(lowering, value); });
  int64_t needed = pressure.cost + kOverhead, limit = getRegisterLimit(lowering, function);
  if (needed <= limit)
    return;
  // ptxas keeps spills in what static arrays leave of shared memory; it refuses to next to a dynamic array, and where
  // functions are called.
  auto calls = [](Operation *op) {
    auto alloca = dyn_cast<aa::AllocaOp>(op);
    bool isCall = isa<as::PrintOp, as::AssertOp>(op) || (alloca && isOnHeap(alloca));
    return isCall ? WalkResult::interrupt() : WalkResult::advance();
  };
  bool isShared = canShare && !function->hasAttr(kDynamicSharedBytesAttr) && lowering.features().sharedMemorySpills &&
                  !function.walk(calls).wasInterrupted();
  std::string where = isShared ? "shared memory first, then to local memory" : "local memory";
  remarkMissed(pressure.peak, "RegisterPressure", "registers")
      << llvm::formatv(
             "about {0} registers per thread are needed here, of {1}: tiles are spilled to {2}; smaller tiles "
             "need fewer",
             needed, limit, where)
             .str();
  if (!isShared)
    return;
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Emitter(builder, function.getLoc()).volatilePtx(".pragma \"enable_smem_spilling\";", "", Type(), {});
}

} // namespace tileiras
