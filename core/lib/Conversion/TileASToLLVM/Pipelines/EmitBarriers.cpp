//===- EmitBarriers.cpp - Barriers become PTX -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitBarriers.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {

/// PTX ISA, "bar". Which barrier is the next one takes no register between two of them.
static void emitBarrier(Emitter &emit, as::NamedBarrierOp op) {
  const unsigned threads = op.getThreads();
  if (op.getAction() == as::BarrierAction::Meet) {
    emitFencePragma(emit);
    NVVM::BarrierOp::create(emit.builder, emit.location, TypeRange(), op.getNumber(), emit.i32(threads),
                            NVVM::BarrierReductionAttr(), Value());
    return;
  }
  PtxInstruction ptx(emit);
  const std::string number = ptx.operand(op.getNumber());
  std::string text;
  if (op.getAction() == as::BarrierAction::ArriveNext)
    text = llvm::formatv("{{\n.reg .pred last;\n.reg .b32 next;\nsetp.eq.u32 last, {0}, {1};\nadd.u32 next, {0}, 1;\n"
                         "@last mov.u32 next, {2};\n{3}\n}",
                         number, op.getLast(), op.getFirst(), ptx.fence("bar.arrive next, " + Twine(threads) + ";"));
  else
    text = ptx.fence(llvm::formatv("bar.{0} {1}, {2};", op.getAction() == as::BarrierAction::Sync ? "sync" : "arrive",
                                   number, threads)
                         .str());
  ptx.emit(text, PtxEffect::Memory);
}

/// PTX ISA, "mbarrier.try_wait". Each barrier of several is asked once before the first answer is looked at.
static void emitWaits(Emitter &emit, as::AwaitMbarriersOp op) {
  PtxInstruction ptx(emit);
  const unsigned count = op.getOffsets().size();
  // Asks whether the phase is complete; the answer is in predicate `answer`.
  auto ask = [&](unsigned barrier, StringRef answer) -> std::string {
    const std::string address = ptx.operand(op.getAddresses()[barrier]),
                      parity = ptx.operand(op.getParities()[barrier]);
    const int64_t offset = op.getOffsets()[barrier];
    return ptx.fence(llvm::formatv("mbarrier.try_wait.parity{0}.shared::cta.b64 {1}, [{2}{3}], {4};",
                                   op.getOfCluster()[barrier] ? ".acquire.cluster" : "", answer, address,
                                   offset ? "+" + std::to_string(offset) : "", parity)
                         .str());
  };
  if (count == 1) {
    ptx.emit("{\n.reg .pred complete;\nWAIT:\n" + ask(0, "complete") + "\n@!complete bra WAIT;\n}", PtxEffect::Memory);
    return;
  }
  std::string text = llvm::formatv("{{\n.reg .pred complete<{0}>;\n", count), loops;
  for (unsigned barrier = 0; barrier < count; ++barrier) {
    const std::string question = ask(barrier, "complete" + std::to_string(barrier));
    text += question + "\n";
    loops += llvm::formatv("@complete{0} bra NEXT{0};\nWAIT{0}:\n{1}\n@!complete{0} bra WAIT{0};\nNEXT{0}:\n", barrier,
                           question);
  }
  ptx.emit(text + loops + "}", PtxEffect::Memory);
}

LogicalResult emitBarriers(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) -> WalkResult {
    if (!isa_and_nonnull<as::TileASDialect>(op->getDialect()))
      return WalkResult::advance();
    OpBuilder builder(op);
    Emitter emit(builder, op);
    LogicalResult result = TypeSwitch<Operation *, LogicalResult>(op)
                               .Case([&](as::NamedBarrierOp barrier) { return emitBarrier(emit, barrier), success(); })
                               .Case([&](as::AwaitMbarriersOp waits) { return emitWaits(emit, waits), success(); })
                               .Default([](Operation *left) {
                                 return left->emitOpError("is left by the conversion to LLVM, and nothing makes PTX of "
                                                          "it: this is an internal error");
                               });
    if (failed(result))
      return result;
    op->erase();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace tileiras
