//===- Shifts.cpp - Shifts by any amount ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX clamps amounts to the width, as the language does; LLVM's shifts are poison from there on. Guarded ones would do,
// but the back end of LLVM 22 takes the guard of a 64-bit amount for one of its lower half.
//
//===----------------------------------------------------------------------===//

#include "Shifts.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "PackedBytes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAA/Shifts.h"

using namespace mlir;

namespace tileiras {
namespace {

/// As PTX spells it, but for the width.
StringRef getOpcode(ShiftKind kind) {
  switch (kind) {
  case ShiftKind::Left:
    return "shl.b";
  case ShiftKind::RightUnsigned:
    return "shr.u";
  case ShiftKind::RightSigned:
    return "shr.s";
  }
  llvm_unreachable("all kinds are handled");
}

/// The amount of an instruction has 32 bits. One that has more, and is not below 2^32, is as good as the width.
Value shiftFar(Emitter &emit, StringRef opcode, Value value, Value amount) {
  PtxInstruction shift(emit);
  const std::string result = shift.result(value.getType()), from = shift.operand(value), by = shift.operand(amount);
  return shift
      .emit("{ .reg .b32 low, high; .reg .pred isFar; mov.b64 {low, high}, " + by + "; setp.ne.u32 isFar, high, 0; " +
            "selp.b32 low, 64, low, isFar; " + opcode + "64 " + result + ", " + from + ", low; }")
      .front();
}

/// The bits of `amount`, if it was widened from 32 or fewer.
Value getNarrow(Emitter &emit, Value amount) {
  auto extension = amount.getDefiningOp<LLVM::ZExtOp>();
  const bool isNarrow = extension && getElementTypeOrSelf(extension.getArg()).getIntOrFloatBitWidth() <= 32;
  return isNarrow ? emit.zeroExtendOrTruncate(extension.getArg(), 32) : Value();
}

Value emitShift(Emitter &emit, ShiftKind kind, Value value, Value amount) {
  const unsigned width = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  const Type type = value.getType();
  const bool isSigned = kind == ShiftKind::RightSigned;
  if (width == 1)
    return isSigned ? value : emit.bitAnd(value, emit.bitNot(amount));
  if (width == 8) { // There are no registers of 8 bits.
    APInt bits;
    if (matchPattern(amount, m_ConstantInt(&bits)))
      if (Value packed = emitByteShift(emit, kind, value, bits.getZExtValue()))
        return packed;
    value = isSigned ? emit.signExtendOrTruncate(value, 32) : emit.zeroExtendOrTruncate(value, 32);
    return emit.zeroExtendOrTruncate(emitShift(emit, kind, value, emit.zeroExtendOrTruncate(amount, 32)), width);
  }
  const std::string opcode = (getOpcode(kind) + Twine(width)).str();
  Value narrow = width < 64 ? emit.zeroExtendOrTruncate(amount, 32) : getNarrow(emit, amount);
  return mapElements(emit, type, {value, narrow ? narrow : amount}, [&](ValueRange scalars) {
    return narrow ? emitPtxInstruction(emit, opcode, scalars[0].getType(), scalars)
                  : shiftFar(emit, getOpcode(kind), scalars[0], scalars[1]);
  });
}

template <typename OpTy>
struct ShiftPattern final : TilePattern<OpTy> {
  ShiftPattern(const LoweringContext &lowering, ShiftKind kind) : TilePattern<OpTy>(lowering), kind(kind) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emitShift(emit, kind, adaptor.getLhs(), adaptor.getRhs()));
    return success();
  }

  ShiftKind kind;
};

} // namespace

void populateShiftPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ShiftPattern<aa::ShLIOp>>(lowering, ShiftKind::Left);
  patterns.add<ShiftPattern<aa::ShRUIOp>>(lowering, ShiftKind::RightUnsigned);
  patterns.add<ShiftPattern<aa::ShRSIOp>>(lowering, ShiftKind::RightSigned);
}

} // namespace tileiras
