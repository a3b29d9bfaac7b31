//===- FragmentWords.cpp - The registers of matrix operands ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/FragmentWords.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras {

/// The cast is of words, not of the bytes that were asked for. Fragments that come from another block do so as words
/// (PairHalvesPass).
static bool comesInWords(Value carrier) {
  auto cast = carrier.getDefiningOp<LLVM::BitcastOp>();
  return !cast || isa<BlockArgument>(cast.getArg()) ||
         getElementTypeOrSelf(cast.getArg().getType()).getIntOrFloatBitWidth() == 32;
}

FragmentWords::FragmentWords(Emitter &emit, Value vector, unsigned fragmentSize, unsigned elementBits) : emit(emit) {
  if (elementBits < 8 || fragmentSize * elementBits < 32) {
    const unsigned perWord = std::min(32 / elementBits, fragmentSize);
    words = packParts(vector, elementBits, perWord);
    perFragment = fragmentSize / perWord;
    return;
  }
  Type element = getElementTypeOrSelf(vector.getType());
  unsigned bits = element.getIntOrFloatBitWidth(), size = Emitter::getVectorSize(vector);
  Value carrier = bits < 64 ? emit.bitcast(vector, Emitter::vectorType(size * bits / 32, emit.i32())) : vector;
  words = bits == 8 && !comesInWords(carrier) ? packParts(vector, 8, 4) : emit.unpack(carrier);
  perFragment = fragmentSize * std::min(bits, 32u) / 32;
  if (bits == 64)
    perFragment = fragmentSize;
}

/// Words of `count` elements each, the lower `bits` of bytes; what they do not fill is zero. By arithmetic: the back
/// end fills vectors of bytes by way of undefined ones.
SmallVector<Value> FragmentWords::packParts(Value vector, unsigned bits, unsigned count) {
  SmallVector<Value> bytes = emit.unpack(vector), packed;
  auto getPart = [&](unsigned i) {
    Value part = emit.zeroExtendOrTruncate(bytes[i], 32);
    return bits == 8 ? part : emit.bitAnd(part, emit.i32((1 << bits) - 1));
  };
  for (unsigned i = 0; i < bytes.size(); i += count) {
    Value word = getPart(i);
    for (unsigned j = 1; j < count; ++j)
      word = emit.bitOr(word, emit.shl(getPart(i + j), bits * j));
    packed.push_back(word);
  }
  return packed;
}

} // namespace tileiras
