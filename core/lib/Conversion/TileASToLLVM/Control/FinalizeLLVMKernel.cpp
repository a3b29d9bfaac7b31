//===- FinalizeLLVMKernel.cpp - The last look before LLVM -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

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

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Those that one instruction needs beside its operands, and for an operand of 64 bits beside its own (ptxas 13.0:
/// C7602 says which limit would do, for mma.sync, wgmma and tcgen05.ld of all sizes).
constexpr int64_t kBesideOperands = 20, kBesideWideOperand = 2;
/// What no kernel goes below: calls and addresses.
constexpr int64_t kFewestRegisters = 32;

int64_t countRegisters(Type type) {
  constexpr unsigned bitsOfRegister = 32, bitsOfAddress = 64;
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t registers = 0;
    for (Type field : structure.getBody())
      registers += countRegisters(field);
    return registers;
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::divideCeil(vector.getNumElements() * vector.getElementTypeBitWidth(), bitsOfRegister);
  const unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : bitsOfAddress;
  return llvm::divideCeil(bits, bitsOfRegister);
}

/// Of the operands and results that `op`, which stands for instructions, has at the same time.
int64_t countOperandRegisters(Operation *op) {
  int64_t registers = 0;
  for (Type type : op->getResultTypes())
    registers += countRegisters(type);
  // Constraints of operands come after those of results; a number ties one to a result.
  SmallVector<StringRef> constraints;
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    assembly.getConstraints().split(constraints, ',');
  llvm::erase_if(constraints,
                 [](StringRef constraint) { return constraint.starts_with("=") || constraint.starts_with("~"); });
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (index < constraints.size() && llvm::isDigit(constraints[index].front()))
      continue;
    const int64_t own = countRegisters(operand.getType());
    registers += own + (own == 2 ? kBesideWideOperand : 0);
  }
  return registers;
}

/// Agents that were to take registers beyond a lower limit: those that have as many from the launch take none, and
/// where nobody takes any, nobody gives any.
void dropRegisterChanges(LLVM::LLVMFuncOp kernel, int64_t atLaunch) {
  SmallVector<NVVM::SetMaxRegisterOp> changes;
  bool isTaken = false;
  kernel.walk([&](NVVM::SetMaxRegisterOp change) {
    changes.push_back(change);
    isTaken |= change.getAction() == NVVM::SetMaxRegisterAction::increase && change.getRegCount() > atLaunch;
  });
  for (NVVM::SetMaxRegisterOp change : changes)
    if (!isTaken || (change.getAction() == NVVM::SetMaxRegisterAction::increase && change.getRegCount() <= atLaunch))
      change.erase();
}

/// A limit of registers comes from a hint or is a choice. Where an instruction needs more, the assembler would refuse
/// the kernel: it gets what it needs.
void raiseRegisterLimit(LLVM::LLVMFuncOp kernel, const MachineModel &machine) {
  auto limit = kernel->getAttrOfType<IntegerAttr>("nvvm.maxnreg");
  auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.reqntid");
  if (!limit || !threads)
    return;
  int64_t needed = kFewestRegisters;
  kernel.walk([&](Operation *op) {
    if (isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op) || op->getName().getDialectNamespace() == "nvvm")
      needed = std::max(needed, countOperandRegisters(op) + kBesideOperands);
  });
  const int64_t numThreads =
      std::max(llvm::product_of(llvm::map_range(threads.asArrayRef(), [](int32_t extent) { return int64_t(extent); })),
               int64_t(1));
  needed = std::min<int64_t>(llvm::alignTo(needed, machine.registerAllocationUnit),
                             machine.getRegistersPerThread(numThreads, /*ctas=*/1));
  if (needed <= limit.getInt())
    return;
  kernel->setAttr("nvvm.maxnreg", Builder(kernel).getI32IntegerAttr(needed));
  dropRegisterChanges(kernel, needed);
  remarkOn(kernel, Missed::IgnoredHint)
      << llvm::formatv("hint 'occupancy' leaves a thread {0} registers, and an instruction needs {1}: {2} block(s) are "
                       "resident on a multiprocessor; fewer warps or smaller tiles need fewer",
                       limit.getInt(), needed,
                       machine.countResidentCTAs(llvm::divideCeil(numThreads, 32), needed, /*sharedBytes=*/0))
             .str();
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
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      if (!function.isExternal())
        moveVariables(function);
      raiseRegisterLimit(function, chip->machine());
    }
    if (walk.wasInterrupted() || failed(chip->target->finalize(module, *chip->chip)))
      return signalPassFailure();
    // The device module is complete: what it was made for is no longer anyone's business.
    module->removeAttr(aa::TileAADialect::getTargetSpecAttrName());
  }
};

} // namespace
} // namespace tileiras
