//===- SliceTiles.cpp - tileaa-slice-tiles --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Slicing/Passes.h"
#include "tileiras/Target/ModuleTarget.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras {
#define GEN_PASS_DEF_SLICETILES
#include "tileiras/Slicing/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

namespace {

struct SliceTiles : tileiras::impl::SliceTilesBase<SliceTiles> {
  using Base::Base;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<aa::FuncOp>())
      if (!func.isExternal() && failed(slice(func)))
        return signalPassFailure();
  }

  /// What one tile may take of a thread's registers.
  int64_t getMaxRegisters(aa::FuncOp func, int64_t threads) {
    const ChipTarget target = findModuleTarget(func, gpuName);
    const int64_t all = target ? target.machine().registersPerSM : 65536;
    const int64_t most = target ? target.machine().maxRegistersPerThread : 255;
    return std::min(all / threads, most) * 3 / 4;
  }

  LogicalResult slice(aa::FuncOp func) {
    const int64_t threads = getExecutionScope(func).getNumThreads(), maxRegisters = getMaxRegisters(func, threads);
    auto isTooLarge = [&](RankedTensorType tile) {
      Type element = tile.getElementType();
      // A predicate takes a register, numbers of less than 32 bits share one.
      int64_t bits = element.isInteger(1) ? 32 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
      return tile.getNumElements() > maxElementsPerThread * threads ||
             tile.getNumElements() * bits > 32 * maxRegisters * threads;
    };
    slicing::SliceShapes shapes(func, isTooLarge, sliceElementsPerThread * threads);
    if (!shapes.any())
      return success();
    remarkMissed(func, "LargeTiles", "slicing")
        << llvm::formatv("has tiles that take more than {0} registers, or {1} elements, of each thread: they are "
                         "computed slice by slice and kept in memory; smaller tiles stay in registers",
                         maxRegisters, maxElementsPerThread)
               .str();
    slicing::SliceDemand demand(func, shapes);
    return slicing::SliceRewriter(func, shapes, demand).rewrite();
  }
};

} // namespace
