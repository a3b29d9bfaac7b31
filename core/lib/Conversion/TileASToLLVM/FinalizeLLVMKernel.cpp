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

/// LLVM makes registers of the variables of the first block, which what sets barriers up may have ended before.
void moveVariables(LLVM::LLVMFuncOp function) {
  SmallVector<LLVM::AllocaOp> variables;
  function.walk([&](LLVM::AllocaOp variable) {
    if (variable.getArraySize().getDefiningOp<LLVM::ConstantOp>())
      variables.push_back(variable);
  });
  for (LLVM::AllocaOp variable : variables) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    Operation *size = builder.clone(*variable.getArraySize().getDefiningOp());
    variable.getArraySizeMutable().assign(size->getResult(0));
    variable->moveAfter(size);
  }
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
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal())
        moveVariables(function);
    if (walk.wasInterrupted() || failed(chip->target->finalize(module, *chip->chip)))
      return signalPassFailure();
    // The device module is complete: what it was made for is no longer anyone's business.
    module->removeAttr(aa::TileAADialect::getTargetSpecAttrName());
  }
};

} // namespace
} // namespace tileiras
