//===- FinalizeLLVMKernel.cpp - The last look before LLVM -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_FINALIZELLVMKERNEL
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

bool isExecutable(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "llvm" || dialect == "nvvm" || isa<ModuleOp>(op);
}

class FinalizeLLVMKernelPass final : public impl::FinalizeLLVMKernelBase<FinalizeLLVMKernelPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<ChipTarget> chip = getChipTarget(module);
    if (failed(chip))
      return signalPassFailure();
    WalkResult walk = module.walk([](Operation *op) {
      if (isExecutable(op))
        return WalkResult::advance();
      op->emitError("'") << op->getName() << "' is left after the conversion to LLVM: it has no lowering yet";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted() || failed(chip->target->finalize(module, *chip->chip)))
      return signalPassFailure();
    // The device module is complete: what it was made for is no longer anyone's business.
    module->removeAttr(aa::TileAADialect::getTargetSpecAttrName());
  }
};

} // namespace
} // namespace tileiras
