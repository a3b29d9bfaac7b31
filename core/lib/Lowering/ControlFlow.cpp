//===- ControlFlow.cpp - Branches within a lowered operation ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/ControlFlow.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tileiras {

/// Ends the current block, and gives what follows it a block of its own.
static Block *splitHere(ConversionPatternRewriter &rewriter) {
  return rewriter.splitBlock(rewriter.getInsertionBlock(), rewriter.getInsertionPoint());
}

void emitIf(Emitter &emit, Value condition, llvm::function_ref<void()> body) {
  auto &rewriter = static_cast<ConversionPatternRewriter &>(emit.builder);
  Block *before = rewriter.getInsertionBlock();
  Block *after = splitHere(rewriter);
  Block *then = rewriter.createBlock(after);
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, emit.location, condition, then, after);
  rewriter.setInsertionPointToEnd(then);
  body();
  LLVM::BrOp::create(rewriter, emit.location, ValueRange(), after);
  rewriter.setInsertionPointToStart(after);
}

Value emitLoop(Emitter &emit, int64_t count, Value initial, llvm::function_ref<Value(Value, Value)> body) {
  auto &rewriter = static_cast<ConversionPatternRewriter &>(emit.builder);
  Block *before = rewriter.getInsertionBlock();
  Block *after = splitHere(rewriter);
  SmallVector<Type> types = {emit.i32()};
  if (initial)
    types.push_back(initial.getType());
  Block *loop = rewriter.createBlock(after, types, SmallVector<Location>(types.size(), emit.location));
  rewriter.setInsertionPointToEnd(before);
  SmallVector<Value> first = {emit.i32(0)};
  if (initial)
    first.push_back(initial);
  LLVM::BrOp::create(rewriter, emit.location, first, loop);
  rewriter.setInsertionPointToEnd(loop);
  Value next = body(loop->getArgument(0), initial ? loop->getArgument(1) : Value());
  Value i = emit.add(loop->getArgument(0), emit.i32(1));
  Value done = emit.icmp(LLVM::ICmpPredicate::eq, i, emit.i32(count));
  SmallVector<Value> again = {i}, result;
  if (initial) {
    again.push_back(next);
    result.push_back(next);
  }
  LLVM::CondBrOp::create(rewriter, emit.location, done, after, result, loop, again);
  rewriter.setInsertionPointToStart(after);
  return initial ? Value(after->addArgument(initial.getType(), emit.location)) : Value();
}

} // namespace tileiras
