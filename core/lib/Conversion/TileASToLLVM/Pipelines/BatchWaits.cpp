//===- BatchWaits.cpp - Waits that follow each other ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchWaits.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {

/// One question, of wait `number`; its barrier and parity are the assembly's operands 2 · number and behind.
static std::string getQuestion(LLVM::InlineAsmOp wait, size_t number) {
  std::string text = wait->getAttrOfType<StringAttr>(kMbarrierWaitAttr).str();
  for (auto [from, to] : {std::pair(StringRef("complete"), llvm::formatv("complete{0}", number).str()),
                          std::pair(StringRef("$1"), llvm::formatv("${0}", 2 * number + 1).str()),
                          std::pair(StringRef("$0"), llvm::formatv("${0}", 2 * number).str())})
    text.replace(text.find(from), from.size(), to);
  return text;
}

static void merge(MutableArrayRef<LLVM::InlineAsmOp> waits) {
  if (waits.size() < 2)
    return;
  std::string text = llvm::formatv("{{\n.reg .pred complete<{0}>;\n", waits.size()), constraints;
  std::string loops;
  SmallVector<Value> operands;
  for (auto [number, wait] : llvm::enumerate(waits)) {
    llvm::append_range(operands, wait.getOperands());
    constraints += "r,r,";
    const std::string question = getQuestion(wait, number);
    text += question + "\n";
    loops += llvm::formatv("@complete{0} bra NEXT{0};\nWAIT{0}:\n{1}\n@!complete{0} bra WAIT{0};\nNEXT{0}:\n", number,
                           question);
  }
  LLVM::InlineAsmOp last = waits.back();
  last->setOperands(operands);
  last.setAsmString(text + loops + "}");
  last.setConstraints(constraints + "~{memory}");
  last->removeAttr(kMbarrierWaitAttr);
  for (LLVM::InlineAsmOp wait : waits.drop_back())
    wait.erase();
}

/// Nobody else sees what `op` does: it computes, or it accesses a variable of the thread.
static bool isPrivate(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr().getDefiningOp<LLVM::AllocaOp>() != nullptr;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr().getDefiningOp<LLVM::AllocaOp>() != nullptr;
  return isMemoryEffectFree(op);
}

void batchMbarrierWaits(ModuleOp module) {
  module.walk([](Block *block) {
    SmallVector<LLVM::InlineAsmOp> waits;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (op.hasAttr(kMbarrierWaitAttr)) {
        waits.push_back(cast<LLVM::InlineAsmOp>(op));
      } else if (!isPrivate(&op)) {
        merge(waits);
        waits.clear();
      }
    }
    merge(waits);
  });
}

} // namespace tileiras
