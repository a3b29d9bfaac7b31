//===- PackedArithmetic.cpp - Two elements an instruction -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/PackedArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/ScalarArithmetic.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {

using Opcode = std::optional<std::string>;

static bool isOfF32(Operation *op) {
  return op->getNumResults() == 1 && getElementTypeOrSelf(op->getResult(0).getType()).isF32();
}

Opcode getPackedOpcode(const LoweringContext &lowering, Operation *op) {
  if (!lowering.features().f32x2 || !isOfF32(op))
    return std::nullopt;
  auto rounded = [](StringRef name, auto op) { return Opcode(getPtxRounded(name, op.getRounding(), op.getFtz())); };
  return TypeSwitch<Operation *, Opcode>(op)
      .Case([](arith::AddFOp) { return "add.rn"; })
      .Case([](arith::SubFOp) { return "sub.rn"; })
      .Case([](arith::MulFOp) { return "mul.rn"; })
      .Case([](math::FmaOp) { return "fma.rn"; })
      .Case([&](aa::AddFOp op) { return rounded("add", op); })
      .Case([&](aa::SubFOp op) { return rounded("sub", op); })
      .Case([&](aa::MulFOp op) { return rounded("mul", op); })
      .Case([&](aa::FmaOp op) { return rounded("fma", op); })
      .Default([](Operation *) { return std::nullopt; });
}

Opcode getTernaryOpcode(const LoweringContext &lowering, Operation *op) {
  if (!lowering.features().threeInputMinMax || !isOfF32(op))
    return std::nullopt;
  auto flagged = [](StringRef name, auto op) {
    return Opcode(getPtxExtremum(name, op.getPropagateNan(), op.getFtz()));
  };
  return TypeSwitch<Operation *, Opcode>(op)
      .Case([](arith::MaxNumFOp) { return "max"; })
      .Case([](arith::MinNumFOp) { return "min"; })
      .Case([](arith::MaximumFOp) { return "max.NaN"; })
      .Case([](arith::MinimumFOp) { return "min.NaN"; })
      .Case([&](aa::MaxFOp op) { return flagged("max", op); })
      .Case([&](aa::MinFOp op) { return flagged("min", op); })
      .Default([](Operation *) { return std::nullopt; });
}

/// Elements `first` and `first` + 1. The moves only name pairs of registers: an assembler that finds the elements there
/// already drops them.
static SmallVector<Value> emitPair(Emitter &emit, StringRef opcode, ArrayRef<SmallVector<Value>> operands,
                                   size_t first) {
  PtxInstruction instruction(emit);
  const std::string result = instruction.resultFragment(emit.f32(), 2);
  std::string declared = "r", moves, arguments;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    const char name = static_cast<char>('a' + i);
    declared += llvm::formatv(", {0}", name);
    moves +=
        llvm::formatv("mov.b64 {0}, {1}; ", name, instruction.operandFragment(ValueRange(operand).slice(first, 2)));
    arguments += llvm::formatv(", {0}", name);
  }
  return instruction.emit(llvm::formatv("{{ .reg .b64 {0}; {1}{2}.f32x2 r{3}; mov.b64 {4}, r; }", declared, moves,
                                        opcode, arguments, result)
                              .str());
}

SmallVector<Value> emitF32Arithmetic(Emitter &emit, const LoweringContext &lowering, const Twine &opcode,
                                     ArrayRef<SmallVector<Value>> operands) {
  const std::string name = opcode.str();
  const size_t count = operands.front().size();
  SmallVector<Value> results;
  while (lowering.features().f32x2 && results.size() + 1 < count)
    llvm::append_range(results, emitPair(emit, name, operands, results.size()));
  for (size_t i = results.size(); i < count; ++i) {
    auto elements = llvm::map_to_vector(operands, [&](const SmallVector<Value> &operand) { return operand[i]; });
    results.push_back(emitPtxInstruction(emit, name + ".f32", emit.f32(), elements));
  }
  return results;
}

} // namespace tileiras
