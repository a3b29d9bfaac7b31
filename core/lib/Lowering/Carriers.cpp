//===- Carriers.cpp - Values as memory and shuffles carry them ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/Carriers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras {

Value toCarrier(Emitter &emit, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (isa<LLVM::LLVMPointerType>(element))
    return LLVM::PtrToIntOp::create(emit.builder, emit.location, Emitter::likeShape(emit.i64(), value), value);
  if (element.isInteger() && element.getIntOrFloatBitWidth() < 8)
    return emit.zeroExtendOrTruncate(value, 8);
  return emit.bitcast(value, Emitter::likeShape(emit.intType(element.getIntOrFloatBitWidth()), value));
}

Value fromCarrier(Emitter &emit, Value carrier, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<LLVM::LLVMPointerType>(element))
    return LLVM::IntToPtrOp::create(emit.builder, emit.location, type, carrier);
  if (element.isInteger() && element.getIntOrFloatBitWidth() < 8)
    return emit.zeroExtendOrTruncate(carrier, element.getIntOrFloatBitWidth());
  return emit.bitcast(carrier, type);
}

unsigned getCarrierBytes(Type element) {
  if (isa<LLVM::LLVMPointerType>(element))
    return 8;
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

Value emitShuffle(Emitter &emit, ShuffleKind kind, Value value, Value lane) {
  Type type = value.getType();
  Value carrier = toCarrier(emit, value);
  unsigned bits = carrier.getType().getIntOrFloatBitWidth();
  Value moved;
  if (bits <= 32) {
    moved = emit.zeroExtendOrTruncate(emit.shuffle(kind, emit.zeroExtendOrTruncate(carrier, 32), lane), bits);
  } else {
    SmallVector<Value> halves = emit.unpack(emit.bitcast(carrier, Emitter::vectorType(2, emit.i32())));
    for (Value &half : halves)
      half = emit.shuffle(kind, half, lane);
    moved = emit.bitcast(emit.pack(halves), carrier.getType());
  }
  return fromCarrier(emit, moved, type);
}

} // namespace tileiras
