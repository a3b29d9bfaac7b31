//===- HalfPairs.cpp - Two floats of 16 bits an instruction ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back end of LLVM takes vectors of f16 and bf16 apart. Results are the same, bit by bit.
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/PtxInstruction.h"

using namespace mlir;

namespace tileiras {
namespace {

/// How PTX calls it. Where bf16 has but `fma`, others are one.
struct PairInstruction {
  enum Argument : unsigned { Constant = 3 };
  StringRef opcode;
  SmallVector<unsigned, 3> arguments; ///< numbers of operands, or Constant
  uint16_t constant = 0;              ///< bits of a bf16
};

/// Adding -0 changes no product, not even the sign of a zero.
PairInstruction getInstruction(Operation *op, bool onlyFuses) {
  using enum PairInstruction::Argument;
  return TypeSwitch<Operation *, PairInstruction>(op)
      .Case([&](arith::AddFOp) {
        return onlyFuses ? PairInstruction{"fma.rn", {0, Constant, 1}, 0x3f80} : PairInstruction{"add.rn", {0, 1}};
      })
      .Case([&](arith::SubFOp) {
        return onlyFuses ? PairInstruction{"fma.rn", {1, Constant, 0}, 0xbf80} : PairInstruction{"sub.rn", {0, 1}};
      })
      .Case([&](arith::MulFOp) {
        return onlyFuses ? PairInstruction{"fma.rn", {0, 1, Constant}, 0x8000} : PairInstruction{"mul.rn", {0, 1}};
      })
      .Case([&](math::FmaOp) {
        return PairInstruction{"fma.rn", {0, 1, 2}};
      });
}

template <typename OpTy>
struct HalfPairPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Type element = getElementTypeOrSelf(op.getType());
    const ChipFeatures &features = this->lowering.features();
    auto vector = dyn_cast<VectorType>(this->convert(op.getType()));
    if (!(element.isF16() || (element.isBF16() && features.fmaBf16)) || !vector || vector.getNumElements() % 2)
      return failure();
    Emitter emit(rewriter, op);
    const Type words = Emitter::vectorType(vector.getNumElements() / 2, emit.i32());
    SmallVector<SmallVector<Value>> operands;
    for (Value operand : adaptor.getOperands())
      operands.push_back(emit.unpack(emit.bitcast(operand, words)));
    const PairInstruction instruction = getInstruction(op, element.isBF16() && !features.addBf16);
    SmallVector<Value> results;
    for (unsigned i = 0; i < operands.front().size(); ++i)
      results.push_back(emitPair(emit, instruction, operands, i, element.isF16() ? "f16x2 " : "bf16x2 "));
    rewriter.replaceOp(op, emit.bitcast(emit.pack(results), vector));
    return success();
  }

  static Value emitPair(Emitter &emit, const PairInstruction &instruction, ArrayRef<SmallVector<Value>> operands,
                        unsigned i, StringRef type) {
    PtxInstruction pair(emit);
    std::string text = (instruction.opcode + "." + type + pair.result(emit.i32())).str();
    for (unsigned number : instruction.arguments) {
      Value constant =
          number == PairInstruction::Constant ? emit.i32(int32_t(instruction.constant * 0x10001u)) : Value();
      text += ", " + pair.operand(constant ? constant : operands[number][i]);
    }
    return pair.emit(text + ";").front();
  }
};

} // namespace

void populateHalfPairPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<HalfPairPattern<arith::AddFOp>, HalfPairPattern<arith::SubFOp>, HalfPairPattern<arith::MulFOp>,
               HalfPairPattern<math::FmaOp>>(lowering);
}

} // namespace tileiras
