//===- StageAddress.cpp - Where a stage of a ring begins ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/StageAddress.h"

using namespace mlir;

namespace tileiras {

Value StageAddress::emit(Emitter &emit) const {
  return emit.add(base, emit.mul(stage, emit.i32(stageBytes)));
}

Value StageAddress::emitPointer(Emitter &emitter) const {
  return LLVM::IntToPtrOp::create(emitter.builder, emitter.location, emitter.ptrType(kSharedSpace), emit(emitter));
}

StageAddress getStageAddress(Emitter &emit, Value ring, Value stage, int64_t stageBytes) {
  return {LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i32(), ring), stage, stageBytes};
}

std::optional<StageAddress> matchStageAddress(Value pointer) {
  auto toPointer = pointer.getDefiningOp<LLVM::IntToPtrOp>();
  auto sum = toPointer ? toPointer.getArg().getDefiningOp<LLVM::AddOp>() : nullptr;
  auto product = sum ? sum.getRhs().getDefiningOp<LLVM::MulOp>() : nullptr;
  auto bytes = product ? product.getRhs().getDefiningOp<LLVM::ConstantOp>() : nullptr;
  auto number = bytes ? dyn_cast<IntegerAttr>(bytes.getValue()) : nullptr;
  if (!number)
    return std::nullopt;
  return StageAddress{sum.getLhs(), product.getLhs(), number.getInt()};
}

} // namespace tileiras
