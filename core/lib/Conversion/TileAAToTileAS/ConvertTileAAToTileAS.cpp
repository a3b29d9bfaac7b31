//===- ConvertTileAAToTileAS.cpp - convert-tileaa-to-tileas ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockScale.h"
#include "FunctionConverter.h"
#include "ModuleTarget.h"
#include "NarrowProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEAATOTILEAS
#include "tileiras/Conversion/TileAAToTileAS/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

namespace {

/// Elements of a tile that a thread may hold. More than the register file by far: the rest is spilled. But LLVM and the
/// assembler have to see each of them.
constexpr int64_t kMaxElementsPerThread = 8192;

LogicalResult verifyTileSizes(aa::FuncOp func, int64_t numWarps) {
  int64_t threads = 32 * numWarps;
  WalkResult result = func.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<RankedTensorType>(type);
      if (!tile || tile.getNumElements() <= threads * kMaxElementsPerThread)
        continue;
      op->emitError("a tile of ") << tile.getNumElements() << " elements does not fit into " << threads
                                  << " threads: at most " << threads * kMaxElementsPerThread
                                  << " are supported; use smaller tiles";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct ConvertTileAAToTileAS : tileiras::impl::ConvertTileAAToTileASBase<ConvertTileAAToTileAS> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation().walk(
        [&](aa::FuncOp func) { return failed(convert(func)) ? WalkResult::interrupt() : WalkResult::skip(); });
    if (result.wasInterrupted()) {
      getOperation().emitError("failed to convert nv_tileaa to nv_tileas");
      signalPassFailure();
    }
  }

  LogicalResult convert(aa::FuncOp func) {
    if (func.isExternal())
      return success();
    if (failed(verifyTileSizes(func, getNumWarps(func))))
      return failure();
    const ChipTarget target = findModuleTarget(func, gpuName);
    if (failed(expandBlockScales(func, target, blockScale == "emulate")) || failed(widenNarrowProducts(func, target)))
      return failure();
    FailureOr<LayoutAssignment> layouts = LayoutAssignment::compute(func, target, getNumWarps(func));
    if (failed(layouts))
      return failure();
    return FunctionConverter(func, *layouts, target).convert();
  }
};

} // namespace
