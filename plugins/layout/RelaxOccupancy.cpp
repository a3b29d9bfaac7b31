//===- RelaxOccupancy.cpp - tileas-relax-occupancy ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "tileiras/Analysis/RegisterEstimate.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASRELAXOCCUPANCY
#include "Passes.h.inc"

namespace {

struct TileASRelaxOccupancy : impl::TileASRelaxOccupancyBase<TileASRelaxOccupancy> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASRelaxOccupancy)
  using TileASRelaxOccupancyBase::TileASRelaxOccupancyBase;

  void runOnOperation() override {
    auto func = dyn_cast<aa::FuncOp>(getOperation().getOperation());
    aa::KernelSpecAttr spec = func ? func.getKernelSpecAttr() : aa::KernelSpecAttr();
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target || !spec || spec.getOccupancy() <= 1 || func.isExternal())
      return;
    const int64_t warps = getExecutionScope(func).numWarps;
    const unsigned room = target.machine().countResidentCTAs(warps, /*registersPerThread=*/1, /*sharedBytes=*/0);
    if (room < spec.getOccupancy()) {
      remarkOn(func, tileiras::Missed::IgnoredHint)
          << llvm::formatv("hint 'occupancy' ignored: {0} blocks of {1} warps are more than a multiprocessor takes, "
                           "which is {2}; fewer warps would help",
                           spec.getOccupancy(), warps, room)
                 .str();
      spec = setOccupancy(func, spec, room);
    }
    const int64_t needed = as::estimateRegisters(func.getBody(), target).cost;
    const int64_t threads = getExecutionScope(func).getNumThreads();
    auto fits = [&](unsigned blocks) {
      const int64_t limit = target.machine().getRegistersPerThread(threads, blocks);
      return 100 * needed <= (100 + target.tuning().occupancyTolerance) * limit;
    };
    unsigned blocks = spec.getOccupancy();
    while (blocks > 1 && !fits(blocks))
      --blocks;
    if (blocks == spec.getOccupancy())
      return;
    remarkOn(func, tileiras::Missed::IgnoredHint)
        << llvm::formatv("hint 'occupancy' = {0} leaves a thread {1} registers, and its tiles need about {2}: {3} "
                         "block(s) are resident on a multiprocessor; smaller tiles need fewer",
                         spec.getOccupancy(), target.machine().getRegistersPerThread(threads, spec.getOccupancy()),
                         needed, blocks)
               .str();
    setOccupancy(func, spec, blocks);
  }

  static aa::KernelSpecAttr setOccupancy(aa::FuncOp func, aa::KernelSpecAttr spec, unsigned blocks) {
    func.setKernelSpecAttr(aa::KernelSpecAttr::get(func.getContext(), spec.getNumWarps(), spec.getNumCtas(), blocks));
    return func.getKernelSpecAttr();
  }
};

} // namespace
} // namespace tileiras::layout
