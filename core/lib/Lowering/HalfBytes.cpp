//===- HalfBytes.cpp - Memory of elements of four bits --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HalfBytes.h"
#include "ByteAccess.h"
#include "tileiras/Lowering/PtxInstruction.h"

using namespace mlir;

namespace tileiras {

/// The element in a half of `byte`: the upper one where `half` (an i32) is 1.
static Value emitExtractHalf(Emitter &emit, Value byte, Value half, Type registerType) {
  Value high = emit.icmp(LLVM::ICmpPredicate::ne, half, emit.i32(0));
  Value shifted = emit.select(high, emit.lshr(byte, 4), byte);
  return emit.zeroExtendOrTruncate(emit.bitAnd(shifted, emit.constant(byte.getType(), 15)),
                                   registerType.getIntOrFloatBitWidth());
}

SmallVector<Value> emitHalfByteLoad(Emitter &emit, const LLVMTileTypeConverter &converter,
                                    const AccessQualifiers &qualifiers, Type element, unsigned count,
                                    const ElementAddress &address, Value predicate, ValueRange other) {
  Type type = converter.convertElement(element);
  SmallVector<Value> elements;
  for (Value byte : emitByteLoad(emit, converter, qualifiers, emit.intType(8), llvm::divideCeil(count, 2),
                                 address.pointer, predicate, {})) {
    if (address.half) {
      elements.push_back(emitExtractHalf(emit, byte, address.half, type));
      break;
    }
    elements.push_back(emitExtractHalf(emit, byte, emit.i32(0), type));
    elements.push_back(emitExtractHalf(emit, byte, emit.i32(1), type));
  }
  if (predicate && !other.empty())
    for (auto [value, masked] : llvm::zip_equal(elements, other))
      value = emit.select(predicate, value, masked);
  return elements;
}

static void emitHalfByteAtomics(Emitter &emit, Value value, const ElementAddress &address, Value predicate) {
  auto shiftLeft = [&](Value a, Value b) -> Value { return LLVM::ShlOp::create(emit.builder, emit.location, a, b); };
  Value integer = LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), address.pointer);
  Value byte = emit.zeroExtendOrTruncate(emit.bitAnd(integer, emit.i64(3)), 32);
  Value halfBits = emit.shl(address.half, 2);
  Value shift = emit.add(emit.shl(byte, 3), halfBits);
  Value kept = emit.bitNot(shiftLeft(emit.i32(15), shift));
  Value set = shiftLeft(emit.zeroExtendOrTruncate(value, 32), shift);
  Value word = LLVM::IntToPtrOp::create(emit.builder, emit.location, address.pointer.getType(),
                                        emit.bitAnd(integer, emit.i64(-4)));
  for (auto [operation, operand] : {std::pair("and", kept), std::pair("or", set)}) {
    PtxInstruction atomic(emit);
    std::string at = atomic.operand(word), bits = atomic.operand(operand), guard = atomic.guard(predicate);
    atomic.emit(guard + "red.relaxed.gpu" + getPtxSpace(address.pointer) + "." + operation + ".b32 [" + at + "], " +
                    bits + ";",
                PtxEffect::Memory);
  }
}

void emitHalfByteStore(Emitter &emit, const LLVMTileTypeConverter &converter, const AccessQualifiers &qualifiers,
                       Type element, ValueRange values, const ElementAddress &address, Value predicate) {
  if (address.half && address.sharesByte)
    return emitHalfByteAtomics(emit, values.front(), address, predicate);
  auto toByte = [&](Value value) { return emit.zeroExtendOrTruncate(value, 8); };
  Type byteType = emit.intType(8);
  SmallVector<Value> bytes;
  if (address.half) {
    Value high = emit.icmp(LLVM::ICmpPredicate::ne, address.half, emit.i32(0));
    Value old = emitByteLoad(emit, converter, {}, byteType, 1, address.pointer, predicate, {}).front();
    Value value = toByte(values.front());
    Value lower = emit.bitOr(emit.bitAnd(old, emit.constant(byteType, 0xf0)), value);
    Value highHalf = emit.shl(value, 4);
    Value upper = emit.bitOr(emit.bitAnd(old, emit.constant(byteType, 0x0f)), highHalf);
    bytes.push_back(emit.select(high, upper, lower));
  } else {
    for (unsigned i = 0; i < values.size(); i += 2) {
      Value highHalf = emit.shl(toByte(values[i + 1]), 4);
      bytes.push_back(emit.bitOr(toByte(values[i]), highHalf));
    }
  }
  emitByteStore(emit, converter, qualifiers, byteType, bytes, address.pointer, predicate);
}

} // namespace tileiras
