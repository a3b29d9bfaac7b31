//===- Assert.cpp - Assertions --------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/SystemCalls.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The file and line a location names, if it does.
std::pair<std::string, unsigned> getSource(Location location) {
  std::pair<std::string, unsigned> source = {"unknown", 0};
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    source = {file.getFilename().str(), file.getLine()};
    return WalkResult::interrupt();
  });
  return source;
}

/// The index of the element in register `base` + `offset`, an i32 below the power of two `run` that divides `base`.
SmallVector<Value> emitIndex(Emitter &emit, const LinearLayout &layout, unsigned base, Value offset, unsigned run) {
  SmallVector<Value> index = emitCoordinates(emit, emitThreadCoordinates(emit, layout), layout, base);
  for (unsigned bit = 1; bit < run; bit *= 2) {
    Value isSet = emit.icmp(LLVM::ICmpPredicate::ne, emit.bitAnd(offset, emit.i32(bit)), emit.i32(0));
    for (auto [coordinate, step] : llvm::zip_equal(index, getRegisterCoordinates(layout, bit)))
      coordinate = emit.bitXor(coordinate, emit.select(isSet, emit.i32(step), emit.i32(0)));
  }
  return index;
}

/// "message [i, j]" for one element.
void emitFailure(Emitter &emit, as::AssertOp op, ArrayRef<int64_t> shape, ArrayRef<Value> index) {
  std::string format = "%s [";
  SmallVector<Value> arguments = {emitString(emit, op, op.getMessage())};
  for (auto [d, coordinate] : llvm::enumerate(index)) {
    format += d == 0 ? "" : ", ";
    format += shape[d] == 1 ? "0" : "%d";
    if (shape[d] != 1)
      arguments.push_back(coordinate);
  }
  emitPrintf(emit, op, format + "]\n", arguments);
}

/// Prints the message for every element that does not hold: of each word of 32 registers, those that a mask names.
void emitFailures(Emitter &emit, as::AssertOp op, RankedTensorType tile, ArrayRef<Value> holds) {
  constexpr unsigned kWord = 32;
  LinearLayout layout = getLayout(tile);
  SmallVector<unsigned> firsts = getFirstRegisters(layout);
  Value isHolder = emitIsFirstHolder(emit, layout);
  for (unsigned base = 0; base < holds.size(); base += kWord) {
    const unsigned run = std::min<unsigned>(holds.size() - base, kWord);
    Value failing = emit.i32(0);
    for (unsigned i = 0; i < run; ++i)
      if (firsts[base + i] == base + i)
        failing = emit.bitOr(failing, emit.shl(emit.zeroExtendOrTruncate(emit.bitNot(holds[base + i]), 32), i));
    if (isHolder)
      failing = emit.select(isHolder, failing, emit.i32(0));
    emitLoop(emit, run, Value(), [&](Value i, Value) {
      Value bit = emit.bitAnd(LLVM::LShrOp::create(emit.builder, emit.location, failing, i), emit.i32(1));
      emitIf(emit, emit.icmp(LLVM::ICmpPredicate::ne, bit, emit.i32(0)),
             [&] { emitFailure(emit, op, tile.getShape(), emitIndex(emit, layout, base, i, run)); });
      return Value();
    });
  }
}

struct AssertPattern final : TilePattern<as::AssertOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto tile = dyn_cast<RankedTensorType>(op.getCondition().getType());
    SmallVector<Value> holds = {adaptor.getCondition()};
    if (tile)
      holds = emit.unpack(holds.front());
    Value all;
    for (Value element : holds)
      all = emit.conjunction(all, element);
    Value isFirstCta = emitIsFirstCta(emit, op);
    Value fails = emit.conjunction(emit.bitNot(all), isFirstCta);
    if (tile) {
      emitIf(emit, fails, [&] { emitFailures(emit, op, tile, holds); });
      emit.barrier(); // The first thread that fails ends all others.
    }
    std::pair<std::string, unsigned> source = getSource(op.getLoc());
    emitIf(emit, fails, [&] {
      // What the program has printed before is in the buffer of the driver when one of its threads ends all others: a
      // scalar fails in all of them, and the one that prints may be behind.
      if (!tile)
        emit.barrier();
      Type pointer = emit.ptrType(kGenericSpace);
      Type none = LLVM::LLVMVoidType::get(emit.getContext());
      auto function =
          getSystemFunction(emit, op, "__assertfail", none, {pointer, pointer, emit.i32(), pointer, emit.i64()});
      StringRef kernel = op->getParentOfType<LLVM::LLVMFuncOp>().getSymName();
      emit.call(function, {emitString(emit, op, op.getMessage()), emitString(emit, op, source.first),
                           emit.i32(source.second), emitString(emit, op, kernel), emit.i64(1)});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateAssertPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AssertPattern>(lowering);
}

} // namespace tileiras
