//===- SliceTiles.cpp - tileaa-slice-tiles --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Slicing/Passes.h"

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
      if (!func.isExternal() && !takesTiles(func) && failed(slice(func)))
        return signalPassFailure();
  }

  /// Nobody can pass slices of a tile; the conversion to nv_tileas says so.
  static bool takesTiles(aa::FuncOp func) {
    return llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<RankedTensorType>);
  }

  /// 32-bit registers of a thread for one tile.
  static int64_t getMaxRegisters(const ChipTarget &target, int64_t threads) {
    const int64_t all = target ? target.machine().registersPerSM : 65536;
    const int64_t most = target ? target.machine().maxRegistersPerThread : 255;
    return std::min(all / threads, most) * target.tuning().slicedTilePercent / 100;
  }

  bool isTooLarge(RankedTensorType tile, int64_t threads, int64_t maxRegisters) {
    if (maxElementsPerThread != 0)
      return tile.getNumElements() > maxElementsPerThread * threads;
    return tile.getNumElements() > kMaxElementsPerThread * threads ||
           countRegisters(tile.getNumElements(), tile.getElementType(), threads) > maxRegisters;
  }

  LogicalResult slice(aa::FuncOp func) {
    const ChipTarget target = findModuleTarget(func, gpuName);
    const int64_t threads = getExecutionScope(func).getNumThreads(), maxRegisters = getMaxRegisters(target, threads);
    auto isLarge = [&](RankedTensorType tile) { return isTooLarge(tile, threads, maxRegisters); };
    if (std::optional<LogicalResult> done = runLoopsForSlices(func, isLarge, target.tuning()))
      return *done;
    slicing::SliceShapes shapes(func, isLarge, sliceElementsPerThread * threads);
    if (!shapes.any())
      return success();
    remarkOn(func, Missed::LargeTiles)
        << "has tiles that do not fit in registers: they are computed slice by slice and kept in memory; smaller "
           "tiles stay in registers";
    slicing::SliceDemand demand(func, shapes, slicing::CarriedTiles::KeepInMemory, target.tuning());
    return slicing::SliceRewriter(func, shapes, demand).rewrite();
  }

  /// The largest slices that are not too large, if then nothing has to be kept.
  std::optional<LogicalResult> runLoopsForSlices(aa::FuncOp func, slicing::SliceShapes::TilePredicate isLarge,
                                                 const TuningModel &tuning) {
    if (!rerunLoops)
      return std::nullopt;
    slicing::SliceShapes shapes(func, isLarge, slicing::SliceShapes::kFitting);
    if (!shapes.any())
      return std::nullopt;
    slicing::SliceDemand demand(func, shapes, slicing::CarriedTiles::RunForEachSlice, tuning);
    if (!demand.keepsNothing())
      return std::nullopt;
    remarkOn(func, Missed::LargeTiles)
        << "has tiles that do not fit in registers: its loops run again for each slice of them; smaller tiles need one "
           "run";
    return slicing::SliceRewriter(func, shapes, demand).rewrite();
  }
};

} // namespace
