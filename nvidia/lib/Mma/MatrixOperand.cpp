//===- MatrixOperand.cpp - Operands in shared memory ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/MatrixOperand.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/StageAddress.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileiras;

MatrixOperand::MatrixOperand(RankedTensorType type, unsigned mnDim) : columns(type.getDimSize(1)), mnDim(mnDim) {
  const unsigned bytes = as::getSharedBits(type.getElementType()) / 8;
  for (const LinearLayout::Inputs &inputs : cantFail(as::getSharedLayout(type)).rightInverse())
    offsets.push_back(inputs[static_cast<unsigned>(LayoutDim::Offset)] * bytes);
}

int64_t MatrixOperand::getOffset(int64_t mn, int64_t k) const {
  int64_t element = mnDim == 0 ? mn * columns + k : k * columns + mn, offset = 0;
  for (unsigned bit = 0; element >> bit; ++bit)
    if (element >> bit & 1)
      offset ^= offsets[bit];
  return offset;
}

Value MatrixOperand::emitDescriptor(Emitter &emit, Value address, uint64_t fields, Value bytes) const {
  std::optional<StageAddress> stage = matchStageAddress(address);
  Value start = stage ? stage->base : LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i32(), address);
  if (bytes)
    start = emit.add(start, bytes);
  Value low = emit.zeroExtendOrTruncate(emit.bitAnd(emit.lshr(start, 4), emit.i32(0x3fff)), 64);
  Value descriptor = emit.bitOr(low, emit.i64(fields));
  if (!stage)
    return descriptor;
  // Shared memory ends before the 18 bits that a descriptor knows: one addition, to what loops need not repeat.
  PtxInstruction advance(emit);
  std::string result = advance.result(emit.i64()), number = advance.operand(stage->stage);
  std::string first = advance.operand(descriptor);
  return advance.emit(llvm::formatv("mad.wide.u32 {0}, {1}, {2}, {3};", result, number, stage->stageBytes >> 4, first))
      .front();
}
